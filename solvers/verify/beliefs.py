"""Equilibria with beliefs, held against their definitions. An assessment is a profile, and for each information set how
likely its positions are held to be.

1. Sequential rationality (Kreps and Wilson 1982): from each information set on, nobody gets more by another strategy
   than by the profile, given the belief there. Where everyone sees everything one deviation at a time is enough.
2. Perfect Bayesian: in every subgame, where its play comes, beliefs follow by Bayes' rule (Mas-Colell, Whinston and
   Green, Microeconomic Theory, 1995, section 9.C, in each subgame).
3. Sequential: the beliefs are limits of what follows from trembles (consistency.py).
4. Intuitive: no type could make itself known by a message that is not sent (intuitive.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from gdl.game import Number, actions
from gdl.solution import Profile
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.consistency import inconsistencies
from gdl.solvers.verify.intuitive import intuitive_failures
from gdl.solvers.verify.perfection import improvable, subgames
from gdl.solvers.verify.position_graph import VerifierPositions
from gdl.solvers.verify.replies import Row, best_reply, expectation, follows
from gdl.solvers.verify.verdict import Finding, Misfit

KIND = {"sequential": "sequential", "perfect-bayesian": "perfect Bayesian", "intuitive": "perfect Bayesian"}

Beliefs = Sequence[Mapping[int, Number]]  # for each information set: position -> its probability, if above 0


def check_beliefs(case: VerifierCase) -> Iterator[Finding]:
    """Each equilibrium with its beliefs meets the conditions of the answer's concept."""
    claim = case.claim
    held = claim.beliefs
    if len(held) != len(claim.equilibria):
        yield Finding(False, ("beliefs",), "there are not as many beliefs as equilibria")
        return
    for number, (profile, beliefs) in enumerate(zip(claim.equilibria, held, strict=True), start=1):
        yield from _check_assessment(case, f"equilibrium {number}", profile, beliefs)


def _check_assessment(case: VerifierCase, name: str, profile: Profile, beliefs: Profile) -> Iterator[Finding]:
    rows = _everywhere(case, profile)
    read = read_beliefs(case.graph.positions, beliefs)
    wrong = next(_failures(case, rows, read), None)
    kind = KIND[case.claim.concept or ""]
    if wrong is None:
        yield Finding(True, ("beliefs", "equilibria", "concept"), f"{name}: with its beliefs it is {kind}")
    else:
        yield Finding(False, ("beliefs", "equilibria", "concept"), f"{name} is not {kind}: {wrong}")


def _everywhere(case: VerifierCase, profile: Profile) -> list[Row]:
    """The probabilities of the actions at each information set. Raises Misfit if the profile leaves one out."""
    behaviour = case.behaviour(profile)
    rows = [row for row in behaviour if row is not None]
    if len(rows) < len(behaviour):
        h = behaviour.index(None)
        raise Misfit(f"it does not say what is done at {case.graph.positions.information_sets[h].name}")
    return rows


def position_names(positions: VerifierPositions) -> list[str]:
    """The names by which answers call positions: `start` for the first, else the actions that lead there, on the first
    way found. Names that are not unique get numbers."""
    names = ["start", *("" for _ in positions.nodes[1:])]
    for position, after in enumerate(positions.successors):
        before = f"{names[position]} > " if position else ""
        for action, successor in zip(actions(positions.nodes[position]), after, strict=True):
            names[successor] = names[successor] or f"{before}{action}"
    return names if len(set(names)) == len(names) else [f"{name} #{k}" for k, name in enumerate(names)]


def read_beliefs(positions: VerifierPositions, beliefs: Profile) -> Beliefs:
    """The beliefs of an answer by number of information set and position. Raises Misfit where they are not of this
    game, or not complete."""
    called = position_names(positions)
    known = {player: dict(own) for player, own in beliefs.items()}
    read: list[Mapping[int, Number]] = []
    for found in positions.information_sets:
        told = known.get(positions.players[found.player], {}).pop(found.name, None)
        if told is None:
            raise Misfit(f"no belief is told of {found.name}")
        nodes = {called[member]: member for member in found.members}
        if strange := [node for node in told if node not in nodes]:
            raise Misfit(f"no node at {found.name} is called {strange[0]!r}")
        if any(share < 0 for share in told.values()) or sum(told.values(), Fraction(0)) != 1:
            raise Misfit(f"the belief at {found.name} does not sum to one")
        read.append({nodes[node]: share for node, share in told.items() if share})
    for player, left in known.items():
        for name in left:
            raise Misfit(f"no information set of {player} is called {name!r}")
    return read


def _failures(case: VerifierCase, rows: list[Row], beliefs: Beliefs) -> Iterator[str]:
    """The conditions of the concept that an equilibrium with these beliefs does not meet, in words."""
    positions, concept = case.graph.positions, case.claim.concept
    yield from _irrational(positions, rows, beliefs, case.graph.open)
    if concept == "intuitive":
        yield from intuitive_failures(positions, rows)
    if case.graph.open:  # whoever knows the position believes it
        return
    if concept == "sequential":
        yield from inconsistencies(positions, rows, beliefs)
        return
    for root in (0, *(root for root, _ in subgames(positions))):
        for h, belief in follows(positions, tuple(rows), root).items():
            if beliefs[h] != belief:
                yield f"the belief at {positions.information_sets[h].name} is not what follows from the play"


def _irrational(positions: VerifierPositions, rows: list[Row], beliefs: Beliefs, is_open: bool) -> Iterator[str]:
    """The information sets at which the player who moves could do better from there on, in words."""
    if is_open:
        yield from (_better(positions, h, best, gain) for h, best, gain in improvable(positions, rows))
        return
    for h, found in enumerate(positions.information_sets):
        reply = best_reply(positions, tuple(rows), found.player, beliefs[h])
        gain = reply.value - expectation(positions, tuple(rows), beliefs[h])[found.player]
        if gain:
            yield _better(positions, h, reply.choices[h][0], gain)


def _better(positions: VerifierPositions, h: int, best: int, gain: Number) -> str:
    found = positions.information_sets[h]
    return (
        f"{positions.players[found.player]} would rather play {found.actions[best]} at {found.name}, which gains {gain}"
    )

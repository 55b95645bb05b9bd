"""Is an equilibrium one of every subgame as well (Selten 1965)?

With perfect information, every position begins a subgame, and it is enough that no single deviation gains anywhere
(the one-deviation property: Osborne and Rubinstein, A Course in Game Theory, lemma 98.2). Elsewhere a subgame begins at
a position that its mover can tell from all others, if no information set reaches out of what follows, and the profile
is judged in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.game import Number, Terminal
from gdl.solution import Profile
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.position_graph import VerifierPositions
from gdl.solvers.verify.replies import Behaviour, Row, best_reply, expectation, worths
from gdl.solvers.verify.verdict import Finding, Unchecked

CONCEPT = "subgame-perfect"
MOST_POSITIONS = 3_000  # positions among which subgames are looked for where something is hidden
WORK = 300_000  # positions of all of these subgames together


def check(case: VerifierCase, name: str, profile: Profile) -> Iterator[Finding]:
    """A finding on whether the profile, called `name` in it, is an equilibrium of every subgame."""
    behaviour = case.behaviour(profile)
    if None in behaviour:
        yield Finding(None, ("equilibria",), f"{name}: it is silent somewhere, so not of every subgame")
        return
    positions = case.graph.positions
    if case.graph.open:
        found = improvable(positions, [row for row in behaviour if row is not None])
        worse = next((h for h, _, _ in found), None)
    else:
        worse = next(_unstable(positions, behaviour), None)
    if worse is not None:
        where = positions.information_sets[worse].name
        yield Finding(False, ("equilibria",), f"{name} is none of the subgame at {where}: somebody would deviate there")
    elif case.claim.concept == CONCEPT:
        yield Finding(True, ("equilibria", "concept"), f"{name} is one of every subgame")


def improvable(positions: VerifierPositions, rows: list[Row]) -> Iterator[tuple[int, int, Number]]:
    """For each position at which the mover would rather act otherwise, all else unchanged: the number of its
    information set, the best action, and the gain. For games of perfect information."""
    values = worths(positions, tuple(rows))
    for position, h in reversed([*enumerate(positions.sets)]):
        if h is not None:
            player = positions.information_sets[h].player
            own = [values[successor][player] for successor in positions.successors[position]]
            if max(own) > values[position][player]:
                yield h, own.index(max(own)), max(own) - values[position][player]


def _unstable(positions: VerifierPositions, behaviour: Behaviour) -> Iterator[int]:
    """For each proper subgame in which the behaviour is no equilibrium, its first information set. Raises Unchecked if
    the subgames are too large."""
    work = 0
    for root, inside in subgames(positions):
        work += len(inside)
        if work > WORK:
            raise Unchecked("the subgames are too large, so perfection is not looked at")
        pays = enumerate(expectation(positions, behaviour, {root: 1}))
        if any(best_reply(positions, behaviour, player, {root: 1}).value != paid for player, paid in pays):
            yield next(h for h in map(positions.sets.__getitem__, inside) if h is not None)


def subgames(positions: VerifierPositions) -> Iterator[tuple[int, list[int]]]:
    """The root of each proper subgame and all its positions, from the last root to the first. Raises Unchecked if there
    are too many positions."""
    count = len(positions.nodes)
    if count > MOST_POSITIONS:
        raise Unchecked(f"subgames are looked for among {MOST_POSITIONS:,} positions at most")
    sets = [sum(1 << member for member in found.members) for found in positions.information_sets]
    below = [0] * count  # the position and all that follow, as bits
    for position in reversed(range(count)):
        below[position] = 1 << position
        for successor in positions.successors[position]:
            below[position] |= below[successor]
        if position == 0 or isinstance(positions.nodes[position], Terminal):
            continue
        if all(members & below[position] in (0, members) for members in sets):
            h = positions.sets[position]
            if h is None or len(positions.information_sets[h].members) == 1:
                yield position, [p for p in range(position, count) if below[position] >> p & 1]

"""Assessments judged: is everyone sequentially rational, and where do the beliefs come from?

An assessment is a behaviour and, for each information set, how likely its nodes are held to be.

1. Sequential rationality: at each information set, what its player gets by the behaviour against the belief there is
   the most they could get from there on.
2. Bayes' rule: in every subgame, where its play comes to an information set, the belief there is what follows.
3. Consistency: the belief is a limit of what follows from ever smaller trembles. By Kreps and Wilson that is so exactly
   if there are labels of the actions that are not played, whole numbers from 1 up, so that each belief rests on the
   nodes with the least sum of labels on the way; and positive weights of these actions, so that it is in proportion to
   chance and the product of probabilities and weights on the way. The labels are those of an integer program whose
   rows are cones, so rational numbers do. The weights solve equations between logarithms: every combination of the
   equations in which the weights cancel must say that 1 is 1, which is checked in rational numbers.

Sources: Kreps and Wilson, Sequential equilibria, Econometrica 50, 1982, lemmas A1 and A2; Mas-Colell, Whinston and
Green, Microeconomic Theory, 1995, section 9.C; Perea, Jansen and Peters 1997.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Row
from gdl.solvers.equilibria.position_paths import PositionPaths, Step, follows
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import best_response, expectation
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, maximise
from gdl.solvers.minimax.backward_induction import average
from gdl.wings.theory.row_echelon_form import eliminate_columns

Beliefs = Sequence[Mapping[int, Number]]  # per information set: position -> probability


class Failure(NamedTuple):
    """A condition that fails: the information set, the deviation, and its gain."""

    condition: str
    information_set: int
    deviation: str | None = None
    gain: Number | None = None
    words: str = ""


def irrational(positions: PositionGraph, rows: Sequence[Row], beliefs: Beliefs) -> Iterator[Failure]:
    """The information sets at which their player could do better from there on, each as a Failure. If everybody sees
    everything, only single deviations are checked, which is enough (the one-deviation property)."""
    if positions.open_to_all():
        yield from _improvable_sets(positions, rows)
        return
    for h, belief in enumerate(beliefs):
        if (failure := irrational_at(positions, rows, h, _rests(belief))) is not None:
            yield failure


def irrational_at(positions: PositionGraph, rows: Sequence[Row], h: int, belief: dict[int, Number]) -> Failure | None:
    """The failure at information set `h` if its player, who believes this, could do better from there on."""
    player = positions.information_sets[h].player
    response = best_response(positions, tuple(rows), player, belief)
    gain = exact(response.value - expectation(positions, tuple(rows), belief)[player])
    return _would_rather(positions, h, response.choices[h][0], gain) if gain else None


def _would_rather(positions: PositionGraph, h: int, best: int, gain: Number) -> Failure:
    found = positions.information_sets[h]
    words = f"{positions.players[found.player]} would rather play {found.actions[best]} at {found.name}"
    return Failure("sequential rationality", h, found.actions[best], gain, words)


def _improvable_sets(positions: PositionGraph, rows: Sequence[Row]) -> Iterator[Failure]:
    """The information sets at which their player gains by another action there, with everything else as it is. For
    games in which everybody sees everything."""
    values: list[tuple[Number, ...]] = [()] * len(positions.nodes)
    gains: dict[int, tuple[int, Number]] = {}
    for position in reversed(range(len(positions.nodes))):
        node, h = positions.nodes[position], positions.sets[position]
        after = [values[successor] for successor in positions.successors[position]]
        if isinstance(node, Terminal):
            values[position] = tuple(map(require_number, node.utilities))
            continue
        row = [share for _, share in node.outcomes] if isinstance(node, Chance) else rows[h] if h is not None else ()
        values[position] = average(row, after)
        if h is not None:
            own = [vector[positions.information_sets[h].player] for vector in after]
            best = max(range(len(own)), key=own.__getitem__)
            gain = exact(own[best] - values[position][positions.information_sets[h].player])
            if gain:
                gains[h] = best, gain
    for h, (best, gain) in sorted(gains.items()):
        yield _would_rather(positions, h, best, gain)


def unbayesian(
    positions: PositionGraph, rows: Sequence[Row], beliefs: Beliefs, roots: Sequence[int]
) -> Iterator[Failure]:
    """The information sets that play reaches in the subgame from some root, but whose belief is not what follows there
    from Bayes' rule."""
    met: set[int] = set()
    for root in roots:
        for h, belief in follows(positions, rows, root).items():
            if h not in met and _rests(beliefs[h]) != belief:
                met.add(h)
                name = positions.information_sets[h].name
                yield Failure("Bayes' rule", h, words=f"the belief at {name} is not what follows from the play")


def inconsistent(
    positions: PositionGraph, paths: PositionPaths, rows: Sequence[Row], beliefs: Beliefs
) -> Iterator[Failure]:
    """A Failure that says why no trembles lead to these beliefs; none if some do."""
    for h, found in enumerate(positions.information_sets):
        if any(share and not paths.chances[m] for m, share in beliefs[h].items()):
            yield Failure("consistency", h, words=f"{found.name} is believed to be where chance never leads")
            return
    unplayed = [(h, k) for h, row in enumerate(rows) for k, share in enumerate(row) if not share]
    rests = [
        [m for m in found.members if held.get(m)]
        for found, held in zip(positions.information_sets, beliefs, strict=True)
    ]
    if not has_labels(positions, paths, rests, unplayed):
        yield Failure(
            "consistency", _set_to_blame(positions, rows, beliefs), words="no order of trembles leads to the beliefs"
        )
        return
    equations = list(_equations(positions, paths, rows, beliefs, unplayed))
    for combination in cancelling_combinations([powers for powers, _, _ in equations], len(unplayed)):
        used = [(side**power, h) for power, (_, side, h) in zip(combination, equations, strict=True) if power]
        if prod((factor for factor, _ in used), start=Fraction(1)) != 1:
            told = ", ".join(dict.fromkeys(positions.information_sets[h].name for _, h in used))
            yield Failure("consistency", used[0][1], words=f"no trembles lead to the beliefs at {told} together")
            return


def _exponents(paths: PositionPaths, position: int, unplayed: Sequence[Step]) -> list[int]:
    """For each unplayed action how often the path to the position takes it."""
    taken = Counter(paths.steps(position))
    return [taken[step] for step in unplayed]


def has_labels(
    positions: PositionGraph,
    paths: PositionPaths,
    rests: Sequence[Sequence[int]],
    unplayed: Sequence[Step],
    budget: Budget | None = None,
) -> bool:
    """True if some labels of the unplayed actions let the belief at each information set rest on exactly the nodes
    given for it in `rests`. Labels are whole numbers from 1 up."""
    rows: list[dict[int, Number]] = [{j: -1} for j in range(len(unplayed))]
    bounds: list[Number] = [-1] * len(unplayed)
    equal: set[int] = set()
    for found, nodes in zip(positions.information_sets, rests, strict=True):
        least = _exponents(paths, nodes[0], unplayed)
        for member in found.members:
            if member == nodes[0] or not paths.chances[member]:
                continue
            pairs = zip(least, _exponents(paths, member, unplayed), strict=True)
            if member in nodes:
                equal.add(len(rows))
            rows.append({j: a - b for j, (a, b) in enumerate(pairs) if a != b})
            bounds.append(0 if member in nodes else -1)
    try:
        maximise(LinearProgram(len(unplayed), {}, rows, bounds, frozenset(equal)), budget)
    except Infeasible:
        return False
    return True


def _set_to_blame(positions: PositionGraph, rows: Sequence[Row], beliefs: Beliefs) -> int:
    """An information set whose belief may be blamed: the first that play does not reach, or where Bayes' rule is
    broken; 0 if there is none."""
    found = follows(positions, rows)
    return next((h for h, belief in enumerate(beliefs) if _rests(belief) != found.get(h)), 0)


def _rests(belief: Mapping[int, Number]) -> dict[int, Number]:
    """The belief without the nodes of probability zero."""
    return {x: share for x, share in belief.items() if share}


def _equations(
    positions: PositionGraph, paths: PositionPaths, rows: Sequence[Row], beliefs: Beliefs, unplayed: Sequence[Step]
) -> Iterator[tuple[list[int], Fraction, int]]:
    """An equation for each node after the first one on which a belief rests: the exponents of the unplayed actions'
    weights between the two nodes, the value that the product must have, and the number of the information set."""
    for h, found in enumerate(positions.information_sets):
        base, *others = [m for m in found.members if beliefs[h].get(m)]
        for other in others:
            a, b = _exponents(paths, base, unplayed), _exponents(paths, other, unplayed)
            ratio = Fraction(beliefs[h][other]) / beliefs[h][base]
            side = ratio * _play_probability(paths, rows, base) / _play_probability(paths, rows, other)
            yield [y - x for x, y in zip(a, b, strict=True)], side, h


def _play_probability(paths: PositionPaths, rows: Sequence[Row], position: int) -> Number:
    """The probability of chance times that of every action on the way to a position; unplayed actions are left out."""
    return prod((rows[h][k] or 1 for h, k in paths.steps(position)), start=Fraction(paths.chances[position]))


def cancelling_combinations(equations: Sequence[Sequence[int]], columns: int) -> Iterator[list[int]]:
    """A basis of the whole-number combinations of the rows that add up to zero in the first `columns` columns."""
    beside = [[*row, *(i == j for j in range(len(equations)))] for i, row in enumerate(equations)]
    found = eliminate_columns(beside, columns)
    for row in found.rows[found.rank :]:
        combination = row[columns:]
        scale = lcm(*(share.denominator for share in combination))
        yield [int(share * scale) for share in combination]

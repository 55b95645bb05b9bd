"""Equilibria in families: those with one outcome together, and what may vary off the path of play.

1. The outcome of an equilibrium is how likely each end is. Equilibria of one outcome differ only where nobody comes.
2. At an information set to which play does not lead, the chance of an action may vary as long as nobody gains by
   leaving the play. What a player can gain at most is convex in it, the greatest of what plans gain, which is linear;
   so these chances form an interval. Its end is found from the far side: the best plan there tells where it would stop
   paying, and so on, until no plan pays.

Source: Kreps and Wilson, Sequential equilibria, 1982, section 6 (outcomes are finite in number where equilibria are
not).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gdl.game import Number, Terminal, exact
from gdl.solution import FreeChance, OutcomeFamily
from gdl.solvers.equilibria.behaviour import Behaviour, Row, pure_row
from gdl.solvers.equilibria.position_paths import PositionPaths, reach_probabilities
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import Judgement, best_response, expectation

MOST_POSITIONS = 2_000  # of the largest game whose equilibria are grouped
MOST_TRIED = 400  # actions whose chances are tried, over all families


def families(
    positions: PositionGraph, behaviours: Sequence[Behaviour], judgements: Sequence[Judgement], *, with_free: bool
) -> tuple[OutcomeFamily, ...]:
    """The equilibria grouped by outcome, in the order of their first members; () if no two share an outcome, or the
    game is too large. `with_free` adds the ranges within which chances of actions may vary."""
    if positions.count > MOST_POSITIONS:
        return ()
    ends = [position for position, node in enumerate(positions.nodes) if isinstance(node, Terminal)]
    members: dict[tuple[tuple[int, Number], ...], list[int]] = {}
    for number, behaviour in enumerate(behaviours):
        met = reach_probabilities(positions, behaviour)
        members.setdefault(tuple((end, met[end]) for end in ends if end in met), []).append(number)
    if len(members) == len(behaviours):
        return ()
    names, left, found = PositionPaths(positions).names, MOST_TRIED, []
    for outcome, numbers in members.items():
        first = behaviours[numbers[0]]
        left -= sum(map(len, filter(None, first)))
        free = tuple(free_chances(positions, first)) if with_free and left >= 0 else ()
        told = tuple((names[end], share) for end, share in outcome)
        found.append(OutcomeFamily(tuple(numbers), judgements[numbers[0]].value, told, free))
    return tuple(found)


def free_chances(positions: PositionGraph, behaviour: Behaviour) -> Iterator[FreeChance]:
    """The chances of actions that may vary with no loss of the equilibrium, one at a time, the others at the
    information set in proportion. For sets that play does not reach."""
    met, paid = reach_probabilities(positions, behaviour), expectation(positions, behaviour)
    for h, found in enumerate(positions.information_sets):
        row = behaviour[h]
        if row is None or len(row) < 2 or any(member in met for member in found.members):
            continue
        for k, chance in enumerate(row):
            rest = 1 - Fraction(chance)
            others = tuple(0 if j == k else exact(p / rest) for j, p in enumerate(row)) if rest else row
            ways = pure_row(2, 1 - k) if len(row) == 2 else others, pure_row(len(row), k)
            least, most = (_furthest_row(positions, behaviour, paid, h, way)[k] for way in ways)
            if least < most:
                yield FreeChance(positions.players[found.player], found.name, found.actions[k], least, most)
            if len(row) == 2:
                break  # the other is the rest


def _furthest_row(positions: PositionGraph, behaviour: Behaviour, paid: Sequence[Number], h: int, goal: Row) -> Row:
    """The row nearest to `goal`, on the way there from the row at information set `h`, at which no other player gains
    by leaving the play. `paid` is what each player gets in the equilibrium."""
    row = behaviour[h]
    assert row is not None
    share = Fraction(1)  # of the way
    for player in range(len(paid)):
        while player != positions.owners[h] and share:
            there = (*behaviour[:h], _move_towards(row, goal, share), *behaviour[h + 1 :])
            response = best_response(positions, there, player)
            if response.value <= paid[player]:
                break
            plan = list(behaviour)
            for g, best in response.choices.items():
                plan[g] = pure_row(positions.widths[g], best[0])
            before = expectation(positions, tuple(plan))[player]
            share *= Fraction(paid[player] - before) / (response.value - before)
    return _move_towards(row, goal, share)


def _move_towards(row: Row, goal: Row, share: Fraction) -> Row:
    """The row moved by that share of the way to the goal."""
    return tuple(exact(p + share * (aim - Fraction(p))) for p, aim in zip(row, goal, strict=True))

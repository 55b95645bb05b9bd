"""For which beliefs a move is best where play does not lead, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.game import Number
from gdl.numbers import brief
from gdl.solvers.beliefs.supports import beliefs_for
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Row
from gdl.solvers.equilibria.position_paths import PositionPaths, reach_probabilities
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import expectation
from gdl.solvers.equilibria.simplex import maximise
from gdl.solvers.equilibria.subgame_perfect import World, subgame_roots

MOST_WORDS = 8  # conditions that anyone would read
MOST_SETS = 200  # information sets of a game of which conditions are told


def conditions_in_words(positions: PositionGraph, worlds: Sequence[World]) -> Iterator[str]:
    """`C plays right at dark where they hold down to be at most 1/3 likely.` for sets to which play does not lead."""
    if len(positions.information_sets) > MOST_SETS:
        return
    told: dict[str, None] = {}
    for world in worlds:
        rows = [row for row in world.rows if row is not None]
        for h in _unreached_sets(positions, rows):
            told.update(dict.fromkeys(_conditions(positions, rows, h)))
    yield from list(told)[:MOST_WORDS]
    if len(told) > MOST_WORDS:
        yield f"{len(told) - MOST_WORDS} more conditions on beliefs are not told."


def _unreached_sets(positions: PositionGraph, rows: Sequence[Row]) -> Iterator[int]:
    """The sets of several nodes to which play leads in no subgame."""
    met: set[int] = set()
    for root in subgame_roots(positions):
        met |= reach_probabilities(positions, rows, root).keys()
    for h, found in enumerate(positions.information_sets):
        if len(found.members) > 1 and not any(member in met for member in found.members):
            yield h


def _conditions(positions: PositionGraph, rows: Sequence[Row], h: int) -> Iterator[str]:
    found, names = positions.information_sets[h], PositionPaths(positions).names
    played = [k for k, share in enumerate(rows[h]) if share]
    bounds = belief_bounds(worths(positions, rows, h), played)
    limits = []
    for member, (low, high) in zip(found.members, bounds, strict=True):
        if low == high:
            limits.append(f"{names[member]} to be {brief(low)} likely")
        elif low > 0 or high < 1:
            words = [f"at least {brief(low)}"] * (low > 0) + [f"at most {brief(high)}"] * (high < 1)
            limits.append(f"{names[member]} to be {' and '.join(words)} likely")
    if limits:
        actions = " and ".join(found.actions[k] for k in played)
        half = limits[: (len(limits) + 1) // 2] if len(found.members) == 2 else limits  # two say the same
        yield f"{positions.players[found.player]} plays {actions} at {found.name} if they hold {', '.join(half)}."


def worths(positions: PositionGraph, rows: Sequence[Row], h: int) -> list[list[Number]]:
    """For each action what it is worth at each node of the set, everyone acting so from there on."""
    found = positions.information_sets[h]
    return [
        [expectation(positions, tuple(rows), {positions.successors[x][k]: 1})[found.player] for x in found.members]
        for k in range(len(found.actions))
    ]


def belief_bounds(amounts: Sequence[Sequence[Number]], played: Sequence[int]) -> list[tuple[Number, Number]]:
    """Between what numbers the likelihood of each node lies where the actions played are all best."""

    def most(sign: int, j: int) -> Number:
        return sign * maximise(beliefs_for(amounts, played, {j: sign}), Budget()).value

    return [(most(-1, j), most(1, j)) for j in range(len(amounts[0]))]

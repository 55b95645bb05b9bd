"""Paths to the positions: the chance of each, the last own action of every player, and its name.

With perfect recall all histories of an information set hold the same actions of its player (Kuhn 1953), so a player's
sequence is known by its last information set and action; positions in which histories with different sequences meet
have none. A position's name is the actions of the histories that lead there: `across > down`, `x > y or y > x`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from gdl.errors import Refusal
from gdl.game import Chance, Number, exact
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.states.explore import position_names

Step = tuple[int, int]  # an information set, and the position of the action taken there
Sequences = tuple[Step | None, ...]  # for each player the last step; None before any


class PositionPaths:
    """The paths to the positions of a graph."""

    def __init__(self, positions: PositionGraph):
        self.positions = positions

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each position."""
        return position_names(self.positions.nodes, self.positions.successors)

    @cached_property
    def sequences(self) -> tuple[Sequences, ...]:
        """The last own step of every player at each position. Raises Refusal if histories with different ones meet in a
        position."""
        positions = self.positions
        found: list[Sequences | None] = [None] * len(positions.nodes)
        found[0] = (None,) * len(positions.players)
        for position, after in enumerate(positions.successors):
            own = found[position]
            assert own is not None  # each stands before its successors
            h = positions.sets[position]
            mover = None if h is None else positions.information_sets[h].player
            for k, successor in enumerate(after):
                there = own if h is None else tuple((h, k) if p == mover else step for p, step in enumerate(own))
                if found[successor] not in (None, there):
                    raise Refusal(
                        f"histories of {positions.game} meet in a position that does not tell what was done; "
                        "beliefs are reckoned where every position does"
                    )
                found[successor] = there
        return tuple(one for one in found if one is not None)

    @cached_property
    def chances(self) -> tuple[Number, ...]:
        """The probability of each position if chance alone decided, and all players chose what leads there."""
        after = self.positions.successors
        met = spread_weights(self.positions, lambda position: (1,) * len(after[position]))
        return tuple(met.get(position, 0) for position in range(len(after)))

    @cached_property
    def sets_behind(self) -> list[int]:
        """For each position the information sets that play may reach after it, as bits."""
        return sets_behind(self.positions)

    def last_step_before(self, h: int) -> Step | None:
        """The last step of its own player before an information set; None if there is none. Raises Refusal if the
        player forgets it there."""
        found = self.positions.information_sets[h]
        steps = {self.sequences[member][found.player] for member in found.members}
        if len(steps) > 1:
            raise Refusal(f"{self.positions.players[found.player]} forgets at {found.name} what they did before")
        return steps.pop()

    def steps(self, position: int) -> list[Step]:
        """All steps of all players on the way to a position."""
        found: list[Step] = []
        for last in self.sequences[position]:
            while last is not None:
                found.append(last)
                last = self.last_step_before(last[0])
        return found


def spread_weights(
    positions: PositionGraph, shares: Callable[[int], Sequence[Number]], start: int = 0
) -> dict[int, Number]:
    """The positions that play from `start` reaches with positive weight, and the weights. Chance passes on its
    probabilities, other positions `shares` of their successors; where these are empty play stops."""
    weights: dict[int, Number] = {start: 1}
    for position in range(start, len(positions.nodes)):
        weight, node = weights.get(position), positions.nodes[position]
        if weight:
            row = [share for _, share in node.outcomes] if isinstance(node, Chance) else shares(position)
            for share, successor in zip(row, positions.successors[position], strict=False):
                if share:
                    weights[successor] = exact(weights.get(successor, 0) + weight * share)
    return weights


def reach_probabilities(
    positions: PositionGraph, rows: Sequence[Sequence[Number] | None], start: int = 0
) -> dict[int, Number]:
    """The positions that play from `start` reaches with positive probability, and these probabilities. At an
    information set with the row None play stops."""
    sets = positions.sets
    return spread_weights(positions, lambda position: () if (h := sets[position]) is None else rows[h] or (), start)


def opening_positions(positions: PositionGraph) -> dict[int, Number]:
    """The positions to which chance leads before anyone has moved, with their probabilities."""
    met = sorted(spread_weights(positions, lambda position: ()).items())
    return {position: weight for position, weight in met if not isinstance(positions.nodes[position], Chance)}


def follows(
    positions: PositionGraph, rows: Sequence[Sequence[Number] | None], start: int = 0
) -> dict[int, dict[int, Number]]:
    """The beliefs by Bayes' rule at each information set that play from `start` reaches: its positions with their
    probabilities."""
    met = reach_probabilities(positions, rows, start)
    weights = ({m: met[m] for m in found.members if m in met} for found in positions.information_sets)
    return {h: normalise_weights(there) for h, there in enumerate(weights) if there}


def normalise_weights(weights: Mapping[int, Number]) -> dict[int, Number]:
    """The positive weights, scaled to sum to one."""
    total = sum(weights.values(), Fraction(0))
    return {x: exact(Fraction(weight) / total) for x, weight in weights.items() if weight}


def sets_behind(positions: PositionGraph) -> list[int]:
    """For each position the information sets that play may reach after it, as bits."""
    behind = [0] * len(positions.nodes)
    for position in reversed(range(len(behind))):
        for successor in positions.successors[position]:
            h = positions.sets[successor]
            behind[position] |= behind[successor] | (0 if h is None else 1 << h)
    return behind

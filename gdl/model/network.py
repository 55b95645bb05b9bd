"""A net that was learned from the rules alone: what a state is worth to each player, and how good each action looks.

1. What stands in the cells of a state (`gdl.model.learned`) and whose turn it is are rows of numbers, whose sum is the
   first layer; the sum of the second layer's rows, each times a number of the first, is the second. Numbers below 0
   count as 0, the last number of a layer as 1.
2. The second layer times a player's row is the value, times an action's row the logarithm of its share among all legal
   ones. The row of an action follows from its number: from the rule and its values.
3. Whoever's turn it is, the net is shown the state with the players renamed, where a symmetry of the rules does that.

All engines find the same bits: the order of every sum is fixed (`dot` adds up by fours).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import factorial, sqrt
from typing import Any, NamedTuple

from gdl.game import Bounds, Number, exact
from gdl.model.learned import MOVER, Read, Scale, cells_of

LN_2 = 0.6931471805599453
TAYLOR = tuple(1 / factorial(k) for k in range(14))  # of e to a number near 0
_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


class Digits(NamedTuple):
    """The numbers of one rule's actions whose bodies choose so many values: that of the action all of whose values are
    0, and what each value of the head, then of the body, counts."""

    rule: int
    words: int
    first: int
    strides: Sequence[int]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of products, by fours."""
    sums = [one[k] * other[k] for k in range(4)]
    for k in range(4, len(one)):
        sums[k & 3] += one[k] * other[k]
    return (sums[0] + sums[2]) + (sums[1] + sums[3])


def exp(x: float) -> float:
    """e to a number that is not above 0."""
    if x < -40.0:
        return 0.0
    k = int(0.5 - x * 1.4426950408889634)
    r = x + k * LN_2
    series = TAYLOR[-1]
    for term in reversed(TAYLOR[:-1]):
        series = series * r + term
    return series / (1 << k)


@dataclass(frozen=True, eq=False)
class Views:
    """How a net is shown a state: for each view, the row of each class of every cell (-1: none), the row of each
    action, and who each player is; and the view of each player's turn."""

    row: array[int]
    slot: array[int]
    part: array[int]
    of: array[int]


@dataclass(frozen=True, eq=False)
class Net:
    """A learned net, its numbers row by row: those of the first layer, of the second, of values, of actions."""

    players: int
    outputs: int
    units: int
    reads: tuple[Read, ...]
    digits: tuple[Digits, ...]
    total: int  # numbers of actions
    slots: int  # rows of actions, the last for those that have no number
    views: Views
    scale: Scale
    weight: array[float]
    kind = "net"

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The classes of each cell."""
        return tuple(read.size for read in self.reads for _ in range(read.cells))

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Of each cell its first class among all."""
        return tuple(accumulate(self.sizes, initial=0))[:-1]

    @cached_property
    def inputs(self) -> int:
        """Rows of the first layer."""
        return inputs_of(self.players, self.sizes)

    @cached_property
    def rows(self) -> int:
        """All rows."""
        return self.inputs + self.units + self.outputs + self.slots

    @cached_property
    def _blocks(self) -> dict[tuple[int, int], Digits]:
        return {(block.rule, block.words): block for block in self.digits}

    def _row(self, row: int) -> Sequence[float]:
        return self.weight[row * self.units : (row + 1) * self.units]

    def place(self, rule: int, values: Sequence[Any], chosen: int) -> int:
        """The place of an action among the rows of actions: of a rule with these values, so many of them chosen."""
        block, number = self._blocks.get((rule, chosen)), -1
        if block is not None and len(values) == len(block.strides):
            numbers = (-1 if value is None else int(value) for value in values)
            number = block.first + sum(n * stride for n, stride in zip(numbers, block.strides, strict=True))
        if not 0 <= number < self.total:
            return self.slots - 1
        if self.total < self.slots:
            return number
        word = number * -7046029254386353131 & _WORD
        return (word >> 33) % (self.slots - 1)

    def layer(self, player: int, cells: Sequence[int]) -> list[float]:
        """The second layer, where it is this player's turn; these are the classes of the cells."""
        views, view, classes = self.views, self.views.of[player], sum(self.sizes)
        first = list(self._row(views.part[view * self.players + player]))
        for offset, held in zip(self.offsets, cells, strict=True):
            row = views.row[view * classes + offset + held]
            if row >= 0:
                first = [a + b for a, b in zip(first, self._row(row), strict=True)]
        first[-1] = 1.0
        second = [0.0] * self.units
        for i, factor in enumerate(first):
            if factor > 0.0:
                row = self.inputs + i
                second = [a + factor * b for a, b in zip(second, self._row(row), strict=True)]
        return [*(number if number > 0.0 else 0.0 for number in second[:-1]), 1.0]

    def values(self, player: int, layer: Sequence[float]) -> tuple[float, ...]:
        """What the state is worth to each player, from -1 to 1 where utilities have bounds."""
        view = self.views.of[player]
        outputs = [dot(layer, self._row(self.inputs + self.units + k)) for k in range(self.outputs)]
        if self.scale.bounded:
            outputs = [x / sqrt(1.0 + x * x) for x in outputs]
        parts = self.views.part[view * self.players : (view + 1) * self.players]
        if self.outputs == self.players:
            return tuple(outputs[part] for part in parts)
        return tuple(outputs[0] if part == 0 else 0.0 - outputs[0] for part in parts)

    def shares(self, player: int, layer: Sequence[float], places: Sequence[int]) -> tuple[float, ...]:
        """The share of each of these actions."""
        first, slots = self.rows - self.slots, self.views.slot
        base = self.views.of[player] * self.slots
        logarithms = [dot(layer, self._row(first + slots[base + place])) for place in places]
        greatest, total, found = max(logarithms), 0.0, []
        for number in logarithms:
            found.append(exp(number - greatest))
            total += found[-1]
        return tuple(number / total for number in found)

    def opinion(
        self, player: int, held: Sequence[Any], places: Sequence[int]
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:  # fmt: skip
        """What a state is worth where it is this player's turn, and the shares of the actions; of the interpreter's
        cells."""
        layer = self.layer(player, cells_of(self.reads, held))
        return self.values(player, layer), self.shares(player, layer, places)

    # -- as an evaluation -----------------------------------------------------------------------------------

    @property
    def denominator(self) -> int:
        return self.scale.denominator

    @property
    def mirrored(self) -> bool:
        """Whether what one player is thought to get, the other is thought to lose."""
        return self.scale.total == 0 or self.players == 1

    @property
    def bounds(self) -> Bounds:
        """Between which numbers the evaluations lie."""
        return self.scale.bounds(self.players)

    def estimate(self, turn: int, held: Sequence[Any]) -> tuple[Number, ...]:
        """What a state is thought to be worth to each player: the turn, and the interpreter's cells. Before chance it
        is taken for the turn of who moves."""
        player = turn if turn >= 0 else held[MOVER]
        scale = self.scale
        values = self.values(player, self.layer(player, cells_of(self.reads, held)))
        found = [int(scale.spread(value) * scale.denominator) for value in values[: self.outputs]]
        if scale.total is not None and self.players == 2:
            found.append(scale.whole - found[0])
        return tuple(exact(Fraction(number, scale.denominator)) for number in found)


def inputs_of(players: int, sizes: Sequence[int]) -> int:
    """The rows of the first layer: for whose turn it is, and for every class of a cell but the first."""
    return players + sum(sizes) - len(sizes)

"""Values of positions by a net of two hidden layers, which an earlier gdl learned; one ships with backgammon.

1. The first layer is the sum of a row of numbers for whose turn it is, and of one for each cell whose class is not its
   first; numbers below 0 count as 0, here and in the second layer, which is the sum of the rows of the first one's
   numbers.
2. The last number of a layer is 1 always, so its row is what is added in any case.
3. The value of a player is the second layer times a row of theirs, bent smoothly into -1 to 1 where utilities have
   bounds.
4. Each player sees the state in a view of their own, which renames classes and players by a symmetry of the rules: who
   moves is always the same player, where the rules allow that.
5. All this is computed in whole numbers of 16 bits: each of the three kinds of rows times a power of two, the greatest
   up to 2^12 by which no sum can overflow, whatever stands in the cells. So sums are the same in every order, and the
   kernel (kernels/value_net.py) finds the same bits as this reference.

Source of whole numbers for nets in search: Nasu, Efficiently updatable neural-network-based evaluation functions for
computer shogi, 2018.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from math import sqrt
from operator import mul
from typing import Any, NamedTuple

from gdl.game import Number
from gdl.model.games import RulesModel
from gdl.wings.learning.learned import MOVER, LearnedEvaluation, Read, Scale, cells_of, reads_of

KIND = "net"  # the model that a file names
MOST_UNITS = 512
_LIMIT = 32767.0  # of the sizes of a row's words together
_MOST_POWER = 12
_POINT = 10  # binary digits behind the point in the second layer, at most


def _exponent(most: float, terms: int) -> int:
    """The exponent of the greatest power of two, up to a limit, by which weights can be multiplied and rounded without
    overflow. `most` bounds the sum of the `terms`."""
    return next(k for k in count(_MOST_POWER, -1) if not most * 2.0**k + terms > _LIMIT)


def _words(numbers: Iterable[float], power: int) -> list[int]:
    """The numbers times a power of two, rounded to whole numbers of 16 bits."""
    return [int(number * 2.0**power + 32768.5) - 32768 for number in numbers]


class _Powers(NamedTuple):
    """The exponents of the powers of two by which a net's numbers are multiplied: the rows of the first layer, of the
    second, those of values, and the results of the second layer."""

    first: int
    second: int
    last: int
    layer: int


@dataclass(frozen=True, eq=False)
class ValueNet(LearnedEvaluation):
    """A learned net, its numbers row by row: those of the first layer, of the second, of values; of a last row nothing
    is read. A view has for each class of each cell its row (`row`, -1: none), and for each player who stands for them
    (`part`)."""

    players: int
    outputs: int
    units: int
    reads: tuple[Read, ...]
    row: array[int]
    part: array[int]
    scale: Scale
    weight: array[float]
    lowering = "gdl.wings.learning.compiled_value_net"

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of classes of each cell."""
        return tuple(read.size for read in self.reads for _ in range(read.cells))

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """For each cell the number of its first class among all classes."""
        return tuple(accumulate(self.sizes, initial=0))[:-1]

    @cached_property
    def inputs(self) -> int:
        """The number of rows of the first layer: those of whose turn it is, and of every class but a cell's first."""
        return self.players + sum(self.sizes) - len(self.sizes)

    @property
    def rows(self) -> int:
        """The number of all rows of the net."""
        return self.inputs + self.units + self.outputs + 1

    def _row(self, row: int) -> Sequence[float]:
        return self.weight[row * self.units : (row + 1) * self.units]

    @cached_property
    def powers(self) -> _Powers:
        """The powers of two that the net's numbers can be multiplied by."""
        first = _exponent(max(map(self._greatest_first, range(self.players))), len(self.sizes) + 1)
        sums = [sum(map(abs, column)) for column in zip(*self._second, strict=True)]
        second = _exponent(max(sums), self.units)
        rows = range(self.inputs + self.units, self.rows)
        last = _exponent(max(sum(map(abs, self._row(row))) for row in rows), self.units)
        return _Powers(first, second, last, min(_POINT, first + second))

    def _greatest_first(self, player: int) -> float:
        """A bound for the numbers in the first layer at this player's turn, whatever the cells hold."""
        sums = [abs(number) for number in self._row(self.part[player * self.players + player])]
        for offset, size in zip(self.offsets, self.sizes, strict=True):
            found = self._rows_of_classes(player)[offset : offset + size]
            rows = [[abs(number) for number in self._row(row)] for row in found if row >= 0]
            if rows:
                sums = [total + max(column) for total, *column in zip(sums, *rows, strict=True)]
        return max(sums)

    def _rows_of_classes(self, player: int) -> Sequence[int]:
        """In the view of a player the row of each class."""
        return self.row[player * sum(self.sizes) : (player + 1) * sum(self.sizes)]

    @property
    def _second(self) -> list[Sequence[float]]:
        return [self._row(self.inputs + i) for i in range(self.units)]

    @cached_property
    def first_words(self) -> list[list[int]]:
        """The rows of the first layer as whole numbers."""
        return [_words(self._row(row), self.powers.first) for row in range(self.inputs)]

    @cached_property
    def columns(self) -> list[list[int]]:
        """The weights of the second layer as whole numbers, by column."""
        return [_words(column, self.powers.second) for column in zip(*self._second, strict=True)]

    @cached_property
    def value_words(self) -> list[list[int]]:
        """The rows of values as whole numbers."""
        return [_words(self._row(self.inputs + self.units + k), self.powers.last) for k in range(self.outputs)]

    @property
    def unit_of_products(self) -> float:
        """The factor that turns a product, a whole number, into the value that it stands for."""
        return 2.0 ** -(self.powers.last + self.powers.layer)

    def layer(self, player: int, cells: Sequence[int]) -> list[int]:
        """The numbers of the second layer at this player's turn, for these classes of the cells."""
        powers, rows = self.powers, self._rows_of_classes(player)
        first = self.first_words[self.part[player * self.players + player]]
        for offset, held in zip(self.offsets, cells, strict=True):
            row = rows[offset + held]
            if row >= 0:
                first = [a + b for a, b in zip(first, self.first_words[row], strict=True)]
        first = [*(max(number, 0) for number in first[:-1]), int(2.0**powers.first)]
        shift = powers.first + powers.second - powers.layer
        second = [sum(map(mul, first, column)) >> shift for column in self.columns]
        return [*(min(max(number, 0), 32767) for number in second[:-1]), int(2.0**powers.layer)]

    def values(self, player: int, layer: Sequence[int]) -> list[float]:
        """The value of the state to each player who is evaluated, from -1 to 1 where utilities have bounds."""
        outputs = [sum(map(mul, layer, row)) * self.unit_of_products for row in self.value_words]
        if self.scale.bounded:
            outputs = [x / sqrt(1.0 + x * x) for x in outputs]
        parts = self.part[player * self.players : player * self.players + self.outputs]
        if self.outputs == self.players:
            return [outputs[part] for part in parts]
        return [outputs[0] if part == 0 else 0.0 - outputs[0] for part in parts]

    def estimate(self, turn: int, held: Sequence[Any]) -> tuple[Number, ...]:
        """The estimated value of a state to each player, from the turn and the interpreter's cells. A state before
        chance is taken for a turn of the player who moves."""
        player = turn if turn >= 0 else held[MOVER]
        values = self.values(player, self.layer(player, cells_of(self.reads, held)))
        return self.utilities([int(self.scale.spread(value) * self.scale.denominator) for value in values])

    @property
    def is_sound(self) -> bool:
        """True if all rows are in range, and the lists have matching lengths."""
        players = self.players
        lengths = (len(self.row), len(self.part), len(self.weight))
        if lengths != (players * sum(self.sizes), players * players, self.rows * self.units):
            return False
        parts = [self.part[view * players : (view + 1) * players] for view in range(players)]
        return all(-1 <= row < self.inputs for row in self.row) and all(
            sorted(part) == list(range(players)) for part in parts
        )


def read_net(model: RulesModel, arrays: Mapping[str, Any], texts: Mapping[str, str], scale: Scale) -> ValueNet:
    """The net in a file's arrays and texts. Raises ValueError or KeyError if they hold none."""
    row, part, outputs, units = arrays["row"], arrays["part"], int(texts["outputs"]), int(texts["units"])
    if row.typecode != "i" or part.typecode != "i" or arrays["weight"].typecode not in "fd":
        raise ValueError
    if not (8 <= units <= MOST_UNITS and units % 8 == 0 and 1 <= outputs <= len(model.players)):
        raise ValueError
    weight = array("d", arrays["weight"])
    return ValueNet(len(model.players), outputs, units, reads_of(model), row, part, scale, weight)


def ranks_actions(texts: Mapping[str, str]) -> bool:
    """True if a file holds a net of an earlier gdl that told actions apart, or one that read runs of cells."""
    return texts.get("model") == KIND and (texts.get("slots"), texts.get("format")) != ("1", "gdl 1")

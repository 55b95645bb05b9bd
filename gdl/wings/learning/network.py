"""A net that was learned from the rules alone: what a state is worth to each player, and how good each action looks.

1. What stands in the cells of a state (`learned`), what stands together in short straight runs of them, and whose turn
   it is are rows of numbers, whose sum is the first layer; the sum of the second layer's rows, each times a number of
   the first, is the second. Numbers below 0 count as 0, the last number of a layer as 1. Runs along one
   direction of a board share their rows.
2. The second layer times a player's row is the value, times an action's rows, summed up, the logarithm of its share
   among all legal ones. An action has one row, by its number, which follows from the rule and its values. Where there
   are too many numbers, each of its steps has a row: the rule, and each value at its place.
3. Whoever's turn it is, the net is shown the state with the players renamed, where a symmetry of the rules does that.

All this is reckoned in whole numbers of 16 bits: each of the three kinds of rows times a power of two, the greatest up
to 2^12 by which no sum can overflow, whatever stands in the cells. Sums of whole numbers are the same in every order,
so all engines find the same bits. Learning takes the numbers as they are.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import factorial, prod, sqrt
from operator import mul
from typing import Any, NamedTuple

from gdl.game import Adviser, Number
from gdl.wings.learning.action_codes import ActionEncoder
from gdl.wings.learning.learned import MOVER, LearnedEvaluation, Read, Scale, cells_of
from gdl.wings.programs.action_digits import NO_STEP, Digits

LN_2 = 0.6931471805599453
TAYLOR = tuple(1 / factorial(k) for k in range(14))  # of e to a number near 0
_LIMIT = 32767.0  # of the sizes of a row's words together
_MOST_POWER = 12
_POINT = 10  # binary digits behind the point in the second layer, at most


class Run(NamedTuple):
    """Cells in a straight run, whose contents are read together; runs of one `kind` share their rows of numbers."""

    kind: int
    cells: tuple[int, ...]


class RunKind(NamedTuple):
    """The rows of a kind of runs: the first one, how many they are, and how many runs share them."""

    first: int
    rows: int
    runs: int


def exp(x: float) -> float:
    """e to the power of a number that is at most 0, the same on every machine."""
    if x < -40.0:
        return 0.0
    k = int(0.5 - x * 1.4426950408889634)
    r = x + k * LN_2
    series = TAYLOR[-1]
    for term in reversed(TAYLOR[:-1]):
        series = series * r + term
    return series / (1 << k)


def _kernel_number(value: Any) -> int:
    """A value as kernel code holds it."""
    return -1 if value is None else int(value)


def _exponent(most: float, terms: int) -> int:
    """The exponent of the greatest power of two, up to a limit, by which weights can be multiplied and rounded without
    overflow. `most` bounds the sum of the `terms`."""
    k = _MOST_POWER
    while most * 2.0**k + terms > _LIMIT:
        k -= 1
    return k


def _words(numbers: Iterable[float], power: int) -> list[int]:
    """The numbers times a power of two, rounded to whole numbers of 16 bits."""
    return [int(number * 2.0**power + 32768.5) - 32768 for number in numbers]


def _fraction(less: float) -> float:
    """e to the power of minus `less` / 1024."""
    if less >= 40960.0:
        return 0.0
    k = int(less)
    return exp(-float(k >> 10)) * (exp(-(k >> 5 & 31) / 32.0) * exp(-(k & 31) / 1024.0))


class _Powers(NamedTuple):
    """The exponents of the powers of two by which a net's numbers are multiplied: the rows of the first layer, of the
    second, all other rows, and the results of the second layer."""

    first: int
    second: int
    last: int
    layer: int


@dataclass(frozen=True, eq=False)
class Views:
    """The views in which a net may see a state: for each view, the row of each class of each cell (-1: none), the row
    of each action, and the player who stands for each player; `of` has the view for each player's turn."""

    row: array[int]
    slot: array[int]
    part: array[int]
    of: array[int]


@dataclass(frozen=True, eq=False)
class Net(LearnedEvaluation):
    """A learned net, its numbers row by row: those of the first layer, of the second, of values, of actions. Its parts
    are the cells of a state, and behind them the runs."""

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
    runs: tuple[Run, ...] = ()
    by_steps: bool = False  # whether the steps of actions have rows, instead of the actions
    kind = "net"
    lowering = "gdl.wings.learning.compiled_nets"

    def adviser(self, game: Any) -> Adviser:
        """The net as the judge of decisions of a game."""
        return NetAdviser(self, ActionEncoder(game.model.actions, game.options))

    @cached_property
    def cell_sizes(self) -> tuple[int, ...]:
        """The number of classes of each cell."""
        return tuple(read.size for read in self.reads for _ in range(read.cells))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of classes of each part."""
        return (*self.cell_sizes, *(prod(self.cell_sizes[cell] for cell in run.cells) for run in self.runs))

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """For each part the number of its first class among all classes."""
        return tuple(accumulate(self.sizes, initial=0))[:-1]

    @cached_property
    def kinds(self) -> tuple[RunKind, ...]:
        """The kinds of runs; their rows follow those of whose turn it is and of every class of a cell but the first."""
        sizes = {run.kind: size - 1 for run, size in zip(self.runs, self.sizes[len(self.cell_sizes) :], strict=True)}
        of = Counter(run.kind for run in self.runs)
        first = self.players + sum(self.cell_sizes) - len(self.cell_sizes)
        firsts = accumulate((sizes[kind] for kind in range(len(of))), initial=first)
        return tuple(RunKind(next(firsts), sizes[kind], of[kind]) for kind in range(len(of)))

    @cached_property
    def rows_before(self) -> tuple[int, ...]:
        """For each part the row before that of its second class; the first class has none."""
        cells = (self.players + self.offsets[cell] - cell - 1 for cell in range(len(self.cell_sizes)))
        return (*cells, *(self.kinds[run.kind].first - 1 for run in self.runs))

    @cached_property
    def inputs(self) -> int:
        """The number of rows of the first layer."""
        rows = sum(kind.rows for kind in self.kinds)
        return self.players + sum(self.cell_sizes) - len(self.cell_sizes) + rows

    @cached_property
    def rows(self) -> int:
        """The number of all rows of the net."""
        return self.inputs + self.units + self.outputs + self.slots

    @cached_property
    def _blocks(self) -> dict[tuple[int, int], Digits]:
        return {(block.rule, block.words): block for block in self.digits}

    def _row(self, row: int) -> Sequence[float]:
        return self.weight[row * self.units : (row + 1) * self.units]

    def places(self, rule: int, values: Sequence[Any], chosen: int) -> tuple[int, ...]:
        """The numbers of the rows of an action by this rule with these values, of which the body chose `chosen`: one,
        the last if the action has no number; or one for each of its steps."""
        if self.by_steps:
            own, firsts = self._steps[rule].first, self.first_rows(rule, len(values), chosen)
            steps = [
                first + _kernel_number(value) for first, value in zip(firsts, values, strict=True) if first != NO_STEP
            ]
            return (own, *(step for step in steps if 0 <= step < self.slots))
        block, number = self._blocks.get((rule, chosen)), -1
        if block is not None and len(values) == len(block.strides):
            number = block.first + sum(
                _kernel_number(n) * stride for n, stride in zip(values, block.strides, strict=True)
            )
        return (number if 0 <= number < self.total else self.slots - 1,)

    def first_rows(self, rule: int, values: int, chosen: int) -> list[int]:
        """Of a net by steps: the row of value 0 at the place of each of an action's values, of which `chosen` are those
        of the body."""
        strides, words = self._steps[rule].strides, self._steps[rule].words
        body = strides[-words:]
        return [*strides[: values - chosen], *(body[place % words] for place in range(chosen))]

    @cached_property
    def _steps(self) -> dict[int, Digits]:
        return {block.rule: block for block in self.digits}

    @cached_property
    def _powers(self) -> _Powers:
        first = _exponent(max(map(self._greatest_first, range(self.players))), len(self.sizes) + 1)
        sums = [sum(map(abs, column)) for column in zip(*self._second, strict=True)]
        second = _exponent(max(sums), self.units)
        rows = range(self.inputs + self.units, self.rows)
        last = _exponent(max(sum(map(abs, self._row(row))) for row in rows), self.units)
        return _Powers(first, second, last, min(_POINT, first + second))

    def _greatest_first(self, player: int) -> float:
        """A bound for the numbers in the first layer at this player's turn, whatever the cells hold."""
        views, view, classes = self.views, self.views.of[player], sum(self.sizes)
        row = self._row(views.part[view * self.players + player])
        sums = [runs + abs(number) for runs, number in zip(self._greatest_runs, row, strict=True)]
        for offset, size in zip(self.offsets, self.cell_sizes, strict=False):
            found = views.row[view * classes + offset : view * classes + offset + size]
            rows = [[abs(number) for number in self._row(row)] for row in found if row >= 0]
            if rows:
                sums = [total + max(column) for total, *column in zip(sums, *rows, strict=True)]
        return max(sums)

    @cached_property
    def _greatest_runs(self) -> Sequence[float]:
        """A bound for what the runs together add to each number in the first layer."""
        sums = [0.0] * self.units
        for kind in self.kinds:
            rows = [[abs(number) for number in self._row(row)] for row in range(kind.first, kind.first + kind.rows)]
            sums = [total + kind.runs * max(column) for total, *column in zip(sums, *rows, strict=True)]
        return sums

    def parts(self, cells: Sequence[int]) -> list[int]:
        """The classes of all parts, given those of the cells; of a run, its cells' classes as digits of a number."""
        found = list(cells)
        for run in self.runs:
            place = 0
            for cell in run.cells:
                place = place * self.cell_sizes[cell] + cells[cell]
            found.append(place)
        return found

    @property
    def _second(self) -> list[Sequence[float]]:
        return [self._row(self.inputs + i) for i in range(self.units)]

    @cached_property
    def _columns(self) -> list[list[int]]:
        """The weights of the second layer as whole numbers, by column."""
        return [_words(column, self._powers.second) for column in zip(*self._second, strict=True)]

    def _product(self, layer: Sequence[int], row: int) -> int:
        """The product of the second layer and the row of a value or an action."""
        return sum(map(mul, layer, _words(self._row(row), self._powers.last)))

    @property
    def _unit_of_products(self) -> float:
        """The factor that turns a product, a whole number, into the value that it stands for."""
        return 2.0 ** -(self._powers.last + self._powers.layer)

    def layer(self, player: int, cells: Sequence[int]) -> list[int]:
        """The numbers of the second layer at this player's turn, for these classes of the cells."""
        views, view, classes, powers = self.views, self.views.of[player], sum(self.sizes), self._powers
        first = _words(self._row(views.part[view * self.players + player]), powers.first)
        for offset, held in zip(self.offsets, self.parts(cells), strict=True):
            row = views.row[view * classes + offset + held]
            if row >= 0:
                first = [a + b for a, b in zip(first, _words(self._row(row), powers.first), strict=True)]
        first = [*(max(number, 0) for number in first[:-1]), int(2.0**powers.first)]
        shift = powers.first + powers.second - powers.layer
        second = [sum(map(mul, first, column)) >> shift for column in self._columns]
        return [*(min(max(number, 0), 32767) for number in second[:-1]), int(2.0**powers.layer)]

    def values(self, player: int, layer: Sequence[int]) -> tuple[float, ...]:
        """The value of the state to each player, from -1 to 1 where utilities have bounds."""
        view = self.views.of[player]
        outputs = [
            self._product(layer, self.inputs + self.units + k) * self._unit_of_products for k in range(self.outputs)
        ]
        if self.scale.bounded:
            outputs = [x / sqrt(1.0 + x * x) for x in outputs]
        parts = self.views.part[view * self.players : (view + 1) * self.players]
        if self.outputs == self.players:
            return tuple(outputs[part] for part in parts)
        return tuple(outputs[0] if part == 0 else 0.0 - outputs[0] for part in parts)

    def shares(self, player: int, layer: Sequence[int], places: Sequence[Sequence[int]]) -> tuple[float, ...]:
        """The share of each of these actions, given by the rows of each; the shares sum to 1."""
        first, slots = self.rows - self.slots, self.views.slot
        base = self.views.of[player] * self.slots
        scores = [sum(self._product(layer, first + slots[base + place]) for place in own) for own in places]
        greatest, total, found = max(scores), 0.0, []
        for score in scores:
            found.append(_fraction((greatest - score) * (self._unit_of_products * 1024.0)))
            total += found[-1]
        part = 1.0 / total
        return tuple(number * part for number in found)

    def values_and_shares(
        self, player: int, held: Sequence[Any], places: Sequence[Sequence[int]]
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:  # fmt: skip
        """The values to all players of a state where it is this player's turn, and the shares of the actions, from the
        interpreter's cells."""
        layer = self.layer(player, cells_of(self.reads, held))
        return self.values(player, layer), self.shares(player, layer, places)

    # -- as an evaluation -----------------------------------------------------------------------------------

    def estimate(self, turn: int, held: Sequence[Any]) -> tuple[Number, ...]:
        """The estimated value of a state to each player, from the turn and the interpreter's cells. A state before
        chance is taken for a turn of the player who moves."""
        player = turn if turn >= 0 else held[MOVER]
        scale = self.scale
        values = self.values(player, self.layer(player, cells_of(self.reads, held)))
        found = [int(scale.spread(value) * scale.denominator) for value in values[: self.outputs]]
        return self.utilities(found)


class NetAdviser:
    """A net as a function of states: the values for all players, on the net's own scale, and the mover's actions'
    shares, in their order."""

    def __init__(self, net: Net, deeds: ActionEncoder):
        self.net, self._deeds = net, deeds
        self.middle, self.half, self.ranks = net.scale.middle, net.scale.half, net.slots > 1
        self.leads = "puct"

    def __call__(self, state: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
        places = [self.net.places(*done) for done in self._deeds.encode(state)]
        return self.net.values_and_shares(state.turn, state.cells, places)

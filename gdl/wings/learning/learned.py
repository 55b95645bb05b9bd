"""An evaluation that was learned from the rules alone: numbers in tables, found by what stands in the state.

1. Every element of the state (of a set: every member) is a cell, which holds one of few classes: each value of a type
   by itself, but numbers with more than OWN values by the length of their binary digits. Those with more than
   MOST_VALUES are left out.
2. A pattern is some cells. What stands in them is the place of a number in a table; there is a table for each pattern,
   whoever's turn it is (at a chance step: who moves and the step), and each player whose value is told.
3. The numbers of all patterns are summed, and x / sqrt(1 + x²) squeezes the sum x between the bounds of utilities;
   where the rules prove no bounds, the scale is that of the utilities met.
4. Patterns that symmetries turn into one another share one table (`Inputs.step` renames what stands in them). Of two
   players with a constant sum only the first is evaluated; where players change parts, the number changes its sign.

Source of tables of patterns: Bledsoe and Browning, Pattern recognition and reading by machine, 1959; in games: Lucas,
Learning to play Othello with n-tuple systems, 2008.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

from gdl.game import Bounds, Number, exact
from gdl.model.domains import Named, Optional, Range, SetType, Type, ordinal_base, size
from gdl.model.games import RulesModel
from gdl.record import Record

OWN = 128  # values of a number that have classes of their own
MOST_VALUES = 1 << 16  # of a number that is looked at
MOVER = 0  # the interpreter's cell that says who moves
FIRST_STEP = -3  # the turn of the first chance step; that of the next is one less
BEYOND_NUMERATORS = 1 << 30  # no numerator of an evaluation is as great
MOST_BITS = 20  # of the greatest evaluation, with those behind the point


class Read(Record):
    """How the elements of a variable become classes. `place`: the first of its cells in a state; `count`: the number of
    elements; `members`: the number of possible members of each set (0: no sets); `classes`: the class of each value,
    the first of which is `first`."""

    place: int
    count: int
    members: int
    first: int
    classes: tuple[int, ...]

    @property
    def cells(self) -> int:
        return self.count * max(1, self.members)

    @property
    def size(self) -> int:
        """The number of classes that the content of a cell can have."""
        return max(self.classes) + 1


def reads_of(model: RulesModel) -> tuple[Read, ...]:
    """For each variable of a game, how its elements are read."""
    return tuple(_read(variable.place, len(variable.initial), variable.type) for variable in model.variables)


def _read(place: int, count: int, type: Type) -> Read:
    if isinstance(type, SetType):
        return Read(place, count, size(type.item) + ordinal_base(type.item), 0, (0, 1))
    inner = type.item if isinstance(type, Optional) else type
    none = int(isinstance(type, Optional))
    if not isinstance(inner, Range):
        own = len(inner.members) if isinstance(inner, Named) else 2
        return Read(place, count, 0, -none, tuple(range(own + none)))
    values = range(inner.low, inner.high + 1)
    if inner.high - inner.low >= MOST_VALUES:
        return Read(place, 0, 0, 0, (0,))
    if len(values) <= OWN:
        classes = tuple(range(len(values)))
    else:
        lengths = [(value - min(0, inner.low)).bit_length() for value in values]
        classes = tuple(length - lengths[0] for length in lengths)
    if not none:
        return Read(place, count, 0, inner.low, classes)
    unused = (0,) * inner.low  # below the lowest number, where none is -1; below zero it is one less than that
    return Read(place, count, 0, min(-1, inner.low - 1), (0, *unused, *(number + 1 for number in classes)))


def cells_of(reads: Sequence[Read], held: Sequence[Any]) -> list[int]:
    """The class of each cell of a state, from the interpreter's cells."""
    found: list[int] = []
    for read in reads:
        for value in held[read.place : read.place + read.count]:
            if read.members:
                found += [value >> member & 1 for member in range(read.members)]
            else:
                found.append(read.classes[0 if value is None else int(value) - read.first])
    return found


@dataclass(frozen=True, eq=False)
class Inputs:
    """The patterns of a game and the places of their tables. A slot is a pattern, a turn (`side`) and the player
    evaluated (`output`): `(output * sides + side) * patterns + pattern`."""

    players: int
    sides: int
    outputs: int
    reads: tuple[Read, ...]
    start: array[int]  # for each pattern where it starts in `member`, and the end of the last
    member: array[int]  # the cells of the patterns
    base: array[int]  # for each slot where its table begins
    sign: array[int]  # for each slot 1, or -1 if its numbers change their sign
    where: array[int]  # for each cell of a slot where its steps start in `step`
    step: array[int]  # for each class of a cell how far it moves the place in the table
    entries: int  # of all tables

    @property
    def patterns(self) -> int:
        return len(self.start) - 1

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of classes of each cell."""
        return tuple(read.size for read in self.reads for _ in range(read.cells))

    def side(self, turn: int, mover: int) -> int:
        """The number that stands for a turn: of a player, or of a chance step with the player who moves."""
        return turn if turn >= 0 else mover + self.players * max(0, 1 + FIRST_STEP - turn)

    def places(self, side: int, output: int, cells: Sequence[int]) -> list[int]:
        """The position of each pattern's number in the table."""
        row = output * self.sides + side
        slot, first, found = row * self.patterns, row * len(self.member), []
        for pattern in range(self.patterns):
            at = self.base[slot + pattern]
            for k in range(self.start[pattern], self.start[pattern + 1]):
                at += self.step[self.where[first + k] + cells[self.member[k]]]
            found.append(at)
        return found


def sides_of(model: RulesModel) -> int:
    """The number of tables for one pattern and player: one for each turn, including each chance step with the player
    who moves."""
    return len(model.players) * (1 + len(model.chances))


@dataclass(frozen=True)
class Scale:
    """How a sum x becomes a utility: `middle + half * x / sqrt(1 + x * x)` if `bounded`, else `middle + half * x`.
    `total` is the constant sum of the utilities, if only the first of two players is evaluated (None: all are)."""

    middle: float
    half: float
    bounded: bool
    total: Number | None

    @cached_property
    def denominator(self) -> int:
        """The common denominator of all evaluations, which engines hold as whole numerators."""
        bits = MOST_BITS - max(1, int(self.bound)).bit_length()
        return (1 << max(0, min(14, bits))) * (1 if self.total is None else Fraction(self.total).denominator)

    @property
    def bound(self) -> float:
        """The greatest absolute value of an evaluation."""
        return abs(self.middle) + self.half * (1 if self.bounded else 64)

    @property
    def fits(self) -> bool:
        """True if all evaluations are numbers that the engine can hold."""
        return (self.bound + abs(float(self.total or 0))) * self.denominator < BEYOND_NUMERATORS

    @property
    def constant_sum(self) -> int:
        """The constant sum of the utilities, times the denominator; 0 if there is none."""
        return 0 if self.total is None else int(Fraction(self.total) * self.denominator)

    def worth(self, x: float) -> float:
        """The utility that a sum stands for."""
        return self.spread(x / sqrt(1.0 + x * x) if self.bounded else x)

    def spread(self, value: float) -> float:
        """The utility for a value between the scale's bounds, -1 and 1 if it is bounded."""
        worth = self.middle + self.half * value
        return worth if self.bounded else min(max(worth, -self.bound), self.bound)

    def bounds(self, players: int) -> Bounds:
        """The least and the greatest evaluation for each of this number of players."""
        most = exact(Fraction(int(self.bound * self.denominator) + 1, self.denominator))
        first = -most, most
        others = first if self.total is None else (exact(self.total - most), exact(self.total + most))
        return (first, *[others] * (players - 1))


class LearnedEvaluation:
    """The common part of learned evaluations: how many players there are, and the scale of the estimates."""

    players: int
    scale: Scale

    @property
    def denominator(self) -> int:
        return self.scale.denominator

    @property
    def is_zero_sum(self) -> bool:
        """True if the estimates for all players sum to zero, or if there is only one player."""
        return self.scale.total == 0 or self.players == 1

    @property
    def bounds(self) -> Bounds:
        """The least and the greatest evaluation."""
        return self.scale.bounds(self.players)

    def utilities(self, numerators: list[int]) -> tuple[Number, ...]:
        """The utilities of all players, from the numerators for those who are evaluated."""
        if self.scale.total is not None and self.players == 2:
            numerators.append(self.scale.constant_sum - numerators[0])
        return tuple(exact(Fraction(number, self.denominator)) for number in numerators)


@dataclass(frozen=True, eq=False)
class Tables(LearnedEvaluation):
    """A learned evaluation: the numbers of its inputs, and the scale that turns their sum into utility."""

    inputs: Inputs
    scale: Scale
    table: array[float]
    kind = "tuples"
    lowering = "gdl.wings.learning.compiled_tables"

    @property
    def outputs(self) -> int:
        return self.inputs.outputs

    @property
    def players(self) -> int:  # type: ignore[override]
        return self.inputs.players

    def estimate(self, turn: int, held: Sequence[Any]) -> tuple[Number, ...]:
        """The estimated value of a state to each player, from the turn and the interpreter's cells."""
        inputs, scale = self.inputs, self.scale
        side, cells = inputs.side(turn, held[MOVER]), cells_of(inputs.reads, held)
        found = []
        for output in range(inputs.outputs):
            slot, x = (output * inputs.sides + side) * inputs.patterns, 0.0
            for pattern, place in enumerate(inputs.places(side, output, cells)):
                x += inputs.sign[slot + pattern] * self.table[place]
            found.append(int(scale.worth(x) * scale.denominator))
        return self.utilities(found)

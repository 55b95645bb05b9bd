"""Where a state's values are held, and how the interpreter's cells are read from there and back.

A state is words of 32 bits. A variable's elements are a word each, a set as many pairs of words as it needs, seen as 64
bits. An array of few values over a board can also be held as planes, or instead: for each value a set of the elements
that have it. What no plane says has the background's value (none, false or the lowest number).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Protocol

from gdl.analysis.traits import all_at_once
from gdl.compiler.lower.code_values import NONE, UnsupportedConstruct, locate_refusals, split, words_for
from gdl.model.domains import Named, Optional, Range, SetType, Type, bounds, members, ordinal_base, size
from gdl.model.games import RulesModel, Variable

TURN, MOVER, FIRST_WORD = 0, 1, 2
PAST_CELL = 1  # the interpreter's cell that holds the earlier positions
PAST_WORDS = 4  # how many positions came before (and a word of nothing), and the digest of their keys
I32_VALUES = range(-(1 << 31) + 1, 1 << 31)
MOST_PLANES = 8  # the most planes of one array
FEW_PLANES = 2  # so many planes give an element's value as quickly as a word of its own
MOST_SQUARES = 1024  # the most elements of an array that has planes
MOST_FACES = 6  # an index of so few values is not worth planes, unless they are squares of a board


@dataclass(frozen=True)
class VariablePlace:
    """The place of a variable in a state. `offset`: the index of the word of 32 bits where its elements begin, each
    `each` words long; None: held in planes alone. `plane`: the index of the word of 64 bits where its planes begin,
    each `words` long; None: it has none."""

    number: int  # of the variable
    variable: Variable
    offset: int | None
    each: int
    plane: int | None = None
    words: int = 0

    @property
    def is_set(self) -> bool:
        return isinstance(self.variable.type, SetType)

    @property
    def members(self) -> int:
        """One more than the greatest ordinal that a set of this variable can hold."""
        return set_size(self.variable.type)

    @property
    def long(self) -> int:
        """The index of its first word, counted in words of 64 bits; for variables that hold sets."""
        assert self.offset is not None
        return self.offset // 2

    @property
    def count(self) -> int:
        """The number of elements of the variable."""
        return len(self.variable.initial)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The values that have planes, as numbers in ascending order."""
        return plane_values(self.variable.type)

    @cached_property
    def background(self) -> int:
        """The number of the value that has no plane: the one for none, or the lowest."""
        low, _, none = bounds(self.variable.type)
        return self.missing if none else low

    @property
    def missing(self) -> int:
        """The number that stands for none."""
        return missing_of(self.variable.type)

    def plane_of(self, value: int) -> int:
        """The index of the first word of 64 bits of a value's plane."""
        assert self.plane is not None
        return self.plane + (value - self.values[0]) * self.words


class Summary(Protocol):
    """An object that summarises earlier positions (PastKeys of past.py)."""

    def summary(self, past: Any) -> tuple[int, int]:
        """The number of earlier positions, and their digest."""


@dataclass(frozen=True)
class Layout:
    """The places of all variables of a game in a state of `words` words of 32 bits. `past`: the index where the
    PAST_WORDS words on earlier positions begin; None if the rules do not ask about them."""

    places: tuple[VariablePlace, ...]
    words: int
    past: int | None = None
    keys: Summary | None = None

    @property
    def has_long_words(self) -> bool:
        """True if some words of a state are also read as 64 bits."""
        return self.past is not None or any(place.is_set or place.plane is not None for place in self.places)

    def words_of_state(self, turn: int, cells: Sequence[Any]) -> list[int]:
        """The words for a state of the interpreter: its turn and its cells."""
        words = [0] * self.words
        words[TURN], words[MOVER] = turn, cells[0]
        for place in self.places:
            held = cells[place.variable.place : place.variable.place + place.count]
            if place.is_set:
                for i, bits in enumerate(held):
                    _write_long(words, place.long + i * (place.each // 2), split(bits, place.each // 2))
                continue
            numbers = numbers_of(place.variable.type, held)
            if place.offset is not None:
                words[place.offset : place.offset + place.count] = numbers
                if has_guard_word(place.variable):
                    # The guard word: index none is -1, and reads none there.
                    words[place.offset - 1] = place.missing
            for value in place.values if place.plane is not None else ():
                bits = sum(1 << i for i, number in enumerate(numbers) if number == value)
                _write_long(words, place.plane_of(value), split(bits, place.words))
        if self.past is not None and self.keys is not None:
            words[self.past], digest = self.keys.summary(cells[PAST_CELL])
            _write_long(words, self.past // 2 + 1, (digest,))
        return words

    def read(self, words: Sequence[int]) -> list[Any]:
        """The interpreter's cells of the author's variables, in the order of the file."""
        found: list[Any] = []
        for place in self.places:
            found += _read(words, place)
        return found


def layout(model: RulesModel) -> Layout:
    """The layout of a state: the variables in the order of the file. Arrays over a board are held as planes if possible
    (not in games where all act at once); an array of very few values is held as planes alone."""
    places, at, one_by_one = [], FIRST_WORD, not all_at_once(model)
    for index, variable in enumerate(model.variables):
        _check(variable)
        # Where all act at once, changes are joined word by word, and a word of a plane holds many elements.
        has_planes = one_by_one and _may_have_planes(variable)
        # A value is read from planes by looking into each of them, so an array of more values keeps its words as well.
        has_elements = not has_planes or len(plane_values(variable.type)) > FEW_PLANES
        each, offset, plane, words = 1, None, None, 0
        if isinstance(variable.type, SetType):
            each = 2 * words_for(set_size(variable.type))
            at += at % 2
        if has_elements:
            at += has_guard_word(variable)
            offset = at
            at += each * len(variable.initial)
        if has_planes:
            at += at % 2
            plane, words = at // 2, words_for(len(variable.initial))
            at += 2 * words * len(plane_values(variable.type))
        places.append(VariablePlace(index, variable, offset, each, plane, words))
    at += at % 2
    # The digest is read as 64 bits, so it begins at an even word: after the count comes a word that says nothing.
    return Layout(tuple(places), at + PAST_WORDS, at) if model.times else Layout(tuple(places), at)


def _may_have_planes(variable: Variable) -> bool:
    """True if a variable is an array of few values over a board, or over an index of enough values to be looked at
    together."""
    if isinstance(variable.type, SetType) or len(variable.initial) > MOST_SQUARES:
        return False
    return 1 < size(variable.type) <= MOST_PLANES + 1 and any(map(_is_field, variable.indices))


def _is_field(index: Type) -> bool:
    return size(index) > MOST_FACES or (isinstance(index, Named) and index.board is not None)


@cache
def plane_values(type: Type) -> tuple[int, ...]:
    """The values of a type that have planes, as numbers: all but the first, the background."""
    return tuple(int(value) for value in members(type)[1:])


def has_guard_word(variable: Variable) -> bool:
    """True if the variable is indexed by squares alone: a word before the first element holds none, to be read where
    the index is none."""
    if len(variable.indices) != 1 or isinstance(variable.type, SetType):
        return False
    index = variable.indices[0]
    return isinstance(index, Named) and index.board is not None


def set_size(type: Type) -> int:
    """One more than the greatest ordinal of a member that a set of this type can have."""
    assert isinstance(type, SetType)
    return size(type.item) + ordinal_base(type.item)


def _check(variable: Variable) -> None:
    """Raise UnsupportedConstruct if the variable has values that a word cannot hold."""
    type = variable.type
    if isinstance(type, SetType):
        return
    with locate_refusals(variable.span):
        if isinstance(type, Optional) and isinstance(type.item, SetType):
            help = "let an empty set stand for none, or keep in a Boolean whether there is one"
            raise UnsupportedConstruct(f"{variable.name}: a set that may be none", help)
        low, high, none = bounds(type)
        if low - none not in I32_VALUES or high not in I32_VALUES:
            help = f"give it a range within {I32_VALUES[0]}..{I32_VALUES[-1]}"
            raise UnsupportedConstruct(f"{variable.name}: numbers of more than 32 bits", help)


def _write_long(words: list[int], at: int, longs: Sequence[int]) -> None:
    for k, word in enumerate(longs):
        # The low half comes first: machines store 64 bits so, and `w` is a view of the same memory as `s`.
        low = word & 0xFFFFFFFF
        words[2 * (at + k)] = low - (1 << 32) if low >> 31 else low
        words[2 * (at + k) + 1] = word >> 32


def _long_bits(words: Sequence[int], at: int, count: int) -> int:
    """The bits of a set in `count` words of 64 bits, from word `at` (also counted in 64 bits) on."""
    return sum((words[2 * at + k] & 0xFFFFFFFF) << 32 * k for k in range(2 * count))


def _read(words: Sequence[int], place: VariablePlace) -> Sequence[Any]:
    if place.is_set:
        each = place.each // 2
        return [_long_bits(words, place.long + i * each, each) for i in range(place.count)]
    return values_of(place.variable.type, _numbers(words, place))


def missing_of(type: Type) -> int:
    """The number that stands for none in variables of the type: NONE, or one less than all numbers."""
    return min(NONE, bounds(type)[0] - 1)


def numbers_of(type: Type, values: Sequence[Any]) -> list[int]:
    """The numbers of 32 bits that stand for values of a type, none included; not for sets."""
    missing = missing_of(type)
    return [missing if value is None else int(value) for value in values]


def values_of(type: Type, numbers: Sequence[int]) -> Sequence[Any]:
    """The values of a type for which these numbers stand."""
    optional = isinstance(type, Optional)
    inner, missing = type.item if isinstance(type, Optional) else type, missing_of(type)
    if isinstance(inner, Range | Named):
        return [None if number == missing else number for number in numbers] if optional else numbers
    return [None if optional and number == missing else bool(number) for number in numbers]


def _numbers(words: Sequence[int], place: VariablePlace) -> Sequence[int]:
    """The numbers that stand for the elements of a variable, read from words or planes."""
    if place.offset is not None:
        return words[place.offset : place.offset + place.count]
    planes = (_long_bits(words, place.plane_of(value), place.words) for value in place.values)
    return numbers_in_planes(place, planes)


def numbers_in_planes(place: VariablePlace, planes: Iterable[int]) -> list[int]:
    """The numbers that stand for the elements of a variable, from the planes of its values in their order."""
    numbers, whole = [place.background] * place.count, (1 << place.count) - 1
    for value, plane in zip(place.values, planes, strict=True):
        plane &= whole
        while plane:
            numbers[(plane & -plane).bit_length() - 1] = value
            plane &= plane - 1
    return numbers

"""Where a state's values are held: words of 32 bits, and how the interpreter's cells are read from them and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gdl.compiler.lower.values import NONE, Refused, split, words_for
from gdl.domains import Named, Optional, Range, SetType, Type, ordinal_base, size
from gdl.model import RulesModel, Variable

TURN, MOVER, FIRST_WORD = 0, 1, 2
I32_VALUES = range(-(1 << 31) + 1, 1 << 31)


@dataclass(frozen=True, slots=True)
class Place:
    """A variable's words: from `offset` on, `each` for an element. A set's words are pairs, seen as 64 bits."""

    variable: Variable
    offset: int
    each: int

    @property
    def is_set(self) -> bool:
        return isinstance(self.variable.type, SetType)

    @property
    def members(self) -> int:
        """The ordinals that a set of this variable can hold."""
        return set_size(self.variable.type)

    @property
    def long(self) -> int:
        """The first word of a set, counted in words of 64 bits."""
        return self.offset // 2


@dataclass(frozen=True)
class Layout:
    """All variables of a game in words."""

    places: tuple[Place, ...]
    words: int

    @property
    def viewed(self) -> bool:
        """Whether some words are seen as 64 bits."""
        return any(place.is_set for place in self.places)

    def written(self, turn: int, cells: Sequence[Any]) -> list[int]:
        """The words of a state of the interpreter."""
        words = [0] * self.words
        words[TURN], words[MOVER] = turn, cells[0]
        for place in self.places:
            first = place.variable.place
            for i in range(len(place.variable.initial)):
                _write(words, place, place.offset + i * place.each, cells[first + i])
            if guarded(place.variable):
                words[place.offset - 1] = NONE
        return words

    def read(self, words: Sequence[int]) -> list[Any]:
        """The cells of the author's variables, in order."""
        cells: list[Any] = []
        for place in self.places:
            for i in range(len(place.variable.initial)):
                cells.append(_read(words, place, place.offset + i * place.each))
        return cells


def layout(model: RulesModel) -> Layout:
    """Variables in the order of the file; sets begin at even words."""
    places, at = [], FIRST_WORD
    for variable in model.variables:
        is_set = isinstance(variable.type, SetType)
        each = 2 * words_for(set_size(variable.type)) if is_set else 1
        _check(variable)
        at += at % 2 if is_set else guarded(variable)
        places.append(Place(variable, at, each))
        at += each * len(variable.initial)
    return Layout(tuple(places), at + at % 2)


def guarded(variable: Variable) -> bool:
    """Whether a word before the first element holds none, to be read where the index is none."""
    if len(variable.indices) != 1 or isinstance(variable.type, SetType):
        return False
    index = variable.indices[0]
    return isinstance(index, Named) and index.board is not None


def bounds(type: Type) -> tuple[int, int, bool]:
    """Lowest and highest value as a number, and whether it may be none."""
    match type:
        case Optional(item):
            return (*bounds(item)[:2], True)
        case Range(low, high):
            return low, high, False
        case Named():
            return 0, len(type.members) - 1, False
    return 0, 1, False


def set_size(type: Type) -> int:
    """The ordinals of a set's members are less than this."""
    assert isinstance(type, SetType)
    return size(type.item) + ordinal_base(type.item)


def _check(variable: Variable) -> None:
    """Refuse what a word cannot hold."""
    type = variable.type
    if isinstance(type, SetType):
        return
    if isinstance(type, Optional) and isinstance(type.item, SetType):
        raise Refused(f"{variable.name}: a set that may be none")
    low, high, none = bounds(type)
    if low not in I32_VALUES or high not in I32_VALUES:
        raise Refused(f"{variable.name}: numbers of more than 32 bits")
    if none and low < 0:
        raise Refused(f"{variable.name}: numbers below zero that may be none")


def _write(words: list[int], place: Place, at: int, value: Any) -> None:
    if not place.is_set:
        words[at] = NONE if value is None else int(value)
        return
    for k, word in enumerate(split(value, place.each // 2)):
        words[at + 2 * k] = _half(word & 0xFFFFFFFF)
        words[at + 2 * k + 1] = word >> 32


def _half(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def _read(words: Sequence[int], place: Place, at: int) -> Any:
    if place.is_set:
        return sum((words[at + k] & 0xFFFFFFFF) << 32 * k for k in range(place.each))
    word, type = words[at], place.variable.type
    if isinstance(type, Optional):
        if word == NONE:
            return None
        type = type.item
    return word if isinstance(type, Range | Named) else bool(word)

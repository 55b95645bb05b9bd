"""The types of a game's values: every one has a finite domain, so every choice is finite and a state packs into bits.

How values are held: a range's as int, a named type's as the index of the member, a truth as bool, a set as an int
whose bit i is the member with ordinal i, `none` as None, a sequence as a tuple.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from gdl.model.board import Board
from gdl.record import Record

MOST_KEPT = 4096  # sets whose members are remembered,
SMALL = 1 << 256  # if they are small


class Range(Record):
    """Whole numbers from low to high."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


class Named(Record):
    """An enumeration, the players, the directions or a board's squares. Values are held as positions in the list of
    members. Two objects of this class are never the same type."""

    name: str
    members: tuple[str, ...]
    ordered: bool = False
    board: Board | None = None
    graph: Board | None = None  # for a type of edges: their graph,
    joins: tuple[tuple[int, int], ...] = ()  # and the two points that each joins
    parts: tuple[tuple[str, Any], ...] = ()  # for a record type: its fields, each with its type

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.name


def board_of(type: object) -> Board | None:
    """The board whose squares are the values of a type."""
    return type.board if isinstance(type, Named) else None


class Part(Range):
    """The members of an enumeration from one to another, held as they are in the whole."""

    whole: Named

    def __str__(self) -> str:
        return f"{self.whole.members[self.low]}..{self.whole.members[self.high]}"


class Place(Range):
    """The places of a sequence, as the last index of its variable. Places behind the last element hold `none`."""


class Simple(Record):
    """A type whose values are not listed: Booleans, other numbers, texts, `none`, or unknown after a mistake."""

    name: str

    def __str__(self) -> str:
        return self.name


class Optional(Record):
    """A value or none."""

    item: Type

    def __str__(self) -> str:
        return f"{self.item}?"


class SetType(Record):
    """A set of values."""

    item: Type

    def __str__(self) -> str:
        return f"set of {self.item}"


class Sequence(Record):
    """Values in an order, such as the squares of a line; never held in the state."""

    item: Type

    def __str__(self) -> str:
        return f"list of {self.item}"


class Array(Record):
    """A whole variable with its indices, as `times` takes it; never held in the state."""

    name: str
    kind: str = "array"

    def __str__(self) -> str:
        return f"the {self.kind} {self.name}"


Type = Range | Named | Simple | Optional | SetType | Sequence | Array

TRUTH = Simple("true or false")
NUMBER = Simple("number")
TEXT = Simple("text")
NOTHING = Simple("none")
ANYTHING = Simple("anything")


def without_none(type: Type) -> Type:
    """The type without `?` (or none)."""
    return type.item if isinstance(type, Optional) else type


def members(type: Type) -> range | tuple[Any, ...]:
    """All values of a storable type, in order (for a set: of its members' type)."""
    match type:
        case Range(low, high):
            return range(low, high + 1)
        case Named():
            return range(len(type.members))
        case Optional(item):
            return (None, *members(item))
        case SetType(item):
            low = ordinal_base(item)
            return range(0, 1 << size(item) + low, 1 << low)
    return (False, True)


def bounds(type: Type) -> tuple[int, int, bool]:
    """The lowest and the highest number that stands for a value of the type, and whether the value may be none."""
    match type:
        case Optional(item):
            return (*bounds(item)[:2], True)
        case Range(low, high):
            return low, high, False
        case Named():
            return 0, len(type.members) - 1, False
    return 0, 1, False


def size(type: Type) -> int:
    """The number of values of the type."""
    match type:
        case Range(low, high):
            return max(0, high - low + 1)
        case Named():
            return len(type.members)
        case Optional(item):
            return 1 + size(item)
        case SetType(item):
            return 1 << size(item)
    return 2


def bits(type: Type) -> int:
    """The number of bits that hold one value of the type."""
    return size(type.item) if isinstance(type, SetType) else max(1, (size(type) - 1).bit_length())


def ordinal_base(type: Type) -> int:
    """The least number of a range, else 0: to be subtracted from an index to count from 0. In a set of numbers the bit
    i stands for the number i itself, so there it is the number of bits below the first member."""
    return type.low if isinstance(type, Range) else 0


def default_value(type: Type) -> Any:
    """The value with which a variable of the type begins where the file names none: `none` (None) if the type allows
    it, the empty set, 0 if the range holds 0, else the first value."""
    if isinstance(type, Optional):
        return None
    if isinstance(type, SetType) or (isinstance(type, Range) and type.low <= 0 <= type.high):
        return 0
    return members(type)[0] if size(type) else None


def text_of(type: Type, value: Any, by_field: bool = False) -> str:
    """A value as its author would write it; `by_field` writes a record as its fields, each after its name, or without
    names where each tells what it is."""
    if value is None:
        return "none"
    match type:
        case Optional(item):
            return text_of(item, value, by_field)
        case Named(parts=parts) if by_field and parts:
            fields = zip(parts, field_values(type, value), strict=True)
            if is_card(type):
                return " ".join(text_of(part, held) for (_, part), held in fields)
            return f"({', '.join(f'{name} {text_of(part, held, by_field)}' for (name, part), held in fields)})"
        case Named():
            return str(type.members[value])
        case Part():
            return str(type.whole.members[value])
        case SetType(item) | Sequence(item):
            inside = ", ".join(text_of(item, v, by_field) for v in elements(value))
            return f"{{{inside}}}" if isinstance(type, SetType) else f"[{inside}]"
    if isinstance(value, bool) or type == TRUTH:
        return "true" if value else "false"
    return str(value)


def is_card(record: Named) -> bool:
    """True if the fields of a record are names of different kinds, none of them players, places or records, and one
    number at most, such as suit and rank: then `clubs 2` tells which field is which."""
    kinds = [Range if isinstance(part, Range) else part for _, part in record.parts]
    names = [kind for kind in kinds if isinstance(kind, Named) and kind.name != "Player"]
    plain = [kind for kind in names if not (kind.board or kind.graph or kind.parts)]
    return 1 < len(kinds) == len({*kinds}) == len(plain) + kinds.count(Range)


def field_values(record: Named, value: int) -> list[Any]:
    """The values of a record's fields. The last field varies fastest from one record of the type to the next."""
    found = []
    for _, part in reversed(record.parts):
        value, at = divmod(value, size(part))
        found.append(members(part)[at])
    return found[::-1]


def elements(value: int | range | tuple[Any, ...]) -> tuple[Any, ...]:
    """The members of a set (held as bits), a range or a sequence, in order."""
    if not isinstance(value, int):
        return tuple(value)
    return _kept_members(value) if value < SMALL else _members_of(value)


def _members_of(bits: int) -> tuple[int, ...]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


_kept_members = lru_cache(MOST_KEPT)(_members_of)


def describe_type(type: Type) -> str:
    """The type in a message: `a number from 1 to 6`, `a Card`, `a set of Square`."""
    if isinstance(type, Part):
        return f"one of {type}"
    if isinstance(type, Range):
        return f"a number from {type.low} to {type.high}" if type.low < type.high else f"the number {type.low}"
    if isinstance(type, Optional):
        return f"{describe_type(type.item)} or none"
    if isinstance(type, Simple):
        return {TRUTH: "true or false", NUMBER: "a number", TEXT: "a text", NOTHING: "none"}.get(type, "a value")
    if isinstance(type, Array):
        return str(type)
    text = str(type)
    spoken_you = text[:3].lower() in ("uni", "use", "usu")  # as in a unit
    return f"{'an' if text[:1] in 'AEIOUaeiou' and not spoken_you else 'a'} {text}"


def contains(type: Type, value: Any) -> bool:
    """True if a storable type has the value."""
    if isinstance(type, Optional):
        return value is None or contains(type.item, value)
    if value is None:
        return False
    if isinstance(type, Range):
        return isinstance(value, int | Fraction) and value == int(value) and type.low <= value <= type.high
    if isinstance(type, SetType):
        low = ordinal_base(type.item)
        return isinstance(value, int) and value >= 0 and value in range(0, 1 << size(type.item) + low, 1 << low)
    if isinstance(type, Named):
        return isinstance(value, int) and 0 <= value < len(type.members)
    return isinstance(value, bool)

"""Agreement of types: which values fit where, and the domains written in a file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gdl.checker.scope import Typed
from gdl.errors import limits
from gdl.model import core
from gdl.model.domains import (
    ANYTHING,
    NOTHING,
    NUMBER,
    TRUTH,
    Named,
    Optional,
    Part,
    Range,
    Sequence,
    SetType,
    Type,
    describe_type,
    members,
    size,
    text_of,
    without_none,
)
from gdl.model.intervals import combine_intervals


def numeric(type: Type) -> bool:
    return (isinstance(type, Range) and not isinstance(type, Part)) or type in (NUMBER, ANYTHING)


def has_order(type: Type) -> bool:
    """True if values of a named type come one before another: those of an ordered enumeration, and squares."""
    return isinstance(type, Named) and (type.ordered or type.board is not None)


def base_type(type: Type) -> Type:
    """The type without `?` (or none); of a part of an enumeration, the whole enumeration."""
    inner = without_none(type)
    return inner.whole if isinstance(inner, Part) else inner


def read_as(type: Type) -> Type:
    """The type of a value read from a place of this type: for a part of an enumeration, the whole enumeration."""
    if isinstance(type, Optional):
        return Optional(read_as(type.item))
    return type.whole if isinstance(type, Part) else type


def describe_expression(typed: Typed, wanted: Type) -> str:
    """A description of an expression for a message that it does not fit: the value itself, if it is a member of an
    enumeration and only a part of that is wanted; else its type."""
    inner = without_none(wanted)
    if isinstance(inner, Part) and typed.type == inner.whole and isinstance(typed.core, core.Const):
        return text_of(typed.type, typed.core.value)
    return describe_type(typed.type)


def fits(given: Type, wanted: Type) -> bool:
    """True if some value of the type `given` may stand where the type `wanted` is due. Single values are checked in
    play."""
    if ANYTHING in (given, wanted) or given == wanted:
        return True
    if given == NOTHING:
        return isinstance(wanted, Optional)
    given, wanted = base_type(given), base_type(wanted)
    if isinstance(given, Range) and isinstance(wanted, Range):
        return given.low <= wanted.high and wanted.low <= given.high
    if numeric(given) and numeric(wanted):
        return True
    if isinstance(given, SetType) and isinstance(wanted, SetType):
        return ANYTHING in (given.item, wanted.item) or fits(given.item, wanted.item)
    if isinstance(given, Sequence) and isinstance(wanted, Sequence):
        return fits(given.item, wanted.item)
    return given == wanted


def comparable(a: Type, b: Type) -> bool:
    """True if values of these types can ever be equal. Ranges of numbers count as comparable even if they do not meet,
    which is a warning elsewhere."""
    if NOTHING in (a, b):
        return True
    a, b = base_type(a), base_type(b)
    return (numeric(a) and numeric(b)) or fits(a, b) or fits(b, a)


def union_type(a: Type, b: Type) -> Type | None:
    """The type that holds the values of both, for the two arms of an `if`; None if there is none."""
    if a == b or b == ANYTHING:
        return a
    if a == ANYTHING:
        return b
    if NOTHING in (a, b):
        other = b if a == NOTHING else a
        return other if isinstance(other, Optional) else Optional(other)
    if isinstance(a, Optional) or isinstance(b, Optional):
        inner = union_type(base_type(a), base_type(b))
        return None if inner is None else Optional(inner)
    if isinstance(a, Range) and isinstance(b, Range):
        return Range(min(a.low, b.low), max(a.high, b.high))
    if numeric(a) and numeric(b):
        return NUMBER
    if isinstance(a, SetType | Sequence) and type(a) is type(b):
        inner = union_type(a.item, b.item)
        return None if inner is None else type(a)(inner)
    return None


def constant_type(value: Any) -> Type:
    """The type of a literal value."""
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, int):
        return Range(value, value)
    return NUMBER if isinstance(value, Fraction) else NOTHING


def arithmetic_type(sign: str, a: Type, b: Type) -> Type:
    """The range of a sum, difference, product, quotient or remainder, where both sides have one."""
    if not (isinstance(a, Range) and isinstance(b, Range)) or sign == "/":
        return NUMBER
    if b.low <= 0 and (sign == "mod" or (sign == "div" and b.high >= 0)):
        return NUMBER
    low, high = combine_intervals(sign, (a.low, a.high), (b.low, b.high))
    return NUMBER if max(-low, high) > limits.NUMBER else Range(low, high)


def domain_of(typed: Typed) -> Typed | None:
    """The values of a set or a sequence in their order, as a domain with the type of a single one; None if the
    expression is neither."""
    if isinstance(typed.type, SetType):
        return Typed(core.Members(typed.core), typed.type.item)
    if isinstance(typed.type, Sequence):
        return Typed(typed.core, typed.type.item)
    return None


def all_of(type: Type) -> Typed:
    """A type as the domain of all its values; as an empty one, if there are too many to run through."""
    return Typed(core.Const(members(type) if size(type) <= limits.WORK else ()), Sequence(read_as(type)))


def small_enough(type: Type) -> bool:
    """True if sets over the type can be held as bits."""
    if isinstance(type, Range):
        return type.low >= 0 and type.high < limits.IN_SET
    return type == ANYTHING or (isinstance(type, Named) and len(type.members) <= limits.IN_SET)

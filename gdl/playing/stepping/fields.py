"""Where a value of a rule's head, or of a choice in its body, can lie: the digits that make an action's number."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from gdl.errors import Refusal, clean
from gdl.model import core
from gdl.model.domains import (
    TRUTH,
    Named,
    Optional,
    Range,
    SetType,
    Type,
    elements,
    ordinal_base,
    size,
    text_of,
)
from gdl.record import Record

NONE = -1  # what none is as a number


class ParameterField(Record):
    """The values that one parameter may have, as numbers from `low` on, so many of them.

    Sets of a fixed number of members are counted in the order of combinations, other sets by their bits; values that
    are no whole numbers by their place among `items`.
    """

    type: Type
    low: int
    size: int
    count: int | None = None  # members of each set, where that is fixed
    items: tuple[Any, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether a value is its own number, as kernel code holds it."""
        return not self.items and not isinstance(self.type, SetType)

    def number(self, value: Any) -> int:
        """The number of a value."""
        if self.items:
            return self.items.index(value)
        if self.count is not None:
            return sum(comb(member, k) for k, member in enumerate(elements(value), start=1))
        return NONE if value is None else int(value)

    def value(self, number: int) -> Any:
        """The value that has a number."""
        if self.items:
            return self.items[number]
        if self.count is not None:
            return _combination(number, self.count)
        inner = self.type.item if isinstance(self.type, Optional) else self.type
        if isinstance(self.type, Optional) and number == NONE:
            return None
        return bool(number) if inner == TRUTH else number

    def text(self, number: int) -> str:
        """The value that has a number, as its author would write it."""
        return text_of(self.type, self.value(number))


def field_of(parameter: core.Parameter, rule: str) -> ParameterField:
    """Where the values of a parameter lie. Raises Refusal where neither its type nor a constant domain says it."""
    type = parameter.type
    constant = _constant(parameter.domain) if parameter.count is None else None
    if parameter.count is not None:
        return _drawn_set_field(parameter)
    if isinstance(type, SetType):
        return ParameterField(type, 0, 1 << size(type.item) + ordinal_base(type.item))
    if constant is not None and not _is_numbered(type):
        return ParameterField(type, 0, max(1, len(constant)), items=tuple(constant))
    if not _is_numbered(type):
        raise Refusal(f"the actions of {clean(rule)} have no numbers: nothing bounds the values of a {type}")
    low, high = _bounds(type)
    if constant:
        numbers = [NONE if value is None else int(value) for value in constant]
        low, high = max(low, min(numbers)), min(high, max(numbers))
    return ParameterField(type, low, max(1, high - low + 1))


def _drawn_set_field(parameter: core.Parameter) -> ParameterField:
    """Sets that are drawn."""
    assert isinstance(parameter.type, SetType)
    things = size(parameter.type.item) + ordinal_base(parameter.type.item)
    if isinstance(parameter.count, core.Const) and isinstance(parameter.count.value, int):
        return ParameterField(
            parameter.type, 0, max(1, comb(things, parameter.count.value)), count=parameter.count.value
        )
    return ParameterField(parameter.type, 0, 1 << things)


def _is_numbered(type: Type) -> bool:
    """Whether the type's values are whole numbers in a row, and perhaps none."""
    inner = type.item if isinstance(type, Optional) else type
    return isinstance(inner, Range | Named) or inner == TRUTH


def _bounds(type: Type) -> tuple[int, int]:
    match type:
        case Optional(item):
            low, high = _bounds(item)
            return min(low, NONE), high
        case Range(low, high):
            return low, high
        case Named():
            return 0, len(type.members) - 1
    return 0, 1


def _constant(domain: core.Expression) -> Sequence[Any] | None:
    """The values of a domain that depends on nothing; None where it may."""
    match domain:
        case core.Const(value) if isinstance(value, tuple | range):
            return value
        case core.Interval(core.Const(low), core.Const(high)):
            return range(low, high + 1)
        case core.Members(core.Const(int(bits))):
            return elements(bits)
        case core.Members(core.SetOf(items)) | core.Items(items) if all(isinstance(item, core.Const) for item in items):
            return [item.value for item in items if isinstance(item, core.Const)]
    return None


def _combination(number: int, count: int) -> int:
    """The set of so many members, as bits, that has a number."""
    bits = 0
    for k in range(count, 0, -1):
        member = k - 1
        while comb(member + 1, k) <= number:
            member += 1
        bits |= 1 << member
        number -= comb(member, k)
    return bits

"""exists, forall, count, first, those, sum, min and max over a domain, as closures for the evaluator."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterator
from functools import partial, reduce
from operator import or_
from typing import Any

from gdl.errors import Span, fault, limits
from gdl.interpreter.closures import Cells, Frame, Value

_NOTHING = object()  # where no value of a domain is chosen


def bit(value: Any, span: Span) -> int:
    """A member of a set as a number with one bit; a value that no set can hold is a fault."""
    if value is None:
        help = "ask for '!= none' first, or leave it out with 'where'; neighbours(s, {east, west}) holds only squares"
        raise fault("a set holds squares and other values, and this one is none", span, help)
    if not isinstance(value, int) or not 0 <= value < limits.IN_SET:
        raise fault(f"a set holds whole numbers from 0 to {limits.IN_SET - 1:,}, and this is {value}", span,
                    "leave it out with 'where'")  # fmt: skip
    return 1 << value


def filter_domain(domain: Value, where: Value, slot: int) -> Value:
    """The values of a domain for which a condition holds."""

    def chosen(c: Cells, f: Frame) -> Iterator[Any]:
        for value in domain(c, f):
            f[slot] = value
            if where(c, f):
                yield value

    return chosen


def up_to(domain: Value, condition: Value, slot: int) -> Value:
    """The values of a domain up to and including the first for which a condition holds."""

    def chosen(c: Cells, f: Frame) -> Iterator[Any]:
        for value in domain(c, f):
            f[slot] = value
            last = condition(c, f)
            yield value
            if last:
                return

    return chosen


def _values_of_each(domain: Value, body: Value, slot: int) -> Value:
    """The values of the body, one for each value of a domain."""

    def values_of_each(c: Cells, f: Frame) -> Iterator[Any]:
        for value in domain(c, f):
            f[slot] = value
            yield body(c, f)

    return values_of_each


def _exists(domain: Value, body: Value, slot: int, span: Span) -> Value:
    chosen = filter_domain(domain, body, slot)
    return lambda c, f: next(chosen(c, f), _NOTHING) is not _NOTHING


def _forall(domain: Value, body: Value, slot: int, span: Span) -> Value:
    def run(c: Cells, f: Frame) -> bool:
        for value in domain(c, f):
            f[slot] = value
            if not body(c, f):
                return False
        return True

    return run


def _count(domain: Value, body: Value, slot: int, span: Span) -> Value:
    chosen = filter_domain(domain, body, slot)
    return lambda c, f: sum(1 for _ in chosen(c, f))


def _first(domain: Value, body: Value, slot: int, span: Span) -> Value:
    chosen = filter_domain(domain, body, slot)
    return lambda c, f: next(chosen(c, f), None)


def _those(domain: Value, body: Value, slot: int, span: Span) -> Value:
    chosen = filter_domain(domain, body, slot)
    return lambda c, f: reduce(or_, (bit(value, span) for value in chosen(c, f)), 0)


def _sum(domain: Value, body: Value, slot: int, span: Span) -> Value:
    each = _values_of_each(domain, body, slot)

    def run(c: Cells, f: Frame) -> Any:
        total = 0
        for part in each(c, f):
            if part is None:
                raise fault("'sum' adds numbers, and one of them is none", span, "leave it out with 'where'")
            total += part
        return total

    return run


def _union(domain: Value, body: Value, slot: int, span: Span) -> Value:
    each = _values_of_each(domain, body, slot)
    return lambda c, f: reduce(or_, each(c, f), 0)


def _extreme(domain: Value, body: Value, slot: int, span: Span, word: str, pick: Function[[list[Any]], Any]) -> Value:
    each = _values_of_each(domain, body, slot)

    def run(c: Cells, f: Frame) -> Any:
        found = [part for part in each(c, f) if part is not None]
        if not found:
            raise fault(f"'{word}' of nothing", span, "make sure that there is a value to choose from")
        return pick(found)

    return run


QUANTIFIERS: dict[str, Function[[Value, Value, int, Span], Value]] = {
    "exists": _exists,
    "forall": _forall,
    "count": _count,
    "first": _first,
    "those": _those,
    "sum": _sum,
    "union": _union,
    "min": partial(_extreme, word="min", pick=min),
    "max": partial(_extreme, word="max", pick=max),
}


def reach_along(
    start: Value, neighbours: tuple[tuple[int, ...], ...], slot: int, source: int, joined: Value
) -> Function[[Cells, Frame], int]:
    """A function to the set of members reached from the set `start` along edges. An edge leads from a member (put in
    the slot `source`) to one of its `neighbours` (in `slot`) for which `joined` holds. Members are gone through from
    the least up, so that a fault is met in the same order by every engine."""

    def reach(c: Cells, f: Frame) -> int:
        found: int = start(c, f)
        work = found
        while work:
            least = work & -work
            work ^= least
            at = least.bit_length() - 1
            f[source] = at
            for near in neighbours[at]:
                f[slot] = near
                if not found >> near & 1 and joined(c, f):
                    found |= 1 << near
                    work |= 1 << near
        return found

    return reach

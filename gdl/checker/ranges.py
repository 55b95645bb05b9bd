"""Ranges: of numbers, 1..6, and of the members of an enumeration, pawn..gold. Syntax -> core, as a type and a value."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.types import base_type
from gdl.model import core
from gdl.model.domains import ANYTHING, NUMBER, Named, Part, Range, Sequence, Type, describe_type


def constant_range(check: Checks, written: syntax.Interval) -> Type:
    before = len(check.scope.problems)
    ends = [check.check(end) for end in (written.low, written.high)]
    if isinstance(base_type(ends[0].type), Named):
        return _part(check, written, ends)
    del check.scope.problems[before:]
    low, high = check.whole_number(written.low), check.whole_number(written.high)
    if low is None or high is None:
        return ANYTHING
    if low > high:
        check.scope.problem(f"the range {low}..{high} is empty", written.span, help="write the smaller bound first")
        return ANYTHING
    return Range(low, high)


def _part(check: Checks, written: syntax.Interval, ends: list[Typed]) -> Type:
    """The type `pawn..gold`: the members of an enumeration from one to another."""
    whole = _named_range(check, written, *ends)
    low, high = (check.constant_of(end, w) for end, w in zip(ends, (written.low, written.high), strict=True))
    if whole is None or low is None or high is None:
        return ANYTHING
    if low > high:
        shown = f"{whole.members[low]}..{whole.members[high]}"
        message = f"the range {shown} is empty: {whole} has them in the other order"
        return check.scope.instead(message, written.span, "write the member that comes first in front", ANYTHING)
    return whole if high - low + 1 == len(whole.members) else Part(low, high, whole)


def check_interval(check: Checks, e: syntax.Interval) -> Typed:
    ends = check.check(e.low), check.check(e.high)
    if isinstance(base_type(ends[0].type), Named):
        return _names_between(check, e, *ends)
    low, high = check.as_number(ends[0], e.low), check.as_number(ends[1], e.high)
    type: Type = NUMBER
    if isinstance(low.type, Range) and isinstance(high.type, Range):
        empty = high.type.high < low.type.low  # whatever is made of its numbers never comes to pass
        type = NUMBER if empty else Range(low.type.low, high.type.high)
    return Typed(core.Interval(low.core, high.core, e.span), Sequence(type))


def _names_between(check: Checks, e: syntax.Interval, low: Typed, high: Typed) -> Typed:
    """The list of the members of an enumeration from one to another."""
    whole = _named_range(check, e, low, high)
    if whole is None:
        return NOTHING_RIGHT
    if isinstance(low.core, core.Const) and isinstance(high.core, core.Const):
        return Typed(core.Const(tuple(range(low.core.value, high.core.value + 1))), Sequence(whole))
    return Typed(core.Interval(low.core, high.core, e.span), Sequence(whole))


def _named_range(check: Checks, e: syntax.Interval, low: Typed, high: Typed) -> Named | None:
    """The enumeration to which both ends of a range belong; None (and a problem) if there is none."""
    a, b = base_type(low.type), base_type(high.type)
    if ANYTHING in (a, b):
        return None
    if a != b or not isinstance(a, Named) or (a.board is not None and len(a.board.sizes) != 1):
        message = f"a range goes from one member of an enumeration to another, and this from {describe_type(low.type)} "
        help = "name the squares: {a1, b1}" if isinstance(a, Named) and a.board else "write two members of one type"
        return check.scope.instead(message + f"to {describe_type(high.type)}", e.span, help, None)
    return a

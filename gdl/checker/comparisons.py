"""Comparisons and membership: syntax -> core."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.directions import needs_board
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.sequences import check_content
from gdl.checker.types import base_type, comparable, domain_of, has_order, numeric
from gdl.model import core
from gdl.model.domains import ANYTHING, TRUTH, Named, Range, SetType, Type, describe_type


def check_compare(check: Checks, e: syntax.Compare) -> Typed:
    if (content := check_content(check, e)) is not None:
        return content
    if e.relation in ("in", "not in"):
        return _membership(check, e)
    left, right = _sides(check, e)
    left, right = _as_square(check, left, right.type), _as_square(check, right, left.type)
    if not comparable(left.type, right.type):
        message = f"{describe_type(left.type)} is never {_RELATIONS[e.relation]} {describe_type(right.type)}"
        return check.scope.wrong(message, e.span, help="compare two values of one kind")
    if e.relation not in ("=", "!=") and not _orders(check, left, right, e):
        return NOTHING_RIGHT
    _never_true(check, left, right, e)
    _never_none(check, left, right, e)
    return Typed(core.Comparison(e.relation, left.core, right.core, e.span), TRUTH)


def _sides(check: Checks, e: syntax.Compare) -> tuple[Typed, Typed]:
    """Both sides of a comparison, checked. Where one side is a word such as `north` that several boards have, the other
    side decides which board is meant."""
    if needs_board(check, e.left) and not needs_board(check, e.right):
        right = check.check(e.right)
        return check.checked_as(e.left, right.type), right
    left = check.check(e.left)
    return left, check.checked_as(e.right, left.type)


def _as_square(check: Checks, typed: Typed, other: Type) -> Typed:
    """A side of a comparison; a number as a square or point, where the other side is a square of a track, or a point of
    a graph whose points are numbers."""
    target = base_type(other)
    if not isinstance(target, Named) or not target.board or not isinstance(base_type(typed.type), Range):
        return typed
    converted = check.convert(typed, target)
    return typed if converted is None else Typed(converted, target)


def _orders(check: Checks, left: Typed, right: Typed, e: syntax.Compare) -> bool:
    for typed, written in ((left, e.left), (right, e.right)):
        type = base_type(typed.type)
        if numeric(type) or has_order(type):
            continue
        help = "declare its type as an ordered one, A < B < C" if isinstance(type, Named) else "compare numbers"
        return check.scope.instead(f"{describe_type(type)} has no order", written.span, help, False)
    return True


def _never_none(check: Checks, left: Typed, right: Typed, e: syntax.Compare) -> None:
    """Warn of a comparison of a variable with none, whose type has no none."""
    nothing = isinstance(right.core, core.Const) and right.core.value is None
    if nothing and isinstance(left.core, core.Element) and isinstance(left.type, Named):
        message, help = f"{describe_type(left.type)} is never none", f"give the variable the type {left.type}?"
        check.scope.problem(message, e.span, help=help, warning=True)


def _never_true(check: Checks, left: Typed, right: Typed, e: syntax.Compare) -> None:
    """Warn of a comparison of two ranges of numbers that can never hold. Between two fixed numbers it may be meant;
    between ranges that do not come from the state, only `=` is reported."""
    a, b = base_type(left.type), base_type(right.type)
    if not (isinstance(a, Range) and isinstance(b, Range)) or (a.low == a.high and b.low == b.high):
        return
    of_state = any(isinstance(side.core, core.Cell | core.Element) for side in (left, right))
    if e.relation != "=" and not of_state:
        return
    never = {
        "=": a.high < b.low or b.high < a.low, "<": a.low >= b.high, "<=": a.low > b.high,
        ">": a.high <= b.low, ">=": a.high < b.low,
    }  # fmt: skip
    if never.get(e.relation):
        message = f"{describe_type(a)} is never {_RELATIONS[e.relation]} {describe_type(b)}"
        check.scope.problem(message, e.span, help="correct one of the two, or take the comparison out", warning=True)


def _membership(check: Checks, e: syntax.Compare) -> Typed:
    members = (e.right.items or ()) if isinstance(e.right, syntax.Set) else ()
    rest = tuple(member for member in members if not isinstance(member, syntax.None_))
    nothing = [member for member in members if isinstance(member, syntax.None_)]
    if rest and nothing:  # `in {none, p}`: none, or one of the rest
        is_none = syntax.Compare(e.span, e.left, "=", nothing[0])
        either = check.truth(
            syntax.Or(e.span, is_none, e.copy_with(relation="in", right=e.right.copy_with(items=rest)))
        )
        return Typed(core.Not(either) if e.relation == "not in" else either, TRUTH)
    item, container = _sides(check, e)
    found = domain_of(container)
    if container.type == ANYTHING:
        return NOTHING_RIGHT
    if found is None:
        told = f"'in' needs a set, and this is {describe_type(container.type)}"
        return check.scope.wrong(told, e.right.span, help="name a type, a set, a range such as 1..6, or a list")
    converted = check.convert(item, found.type)
    if converted is None:
        message = f"{describe_type(item.type)} is never in {describe_type(container.type)}"
        help = "ask for a value of the kind that it holds"
        if isinstance(found.type, Range) and isinstance(item.type, Named):
            help = f"ask for its number, number(x) in 1..3, or name its values, x in {{{item.type.name}(1), …}}"
        return check.scope.wrong(message, e.span, help=help)
    bits = isinstance(container.type, SetType)
    contains: core.Expression = core.Contains(converted, container.core, bits)
    return Typed(core.Not(contains) if e.relation == "not in" else contains, TRUTH)


_RELATIONS = {
    "=": "equal to", "!=": "compared with", "<": "less than", "<=": "at most", ">": "greater than", ">=": "at least",
}  # fmt: skip

"""Lists and sets by their members: syntax -> core."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.scope import Checks, Typed
from gdl.checker.types import base_type, small_enough, union_type
from gdl.errors import Span, clean, limits
from gdl.model import core
from gdl.model.domains import ANYTHING, NUMBER, TRUTH, Sequence, SetType, Type, describe_type


def check_list(check: Checks, e: syntax.List) -> Typed:
    written = e.items or ()
    items = [check.check(item) for item in written]
    type = _common_type(check, [(item.type, each.span) for item, each in zip(items, written, strict=True)])
    return Typed(core.Items(tuple(item.core for item in items)), Sequence(type))


def check_set(check: Checks, e: syntax.Set) -> Typed:
    """`{a, b}`, or `{e in Edge}` for all values of a type."""
    written = e.items or ()
    if len(written) == 1 and _runs(check, written[0]):
        return _all_in(check, written[0], e.span)
    items = [check.check(item) for item in written]
    for typed, item in zip(items, written, strict=True):
        _warn_of_none(check, typed, item)
    type = _common_type(check, [(base_type(i.type), w.span) for i, w in zip(items, written, strict=True)])
    if type not in (NUMBER, TRUTH) and not small_enough(type):
        return _no_set(check, type, e.span)
    return Typed(core.SetOf(tuple(item.core for item in items), e.span), SetType(type))


def _no_set(check: Checks, type: Type, span: Span) -> Typed:
    help = f"sets hold names, squares, or numbers from 0 to {limits.IN_SET - 1:,}"
    return check.scope.wrong(f"a set cannot hold {describe_type(type)}", span, help=help)


def _common_type(check: Checks, found: list[tuple[Type, Span]]) -> Type:
    """The type to which all of several values belong."""
    type: Type = ANYTHING
    for other, span in found:
        joined = union_type(type, other)
        if joined is None:
            message = f"{describe_type(type)} and {describe_type(other)} cannot stand together"
            return check.scope.instead(message, span, "write values of one kind", ANYTHING)
        type = joined
    return type


# ---- All of a type ----------------------------------------------------------------------------------------------


def _runs(check: Checks, written: syntax.Expression) -> bool:
    """True if the expression is `e in Edge` with a new name that runs over a type; with a known name it would ask
    whether that is in the set."""
    if not isinstance(written, syntax.Compare) or written.relation != "in" or not isinstance(written.left, syntax.Name):
        return False
    name = written.left.word.text
    return name not in check.names() and check.scope.square(name) is None


def _all_in(check: Checks, written: syntax.Expression, span: Span) -> Typed:
    assert isinstance(written, syntax.Compare) and isinstance(written.left, syntax.Name)
    with check.frame.inner_block():
        domain = check.domain(written.right)
        slot = check.bind(written.left.word, domain.type)
    type = base_type(domain.type)
    if type != NUMBER and not small_enough(type):
        return _no_set(check, type, span)
    return Typed(core.Quantifier("those", slot, domain.core, None, core.Const(True), span), SetType(type))


# ---- None in a set ----------------------------------------------------------------------------------------------


def _warn_of_none(check: Checks, typed: Typed, written: syntax.Expression) -> None:
    """Warn of a step or offset in a set that may lead off the board: a set cannot hold `none`."""
    form = typed.core
    if not isinstance(written, syntax.Call) or not isinstance(form, core.Lookup):
        return
    if form.word.split()[0] in ("step", "offset") and _may_miss(form.table, form.arguments, form.bases):
        square, *way = (clean(a.span.text) for a in written.arguments)
        text = clean(written.span.text)
        check.scope.problem(
            f"{text} is none beyond the edge of the board, and a set holds no none", written.span,
            help=f"write neighbours({square}, {{{way[0]}, …}})" if form.word == "step"
            else "give it a name by 'let', and put it in where it is not none",
            warning=True,
        )  # fmt: skip


def _may_miss(table: object, arguments: tuple[core.Expression, ...], bases: tuple[int, ...]) -> bool:
    """True if a table has no entry for some values that its arguments may have."""
    if not isinstance(table, tuple):
        return table is None
    first = arguments[0]
    if isinstance(first, core.Const) and isinstance(first.value, int):
        place = first.value - bases[0]
        return not 0 <= place < len(table) or _may_miss(table[place], arguments[1:], bases[1:])
    return any(_may_miss(entry, arguments[1:], bases[1:]) for entry in table)

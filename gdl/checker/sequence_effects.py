"""Effects on sequences: `push`, `append`, `pop`, `insert`, `remove`, `rotate`, and `shuffle` by chance.

A shuffle draws one element after the other, each a chance step of its own, into a sequence that no file names: it holds
the elements in their order, of which the next is drawn among those that are left, equal ones as one outcome of their
weight. So every order is as likely as any other, and what is seen of the sequence changes once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl import syntax
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import RunningElement, Scope, Typed
from gdl.checker.sequences import StoredSequence, one_kind, place_for, sequence_named, wants_sequence
from gdl.checker.types import base_type, numeric
from gdl.errors import Span, clean
from gdl.model import core
from gdl.model.domains import Optional, Place, Range, Type, describe_type, members
from gdl.model.games import Rule, Variable, Visibility
from gdl.model.rewriting import replace_forms
from gdl.model.walk import inside

Names = tuple[tuple[str, int, Type], ...]
Given = tuple[syntax.Expression, ...]  # the arguments behind the sequence
Effect = Callable[[ExpressionChecker, StoredSequence, Given, Span, Names], list[Any]]


def do_effect(check: ExpressionChecker, s: syntax.CallProcedure, names: Names) -> list[Any]:
    """The statements for an effect such as `push`; `names` are the local names known there."""
    due, effect = EFFECTS[s.name.text]
    found = wants_sequence(check, s, s.name.text, due)
    if found is None:
        return []
    check.scope.assigned.add(found.variable.name)
    return effect(check, found, (s.arguments or ())[1:], s.span, names)


def _item(check: ExpressionChecker, to: StoredSequence, written: syntax.Expression) -> tuple[core.Let, Typed]:
    """A statement that computes the element to be put in once, and the local name that then holds it."""
    typed = check.checked_as(written, to.item)
    value = check.convert_or_report(typed, written, Optional(to.item), describe_type(to.item))
    slot = check.frame.new_slot()
    return core.Let(slot, value, written.span), Typed(core.Local(slot), typed.type)


def _push(check: ExpressionChecker, to: StoredSequence, given: Given, span: Span, _: Names) -> list[Any]:
    """Put in one element, or several: all are computed before the first of them is put in."""
    items = [_item(check, to, written) for written in given]
    put = [to.assign(place_for(item, _sum(to.size(check), 1, span), span), item.core, span) for _, item in items]
    return [*(let for let, _ in items), *put]


def _pop(check: ExpressionChecker, of: StoredSequence, given: Given, span: Span, _: Names) -> list[Any]:
    return [of.assign(of.size(check), core.Const(None), span)]


def _place(check: ExpressionChecker, of: StoredSequence, slot: int, written: syntax.Expression) -> core.Let:
    """A statement that computes the place given as an argument; `none` becomes the place 0, which does not exist."""
    typed = check.check(written)
    if base_type(typed.type) == of.item and not numeric(of.item):
        whole, item = (clean(span.text) for span in (of.span, written.span))
        element = f"{whole[:-1]}, i]" if whole.endswith("]") else f"{whole}[i]"
        told = f"the number of a place is due here, and this is {describe_type(typed.type)}"
        help = f"write the first place that holds it: first i in 1..{of.variable.places}: {element} = {item}"
        typed = check.scope.wrong(told, written.span, help=help)
    typed = check.as_number(typed, written)
    none = core.Comparison("=", typed.core, core.Const(None), written.span)
    value = core.If(none, core.Const(0), typed.core) if isinstance(typed.type, Optional) else typed.core
    return core.Let(slot, value, written.span)


def _insert(check: ExpressionChecker, to: StoredSequence, given: Given, span: Span, _: Names) -> list[Any]:
    """Insert an element: the elements from its place on move up by one, the last of them first."""
    at, size, k = (check.frame.new_slot() for _ in range(3))
    let, item = _item(check, to, given[1])
    place, end = core.Local(at), core.Local(size)
    before = core.Arithmetic("-", end, core.Local(k), span)
    move = to.assign(_sum(before, 1, span), to.element_at(before), span)
    behind = core.Comparison("<=", place, before, span)
    there = core.Comparison(">", before, core.Const(0), span)
    within = core.Comparison("<=", place, _sum(end, 1, span), span)
    goal = core.If(within, place_for(item, place, span), core.Const(0))
    return [
        _place(check, to, at, given[0]), core.Let(size, to.size(check), span), let,
        core.For(k, core.Const(range(to.variable.places)), core.All((there, behind)), (move,), span),
        to.assign(goal, item.core, span),
    ]  # fmt: skip


def _remove(check: ExpressionChecker, of: StoredSequence, given: Given, span: Span, _: Names) -> list[Any]:
    """Remove an element: the elements behind its place move down by one."""
    at, size, k = (check.frame.new_slot() for _ in range(3))
    place, end = core.Local(at), core.Local(size)
    move = of.assign(core.Local(k), of.element_at(_sum(core.Local(k), 1, span)), span)
    exists = core.Comparison(">", place, core.Const(0), span), core.Comparison("<=", place, end, span)
    behind = core.Comparison("<=", place, core.Local(k), span)
    there = core.Comparison("<", core.Local(k), end, span)
    return [
        _place(check, of, at, given[0]), core.Let(size, of.size(check), span),
        core.For(k, core.Const(of.places.value[:-1]), core.All((behind, there)), (move,), span),
        of.assign(core.If(core.All(exists), end, core.Const(0)), core.Const(None), span),
    ]  # fmt: skip


def _append(check: ExpressionChecker, to: StoredSequence, given: Given, span: Span, names: Names) -> list[Any]:
    """Put the elements of another sequence, or those of a list one by one, behind the last."""
    if isinstance(given[0], syntax.List):
        return _push(check, to, given[0].items or (), span, names)
    source = sequence_named(check, given[0])
    if source is None:
        help = f"write push({clean(to.span.text)}, …) for one element, and run through a set by 'for'"
        check.scope.problem("'append' adds what a sequence or a list holds, and this is neither", given[0].span, help)
    if source is None or not one_kind(check, to, source, span):
        return []
    size, count, k = (check.frame.new_slot() for _ in range(3))
    at = core.Arithmetic("+", core.Local(size), core.Local(k), span)
    there = core.Comparison("<=", core.Local(k), core.Local(count), span)
    move = to.assign(at, source.element_at(core.Local(k)), span)
    return [
        core.Let(size, to.size(check), span), core.Let(count, source.size(check), span),
        core.For(k, source.places, there, (move,), span),
    ]  # fmt: skip


def _rotate_by_one(check: ExpressionChecker, of: StoredSequence, given: Given, span: Span, _: Names) -> list[Any]:
    """Let the first element become the last; an empty sequence stays empty."""
    first, size, k = (check.frame.new_slot() for _ in range(3))
    move = of.assign(core.Local(k), of.element_at(_sum(core.Local(k), 1, span)), span)
    there = core.Comparison("<", core.Local(k), core.Local(size), span)
    some = core.Comparison(">", core.Local(size), core.Const(0), span)
    return [
        core.Let(first, of.element_at(1), span), core.Let(size, of.size(check), span),
        core.For(k, core.Const(of.places.value[:-1]), there, (move,), span),
        core.Conditional(some, (of.assign(core.Local(size), core.Local(first), span),), (), span),
    ]  # fmt: skip


def _sum(value: core.Expression, more: int, span: Span) -> core.Expression:
    return core.Arithmetic("+", value, core.Const(more), span)


def unchanged_meanwhile(check: ExpressionChecker, running: RunningElement, loop: tuple[Any, ...]) -> tuple[Any, ...]:
    """The statements of a loop over a sequence. If the loop may change the sequence, all elements are stored in local
    names first, and the loop reads these."""
    from gdl.checker.draws import has_draw  # which few files need

    scope, (whole,), place = check.scope, loop, running.element.indices[-1]
    before = running.element.indices[:-1]
    steady = (core.Const, core.Mover, core.Lookup)
    kept = all(
        isinstance(form, steady) or (isinstance(form, core.Local) and form.slot not in check.frame.lets)
        for form in inside(before)
    )
    assigned = {form.variable for form in scope.inside_with_calls(loop) if isinstance(form, core.Assign)}
    if kept and running.element.variable not in assigned:
        return loop
    if has_draw(loop):
        told = "a loop that draws cannot change the sequence that it runs over"
        scope.problem(told, whole.span, help="change it behind the loop, or run over numbers")
    lets = [
        core.Let(check.frame.new_slot(), running.element.copy_with(indices=(*before, core.Const(k))), whole.span)
        for k in members(running.places)
    ]

    def find(low: int, high: int) -> core.Expression:
        """The element at the loop's place, which is one of the places from `low` up to, but without, `high`, counted
        from 0; found by halving."""
        if low + 1 == high:
            return core.Local(lets[low].slot)
        middle = (low + high) // 2
        below = core.Comparison("<=", place, core.Const(middle), whole.span)
        return core.If(below, find(low, middle), find(middle, high))

    found = find(0, len(lets))
    return (*lets, *replace_forms(loop, lambda form: (found,) if form == running.element else None))


# ---- By chance --------------------------------------------------------------------------------------------------


def _shuffle(check: ExpressionChecker, of: StoredSequence, given: Given, span: Span, names: Names) -> list[Any]:
    from gdl.checker.draws import Draw  # which few files need

    scope, item = check.scope, of.item
    scope.has_draws = True
    pool = _pool(scope, of, span)
    step = len(scope.chances) + len(scope.steps_of_words)
    scope.steps_of_words.append(_draw_next(f"shuffle {of.variable.name}", pool, item, span))
    count, value, place, k = (check.frame.new_slot() for _ in range(4))
    more = core.Let(count, _sum(core.Local(count), 1, span), span)
    take = (more, pool.assign(core.Local(count), core.Local(value), span))
    met = core.Comparison("=", of.element_at(core.Local(place)), core.Local(value), span)
    sort = core.For(place, of.places, met, take, span)
    draw = Draw(step, (Typed(core.Local(k), Range(1, of.variable.places)),), None,
                (*names, ("place", k, Range(1, of.variable.places))), span)  # fmt: skip
    several = core.Comparison("<", core.Local(k), pool.size(check), span)
    back = [of.assign(n, pool.element_at(n), span) for n in of.places.value]
    empty = [pool.assign(n, core.Const(None), span) for n in of.places.value]
    body: Any = (draw,)
    return [
        core.Let(count, core.Const(0), span), core.For(value, core.Const(members(item)), None, (sort,), span),
        core.For(k, of.places, several, body, span), *back, *empty,
    ]  # fmt: skip


def _pool(scope: Scope, of: StoredSequence, span: Span) -> StoredSequence:
    """The hidden variable in which sequences of this element type and length are shuffled, made when first needed;
    `see_all` sets who sees it."""
    item, most = of.item, of.variable.places
    name = f"{item}.shuffled {most}"
    if name not in scope.variables:
        last = max(scope.variables.values(), key=lambda variable: variable.place)
        place, hidden = last.place + len(last.initial), Visibility("none")
        scope.variables[name] = Variable(name, (Place(1, most),), Optional(item), place, (None,) * most, hidden, span)
        scope.assigned.add(name)
    return StoredSequence(scope.variables[name], list(scope.variables).index(name), (), span)


def _draw_next(name: str, pool: StoredSequence, item: Type, span: Span) -> Rule:
    """The chance step that draws the next element of a shuffle, among the elements from that place to the end."""
    k, drawn, one, found, moved = map(core.Local, range(5))
    met = core.Comparison("=", pool.element_at(one), drawn, span)
    left = core.Interval(k, core.Const(pool.variable.places))
    at = core.Arithmetic("-", found, moved, span)
    parameters = (
        core.Parameter(k.slot, Range(1, pool.variable.places), pool.places, (), span=span),
        core.Parameter(drawn.slot, item, core.Const(members(item)), (), span=span),
    )
    way = core.Interval(core.Const(0), core.Arithmetic("-", _sum(found, -1, span), k, span))
    body = (
        core.Let(found.slot, core.Quantifier("first", one.slot, left, None, met, span), span),
        core.For(moved.slot, way, None, (pool.assign(at, pool.element_at(_sum(at, -1, span)), span),), span),
        pool.assign(k, drawn, span),
    )
    weight = core.Quantifier("count", one.slot, left, None, met, span)
    return Rule(name, parameters, (), weight, core.Template(((drawn, item),), span), False, body, 5, True, span)


def see_all(variables: dict[str, Variable]) -> tuple[Variable, ...]:
    """The variables, with the pools of shuffles visible to all if all variables of the author are."""
    if not all(variable.visibility.kind == "all" for variable in variables.values() if "." not in variable.name):
        return tuple(variables.values())
    return tuple(
        variable.copy_with(visibility=Visibility()) if "." in variable.name else variable
        for variable in variables.values()
    )


EFFECTS: dict[str, tuple[int, Effect]] = {
    "push": (2, _push),
    "append": (2, _append),
    "rotate": (1, _rotate_by_one),
    "pop": (1, _pop),
    "insert": (3, _insert),
    "remove": (2, _remove),
    "shuffle": (1, _shuffle),
}

"""Measures: variables of which every action takes something away for good, so that no state can come again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from gdl.model import core
from gdl.model.board import Board
from gdl.model.domains import NOTHING, Named, Optional, Range, ordinal_base
from gdl.model.games import Rule, RulesModel, Variable
from gdl.model.walk import inside, of_rule

# Stacks: arrays whose lines are filled from their first cell on, as the columns of connect four.
#
# Every write goes to the cell of a line that comes after as many as are not none. By induction these are the first ones
# of the line: so it is at the start, and such a write keeps it so and goes to an empty cell (or off the line, a fault).


def stacks(model: RulesModel, index: int, writes: Sequence[core.Assign]) -> bool:
    """True if the array holds stacks at all times: at the start the filled cells of each line come first, and every
    write puts a value that is never `none` on top of one. `writes` must be all writes to the array; all must go along
    the same lines."""
    variable = model.variables[index]
    if not isinstance(variable.type, Optional) or not writes:
        return False
    return any(
        _begins_as_stacks(variable, lines) and all(_is_on_top(model, write, axis, lines) for write in writes)
        for axis, lines in _lines(_place(variable, writes[0].indices))
    )


class _Place(NamedTuple):
    """The place of an array's element: index expressions, each less its base, into a nested table of the array's
    cells."""

    terms: tuple[core.Expression, ...]
    bases: tuple[int, ...]
    table: Any


_Lines = tuple[tuple[int, ...], ...]  # the cells of each line, in order


def _place(variable: Variable, indices: tuple[core.Expression, ...]) -> _Place:
    match indices, variable.indices:
        case (core.Lookup(word, table, arguments, bases, None),), (Named(name, board=Board()),) if word == name:
            return _Place(arguments, bases, table)  # the square of these coordinates
    numbers = iter(range(len(variable.initial)))
    return _Place(indices, tuple(map(ordinal_base, variable.indices)), _nest_numbers(variable.extents, numbers))


def _nest_numbers(extents: tuple[int, ...], numbers: Iterator[int]) -> Any:
    return tuple(_nest_numbers(extents[1:], numbers) for _ in range(extents[0])) if extents else next(numbers)


def _lines(place: _Place) -> Iterator[tuple[int, _Lines]]:
    """For every axis of a table its lines of cells along it; nothing if the table names a cell twice or lacks an
    entry."""
    cells: dict[tuple[int, ...], Any] = {(): place.table}
    for _ in place.terms:
        cells = {(*at, i): inner for at, table in cells.items() for i, inner in enumerate(table)}
    if None in cells.values() or len(set(cells.values())) < len(cells):
        return
    for axis in range(len(place.terms)):
        lines: dict[tuple[int, ...], list[int]] = {}
        for at, cell in cells.items():
            lines.setdefault((*at[:axis], *at[axis + 1 :]), []).append(cell)
        yield axis, tuple(map(tuple, lines.values()))


def _begins_as_stacks(variable: Variable, lines: _Lines) -> bool:
    """True if at the start the cells of each line that hold something come before all empty ones."""
    empty = [[variable.initial[cell] is None for cell in line] for line in lines]
    return all(line == sorted(line) for line in empty)


def _is_on_top(model: RulesModel, write: core.Assign, axis: int, lines: _Lines) -> bool:
    """True if the write goes to the first cell of a line after those that hold something, as its index says: the first
    place plus the number of cells in use."""
    place = _place(model.variables[write.variable], write.indices)
    if (axis, lines) not in _lines(place):
        return False
    first = place.bases[axis]
    match place.terms[axis]:
        case core.Arithmetic("+", count, core.Const(number)) | core.Arithmetic("+", core.Const(number), count):
            pass
        case count:
            number = 0
    return number == first and _counts_the_line(model, count, write, place, axis, len(lines[0]))


def _counts_the_line(
    model: RulesModel, count: core.Expression, write: core.Assign, place: _Place, axis: int, extent: int
) -> bool:
    """True if the count is `count i in the axis: array[…, i, …] != none`, with all other indices as in the write."""
    arguments: tuple[core.Expression, ...] | None = None
    if isinstance(count, core.CallDefinition):
        arguments = count.arguments
        count = model.definitions[count.definition].result or count
    match count:
        case core.Quantifier("count", slot, domain, None, core.Comparison() as body):
            pass
        case _:
            return False
    if body.relation != "!=" or body.right != core.Const(None) or not isinstance(body.left, core.Element):
        return False
    read = _place(model.variables[body.left.variable], body.left.indices)
    first = place.bases[axis]
    return (
        body.left.variable == write.variable
        and (read.bases, read.table) == (place.bases, place.table)
        and _numbers(domain) == range(first, first + extent)
        and read.terms[axis] == core.Local(slot)
        and all(
            _is_same(inner, outer, arguments, slot)
            for at, (inner, outer) in enumerate(zip(read.terms, place.terms, strict=True))
            if at != axis
        )
    )


def _numbers(domain: core.Expression) -> range | None:
    match domain:
        case core.Const(range() as numbers):
            return numbers
        case core.Interval(core.Const(low), core.Const(high)):
            return range(low, high + 1)
    return None


def _is_same(
    inner: core.Expression, outer: core.Expression, arguments: tuple[core.Expression, ...] | None, counted: int
) -> bool:
    """True if an index inside the count equals the index outside of it; in a definition a parameter may stand for
    that."""
    if isinstance(inner, core.Local) and inner.slot != counted:
        return (inner if arguments is None else arguments[inner.slot]) == outer
    return isinstance(inner, core.Const) and inner == outer


def always_progresses(model: RulesModel) -> bool:
    """True if some variable proves that no state can come again.

    A variable is such a measure if every assignment to it moves it one way, and every action makes one of them whatever
    else it does: an empty cell is filled for good, a number goes only up, or only down, or what is chosen from a set is
    taken out of it. Then a play that came back to a state would have filled, counted or taken nothing in between, and
    so made no action. Where all move at once and nobody ever alone, it is enough that `resolve` does. Chance steps may
    not follow one another. No procedure may write to it.
    """
    called = [form for procedure in model.procedures for form in inside(procedure.body)]
    steps = [form for step in model.chances for form in of_rule(step)]
    if any(isinstance(form, core.CallProcedure) for form in steps):
        steps += called
    if any(isinstance(form, core.Turn) and form.kind == "chance" for form in steps):
        return False
    return any(_measures(model, index) for index in range(len(model.variables)))


def _measures(model: RulesModel, index: int) -> bool:
    rules = (*model.actions, *model.chances, *filter(None, (model.resolve, model.follow_up)))
    moving = model.actions
    if model.resolve and _assignments_to(model.resolve.body, index) and _all_at_once(model):
        moving = (model.resolve,)
    if not all(_assignments_to(rule.body, index) for rule in moving) or any(
        _assignments_to(inside(procedure.body), index) for procedure in model.procedures
    ):
        return False
    writes = [(rule, assign) for rule in rules for assign in _assignments_to(of_rule(rule), index)]
    ways = (_fills, partial(_moves_by, operator="+"), partial(_moves_by, operator="-"), _takes)
    if any(all(proves(model, rule, assign) for rule, assign in writes) for proves in ways):
        return True
    opening = _assignments_to(of_rule(model.opening), index) if model.opening else []
    filled = all(_is_something(assign.value, rule) for rule, assign in writes)
    return filled and not opening and stacks(model, index, [assign for _, assign in writes])


def _all_at_once(model: RulesModel) -> bool:
    """True if no player ever moves alone. (After a chance step that names no next turn, a single player moves.)"""
    bodies = [*(rule.body for rule in (*model.chances, model.resolve) if rule), *(p.body for p in model.procedures)]
    turns = [model.start, *(form for body in bodies for form in inside(body) if isinstance(form, core.Turn))]
    named = all(any(isinstance(s, core.Next) for s in step.body) for step in model.chances)
    return named and model.opening is None and all(turn.kind in ("everyone", "chance") for turn in turns)


def _assignments_to(forms: Iterable[object], index: int) -> list[core.Assign]:
    return [form for form in forms if isinstance(form, core.Assign) and form.variable == index]


# What an action does not change before it comes to the assignment.
_LASTING = (core.Local, core.Const, core.Lookup, core.Arithmetic)


def _fills(model: RulesModel, rule: Rule, assign: core.Assign) -> bool:
    """True if the assignment gives a value to a cell that is `none` by the rule's own conditions."""
    variable = model.variables[assign.variable]
    if not isinstance(variable.type, Optional) or not _is_something(assign.value, rule):
        return False
    conditions = [*rule.guards, *(guard for p in rule.parameters for guard in p.guards)]
    return any(_says_empty(condition, assign) for condition in conditions)


def _says_empty(condition: core.Expression, assign: core.Assign) -> bool:
    if not (isinstance(condition, core.Comparison) and condition.relation == "="):
        return False
    read = condition.left
    same = isinstance(read, core.Element) and (read.variable, read.indices) == (assign.variable, assign.indices)
    lasting = all(isinstance(form, _LASTING) for form in inside(assign.indices))
    return same and lasting and condition.right == core.Const(None)


def _is_something(value: core.Expression, rule: Rule) -> bool:
    if isinstance(value, core.Local):
        types = (p.type for p in rule.parameters if p.slot == value.slot)
        return any(not isinstance(type, Optional) and type != NOTHING for type in types)
    return isinstance(value, core.Mover) or (isinstance(value, core.Const) and value.value is not None)


def _moves_by(model: RulesModel, rule: Rule, assign: core.Assign, operator: str) -> bool:
    """True if the assignment is `v := v + n`, or with `-` as the operator, where n is at least 1."""
    value = assign.value
    if not (isinstance(value, core.Arithmetic) and value.operator == operator):
        return False
    return _reads(model, value.left, assign) and _at_least_one(value.right, rule)


def _takes(model: RulesModel, rule: Rule, assign: core.Assign) -> bool:
    """True if the assignment is `s := s - {c}`, where c was chosen from s."""
    value = assign.value
    if not (isinstance(value, core.SetOperation) and value.operator == "-" and isinstance(value.right, core.SetOf)):
        return False
    chosen = [p for p in rule.parameters if core.Local(p.slot) in value.right.items and p.count is None]
    chosen = [p for p in chosen if isinstance(p.domain, core.Members) and _reads(model, p.domain.set, assign)]
    lasting = all(isinstance(form, (*_LASTING, core.Mover)) for form in inside(assign.indices))
    return bool(chosen) and lasting and _reads(model, value.left, assign)


def _reads(model: RulesModel, read: core.Expression, assign: core.Assign) -> bool:
    """True if the expression reads the element that the assignment changes."""
    variable = model.variables[assign.variable]
    if isinstance(read, core.Cell):
        return not variable.indices and read.place == variable.place
    return isinstance(read, core.Element) and (read.variable, read.indices) == (assign.variable, assign.indices)


def _at_least_one(amount: core.Expression, rule: Rule) -> bool:
    if isinstance(amount, core.Const):
        return isinstance(amount.value, int) and amount.value >= 1
    for parameter in rule.parameters:
        if isinstance(amount, core.Local) and parameter.slot == amount.slot:
            if isinstance(parameter.domain, core.Interval):
                low = parameter.domain.low
                return isinstance(low, core.Const) and low.value >= 1
            return isinstance(parameter.type, Range) and parameter.type.low >= 1
    return False

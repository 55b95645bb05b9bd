"""Stacks: arrays whose lines are filled from their first cell on, as the columns of connect four.

Every write goes to the cell of a line that comes after as many as are not none. By induction these are the first ones
of the line: so it is at the start, and such a write keeps it so and goes to an empty cell (or off the line, a fault).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gdl.model import core
from gdl.model.board import Board
from gdl.model.domains import Named, Optional, ordinal_base
from gdl.model.games import RulesModel, Variable


def stacks(model: RulesModel, index: int, writes: Sequence[core.Assign]) -> bool:
    """Whether the array begins as stacks, and all the writes, each of a value that is never none, are on top of one.

    The writes must be all that there are to the array, and all along the same lines.
    """
    variable = model.variables[index]
    if not isinstance(variable.type, Optional) or not writes:
        return False
    return any(
        _begins_as_stacks(variable, lines) and all(_is_on_top(model, write, axis, lines) for write in writes)
        for axis, lines in _lines(_place(variable, writes[0].indices))
    )


class _Place(NamedTuple):
    """How an element is meant: by terms, each less its base, in a nested table of the array's cells."""

    terms: tuple[core.Expression, ...]
    bases: tuple[int, ...]
    table: Any


_Lines = tuple[tuple[int, ...], ...]  # the cells of each, in order


def _place(variable: Variable, indices: tuple[core.Expression, ...]) -> _Place:
    match indices, variable.indices:
        case (core.Lookup(word, table, arguments, bases, None),), (Named(name, board=Board()),) if word == name:
            return _Place(arguments, bases, table)  # the square of these coordinates
    numbers = iter(range(len(variable.initial)))
    return _Place(indices, tuple(map(ordinal_base, variable.indices)), _nest_numbers(variable.extents, numbers))


def _nest_numbers(extents: tuple[int, ...], numbers: Iterator[int]) -> Any:
    return tuple(_nest_numbers(extents[1:], numbers) for _ in range(extents[0])) if extents else next(numbers)


def _lines(place: _Place) -> Iterator[tuple[int, _Lines]]:
    """For every axis the lines along it, if the table names every cell at most once, and none that is missing."""
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
    """Whether no cell after the first none of a line is something."""
    empty = [[variable.initial[cell] is None for cell in line] for line in lines]
    return all(line == sorted(line) for line in empty)


def _is_on_top(model: RulesModel, write: core.Assign, axis: int, lines: _Lines) -> bool:
    """Whether the write goes to the first cell of its line, and as many on as cells of that line are not none."""
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
    """Whether it is `count i in the axis: array[…, i, …] != none`, all other indices as in the write."""
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
    """Whether an index inside the count is the one outside; in a definition it is named by a parameter."""
    if isinstance(inner, core.Local) and inner.slot != counted:
        return (inner if arguments is None else arguments[inner.slot]) == outer
    return isinstance(inner, core.Const) and inner == outer

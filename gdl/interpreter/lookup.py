"""Reading by index: the cell of an array's element and the entries of tables, as closures for the evaluator."""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from gdl.errors import GameError, Span, clean, fault
from gdl.interpreter.closures import Cells, Frame, Value
from gdl.model import core
from gdl.model.domains import text_of
from gdl.model.games import Variable
from gdl.model.walk import inside


def no_element(variable: Variable, span: Span, at: int, value: int) -> GameError:
    """The fault of an element that does not exist: its index number `at`, from 0, has a `value` out of range."""
    help = "keep the index in its range"
    told = f"element {clean(text_of(variable.indices[at], value))}"
    if variable.places and at == len(variable.indices) - 1:
        help = "ask first for its size, and whether what is put in is none"
        told = told if value else "such element"
        if value > variable.places:
            told = f"place {value}"
            help = f"it has {variable.places}, so something can be put in only while its size is less"
    return fault(f"{clean(variable.name)} has no {told}", span, help)


def keep_value(value: Value, at: int, slots: tuple[int, ...]) -> Value:
    """The closure `value` with a memory: it is computed once for the same values of the local names in `slots`. The
    memory is a dictionary at the slot `at` of the frame."""

    def several(c: Cells, f: Frame) -> Any:
        kept, key = f[at], (value, *[f[slot] for slot in slots])
        if key not in kept:
            kept[key] = value(c, f)
        return kept[key]

    return several


def as_set(value: Value, e: core.Expression, around: Span | None = None) -> Value:
    """The closure of a set or list that other operations use. `none` there is a fault; an array of sets read at the
    index `none` gives it, and a list of lists read behind its end. `around` is the place of what uses it."""
    looked_up = isinstance(e, core.Lookup) and e.missing is None
    if not looked_up and not isinstance(e, core.Element | core.Local | core.If | core.CallDefinition | core.Scope):
        return value
    due = "a set or list" if looked_up else "a set"
    span = next((form.span for form in inside(e) if isinstance(form, core.Element | core.CallDefinition)), around)

    def some(c: Cells, f: Frame) -> Any:
        found = value(c, f)
        if found is None:
            raise fault(f"{due} is due here, and this is none", span, "ask for '!= none' first")
        return found

    return some


def one_index(
    index: Value, offset: int, low: int, extent: int, outside: Function[[int], GameError]
) -> Function[[Cells, Frame], int | None]:
    """The position in the cells of an element with one index: `offset` plus the index. `low` and `extent` are the least
    value and the number of values of the index."""
    high = low + extent

    def find(c: Cells, f: Frame) -> int | None:
        i = index(c, f)
        if i is None:
            return None
        if low <= i < high:
            at: int = offset + i
            return at
        raise outside(i)

    return find


def at_local(slot: int, offset: int, low: int, extent: int, otherwise: Value) -> Value:
    """The closure that reads an array's element whose only index is a local value; `otherwise` is called for a value
    that is out of range."""
    high = low + extent

    def read(c: Cells, f: Frame) -> Any:
        i = f[slot]
        if type(i) is int and low <= i < high:
            return c[offset + i]
        return otherwise(c, f)

    return read


def from_zero(table: Any, bases: tuple[int, ...]) -> Any:
    """The table padded in front so that it can be read by the arguments themselves, without subtracting `bases`, the
    least arguments (all at least 0)."""
    if not any(bases):
        return table
    return (None,) * bases[0] + tuple([from_zero(entry, bases[1:]) for entry in table])


def read(table: tuple[Any, ...], argument: Value, missing: Any) -> Value:
    extent = len(table)

    def read(c: Cells, f: Frame) -> Any:
        i = argument(c, f)
        try:
            return table[i] if i is not None and 0 <= i < extent else missing
        except TypeError:  # a fraction
            return missing

    return read


def read_pair(table: tuple[Any, ...], first: Value, second: Value, missing: Any) -> Value:
    extent = len(table)

    def read(c: Cells, f: Frame) -> Any:
        i, j = first(c, f), second(c, f)
        if i is None or j is None or not 0 <= i < extent or j < 0:
            return missing
        try:
            row = table[i]
            return row[j] if row is not None and j < len(row) else missing
        except TypeError:  # a fraction
            return missing

    return read


def entry_at(e: core.Lookup, *indices: Any) -> Any:
    """The entry of a look-up's table at these indices: `missing` where there is none."""
    at = e.table
    for index, base in zip(indices, e.bases, strict=True):
        if at is None or not isinstance(index, int) or not 0 <= index - base < len(at):
            return e.missing
        at = at[index - base]
    return e.missing if at is None else at

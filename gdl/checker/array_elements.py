"""Elements of arrays and lists, and squares by their coordinates: syntax -> core."""

from __future__ import annotations

from typing import Any

from gdl import syntax
from gdl.checker.constants import constant_value, reads_state
from gdl.checker.scope import NOTHING_RIGHT, Checks, Typed
from gdl.checker.types import base_type, describe_expression, read_as
from gdl.errors import Span, clean, count_text, limits
from gdl.model import core
from gdl.model.domains import ANYTHING, NOTHING, Named, Optional, Range, Sequence, Type, describe_type, text_of
from gdl.model.games import Variable
from gdl.model.walk import inside


def check_element(check: Checks, e: syntax.Element) -> Typed:
    name, scope = e.word.text, check.scope
    if (local := check.frame.find(name)) is not None:
        of = check.frame.sequences.get(local[0])
        return _of_local(check, e, *local) if of is None else _of_sequence(check, e, of)
    scope.used.add(name)
    if name in scope.faulty:
        return NOTHING_RIGHT
    if name not in scope.variables:
        return _member(check, e)
    variable = scope.variables[name]
    if not variable.indices:
        return scope.wrong(f"{name} has no elements", e.span, help=f"write {name} alone")
    if variable.places and len(e.arguments) == len(variable.indices) - 1:
        told, of = f"{name} holds sequences, and one is no value by itself", clean(f"{name}[…]")
        return scope.wrong(told, e.span, help=f"ask for size({of}), last({of}), x in {of} or one at a place")
    indices = check_indices(check, variable, e.arguments, e.span)
    if indices is None:
        return NOTHING_RIGHT
    index = list(scope.variables).index(name)
    on_board = any(isinstance(t, Named) and t.board for t in variable.indices)
    may_miss = on_board and any(isinstance(i.type, Optional) or i.type == NOTHING for i in indices)
    type = Optional(base_type(variable.type)) if may_miss else read_as(variable.type)
    return Typed(core.Element(index, tuple(i.core for i in indices), on_board, e.span), type)


def _member(check: Checks, e: syntax.Element) -> Typed:
    """Check an element that is not one of a variable of the state: `heaps[2]` of a list that is known before play,
    `words[2, 3]` of a list of lists, `P[1]` of players made by number."""
    name, scope = e.word.text, check.scope
    if name in scope.constants and isinstance(scope.constants[name].type, Sequence):
        return _of_list(check, e, scope.constants[name].value, scope.constants[name].type)
    if name in scope.definitions:
        listed = check.check(syntax.Name(e.word.span, e.word))
        known, value = constant_value(listed.core, scope)
        if known and isinstance(listed.type, Sequence) and len(value) <= limits.TABLE:
            return _of_list(check, e, tuple(value), listed.type)
        message = f"{name} is no list that is known before play"
        return scope.wrong(message, e.span, help=f"write {name}(…) if it has parameters")
    if f"{name}1" in scope.players.members:
        index = check.want(e.arguments[0], Range(1, len(scope.players.members)))
        return Typed(core.Lookup(name, tuple(range(len(scope.players.members))), (index,), (1,)), scope.players)
    return scope.unknown(name, e.word.span, "variable", list(scope.variables))


def _of_local(check: Checks, e: syntax.Element, slot: int, type: Type) -> Typed:
    """Check `w[1]`, where `w` is a local name, in this slot, that runs over a list of lists."""
    name, form = e.word.text, check.frame.lists.get(slot)
    if isinstance(form, core.Lookup):
        return _of_list(check, e, form.table, base_type(type), form.arguments, form.bases)
    if isinstance(form, core.Const):
        return _of_list(check, e, form.value, base_type(type))
    if type == ANYTHING:
        return NOTHING_RIGHT
    if isinstance(base_type(type), Sequence):
        message, help = f"{name} is no list that is known before play", "let exists, forall or for run over the lists"
    else:
        message, help = f"{name} is {describe_type(type)}, which has no elements", f"write {name} alone"
    return check.scope.wrong(message, e.span, help=help)


def _of_sequence(check: Checks, e: syntax.Element, of: Any) -> Typed:
    """Check `s[2]`, where `s` is a parameter that stands for the stored sequence `of`."""
    found = place_in(check, e.word.text, of.variable, e.arguments, e.span)
    return NOTHING_RIGHT if found is None else Typed(of.element_at(found), read_as(of.variable.type))


def place_in(
    check: Checks, name: str, variable: Variable, written: tuple[syntax.Expression, ...], span: Span
) -> core.Expression | None:
    """The place of an element of a sequence, which a parameter of this name stands for; None after a mistake."""
    found = check_indices(check, variable.copy_with(name=name, indices=variable.indices[-1:]), written, span)
    return None if found is None else found[0].core


def keep_list(check: Checks, slot: int, value: Typed) -> None:
    """Remember the list that a local name stands for, if it stays the same through play and depends only on names that
    do so too."""
    if not isinstance(base_type(value.type), Sequence):
        return
    form = value.core
    if isinstance(form, core.Lookup):
        changing = any(isinstance(part, core.Local) and part.slot in check.frame.lets for part in inside(form))
        if not changing and not reads_state(form, check.scope):
            check.frame.lists[slot] = form
        return
    known, listed = constant_value(form, check.scope)
    if known and isinstance(listed, tuple):
        check.frame.lists[slot] = core.Const(listed)


def number_lists(check: Checks, slot: int, domain: Typed, span: Span) -> Typed | None:
    """For a name that runs over a list of lists: the numbers of these lists, from 0, as a domain to run over instead,
    so that elements can be asked of the name (`w[1]`). Their type has the lists as its members, or numbers from 1 where
    several lists may be meant. None if the lists are not known before play."""
    form = domain.core
    known, value = constant_value(form, check.scope)
    if isinstance(form, core.Lookup) and not known:
        table, arguments, bases = form.table, form.arguments, form.bases
        less = core.Arithmetic("-", core.Size(form, False, span), core.Const(1), check.scope.home)
        places: core.Expression = core.Interval(core.Const(0), less)
        table, longest = pad_lists(table, len(arguments))
        named = [str(number) for number in range(1, longest + 1)]
    elif known and isinstance(value, tuple):
        table, arguments, bases = value, (), ()
        places = core.Interval(core.Const(0), core.Const(len(table) - 1))
        named = [text_of(domain.type, each) for each in table]
    else:
        return None
    check.frame.lists[slot] = core.Lookup("list", table, (*arguments, core.Local(slot)), (*bases, 0))
    return Typed(places, Named("list", tuple(named)))


def pad_lists(table: Any, depth: int) -> tuple[Any, int]:
    """The table with all lists at this depth made as long as the longest, and that length. The entries added are never
    read."""
    lists = [table]
    for _ in range(depth):
        lists = [entry for entries in lists for entry in entries if entry is not None]
    longest = max(lists, key=len, default=())

    def pad_entry(entry: Any, depth: int) -> Any:
        if depth:
            return entry and tuple(pad_entry(inner, depth - 1) for inner in entry)
        return entry if entry is None else (*entry, *longest[len(entry) :])

    return pad_entry(table, depth), len(longest)


def _of_list(
    check: Checks, e: syntax.Element, value: Any, type: Type,
    before: tuple[core.Expression, ...] = (), bases: tuple[int, ...] = (),
) -> Typed:  # fmt: skip
    """The element of a list at the indices written, one index for each level of lists in lists; `none` beyond the end
    of a list that is shorter than its neighbours. With `before`, the value is a table of lists, from which the
    arguments `before` (counted from `bases`) choose one."""
    if not isinstance(value, tuple):  # already complained about
        return NOTHING_RIGHT
    indices: list[core.Expression] = []
    lists, ragged = [value], False
    for _ in before:
        lists = [member for members in lists for member in members if member is not None]
    for written in e.arguments:
        if not isinstance(type, Sequence):
            due = "one index" if len(indices) == 1 else f"{len(indices)} indices"
            message = f"{e.word.text} takes {due}, not {len(e.arguments)}"
            return check.scope.wrong(message, e.span, help="take the others out")
        longest = max((len(members) for members in lists), default=0)
        ragged = ragged or any(len(members) < longest for members in lists)
        indices.append(check.want(written, Range(1, max(1, longest))))
        lists, type = [member for members in lists for member in members], type.item
    lookup = core.Lookup(e.word.text, value, (*before, *indices), (*bases, *[1] * len(indices)))
    return Typed(lookup, Optional(base_type(type)) if ragged else type)


def check_indices(
    check: Checks, variable: Variable, written: tuple[syntax.Expression, ...], span: Span
) -> tuple[Typed, ...] | None:
    """The indices of an element; a square may be given by its column and row."""
    wanted = variable.indices
    if len(wanted) == 1 and len(written) > 1 and isinstance(wanted[0], Named) and wanted[0].board:
        return (square_at(check, wanted[0], written, span),)
    if len(written) != len(wanted):
        due = "one index" if len(wanted) == 1 else f"{len(wanted)} indices"
        help = f"write {variable.name}[{', '.join(map(str, wanted))}]"
        return check.scope.instead(f"{variable.name} takes {due}, not {len(written)}", span, help, None)
    found = []
    for argument, type in zip(written, wanted, strict=True):
        typed = check.checked_as(argument, type)
        converted = check.convert(typed, type)
        if converted is None:
            of = variable.name if len(wanted) == 1 else f"{variable.name}[…]"
            last = f"; the last element is last({of})" if variable.places and isinstance(typed.type, Range) else ""
            check.scope.problem(
                f"{variable.name} is indexed by {describe_type(type)}, and this is {describe_expression(typed, type)}",
                argument.span, help=f"write an index of its kind{last}",
            )  # fmt: skip
            return None
        inside = typed.type if converted is typed.core else type
        found.append(Typed(converted, inside))
    return tuple(found)


def square_at(check: Checks, board: Named, written: tuple[syntax.Expression, ...], span: Span) -> Typed:
    """The square with the coordinates written; `none` off the board."""
    assert board.board is not None
    shape = board.board
    if len(written) != len(shape.sizes):
        message = f"a {board.name} has {count_text(len(shape.sizes), 'coordinate')}, not {len(written)}"
        return check.scope.wrong(message, span, help="write the column, then the row")
    coordinates = [check.check(argument) for argument in written]
    help = "write a number, or column(s) and row(s)"
    for typed, argument in zip(coordinates, written, strict=True):
        if check.as_number(typed, argument, "a coordinate is a number", help) is NOTHING_RIGHT:
            return NOTHING_RIGHT
    ranges = [Range(1, size) for size in shape.sizes]
    inside = all(
        isinstance(t.type, Range) and r.low <= t.type.low and t.type.high <= r.high
        for t, r in zip(coordinates, ranges, strict=True)
    )
    lookup = core.Lookup(
        board.name,
        _nested_squares(shape.square_at, shape.sizes),
        tuple(t.core for t in coordinates),
        (1,) * len(ranges),
    )
    return Typed(lookup, board if inside and shape.shape != "hexagon" else Optional(board))


def _nested_squares(at: dict[tuple[int, ...], int], sizes: tuple[int, ...], prefix: tuple[int, ...] = ()) -> Any:
    """The numbers of the squares as nested tuples by coordinate, None where there is no square."""
    if len(prefix) == len(sizes):
        return at.get(prefix)
    return tuple(_nested_squares(at, sizes, (*prefix, c)) for c in range(1, sizes[len(prefix)] + 1))

"""`setup`: a picture of the board, read as a book prints it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gdl import syntax
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import LocalFrame, Scope
from gdl.checker.types import base_type, fits, read_as
from gdl.errors import Span, clean, count_text, listing
from gdl.model.board import HEXAGONS, Board
from gdl.model.domains import ANYTHING, Named, Range, Type, contains, default_value, describe_type, members
from gdl.model.games import Variable
from gdl.syntax.parser import expression

_RECORD = r"\((?:[^()]|\([^()]*\))*\)"  # the fields of one, which has commas and blanks, and perhaps records
_LEGEND = re.compile(rf"([^\s,](?:[^,=]*[^\s,=])?)\s*=\s*((?:[^,(]|{_RECORD}|\()+)")
_WORD = re.compile(rf"(?:[^\s(]|{_RECORD}|\()+")
_EMPTY = ".", "-", "_"

Values = tuple[Any, ...]  # the values on a square, one for each array in the picture


def apply_setup(scope: Scope, written: syntax.Setup) -> None:
    """The first values of one array or of several, from a picture.

    Its symbols are named by a legend (`X = Black`; for several arrays `K = White king`, a word for each) or, for one
    array, by a member's name or by the one member that begins with the letter; `.` is none, or the first value. A
    legend alone only says how squares are drawn. Of an array with several indices each line shows a row.
    """
    variables = [v for word in written.names if (v := _variable(scope, word)) is not None]
    if len(variables) < len(written.names):
        return
    if len({str(v.indices) for v in variables}) > 1:
        scope.problem("the arrays of a picture have the same squares", written.span, help="draw each by itself")
        return
    types = {variable.name: variable.type for variable in variables}
    before = len(scope.problems)
    legend = {symbol: values for line in written.legend for symbol, values in legend_of(scope, types, line.span)}
    if len(scope.problems) > before:
        return
    scope.looks.append((tuple(v.name for v in variables), {values: symbol for symbol, values in legend.items()}))
    if not written.rows:
        return
    shown = _picture_values(scope, variables, written.rows, legend)
    if shown is None:
        return
    order = _reading_order(variables[0], written.rows)
    if len(shown) != len(order):
        message = f"the picture shows {len(shown)} squares, and {variables[0].name} has {len(variables[0].initial)}"
        note = f"Its lines show {listing(str(len(row.text.split())) for row in written.rows)} squares."
        help = "draw every square, with blanks between them: '.' for an empty one"
        scope.problem(message, written.names[0].span, help=help, note=note)
        return
    for position, variable in enumerate(variables):
        first = list(variable.initial)
        for index, values in zip(order, shown, strict=True):
            first[index] = values[position]
        scope.variables[variable.name] = variable.copy_with(initial=tuple(first))


def _variable(scope: Scope, word: syntax.Word) -> Variable | None:
    """The array of this name, which a picture can show; None, with a problem, if there is none."""
    variable = scope.variables.get(word.name)
    if variable is None:
        scope.unknown(word.name, word.span, "variable", list(scope.variables))
        return None
    if not variable.indices:
        scope.problem(f"a picture shows an array, and {word.name} is a single value", word.span, help="write '= VALUE'")
        return None
    return variable


def legend_of(scope: Scope, types: dict[str, Type], line: Span) -> Iterator[tuple[str, Values]]:
    """Each symbol of a line of a legend, with the values that it stands for, one for each of `types`. Several symbols
    stand for the members of a range, in its order: `P N B R Q K = White pawn..king`."""
    for match in _LEGEND.finditer(line.source.text, line.start, line.end):
        start, text, symbols = match.start(2), match[2].rstrip(), match[1].split()
        words = [word.span() for word in _WORD.finditer(text)] if len(types) > 1 else [(0, len(text))]
        here = Span(line.source, start, start + len(text))
        if len(words) != len(types):
            help = "write one word for each, with blanks between"
            scope.problem(f"a value for each of {listing(types)} is due here", here, help=help)
            return
        before = len(scope.problems)
        choices = [
            _legend_values(scope, type, Span(line.source, start + first, start + last), len(symbols) > 1)
            for type, (first, last) in zip(types.values(), words, strict=True)
        ]
        meant = list(itertools.product(*choices))
        if len(symbols) > 1 and [len(values) for values in choices if len(values) != 1] != [len(symbols)]:
            if len(scope.problems) == before:
                message = f"{len(symbols)} symbols stand here for {count_text(len(meant), 'value')}"
                scope.problem(message, here, help="write a range with a member for each, such as pawn..king")
            return
        yield from zip(symbols, meant, strict=True)


def _legend_values(scope: Scope, type: Type, here: Span, several: bool) -> Sequence[Any]:
    """The values that a word of a legend means: a single one or, where there may be `several`, the members of a
    range."""
    check = ExpressionChecker(scope, LocalFrame())
    written = expression(here.source, here.start, here.end)
    if several and isinstance(written, syntax.Interval):
        between = check.type_of(written)
        if between == ANYTHING:
            return ()
        if fits(read_as(between), type):
            return members(between)
    check.want(written, type)
    return (check.constant(written),)


def _picture_values(
    scope: Scope, variables: list[Variable], rows: tuple[syntax.Word, ...], legend: dict[str, Values]
) -> list[Values] | None:
    """The values that the picture's symbols stand for, in reading order; None, with a problem, if a symbol stands for
    nothing."""
    found: list[Values] = []
    for line in rows:
        for match in re.finditer(r"\S+", line.text):
            symbol = match[0]
            values = legend.get(symbol) or _unexplained_values(symbol, variables)
            if values is None or not _can_hold(variables, values):
                holds = " and ".join(f"{v.name} holds {describe_type(v.type)}" for v in variables)
                scope.problem(
                    f"'{clean(symbol)}' stands for nothing that {listing(v.name for v in variables)} holds",
                    Span(line.span.source, line.span.start + match.start(), line.span.start + match.end()),
                    note=f"{holds}.", help=f"say what it means in a line of its own: {clean(symbol)} = …",
                )  # fmt: skip
                return None
            found.append(values)
    return found


def _unexplained_values(symbol: str, variables: list[Variable]) -> Values | None:
    """The values of a symbol that no legend explains; None if it has no meaning. For several arrays shown together only
    the symbols of an empty square have one."""
    if len(variables) > 1 and symbol not in _EMPTY:
        return None
    found = [_value(symbol, variable.type) for variable in variables]
    return tuple(value for _, value in found) if all(known for known, _ in found) else None


def _can_hold(variables: list[Variable], values: Values) -> bool:
    return all(v is None or contains(variable.type, v) for variable, v in zip(variables, values, strict=True))


def _value(symbol: str, type: Type) -> tuple[bool, Any]:
    """(True, the value that the symbol means for an array of this type), or (False, None) if it means none."""
    inner = base_type(type)
    if symbol in _EMPTY:
        return True, default_value(type)
    if isinstance(inner, Range) and symbol.lstrip("-").isdigit():
        return True, int(symbol)
    if isinstance(inner, Named):
        if symbol in inner.members:
            return True, inner.members.index(symbol)
        begins = [i for i, member in enumerate(inner.members) if member.startswith(symbol)]
        if len(begins) == 1:
            return True, begins[0]
    return False, None


def _reading_order(variable: Variable, rows: tuple[syntax.Word, ...]) -> list[int]:
    """The elements in the order in which a picture shows them: a board's highest row first, or hexagons as they are
    drawn; of several indices the last runs along the line."""
    index = variable.indices[0]
    if len(variable.indices) == 1 and isinstance(index, Named) and index.board is not None:
        return _as_drawn(index.board, rows) or reading_order(index.board)
    return list(range(len(variable.initial)))


def _as_drawn(board: Board, rows: tuple[syntax.Word, ...]) -> list[int] | None:
    """The hexagons line by line as `gdl show` draws them (columns rise to the left and rows to the right), if the
    picture has lines of these lengths; else None: the picture is read as plain rows. Where plain rows have the same
    lengths, a picture counts as drawn only if its lines are indented unequally."""
    if board.shape not in HEXAGONS:
        return None

    def line_lengths(line_of: Callable[[tuple[int, ...]], int]) -> list[int]:
        lines = [line_of(place) for place in board.coordinates]
        return [lines.count(line) for line in sorted(set(lines), reverse=True)]

    lengths = [len(row.text.split()) for row in rows]
    slants = len({row.span.column for row in rows}) > 1
    if lengths != line_lengths(sum) or (lengths == line_lengths(lambda place: place[1]) and not slants):
        return None
    return sorted(range(len(board.squares)), key=lambda s: (-sum(board.coordinates[s]), board.coordinates[s][0]))


def reading_order(board: Board) -> list[int]:
    """The squares of a board from left to right, the highest row first; those of a board with one coordinate in their
    order."""
    return sorted(range(len(board.squares)), key=lambda s: tuple(-c for c in reversed(board.coordinates[s][1:])))

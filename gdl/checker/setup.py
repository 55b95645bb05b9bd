"""`setup`: a picture of the board, read as a book prints it."""

from __future__ import annotations

import re
from typing import Any

from gdl import syntax
from gdl.board import Board
from gdl.checker.declarations import contains
from gdl.checker.expressions import Expressions
from gdl.checker.scope import Frame, Scope
from gdl.checker.types import described, plain
from gdl.domains import Named, Optional, Range, Type
from gdl.errors import Source, clean
from gdl.model import Variable
from gdl.parser import expression

_LEGEND = re.compile(r"(\S+)\s*=\s*([^,]+)")
_EMPTY = ".", "-", "_"


def apply_setup(scope: Scope, written: syntax.Setup) -> None:
    """The first values of an array, from a picture whose symbols are named by a legend (`X = Black`), by a member's
    name, or by the one member that begins with the letter; `.` is none, or the first value."""
    name = written.name.name
    variable = scope.variables.get(name)
    if variable is None:
        scope.unknown(name, written.name.span, "variable", list(scope.variables))
        return
    if len(variable.indices) != 1:
        scope.problem(
            f"a picture sets an array with one index, and {name} has {len(variable.indices)}", written.name.span
        )
        return
    scope.used.add(name)
    legend: dict[str, Any] = {}
    rows: list[tuple[syntax.Word, list[str]]] = []
    for line in written.lines:
        if "=" in line.text:
            legend |= _legend(scope, variable, line)
        else:
            rows.append((line, line.text.split()))
    values = _values(scope, variable, rows, legend)
    order = _reading_order(variable.indices[0], [len(row) for _, row in rows])
    if order is None or len(values) != len(order):
        count = len(variable.initial)
        scope.problem(
            f"the picture shows {len(values)} squares, and {name} has {count}", written.name.span,
            help="draw every square, with blanks between them: '.' for an empty one",
        )  # fmt: skip
        return
    first = list(variable.initial)
    for index, value in zip(order, values, strict=True):
        first[index] = value
    scope.variables[name] = Variable(
        name, variable.indices, variable.type, variable.place, tuple(first), variable.visibility, variable.span
    )


def _legend(scope: Scope, variable: Variable, line: syntax.Word) -> dict[str, Any]:
    found = {}
    for match in _LEGEND.finditer(line.text):
        source: Source = line.span.source
        written = expression(source, line.span.start + match.start(2), line.span.start + match.end(2))
        check = Expressions(scope, Frame())
        check.want(written, variable.type)
        found[match[1]] = check.constant(written)
    return found


def _values(
    scope: Scope, variable: Variable, rows: list[tuple[syntax.Word, list[str]]], legend: dict[str, Any]
) -> list[Any]:
    values: list[Any] = []
    for line, symbols in rows:
        for symbol in symbols:
            known, value = _value(symbol, variable.type, legend)
            if not known or (value is not None and not contains(variable.type, value)):
                scope.problem(
                    f"'{clean(symbol)}' stands for nothing that {variable.name} holds", line.span,
                    note=f"{variable.name} holds {described(variable.type)}.",
                    help=f"say what it means in a line above the picture: {clean(symbol)} = …",
                )  # fmt: skip
                return values
            values.append(value)
    return values


def _value(symbol: str, type: Type, legend: dict[str, Any]) -> tuple[bool, Any]:
    """(True, what the symbol means), or (False, None)."""
    if symbol in legend:
        return True, legend[symbol]
    inner = plain(type)
    if symbol in _EMPTY:
        if isinstance(type, Optional):
            return True, None
        return True, inner.low if isinstance(inner, Range) else 0
    if isinstance(inner, Range) and symbol.lstrip("-").isdigit():
        return True, int(symbol)
    if isinstance(inner, Named):
        if symbol in inner.members:
            return True, inner.members.index(symbol)
        begins = [i for i, member in enumerate(inner.members) if member.startswith(symbol)]
        if len(begins) == 1:
            return True, begins[0]
    return False, None


def _reading_order(index: Type, lengths: list[int]) -> list[int] | None:
    """The elements in the order in which a picture shows them: a board's highest row first."""
    if isinstance(index, Named) and index.board is not None:
        return reading_order(index.board)
    return list(range(sum(lengths)))


def reading_order(board: Board) -> list[int]:
    """The squares from left to right and from the highest row down; numbered ones in their order."""
    squares = range(len(board.squares))
    if len(board.sizes) < 2:
        return list(squares)
    return sorted(
        squares, key=lambda s: (tuple(-c for c in reversed(board.coordinates[s][1:])), board.coordinates[s][0])
    )

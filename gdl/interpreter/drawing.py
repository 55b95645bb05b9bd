"""A state drawn for people: boards as a book prints them, other variables a line each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from gdl.board import Board, column_letters
from gdl.domains import Named, Optional, Type, members, text_of
from gdl.model import Look, RulesModel, Variable


def draw(model: RulesModel, cells: Sequence[Any]) -> str:
    """Every variable: arrays over a board as its picture, several together where a `setup` shows them so, and small
    ones on a line."""
    blocks = []
    lines = []
    drawn: set[int] = set()
    for index, variable in enumerate(model.variables):
        look = next((look for look in reversed(model.looks) if index in look.variables), Look((index,), {}))
        board = _board(variable)
        if index in drawn:
            continue
        if board is not None and len(board.sizes) == 2:
            blocks.append(_picture(board, _symbols(model, look, cells)))
            drawn |= set(look.variables)
        else:
            lines.append(_line(variable, list(cells[variable.place : variable.place + len(variable.initial)])))
    return "\n".join([*blocks, *lines])


def _board(variable: Variable) -> Board | None:
    only = variable.indices[0] if len(variable.indices) == 1 else None
    return only.board if isinstance(only, Named) else None


def _symbols(model: RulesModel, look: Look, cells: Sequence[Any]) -> list[str]:
    """The symbol of each square: what the legend says, else the symbols of all its values."""
    variables = [model.variables[index] for index in look.variables]
    plain = [symbol_of(variable.type) for variable in variables]
    arrays = [cells[v.place : v.place + len(v.initial)] for v in variables]
    found = []
    for values in zip(*arrays, strict=True):
        said = [symbol(value) for symbol, value in zip(plain, values, strict=True)]
        empty = not any(values) and None in values
        found.append(look.symbols.get(values) or ("." if empty else "".join(said)))
    return found


def _picture(board: Board, symbols: list[str]) -> str:
    """Rows from the highest down, with their numbers and the columns' letters. Higher rows of hexagons stand half a
    hexagon further to the right, so that each touches two of the row below."""
    columns, rows = board.sizes
    width = max([len(s) for s in symbols] + [len(str(rows)) if columns > 26 else 1])
    margin = len(str(rows))
    half = (width + 1) // 2 if board.shape in ("hex", "hexagon") else 0
    out = []
    for row in range(rows, 0, -1):
        squares = [board.at.get((column, row)) for column in range(1, columns + 1)]
        shown = [" " * width if s is None else symbols[s].rjust(width) for s in squares]
        out.append(f"{row:>{margin}} {' ' * half * (row - 1)}{' '.join(shown)}".rstrip())
    letters = " ".join(column_letters(column).rjust(width) for column in range(1, columns + 1))
    return "\n".join([*out, f"{'':>{margin}} {letters}"])


def symbol_of(type: Type) -> Callable[[Any], str]:
    """A short symbol for a value: a dot for none, the first letter where that tells all apart, else the name."""
    inner = type.item if isinstance(type, Optional) else type
    names = inner.members if isinstance(inner, Named) else ()
    short = bool(names) and len({name[0] for name in names}) == len(names)

    def symbol(value: Any) -> str:
        if value is None:
            return "."
        return text_of(type, value)[0] if short else text_of(type, value)

    return symbol


def _line(variable: Variable, values: list[Any]) -> str:
    if not variable.indices:
        return f"{variable.name} = {text_of(variable.type, values[0])}"
    positions = itertools.product(*(members(index) for index in variable.indices))
    parts = []
    for position, value in zip(positions, values, strict=True):
        inside = ",".join(text_of(t, p) for t, p in zip(variable.indices, position, strict=True))
        parts.append(f"{inside}: {text_of(variable.type, value)}")
    return f"{variable.name}: {', '.join(parts)}"

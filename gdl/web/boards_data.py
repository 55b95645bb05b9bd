"""The boards of a game as plain data: where each square is drawn, what cells of a state it shows, by what signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from math import cos, pi, sin, sqrt
from typing import Any

from gdl.interpreter.drawing import board_of, look_of, numbers_columns, symbol_of
from gdl.model.board import HEXAGONS, Board, column_letters
from gdl.model.domains import Named, Optional, SetType, Type, members, size, text_of
from gdl.model.games import RulesModel, Variable

MOST = 2_000  # squares that are drawn,
MOST_SIGNS = 2_000  # and values that have signs
_ALGEBRAIC = re.compile(r"([a-z])(\d{1,2})")  # d7
_APART = 0.35  # squares between the small boards of a board of boards

Place = tuple[float, float]


def boards_data(model: RulesModel, number: Callable[[Type], int]) -> list[dict[str, Any]]:
    """The boards that are drawn, in the order of the variables; `number` numbers types."""
    found: list[dict[str, Any]] = []
    drawn: set[int] = set()
    for index, variable in enumerate(model.variables):
        if index in drawn or not variable.indices or board_of(variable.indices[-1]) is None:
            continue
        look = look_of(model, index)
        if len(variable.initial) <= MOST and all(_signed(model.variables[k].type) for k in look.variables):
            found += _pictures(model, variable, look, number)
            drawn |= set(look.variables)
    return found or [each for variable in model.variables for each in _set_picture(variable, number)]


def _signed(type: Type) -> bool:
    inner = type.item if isinstance(type, Optional) else type
    return not isinstance(inner, SetType) and size(inner) <= MOST_SIGNS


def _pictures(
    model: RulesModel, variable: Variable, look: Any, number: Callable[[Type], int]
) -> Iterator[dict[str, Any]]:
    """A picture for each value of the indices before the board; of a board of boards, one."""
    board = board_of(variable.indices[-1])
    assert board is not None
    others = variable.indices[:-1]
    variables = [model.variables[k] for k in look.variables]
    signs = {
        "variables": [_sign_of(model, each) for each in variables],
        "said": [[*map(_plain, values), sign] for values, sign in look.symbols.items()],
    }
    outer = board_of(others[0]) if len(others) == 1 else None
    if outer is not None:
        places, kind, edges = _nested(outer, board)
        yield {"title": variable.name, "kind": kind, "edges": edges, "labels": [], **signs, "squares": [
            _square(place, [(others[0], outer, big), (variable.indices[-1], board, small)], number,
                    [v.place + big * len(board.squares) + small for v in variables])
            for (big, small), place in zip(product(range(len(outer.squares)), range(len(board.squares))), places,
                                           strict=True)
        ]}  # fmt: skip
        return
    places, kind, edges = layout(board)
    numbered = numbers_columns(model)
    for k, values in enumerate(product(*map(members, others))):
        title = " ".join([variable.name, *(text_of(t, v) for t, v in zip(others, values, strict=True))])
        yield {"title": title, "kind": kind, "edges": edges, "labels": _labels(board, numbered), **signs, "squares": [
            _square(place, [(variable.indices[-1], board, at)], number,
                    [v.place + k * len(board.squares) + at for v in variables])
            for at, place in enumerate(places)
        ]}  # fmt: skip


def _set_picture(variable: Variable, number: Callable[[Type], int]) -> Iterator[dict[str, Any]]:
    """A set of squares, where nothing else shows the board."""
    inner = variable.type.item if isinstance(variable.type, SetType) else None
    board = board_of(inner) if inner is not None else None
    if inner is None or board is None or variable.indices or len(board.squares) > MOST:
        return
    places, kind, edges = layout(board)
    squares = [_square(place, [(inner, board, at)], number, [variable.place]) for at, place in enumerate(places)]
    yield {"title": variable.name, "kind": kind, "edges": edges, "labels": _labels(board, False), "set": True,
           "variables": [], "said": [], "squares": squares}  # fmt: skip


def _square(place: Place, squares: Any, number: Callable[[Type], int], cells: list[int]) -> dict[str, Any]:
    """A square: where it lies, what it is to each type of squares, its name, its column, and the cells it shows."""
    board, at = squares[-1][1:]
    names = [each.squares[value] for _, each, value in squares]
    columns = board.coordinates[at][:1] if len(board.sizes) > 1 or board.shape == "grid" else ()
    return {
        "x": round(place[0], 3), "y": round(place[1], 3), "name": " ".join(names), "cells": cells,
        "is": {str(number(type)): value for type, _, value in squares}, "column": columns[0] if columns else None,
        "dark": len(board.sizes) == 2 and board.shape == "grid" and sum(board.coordinates[at]) % 2 == 0,
    }  # fmt: skip


def _sign_of(model: RulesModel, variable: Variable) -> dict[str, Any]:
    """How the values of a variable are signed; whether they are players, and what they are called."""
    type = variable.type
    inner = type.item if isinstance(type, Optional) else type
    symbol = symbol_of(type)
    players = isinstance(inner, Named) and inner.members == model.players
    names = list(inner.members) if isinstance(inner, Named) else None
    return {"signs": [[_plain(v), symbol(v)] for v in members(type)], "players": players, "names": names}


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int) else str(value)


# ---- Where the squares lie ------------------------------------------------------------------------------------------


def layout(board: Board) -> tuple[list[Place], str, list[list[int]]]:
    """The middle of each square, in squares from the top left; what they are (cells, hexagons, points); and, of points,
    those that are joined."""
    joined = [[a, b] for a, near in enumerate(board.adjacent) for b in near if a < b]
    if board.shape in HEXAGONS:
        return _fitted([((c - r) * 0.5, -(c + r) * sqrt(3) / 2) for c, r in board.coordinates]), "hexagons", []
    if board.shape == "graph":
        return _points(board), "points", joined
    if board.shape == "ring":
        count = len(board.squares)
        radius = max(1.0, count / (2 * pi)) * 1.1
        angles = [2 * pi * at / count + pi / 2 for at in range(count)]
        return _fitted([(radius * cos(angle), radius * sin(angle)) for angle in angles]), "cells", []
    if len(board.sizes) < 2:
        return [(float(at), 0.0) for at in range(len(board.squares))], "cells", []
    wide = board.sizes[0] + 0.5
    layers = sorted({place[2:] for place in board.coordinates})
    places = [(c - 1 + layers.index(tuple(rest)) * wide, float(-r)) for c, r, *rest in board.coordinates]
    return _fitted(places), "cells", []


def _points(board: Board) -> list[Place]:
    """Points of a graph: where their names say, as d7 does, else on a circle."""
    named = [_ALGEBRAIC.fullmatch(name) for name in board.squares]
    if all(named):
        return _fitted([(float(ord(place[1])), -float(place[2])) for place in named if place])
    count = len(board.squares)
    radius = max(1.2, count / 5)
    angles = [2 * pi * at / count - pi / 2 for at in range(count)]
    return _fitted([(radius * cos(angle), radius * sin(angle)) for angle in angles])


def _fitted(places: list[Place]) -> list[Place]:
    """The same places with the leftmost and the topmost at 0."""
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return [(x - left, y - top) for x, y in places]


def _nested(outer: Board, inner: Board) -> tuple[list[Place], str, list[list[int]]]:
    """A board in every square of another."""
    large, _, _ = layout(outer)
    small, kind, _ = layout(inner)
    wide, high = max(x for x, _ in small) + 1 + _APART, max(y for _, y in small) + 1 + _APART
    return [(X * wide + x, Y * high + y) for X, Y in large for x, y in small], kind, []


def _labels(board: Board, numbered: bool) -> list[dict[str, Any]]:
    """Letters under the columns of a plain grid (numbers where players name columns), and numbers beside its rows."""
    if board.shape not in ("grid", "torus") or len(board.sizes) != 2:
        return []
    wide, high = board.sizes
    letters = [
        {"x": c - 1, "y": high - 0.25, "text": str(c) if numbered else column_letters(c)} for c in range(1, wide + 1)
    ]
    return letters + [{"x": -0.75, "y": high - r, "text": str(r)} for r in range(1, high + 1)]

"""The board of a game of clauses, which knows none: facts that say what stands at two coordinates, (cell 1 2 x), are
drawn as one, and moves that name such coordinates, (put 1 2), are made by clicks on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.taking_turns import TurnsGame
from gdl.model.clauses import term_text
from gdl.web.boards_data import MOST_SQUARES

BLANK = ("empty", "blank", "b", "e", "none", "nil")  # as authors call a square with nothing on it
KIND = "facts"  # in place of a type of squares

Square = tuple[str, str]


def facts_boards(game: TurnsGame) -> list[dict[str, Any]]:
    """The boards that are drawn, in the order in which the facts are met."""
    found: dict[str, dict[Square, list[tuple[int, str]]]] = {}
    for at, (_, fact) in enumerate(game.facts):
        if isinstance(fact, tuple) and len(fact) == 4:
            name, x, y, what = map(term_text, fact)
            found.setdefault(name, {}).setdefault((x, y), []).append((FIRST_CELL + at, what))
    return [_board(name, squares, game.players) for name, squares in found.items() if _is_board(squares)]


def _is_board(squares: Mapping[Square, Sequence[Any]]) -> bool:
    columns, rows = _axes(squares)
    return len(columns) > 1 and len(rows) > 1 and len(columns) * len(rows) <= min(MOST_SQUARES, 2 * len(squares))


def _axes(squares: Mapping[Square, Any]) -> tuple[list[str], list[str]]:
    """The columns from the left, the rows from below."""
    columns, rows = (sorted({square[axis] for square in squares}, key=_in_order) for axis in (0, 1))
    return columns, rows


def _in_order(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() and len(name) < 9 else (0, name)


def _board(name: str, squares: Mapping[Square, Sequence[tuple[int, str]]], players: Sequence[str]) -> dict[str, Any]:
    columns, rows = _axes(squares)
    x_of, y_of = {x: at for at, x in enumerate(columns)}, {y: len(rows) - 1 - at for at, y in enumerate(rows)}
    labels = [{"x": at, "y": len(rows) - 0.2, "text": x} for x, at in x_of.items()]
    labels += [{"x": -0.8, "y": at, "text": y} for y, at in y_of.items()]
    return {
        "title": name, "kind": "grid", "edges": [], "labels": labels, "variables": [], "said": [],
        "squares": [
            {
                "x": x_of[x], "y": y_of[y], "name": f"{x} {y}", "cells": [cell for cell, _ in held], "column": x,
                "holds": [_standing(what, players) for _, what in held], "is": {KIND: f"{x} {y}"}, "dark": False,
            }
            for (x, y), held in squares.items()
        ],
    }  # fmt: skip


def _standing(what: str, players: Sequence[str]) -> dict[str, Any]:
    """What is drawn where this stands: its sign, its name, and whose it is."""
    owner = next((at for at, player in enumerate(players) if what in (player, player[:1])), None)
    if owner is None:
        return {"sign": "" if what in BLANK else what, "name": "" if what in BLANK else what, "owner": None}
    letters = {player[:1] for player in players}
    return {"sign": what[:1] if len(letters) == len(players) else what, "name": "", "owner": owner}


def steps(game: TurnsGame, boards: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, str]]]:
    """The squares of the first board that each move names, or its column, by its name; of moves that name any."""
    squares = {square["name"] for board in boards[:1] for square in board["squares"]}
    columns = {square["column"] for board in boards[:1] for square in board["squares"]}
    moves = [rule.name for rule in game.model.actions]
    return {name: found for name in moves if (found := list(_named_squares(name, squares, columns)))}


def _named_squares(move: str, squares: set[str], columns: set[str]) -> Iterator[dict[str, str]]:
    """Pairs of words in a row that are a square, from the left; or the only word, if it is a column."""
    words = move.partition("(")[2].removesuffix(")").split(", ")
    if len(words) == 1 and words[0] in columns:
        yield {"column": words[0]}
    taken = False
    for pair in pairwise(words):
        taken = not taken and " ".join(pair) in squares
        if taken:
            yield {"type": KIND, "value": " ".join(pair)}

"""Where the squares of a board lie in a picture."""

from __future__ import annotations

import re
from math import cos, isqrt, pi, sin, sqrt

from gdl.model.board import HEXAGONS, Board, column_letters

_ALGEBRAIC = re.compile(r"([a-z])(\d{1,2})")  # d7
TWO_ROWS = 16  # squares of a ring, at most, that are drawn in two rows
_APART = 0.35  # squares between the small boards of a board of boards

Place = tuple[float, float]


def layout(board: Board) -> tuple[list[Place], str, list[list[int]]]:
    """Where to draw a board: the centre of each square, in units of squares from the top left; "cells", "hexagons" or
    "points"; and, for points, the pairs of squares that are joined."""
    if board.shape in HEXAGONS:
        return _move_to_origin([((c - r) * 0.5, -(c + r) * sqrt(3) / 2) for c, r in board.coordinates]), "hexagons", []
    if board.shape == "graph":
        return _points(board), "points", [[a, b] for a, near in enumerate(board.adjacent) for b in near if a < b]
    if board.shape == "ring":
        return _ring_around(len(board.squares)), "cells", []
    if len(board.sizes) < 2:
        return [(float(at), 0.0) for at in range(len(board.squares))], "cells", []
    wide, high = board.sizes[0] + 0.5, board.sizes[1] + 0.5
    layers = sorted({place[2:] for place in board.coordinates})
    abreast = len(layers) if len(layers) < 4 else isqrt(len(layers) - 1) + 1
    lies = {layer: (n % abreast * wide, n // abreast * high) for n, layer in enumerate(layers)}
    places = [(c + lies[tuple(rest)][0], lies[tuple(rest)][1] - r) for c, r, *rest in board.coordinates]
    return _move_to_origin(places), "cells", []


def _ring_around(count: int) -> list[Place]:
    """The squares of a ring around a rectangle, from its lower left corner on against the clock; a small ring is drawn
    in two rows, like the pits of mancala. An odd number of squares lies on a circle."""
    if count % 2 or count < 4:
        return _circle(count, max(1.0, 0.75 / sin(pi / max(count, 2))), pi / 2)
    both = count // 2 + 2  # width and height
    height = 2 if count <= TWO_ROWS else both // 2
    right, low = both - height - 1, height - 1
    below, above = [(x, low) for x in range(right)], [(right - x, 0) for x in range(right)]
    sides = [(right, low - y) for y in range(low)], [(0, y) for y in range(low)]
    return [(float(x), float(y)) for x, y in (*below, *sides[0], *above, *sides[1])]


def _points(board: Board) -> list[Place]:
    """The points of a graph at the places that their names say, as d7 does; else on a circle."""
    named = [_ALGEBRAIC.fullmatch(name) for name in board.squares]
    if all(named):
        return _move_to_origin([(float(ord(place[1])), -float(place[2])) for place in named if place])
    return _circle(len(board.squares), max(1.2, len(board.squares) / 5), -pi / 2)


def _circle(count: int, radius: float, first: float) -> list[Place]:
    """Places on a circle, one after the other from an angle on."""
    angles = [2 * pi * at / count + first for at in range(count)]
    return _move_to_origin([(radius * cos(angle), radius * sin(angle)) for angle in angles])


def _move_to_origin(places: list[Place]) -> list[Place]:
    """The places moved so that the leftmost and the topmost are at 0."""
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return [(x - left, y - top) for x, y in places]


def nested_layout(outer: Board, inner: Board) -> tuple[list[Place], str, list[list[int]]]:
    """A board in every square of another."""
    large, _, _ = layout(outer)
    small, kind, _ = layout(inner)
    wide, high = max(x for x, _ in small) + 1 + _APART, max(y for _, y in small) + 1 + _APART
    return [(X * wide + x, Y * high + y) for X, Y in large for x, y in small], kind, []


def labels(board: Board, numbered: bool) -> list[tuple[float, float, str]]:
    """Letters under the columns of a plain grid (numbers where players name columns), and numbers beside its rows."""
    if board.shape not in ("grid", "torus") or len(board.sizes) != 2:
        return []
    wide, high = board.sizes
    letters = [(c - 1, high - 0.25, str(c) if numbered else column_letters(c)) for c in range(1, wide + 1)]
    return letters + [(-0.75, high - r, str(r)) for r in range(1, high + 1)]

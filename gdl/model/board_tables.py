"""The words about boards as tables: what row(s), ray(s, d), between(a, b)… answer for every square, computed once.

A table has one level for each argument. One that would be too large is refused before it is begun.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

from gdl.errors import count_text, limits
from gdl.model.board import HEXAGONS, Board, Coordinates

Table = Callable[[Board], Any]  # what a word answers on a board
KEPT = 4  # tables of each kind: a file that is being written asks for the same ones at every edit


class NoTable(LookupError):
    """Raised for a word that has no meaning on a board: the message continues the word, and `help` says what would be
    right."""

    def __init__(self, message: str, help: str = ""):
        super().__init__(message)
        self.help = help


def _affordable(entries: int) -> None:
    if entries > limits.TABLE:
        raise NoTable(f"has more than {limits.TABLE:,} answers on this board", "take a smaller board")


def axis(board: Board, number: int) -> tuple[int, ...]:
    """The column (0), row (1) or layer (2) of each square."""
    if len(board.sizes) <= number:
        name = ("column", "row", "layer")[number]
        raise NoTable(f"is asked of a board that has no {name}s", "number(s) is a square's place on the board")
    return tuple(coordinates[number] for coordinates in board.coordinates)


@lru_cache(KEPT)
def flips(board: Board) -> tuple[int, ...]:
    """For each square the square that stands in its place in the mirrored view of the board."""
    return tuple(map(board.mirror_square, range(len(board.squares))))


def steps(board: Board) -> tuple[tuple[int | None, ...], ...]:
    """For each square the next square in each direction, None off the board."""
    if not board.directions:
        raise NoTable("asks for a direction, and a graph has none", "use neighbours(s)")
    return board.steps


def opposites(board: Board) -> tuple[int, ...]:
    """For each direction the opposite one."""
    steps(board)
    return board.opposites


def clockwise(board: Board, turns: int) -> tuple[int, ...]:
    """For each direction the one `turns` places further clockwise."""
    steps(board)
    if board.shape not in HEXAGONS and len(board.sizes) != 2:
        raise NoTable("turns round a square, which needs a board of columns and rows", "use opposite(d)")
    count = len(board.directions)
    return tuple((d + turns) % count for d in range(count))


def nth_step(board: Board, count: int) -> Any:
    """For each square and direction the square `count` steps away, None off the board."""
    _affordable(len(steps(board)) * len(board.directions) * min(count, _longest_line(board)))
    return tuple(
        tuple(board.walk(s, d, count) for d in range(len(board.directions))) for s in range(len(board.squares))
    )


def steps_up_to(board: Board, most: int) -> Any:
    """For each square and direction the squares 0, 1, … `most` steps away. Numbers that lead off the board from every
    square have no entry."""
    last = min(most, _longest_line(board))
    _affordable(len(steps(board)) * len(board.directions) * (last + 1) ** 2 // 2)
    return tuple(
        tuple(tuple(board.walk(s, d, n) for n in range(last + 1)) for d in range(len(board.directions)))
        for s in range(len(board.squares))
    )


def offset(board: Board, vector: Coordinates) -> tuple[int | None, ...]:
    """For each square the square that is the vector's columns and rows away, None off the board."""
    if len(vector) != len(board.sizes):
        raise NoTable(f"takes {count_text(len(board.sizes), 'number')} on this board", "write columns, then rows")
    return tuple(board.offset(s, vector) for s in range(len(board.squares)))


def offsets(board: Board, lows: Coordinates, highs: Coordinates) -> Any:
    """For each square the squares at all distances in columns and rows between the bounds, which are counted from the
    lowest."""
    if len(lows) != len(board.sizes):
        raise NoTable(f"takes {count_text(len(board.sizes), 'number')} on this board", "write columns, then rows")
    spans = [range(low, high + 1) for low, high in zip(lows, highs, strict=True)]
    _affordable(len(board.squares) * prod(map(len, spans)))
    return tuple(_offsets(board, s, spans, ()) for s in range(len(board.squares)))


def _offsets(board: Board, square: int, spans: list[range], vector: Coordinates) -> Any:
    if len(vector) == len(spans):
        return board.offset(square, vector)
    return tuple(_offsets(board, square, spans, (*vector, by)) for by in spans[len(vector)])


def neighbours(board: Board) -> tuple[int, ...]:
    """The set of each square's neighbours."""
    return tuple(sum(1 << s for s in near) for near in board.adjacent)


def neighbours_along(board: Board, directions: int) -> tuple[int, ...]:
    """For each square the set of its neighbours in these directions, given as the bits of a number."""
    near = [{s for d, s in enumerate(row) if s is not None and directions >> d & 1} for row in steps(board)]
    return tuple(sum(1 << s for s in squares) for squares in near)


@lru_cache(KEPT)
def rays(board: Board) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each square and direction the squares met on the ray."""
    _affordable(len(steps(board)) * len(board.directions) * _longest_line(board))
    return tuple(tuple(board.ray(s, d) for d in range(len(board.directions))) for s in range(len(board.squares)))


@lru_cache(KEPT)
def directions(board: Board) -> tuple[tuple[int | None, ...], ...]:
    """For each pair of squares the first direction whose ray leads from one to the other, None if no ray does."""
    return tuple(tuple(None if way is None else way[0] for way in row) for row in _ways(board))


@lru_cache(KEPT)
def squares_between(board: Board) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each two squares the squares strictly between them; () if they are not on one line."""
    ways = _ways(board)
    _affordable(sum(way[1] for row in ways for way in row if way is not None))
    lines = rays(board)
    return tuple(tuple(() if way is None else lines[a][way[0]][: way[1]] for way in row) for a, row in enumerate(ways))


@lru_cache(KEPT)
def _ways(board: Board) -> list[list[tuple[int, int] | None]]:
    """For each pair of squares the direction from one to the other and the number of squares in between, None if no ray
    joins them."""
    count = len(board.squares)
    _affordable(count * count)
    found: list[list[tuple[int, int] | None]] = [[None] * count for _ in range(count)]
    for start, row in enumerate(rays(board)):
        for direction, ray in reversed(list(enumerate(row))):  # the first direction is written last
            for distance, end in enumerate(ray):
                found[start][end] = (direction, distance)
    return found


def distances(board: Board) -> tuple[tuple[int | None, ...], ...]:
    """For each pair of squares the number of steps from neighbour to neighbour, None where there is no way."""
    return _all_distances(board.adjacent)


def distances_along(board: Board, directions: int) -> Any:
    """For each pair of squares the number of steps in these directions, given as the bits of a number; with all
    directions, a king's moves."""
    near = (tuple(s for d, s in enumerate(row) if s is not None and directions >> d & 1) for row in steps(board))
    return _all_distances(tuple(near))


@lru_cache(KEPT)
def _all_distances(near: tuple[tuple[int, ...], ...]) -> tuple[tuple[int | None, ...], ...]:
    _affordable(len(near) ** 2)
    return tuple(_distances_from(near, start) for start in range(len(near)))


def _distances_from(adjacent: tuple[tuple[int, ...], ...], start: int) -> tuple[int | None, ...]:
    distance: list[int | None] = [None] * len(adjacent)
    distance[start], work = 0, [start]
    for square in work:
        for near in adjacent[square]:
            if distance[near] is None:
                distance[near] = (distance[square] or 0) + 1
                work.append(near)
    return tuple(distance)


def lines(board: Board, run: int) -> tuple[tuple[int, ...], ...]:
    """All straight lines of `run` squares, each once; a table without arguments."""
    if not board.directions:
        raise NoTable("asks for straight lines, and a graph has none", "list them: [[a, b, c], [c, d, e]]")
    if run > _longest_line(board):
        return ()
    _affordable(len(board.squares) * len(board.directions) * run)
    return board.lines(run)


def _longest_line(board: Board) -> int:
    """The most squares in a straight line; on a torus a diagonal goes round until both axes are back."""
    return board.round or max(board.sizes)

"""Boards as text: a symbol for each square, where a book prints it. A picture is a list of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from gdl.model.board import HEXAGONS, Board, Coordinates, column_letters

WIDEST = 110  # of pictures side by side
_ALGEBRAIC = re.compile(r"([a-z])(\d{1,2})")  # d7

Picture = list[str]


def picture(board: Board, symbols: Sequence[str], numbered: bool = False) -> Picture:
    """The board with these symbols on its squares. `numbered`: its columns have numbers as well as letters."""
    if board.shape == "graph":
        return _lying(board.squares, symbols) or _graph_lines(board, symbols)
    if board.shape == "ring":
        return _ring(board.squares, symbols)
    if board.shape == "track":
        return table([symbols, board.squares])
    at = dict(zip(board.coordinates, symbols, strict=True))
    if board.shape in HEXAGONS:
        return _hexagons(at)
    if len(board.sizes) == 2:
        return _labelled_rows(board.sizes, at, numbered)
    layers = sorted({place[2:] for place in at})
    return beside([
        [f"layer {', '.join(map(str, layer))}", *_labelled_rows(board.sizes, {p[:2]: at[p] for p in at if p[2:] == layer})]
        for layer in layers
    ])  # fmt: skip


def _labelled_rows(sizes: Coordinates, symbols: Mapping[Coordinates, str], numbered: bool = False) -> Picture:
    """Rows from the highest down, with their numbers and the columns' letters."""
    wide, high = sizes[:2]
    width = max([len(s) for s in symbols.values()] + [len(str(wide)) if numbered or wide > 26 else 1])
    margin = len(str(high))
    out = []
    for row in range(high, 0, -1):
        shown = [symbols.get((column, row), "").rjust(width) for column in range(1, wide + 1)]
        out.append(f"{row:>{margin}} {' '.join(shown)}".rstrip())
    letters = " ".join(column_letters(column).rjust(width) for column in range(1, wide + 1))
    numbers = " ".join(str(column).rjust(width) for column in range(1, wide + 1))
    return [*out, *(f"{'':>{margin}} {labels}" for labels in ([letters, numbers] if numbered else [letters]))]


def _hexagons(symbols: Mapping[Coordinates, str]) -> Picture:
    """Hexagons as their directions say: east is on the right, north goes up and to the left, northeast up and to the
    right. So columns rise to the left from their letters, and rows to the right from their numbers; where the lower
    edge has no room for both, the numbers stand at the rows' other ends."""
    letters: dict[int, Coordinates] = {}
    first: dict[int, Coordinates] = {}
    last: dict[int, Coordinates] = {}
    for column, row in sorted(symbols, reverse=True):
        letters[column] = (column, row - 1)
        first[row] = (column - 1, row)
        last.setdefault(row, (column + 1, row))
    ends = last if set(first.values()) & set(letters.values()) else first
    shown = dict(symbols)
    shown |= {place: column_letters(column) for column, place in letters.items()}
    shown |= {place: str(row) for row, place in ends.items()}
    width = max(map(len, shown.values()))
    half, left = (width + 2) // 2, min(column - row for column, row in shown)
    lines: dict[int, str] = {}
    for (column, row), text in sorted(shown.items()):  # from left to right in each line
        line = lines.get(column + row, "")
        lines[column + row] = line.ljust((column - row - left) * half) + text.rjust(width)
    return [lines[height] for height in sorted(lines, reverse=True)]


def _graph_lines(board: Board, symbols: Sequence[str]) -> Picture:
    """Each point of a graph with what stands there, and the points that it is joined to."""
    name, symbol = (max(map(len, texts)) for texts in (board.squares, symbols))
    return [
        f"{point:<{name}} {shown:<{symbol}} - {', '.join(board.squares[other] for other in near)}".rstrip()
        for point, shown, near in zip(board.squares, symbols, board.adjacent, strict=True)
    ]


def _lying(names: Sequence[str], symbols: Sequence[str]) -> Picture | None:
    """Points whose names say where they lie, as d7 does."""
    places = [place for name in names if (place := _ALGEBRAIC.fullmatch(name))]
    if len(places) < len(names):
        return None
    at: dict[Coordinates, str] = {}
    for place, symbol in zip(places, symbols, strict=True):
        at[ord(place[1]) - ord("a") + 1, int(place[2])] = symbol
    return _labelled_rows(tuple(map(max, zip(*at, strict=True))), at)


def _ring(names: Sequence[str], symbols: Sequence[str]) -> Picture:
    """The first half below, the other above it and backward, as one goes round a table."""
    half = (len(names) + 1) // 2
    return table([names[half:][::-1], symbols[half:][::-1], symbols[:half], names[:half]])


def table(rows: Iterable[Sequence[str]]) -> Picture:
    """The rows with their columns aligned to the right."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    return [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in cells]


def beside(pictures: Iterable[Picture]) -> Picture:
    """Pictures side by side, and below each other where there is no room."""
    bands: list[Picture] = []
    for found in pictures:
        last = bands[-1] if bands else []
        width = max(map(len, last), default=WIDEST)
        if len(last) == len(found) and width + 3 + max(map(len, found)) <= WIDEST:
            bands[-1] = [f"{a:{width}}   {b}".rstrip() for a, b in zip(last, found, strict=True)]
        else:
            bands.append(found)
    return [line for band in bands for line in band]


def nests(board: Board, inner: Board) -> bool:
    """Whether every square of a board can be drawn as a small board."""
    return board.shape == inner.shape == "grid" and len(board.sizes) == len(inner.sizes) == 2


def nested_picture(board: Board, inner: Board, symbols: Sequence[str]) -> Picture:
    """A grid whose every square is a small grid: `symbols` hold the squares of the first, then of the second, …"""
    (wide, high), (columns, rows) = board.sizes, inner.sizes
    width = max(map(len, symbols))

    def line(row: int, small: int) -> str:
        """A line of the whole, through one row of the small grids in a row of the large one."""
        firsts = [board.at[column, row] * columns * rows for column in range(1, wide + 1)]
        parts = [[symbols[f + inner.at[c, small]].rjust(width) for c in range(1, columns + 1)] for f in firsts]
        number = str(row) if small == (rows + 1) // 2 else ""
        return f"{number:>{len(str(high))}} " + " | ".join(map(" ".join, parts))

    across = (width + 1) * columns - 1
    rule = f"{'':{len(str(high))}} " + "-+-".join(["-" * across] * wide)
    bands = [[line(row, small) for small in range(rows, 0, -1)] for row in range(high, 0, -1)]
    letters = "   ".join(column_letters(column).center(across) for column in range(1, wide + 1))
    out = [part for k, band in enumerate(bands) for part in ([rule, *band] if k else band)]
    return [*out, f"{'':{len(str(high))}} {letters}".rstrip()]

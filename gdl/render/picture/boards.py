"""A board read back from the text in which a position is shown, so that it can be drawn as a board.

    2 X .           (("X", "."),
    1 . O     ->     (".", "O"))
      a b

Only a board of this form is read: numbered rows down to 1, a line of column letters under them. Everything else a
position shows (a score, a hand, a board of hexes) stays text.
"""

from __future__ import annotations

import re

Grid = tuple[tuple[str, ...], ...]  # rows from the top, one symbol per square; "" where there is no square

_ROW = re.compile(r"(?P<margin> *(?P<number>[0-9]+)) (?P<squares>.*)")
_EMPTY = "."


def read_grid(text: str) -> Grid | None:
    """The first board in the text; None if there is none."""
    lines = text.split("\n")
    for start, line in enumerate(lines):
        top = _ROW.fullmatch(line)
        if top is not None:
            grid = _grid(lines[start:], int(top["number"]))
            if grid is not None:
                return grid
    return None


def _grid(lines: list[str], rows: int) -> Grid | None:
    """The board whose top row, numbered `rows`, is the first of the lines; None if the lines have another form."""
    if not 0 < rows < len(lines):
        return None
    found = [_ROW.fullmatch(line) for line in lines[:rows]]
    margin = len(str(rows))
    for number, row in zip(range(rows, 0, -1), found, strict=True):
        if row is None or int(row["number"]) != number or len(row["margin"]) != margin:
            return None
    letters = lines[rows]
    columns = letters.split()
    pitch = (len(letters) - margin) // len(columns) if columns else 0
    if not columns or letters[:margin].strip() or len(letters) != margin + pitch * len(columns):
        return None
    squares = [row["squares"].ljust(pitch * len(columns)) for row in found if row is not None]
    return tuple(
        tuple(line[at : at + pitch].strip() for at in range(0, pitch * len(columns), pitch)) for line in squares
    )


def is_empty(symbol: str) -> bool:
    """True if a square of the board has nothing on it."""
    return symbol in ("", _EMPTY)

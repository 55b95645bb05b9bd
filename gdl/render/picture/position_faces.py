"""The form in which positions of a game by rules are shown in a picture: as a board, in words, or not at all."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any

from gdl.errors import clean
from gdl.game import Decision, Game
from gdl.interpreter.explicit_game import TreeGame
from gdl.render.picture.unfold import UnfoldingNode, explicit_tree

# A board read back from the text in which a position is shown, so that it can be drawn as a board.
#
#     2 X .           (("X", "."),
#     1 . O     ->     (".", "O"))
#       a b
#
# Only a board of this form is read: numbered rows down to 1, a line of column letters under them. Everything else a
# position shows (a score, a hand, a board of hexes) stays text.

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


_WIDTH = 18  # characters of a line of words
_HEIGHT = 5  # lines; a position that needs more is not shown in words
_POINT = re.compile(r"(\S+) +(\S+) +- .*")  # a point of a graph, who stands there, and its neighbours
_STONES = re.compile(" ●+")  # of a heap, behind their number
_ROOMY = 80  # nodes; in a larger picture words would drown the play


class PositionFaces:
    """The drawn form of positions, by number: a board, lines of words, or nothing; made from the texts by which a game
    shows them."""

    def __init__(self, texts: Sequence[str], words: bool):
        self._texts = ["\n".join(map(clean, text.split("\n"))) for text in texts]
        self._grids = [read_grid(text) for text in self._texts]
        counts = Counter(line for text in self._texts for line in set(text.split("\n")))
        self._constant = {line for line, count in counts.items() if count == len(texts) > 1}  # that occur in all texts
        self._words = words or len(texts) <= _ROOMY

    def __getitem__(self, number: int) -> tuple[Grid | None, tuple[str, ...]]:
        """The board and the words to show for a position; variables that never change are left out."""
        if not self._texts:
            return None, ()
        grid = self._grids[number]
        if grid is not None or not self._words:
            return grid, ()
        changing = [line for line in self._texts[number].split("\n") if line not in self._constant]
        lines = [part for line in changing for part in _wrap_line(_STONES.sub("", _POINT.sub(r"\1 \2", line)))]
        return None, tuple(lines) if len(lines) <= _HEIGHT else ()


def _wrap_line(line: str) -> list[str]:
    """The line split into parts that are short enough; `name: value` is not split."""
    kept = line.replace(": ", ":\N{NO-BREAK SPACE}")
    return [part.replace("\N{NO-BREAK SPACE}", " ") for part in textwrap.wrap(kept, _WIDTH, break_on_hyphens=False)]


def positions(game: Game[Any], places: Sequence[UnfoldingNode], wanted: bool | None) -> PositionFaces:
    """The drawn form of the positions at the places of a tree. `wanted` says whether positions are drawn; None: only if
    no player hides anything. Positions of an explicit tree are never drawn."""
    open_to_all = game.traits.perfect_information is not False
    show = explicit_tree(game) is None and (open_to_all if wanted is None else wanted)
    return PositionFaces([game.show(place.state) for place in places] if show else [], bool(wanted))


def set_names(tree: TreeGame | None, places: Sequence[UnfoldingNode]) -> dict[int, str]:
    """The names that an author gave to the information sets of an explicit tree, by the numbers of their places."""
    if tree is None:
        return {}
    own = {n: tree.model.nodes[p.state].information_set for n, p in enumerate(places) if isinstance(p.node, Decision)}
    return {number: name for number, name in own.items() if name is not None}

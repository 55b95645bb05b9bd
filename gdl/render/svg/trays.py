"""Positions side by side in a tray: the many last moves of a game on a board, packed in rows and columns under the
node where they are made, so that two plies of tic-tac-toe fit a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from gdl.render.picture import Picture

_FEWEST = 4  # positions in a tray
_MANY = 24  # positions at the ends of a tree before any are packed
_GAP = 8.0  # between positions in a tray


@dataclass(frozen=True, slots=True)
class Tray:
    """The children of a node in rows; `sizes` of one place for all of them."""

    members: tuple[int, ...]
    columns: int
    cell: tuple[float, float]

    @property
    def width(self) -> float:
        return self.columns * (self.cell[0] + _GAP) + _GAP

    @property
    def height(self) -> float:
        return ceil(len(self.members) / self.columns) * (self.cell[1] + _GAP) + _GAP

    def centres(self, x: float, top: float) -> list[tuple[float, float]]:
        """The middles of the members' places, the tray hanging at x from `top`."""
        width, height = self.cell[0] + _GAP, self.cell[1] + _GAP
        left = x - self.width / 2 + _GAP / 2
        return [
            (left + width * (place % self.columns + 0.5), top + _GAP / 2 + height * (place // self.columns + 0.5))
            for place in range(len(self.members))
        ]


def trays(picture: Picture, sizes: Sequence[tuple[float, float]]) -> dict[int, Tray]:
    """The trays of a picture, by the number of the node they hang from; `sizes` are those of all nodes, with what is
    written under them."""
    nodes = picture.nodes
    last = {number for number, node in enumerate(nodes) if node.grid and not node.children}
    if len(last) <= _MANY:
        return {}
    found = {}
    for number, node in enumerate(nodes):
        if len(node.children) >= _FEWEST and last.issuperset(node.children):
            widths, heights = zip(*(sizes[child] for child in node.children), strict=True)
            columns = max(2, round(sqrt(len(node.children) / 2)))
            found[number] = Tray(node.children, columns, (max(widths), max(heights)))
    return found

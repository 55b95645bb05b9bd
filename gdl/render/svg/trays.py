"""Positions side by side in a tray: the many last moves of a game on a board, packed in rows and columns under the
node where they are made, so that two plies of tic-tac-toe fit a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from gdl.render.picture import Picture

_FEWEST = 4  # positions in a tray
_PAGE = 1_000.0  # width of the last positions side by side that needs no packing
_LANDSCAPE = 1.5  # width to height
GAP = 8.0  # between positions in a tray


@dataclass(frozen=True, slots=True)
class Tray:
    """The children of a node in rows; `sizes` of one place for all of them."""

    members: tuple[int, ...]
    columns: int
    cell: tuple[float, float]

    @property
    def width(self) -> float:
        return self.columns * (self.cell[0] + GAP) + GAP

    @property
    def height(self) -> float:
        return ceil(len(self.members) / self.columns) * (self.cell[1] + GAP) + GAP

    def centres(self, x: float, top: float) -> list[tuple[float, float]]:
        """The middles of the members' places, the tray hanging at x from `top`."""
        width, height = self.cell[0] + GAP, self.cell[1] + GAP
        left = x - self.width / 2 + GAP / 2
        return [
            (left + width * (place % self.columns + 0.5), top + GAP / 2 + height * (place // self.columns + 0.5))
            for place in range(len(self.members))
        ]


def trays(picture: Picture, sizes: Sequence[tuple[float, float]]) -> dict[int, Tray]:
    """The trays of a picture, by the number of the node they hang from; `sizes` are those of all nodes, with what is
    written under them. All trays together are about as wide as a page lies, compared with their height."""
    nodes = picture.nodes
    last = {number for number, node in enumerate(nodes) if node.grid and not node.children}
    if sum(sizes[number][0] + GAP for number in last) <= _PAGE:
        return {}
    hung = [number for number, node in enumerate(nodes) if _fits_tray(node.children, last)]
    found = {}
    for number in hung:
        members = nodes[number].children
        widths, heights = zip(*(sizes[child] for child in members), strict=True)
        width, height = max(widths), max(heights)
        columns = round(sqrt(_LANDSCAPE * len(members) * height / (len(hung) * width)))
        found[number] = Tray(members, max(2, columns), (width, height))
    return found


def _fits_tray(children: Sequence[int], last: set[int]) -> bool:
    return len(children) >= _FEWEST and last.issuperset(children)

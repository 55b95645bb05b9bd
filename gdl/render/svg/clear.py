"""Room that is taken on a picture, so that the next text finds a clear place: boxes and strokes in a grid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, pairwise

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

_CELL = 48.0  # side of a cell of the grid
_SLACK = 0.5  # overlap of two boxes that still counts as none


class ObstacleMap:
    """Boxes and strokes that labels must not cover, each with its owner. A label that names an owner as its own may
    cover that owner's."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[tuple[Hashable, Box]]] = {}
        self._strokes: dict[tuple[int, int], list[tuple[Hashable, Point, Point]]] = {}

    def take(self, owner: Hashable, box: Box) -> None:
        for cell in _cells(box):
            self._boxes.setdefault(cell, []).append((owner, box))

    def draw(self, owner: Hashable, chain: Iterable[Point]) -> None:
        """Add the straight strokes that join the points of a chain, one after the other."""
        for start, end in pairwise(chain):
            for cell in _cells_on_stroke(start, end):
                self._strokes.setdefault(cell, []).append((owner, start, end))

    def is_clear(self, box: Box, *own: Hashable) -> bool:
        """True if the box meets no box and no stroke, except those whose owner is in `own`."""
        for cell in _cells(box):
            if any(owner not in own and _meet(box, other) for owner, other in self._boxes.get(cell, ())):
                return False
            strokes = self._strokes.get(cell, ())
            if any(owner not in own and crosses(start, end, box) for owner, start, end in strokes):
                return False
        return True

    def is_free(self, start: Point, end: Point, *own: Hashable) -> bool:
        """True if the straight stroke from start to end runs through no box, except those whose owner is in `own`."""
        met = chain.from_iterable(self._boxes.get(cell, ()) for cell in _cells_on_stroke(start, end))
        return not any(owner not in own and crosses(start, end, box) for owner, box in met)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(edge // _CELL) for edge in box)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _cells_on_stroke(start: Point, end: Point) -> Iterator[tuple[int, int]]:
    """The cells that a straight stroke passes, column by column."""
    (x1, y1), (x2, y2) = sorted((start, end))
    for column in range(int(x1 // _CELL), int(x2 // _CELL) + 1):
        if x2 == x1:
            low, high = sorted((y1, y2))
        else:
            ends = (max(x1, column * _CELL), min(x2, (column + 1) * _CELL))
            low, high = sorted(y1 + (x - x1) * (y2 - y1) / (x2 - x1) for x in ends)
        for row in range(int(low // _CELL), int(high // _CELL) + 1):
            yield column, row


def _meet(one: Box, other: Box) -> bool:
    across = one[0] + _SLACK < other[2] and other[0] + _SLACK < one[2]
    return across and one[1] + _SLACK < other[3] and other[1] + _SLACK < one[3]


def crosses(start: Point, end: Point, box: Box) -> bool:
    """True if a straight stroke enters the box (Liang and Barsky, A new concept and method for line clipping, ACM
    Transactions on Graphics 3, 1984)."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        for wall, sign in ((box[axis] + _SLACK, -1), (box[axis + 2] - _SLACK, 1)):
            along, room = sign * way, sign * (wall - start[axis])
            if along == 0 and room < 0:
                return False
            if along < 0:
                low = max(low, room / along)
            elif along > 0:
                high = min(high, room / along)
    return low < high

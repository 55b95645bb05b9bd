"""The strokes through edges that search cut: a short double stroke through one edge, a long one across neighbours that
were cut together, as one strikes them out on a blackboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from gdl.render.svg.arrange import PictureLayout
from gdl.render.svg.elements import Point

_NEAR = 0.36  # part of the edges, from the parent, at which neighbours are struck
_ALONE = 0.46  # part of a single edge at which it is struck
_APART = 3.4  # distance between the two strokes
_BEYOND = 5.0  # length by which a stroke goes beyond the outer edges
_HALF = 4.0  # half the length of a stroke through one edge


@dataclass(frozen=True, slots=True)
class Strike:
    """Two strokes across one edge or several, and the children whose edges they strike."""

    children: tuple[int, ...]
    strokes: tuple[tuple[Point, Point], tuple[Point, Point]]


def strikes(arranged: PictureLayout) -> Iterator[Strike]:
    """All strikes of the picture; every cut edge is in exactly one."""
    nodes, packed = arranged.picture.nodes, arranged.tray_nodes
    for parent, node in enumerate(nodes):
        # In a tray no edges stand side by side, so that every child is struck out by itself.
        for (cut, _), together in groupby(node.children, lambda c: (bool(nodes[c].cut), c if c in packed else None)):
            run = tuple(together)
            if cut and len(run) > 1:
                yield _across(arranged, parent, run)
            elif cut:
                yield _through(arranged, parent, run[0], run[0] in packed)


def _through(arranged: PictureLayout, parent: int, child: int, packed: bool) -> Strike:
    """Two short strokes at right angles to a single edge, near the parent; in a tray (`packed`), just above the
    child."""
    x2, y2 = arranged.xs[child], arranged.top(child)
    x1, y1 = (x2, y2 - 8) if packed else (arranged.xs[parent], arranged.bottom(parent))
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1)
    along, aside = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
    found = []
    for distance in (_ALONE * length - _APART / 2, _ALONE * length + _APART / 2):
        x, y = x1 + along[0] * distance, y1 + along[1] * distance
        dx, dy = _HALF * aside[0] + 1.4 * along[0], _HALF * aside[1] + 1.4 * along[1]
        found.append(((x - dx, y - dy), (x + dx, y + dy)))
    return Strike((child,), (found[0], found[1]))


def _across(arranged: PictureLayout, parent: int, run: tuple[int, ...]) -> Strike:
    """Two long strokes across neighbouring edges, rising a little."""
    foot = arranged.bottom(parent)
    siblings = arranged.picture.nodes[parent].children
    height = foot + _NEAR * (min(arranged.top(child) for child in siblings) - foot)
    crossed = [_at_height(arranged, parent, child, height) for child in run]
    first, last = siblings.index(run[0]), siblings.index(run[-1])
    heights = height - _APART, height, height + _APART  # that the strokes pass
    before = [_at_height(arranged, parent, child, y) for child in siblings[max(0, first - 1) : first] for y in heights]
    after = [_at_height(arranged, parent, child, y) for child in siblings[last + 1 : last + 2] for y in heights]
    left = crossed[0] - max(0, min([_BEYOND, *((crossed[0] - x) * 0.5 for x in before)]))
    right = crossed[-1] + max(0, min([_BEYOND, *((x - crossed[-1]) * 0.5 for x in after)]))
    strokes = [((left, height + 2 + shift), (right, height - 2 + shift)) for shift in (-_APART / 2, _APART / 2)]
    return Strike(run, (strokes[0], strokes[1]))


def _at_height(arranged: PictureLayout, parent: int, child: int, height: float) -> float:
    """The x at which the edge to a child passes a height."""
    top, foot = arranged.top(child), arranged.bottom(parent)
    return arranged.xs[parent] + (arranged.xs[child] - arranged.xs[parent]) * (height - foot) / max(top - foot, 1)

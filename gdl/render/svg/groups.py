"""Information sets as SVG: a dashed outline around nodes that stand side by side, a dashed line between others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from gdl.render.picture import Group
from gdl.render.svg.arrange import SMALL, Arranged
from gdl.render.svg.elements import Point, element, escaped, number, on_white
from gdl.render.svg.strands import LANE, Strand

SET_LOOK = {"fill": "none", "stroke": "#555", "stroke_width": 1.2, "stroke_dasharray": "5 3"}
_AROUND = 5.0  # between a node and the outline of its set
_BEND = 10.0


def outline(arranged: Arranged) -> Iterator[str]:
    """The lines of all information sets, with the names that the author gave them."""
    for group, strand in zip(arranged.picture.groups, arranged.strands, strict=True):
        parts = [_capsule(arranged, run) for run in strand.runs if len(run) > 1]
        parts += [_line(arranged, strand, before[-1], after[0]) for before, after in pairwise(strand.runs)]
        parts += [_name(arranged, group, strand)] if group.name else []
        told = " ".join(part for part in ("information set", group.name, "of", group.player) if part)
        yield element("g", element("title", escaped(told)), *parts, class_="set", data_nodes=_paths(arranged, strand))


def _paths(arranged: Arranged, strand: Strand) -> str:
    paths = (arranged.picture.nodes[member].path for run in strand.runs for member in run)
    return " ".join(".".join(map(str, path)) or "root" for path in paths)


def _capsule(arranged: Arranged, run: tuple[int, ...]) -> str:
    boxes = [arranged.boxes[member] for member in run]
    half = max(box.height for box in boxes) / 2 + _AROUND
    left = arranged.xs[run[0]] - boxes[0].width / 2 - _AROUND
    right = arranged.xs[run[-1]] + boxes[-1].width / 2 + _AROUND
    top = arranged.ys[run[0]] - half
    return element("rect", x=left, y=top, width=right - left, height=2 * half, rx=half, **SET_LOOK)


def _line(arranged: Arranged, strand: Strand, left: int, right: int) -> str:
    """Down from one node, along the set's lane and up to the other."""
    (x1, y1), (x2, y2) = _foot(arranged, left, 1), _foot(arranged, right, -1)
    low, bend = _lane(arranged, strand), min(_BEND, abs(x2 - x1) / 2)
    down = f"M{number(x1)} {number(y1)}Q{number(x1)} {number(low)} {number(x1 + bend)} {number(low)}"
    up = f"H{number(x2 - bend)}Q{number(x2)} {number(low)} {number(x2)} {number(y2)}"
    return element("path", d=down + up, **SET_LOOK)


def _lane(arranged: Arranged, strand: Strand) -> float:
    """The height at which the set's lines run."""
    lowest = max(arranged.bottom(member) for run in strand.runs for member in run)
    return lowest + LANE * (strand.lane + 1)


def _foot(arranged: Arranged, node: int, side: int) -> Point:
    """Where the line leaves the shape, at its lower left (-1) or right (1)."""
    box, x, y = arranged.boxes[node], arranged.xs[node], arranged.ys[node]
    if arranged.picture.nodes[node].shape == "min":
        return x + side * box.width / 4, y
    if box.width == box.height:
        return x + side * 0.32 * box.width, y + 0.38 * box.height
    return x + side * 0.3 * box.width, y + box.height / 2


def _name(arranged: Arranged, group: Group, strand: Strand) -> str:
    """The set's name, between neighbours or else on the line between others."""
    widest = max(strand.runs, key=len)
    if len(widest) > 1:
        left, right, y = widest[0], widest[1], arranged.ys[widest[0]]
    else:
        left, right, y = strand.runs[0][-1], strand.runs[1][0], _lane(arranged, strand)
    x = (arranged.xs[left] + arranged.xs[right]) / 2
    return on_white(x, y, group.name, size=SMALL, text_anchor="middle", font_style="italic", fill="#555")

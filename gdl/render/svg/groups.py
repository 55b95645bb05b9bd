"""Information sets as SVG: a dashed outline around nodes that stand side by side, a dashed line between others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from gdl.render.svg.arrange import LANE, LINE, SMALL, PictureLayout, Strand
from gdl.render.svg.clear import Box
from gdl.render.svg.elements import Point, element, escape_xml, number, on_white, text_width

SET_STYLE = {"fill": "none", "stroke": "#555", "stroke_width": 1.2, "stroke_dasharray": "5 3"}
_AROUND = 5.0  # gap between a node and the outline of its set
_BEND = 10.0


def outline(arranged: PictureLayout) -> Iterator[str]:
    """The lines of all information sets, with the names that the author gave them."""
    for at, (group, strand) in enumerate(zip(arranged.picture.groups, arranged.strands, strict=True)):
        parts = [_outline(capsule(arranged, run)) for run in strand.runs if len(run) > 1]
        parts += [_line(line_of(arranged, strand, before[-1], after[0])) for before, after in pairwise(strand.runs)]
        named = arranged.names[at] if arranged.names else None
        if named is not None:
            look: dict[str, Any] = {"text_anchor": "middle", "font_style": "italic", "fill": "#555"}
            parts.append(on_white(*named, group.name, size=SMALL, **look))
        name = f" {group.name}" if group.name else ""
        told = arranged.picture.say("information set{0} of {1}", name, group.player)
        paths = (arranged.picture.nodes[member].path for run in strand.runs for member in run)
        nodes = " ".join(".".join(map(str, path)) or "root" for path in paths)
        yield element("g", element("title", escape_xml(told)), *parts, class_="set", data_nodes=nodes)


def capsule(arranged: PictureLayout, run: tuple[int, ...]) -> Box:
    """The outline (left, top, right, bottom) around neighbouring nodes of an information set, with the texts beside the
    outermost nodes."""
    boxes = [arranged.boxes[member] for member in run]
    first, last = boxes[0], boxes[-1]
    half = max(max(box.height, LINE * len(box.found)) for box in boxes) / 2 + _AROUND
    left = arranged.xs[run[0]] - (first.left if first.beside else first.width / 2) - _AROUND
    right = arranged.xs[run[-1]] + (last.right if last.found else last.width / 2) + _AROUND
    middle = arranged.ys[run[0]]
    return left, middle - half, right, middle + half


def _outline(room: Box) -> str:
    left, top, right, bottom = room
    rounded = (bottom - top) / 2
    return element("rect", x=left, y=top, width=right - left, height=bottom - top, rx=rounded, **SET_STYLE)


def line_of(arranged: PictureLayout, strand: Strand, left: int, right: int) -> tuple[Point, ...]:
    """The corners of the line that joins two nodes of an information set: down from one, along the set's lane, and up
    to the other. There are four corners, and one more at each node under which there is text to pass."""
    low = arranged.feet[strand.level] + LANE * (strand.lane + 1)
    first, last = _foot(arranged, left, 1), _foot(arranged, right, -1)
    return (*first, (first[-1][0], low), (last[-1][0], low), *reversed(last))


def _line(corners: tuple[Point, ...]) -> str:
    """The path of a line through the corners, rounded at the two on the lane."""
    at = _lowest_corner(corners)
    down, up = corners[:at], corners[at + 2 :]
    (x1, low), (x2, _) = corners[at], corners[at + 1]
    bend = min(_BEND, abs(x2 - x1) / 2)
    start = f"M{number(down[0][0])} {number(down[0][1])}" + "".join(f"L{number(x)} {number(y)}" for x, y in down[1:])
    turn = f"Q{number(x1)} {number(low)} {number(x1 + bend)} {number(low)}H{number(x2 - bend)}"
    rise = f"Q{number(x2)} {number(low)} {number(x2)} {number(up[0][1])}"
    return element("path", d=start + turn + rise + "".join(f"L{number(x)} {number(y)}" for x, y in up[1:]), **SET_STYLE)


def _lowest_corner(corners: tuple[Point, ...]) -> int:
    """The index of the left one of the two corners on the lane."""
    return max(range(len(corners)), key=lambda at: (corners[at][1], -at))


def _foot(arranged: PictureLayout, node: int, side: int) -> tuple[Point, ...]:
    """The points at the lower left (side -1) or lower right (side 1) of a node by which a line leaves its shape and
    passes the text below it."""
    box, x, y = arranged.boxes[node], arranged.xs[node], arranged.ys[node]
    if box.under:
        beyond = max(box.width / 2, *(text_width(line, SMALL) / 2 for line in box.under)) + 3
        low = y + 0.38 * box.height
        return (x + side * 0.32 * box.width, low), (x + side * beyond, low)
    if arranged.picture.nodes[node].shape == "min":
        return ((x + side * box.width / 4, y),)
    if box.width == box.height:
        return ((x + side * 0.32 * box.width, y + 0.38 * box.height),)
    return ((x + side * 0.3 * box.width, y + box.height / 2),)


def name_places(arranged: PictureLayout, strand: Strand, half: float) -> Iterator[Point]:
    """The centres of places for the name of an information set, best first: between neighbours, on the line between
    others, on the outline, beside it. `half` is half the width of the name."""
    outlines = [(run, capsule(arranged, run)) for run in strand.runs if len(run) > 1]
    for run, _ in outlines:
        for one, other in pairwise(run):
            yield (arranged.xs[one] + arranged.xs[other]) / 2, arranged.ys[one]
    for before, after in pairwise(strand.runs):
        corners = line_of(arranged, strand, before[-1], after[0])
        (left, low), (right, _) = corners[_lowest_corner(corners) :][:2]
        for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.45, 0.55, 0.35, 0.65, 0.25, 0.75):
            yield left + part * (right - left), low
    for _, (left, top, right, bottom) in outlines:
        for y in (bottom, top):
            for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9):
                yield left + part * (right - left), y
        yield left - half - 3, (top + bottom) / 2
        yield right + half + 3, (top + bottom) / 2

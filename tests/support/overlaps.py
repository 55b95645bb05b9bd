"""Finds things that lie on one another in a drawn picture: an SVG read as boxes and strokes, without knowledge of its
layout.

Texts are boxes as wide as a Times-like font makes them; shapes of nodes are boxes; lines, curves and outlines are chains
of short strokes. `overlaps` lists what a reader would stumble over:

- a text on another text, on a node that is not its own, or outside the picture;
- a stroke through a text that does not tell of that stroke, or through a node that it does not end at;
- two strikes of cuts that touch.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from svg_reader import NAMESPACE, Element, parsed, size

from gdl.render.svg.elements import text_width

SLACK = 1.0  # CSS pixels by which two may touch
STEP = 1 / 12  # of a curve
TALL = 0.36  # of the font size, from the middle of a line of text up and down: capitals and digits

Box = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass
class Text:
    content: str
    box: Box
    node: str | None  # the node that it is written at
    of: str | None  # the line that it tells of


@dataclass
class Stroke:
    chain: list[Point]
    kind: str
    of: str | None  # the label's line
    ends: tuple[str, ...]  # the nodes that it may touch


@dataclass
class Shape:
    box: Box
    node: str


@dataclass
class Drawing:
    """Everything in a picture, in the picture's own coordinates."""

    width: float
    height: float
    texts: list[Text] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


def overlaps(svg: str) -> list[str]:
    """A sentence for each thing in the picture that wrongly lies on another."""
    drawing = read(svg)
    found = [*_outside(drawing)]
    grid: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    for kind, boxes in (("text", [t.box for t in drawing.texts]), ("node", [s.box for s in drawing.shapes])):
        for at, box in enumerate(boxes):
            for cell in _cells(box):
                grid[cell].append((kind, at))
    found += sorted(set(_on_texts(drawing, grid)))
    found += sorted(set(_through(drawing, grid)))
    found += sorted(set(_strikes(drawing)))
    return found


def _outside(drawing: Drawing) -> Iterator[str]:
    for text in drawing.texts:
        left, top, right, bottom = text.box
        if left < -SLACK or top < -SLACK or right > drawing.width + SLACK or bottom > drawing.height + SLACK:
            yield f"text {text.content!r} leaves the picture"
    for stroke in drawing.strokes:
        if any(not (-1 <= x <= drawing.width + 1 and -1 <= y <= drawing.height + 1) for x, y in stroke.chain):
            yield f"{stroke.kind} {stroke.of} leaves the picture"


def _on_texts(drawing: Drawing, grid: dict[tuple[int, int], list[tuple[str, int]]]) -> Iterator[str]:
    for here in grid.values():
        texts = [drawing.texts[at] for kind, at in here if kind == "text"]
        shapes = [drawing.shapes[at] for kind, at in here if kind == "node"]
        for number, text in enumerate(texts):
            for other in texts[number + 1 :]:
                if _meet(text.box, other.box):
                    yield f"text {text.content!r} on text {other.content!r}"
            for shape in shapes:
                if shape.node != text.node and _meet(text.box, shape.box):
                    yield f"text {text.content!r} on node {shape.node!r}"


def _through(drawing: Drawing, grid: dict[tuple[int, int], list[tuple[str, int]]]) -> Iterator[str]:
    for stroke in drawing.strokes:
        for start, end in pairwise(stroke.chain):
            around = min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1])
            for cell in _cells(around):
                for kind, at in grid.get(cell, ()):
                    if kind == "text":
                        text = drawing.texts[at]
                        if (stroke.of is None or text.of != stroke.of) and crosses(start, end, _inner(text.box)):
                            yield f"{stroke.kind} {stroke.of or stroke.ends} through text {text.content!r}"
                    else:
                        shape = drawing.shapes[at]
                        if shape.node not in stroke.ends and crosses(start, end, _inner(shape.box)):
                            yield f"{stroke.kind} {stroke.of or stroke.ends} through node {shape.node!r}"


def _strikes(drawing: Drawing) -> Iterator[str]:
    cuts = [stroke for stroke in drawing.strokes if stroke.kind == "cuts"]
    boxes = [_around(stroke.chain) for stroke in cuts]
    for number, box in enumerate(boxes):
        for other in range(number + 1, len(boxes)):
            if cuts[number].of != cuts[other].of and _meet(box, boxes[other]):
                yield f"cut {cuts[number].of} on cut {cuts[other].of}"
    lines = [stroke for stroke in drawing.strokes if stroke.kind == "edges" and stroke.of is not None]
    for cut in cuts:
        struck = (cut.of or "").split()
        for line in lines:
            if line.of not in struck and _cross(cut.chain, line.chain):
                yield f"cut {cut.of} on edge {line.of}"


def _cross(one: list[Point], other: list[Point]) -> bool:
    """True if two straight lines cross, each from the first point of a chain to the last."""
    (a, b), (c, d) = (one[0], one[-1]), (other[0], other[-1])

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _around(chain: list[Point]) -> Box:
    xs, ys = zip(*chain, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (int(edge // 40) for edge in box)
    for x in range(left, right + 1):
        for y in range(top, bottom + 1):
            yield x, y


def _inner(box: Box) -> Box:
    left, top, right, bottom = box
    return left + SLACK, top + SLACK, right - SLACK, bottom - SLACK


def _meet(one: Box, other: Box) -> bool:
    return (
        one[0] + SLACK < other[2]
        and other[0] + SLACK < one[2]
        and one[1] + SLACK < other[3]
        and other[1] + SLACK < one[3]
    )


def crosses(start: Point, end: Point, box: Box) -> bool:
    """True if the straight line from `start` to `end` enters the box (Liang and Barsky)."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        delta = end[axis] - start[axis]
        for wall, sign in ((box[axis], -1), (box[axis + 2], 1)):
            along, room = sign * delta, sign * (wall - start[axis])
            if along == 0:
                if room < 0:
                    return False
            elif along < 0:
                low = max(low, room / along)
            else:
                high = min(high, room / along)
    return low < high


# ---- Reading --------------------------------------------------------------------------------------------------------


def read(svg: str) -> Drawing:
    """The texts, strokes and shapes of an SVG picture, all in the coordinates of the picture."""
    root = parsed(svg)
    drawing = Drawing(*size(root))
    stack: list[tuple[Element, dict[str, str], float, float]] = [(root, {}, 0.0, 0.0)]
    while stack:
        element, outer, x, y = stack.pop()
        given = outer | {key: value for key, value in element.attrib.items() if key not in ("transform", "x", "y")}
        given["class"] = f"{outer.get('class', '')} {element.get('class', '')}".strip()
        moved = re.fullmatch(r"translate\(([-0-9.]+) ([-0-9.]+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        _take(drawing, element, given, x, y)
        if element.tag not in (NAMESPACE + "defs", NAMESPACE + "title", NAMESPACE + "desc"):
            stack += [(child, given, x, y) for child in reversed(element)]
    return drawing


def _take(drawing: Drawing, element: Element, given: dict[str, str], dx: float, dy: float) -> None:
    tag, kinds = element.tag.removeprefix(NAMESPACE), given["class"].split()
    node = given.get("data-path") if "node" in kinds else None
    if tag == "text":
        drawing.texts.append(_text(element, given, dx, dy, node))
    elif node is not None:
        if tag in ("rect", "circle", "polygon") and "data-ground" not in element.attrib:
            drawing.shapes.append(Shape(_shape(element, dx, dy), node))
    elif "edges" in kinds or "cuts" in kinds or "set" in kinds:
        kind = next(each for each in ("edges", "cuts", "set") if each in kinds)
        of = given.get("data-cut") if kind == "cuts" else given.get("data-of") or given.get("data-nodes")
        ends = _ends(of or "", kind)
        for chain in _chains(element, tag, dx, dy):
            drawing.strokes.append(Stroke(chain, kind, of, ends))


def _ends(of: str, kind: str) -> tuple[str, ...]:
    """The nodes that a line may touch, from the identifier of the line: `1.0` joins 1 and 1.0; `0>3` joins two
    positions of a graph, the first of which is the root."""
    if ">" in of:
        return tuple("" if end == "0" else end for end in of.split(">"))
    if kind == "edges":
        return of.rpartition(".")[0], of
    return tuple(of.replace("root", "").split(" "))


def _text(element: Element, given: dict[str, str], dx: float, dy: float, node: str | None) -> Text:
    content, size_ = element.text or "", float(given.get("font-size", 11))
    wide = text_width(content, size_) / 1.06 * (1.04 if given.get("font-weight") == "bold" else 1)
    x, foot = float(element.get("x", 0)) + dx, float(element.get("y", 0)) + dy
    left = x - {"middle": wide / 2, "end": wide}.get(given.get("text-anchor", ""), 0)
    middle = foot - 0.34 * size_
    box = left, middle - TALL * size_, left + wide, middle + TALL * size_
    return Text(content, box, node, given.get("data-of") or given.get("data-nodes"))


def _shape(element: Element, dx: float, dy: float) -> Box:
    from svg_reader import box

    holder = type(element)("g")
    holder.append(element)
    left, top, right, bottom = box(holder)
    return left + dx, top + dy, right + dx, bottom + dy


def _chains(element: Element, tag: str, dx: float, dy: float) -> Iterator[list[Point]]:
    if tag == "line":
        x1, y1, x2, y2 = (float(element.get(name, 0)) for name in ("x1", "y1", "x2", "y2"))
        yield [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy)]
    elif tag == "rect" and element.get("fill") == "none":
        x, y, w, h = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
        yield [(cx + dx, cy + dy) for cx, cy in corners]
    elif tag == "path":
        for chain in path_chains(element.get("d", "")):
            yield [(x + dx, y + dy) for x, y in chain]


def path_chains(data: str) -> Iterator[list[Point]]:
    """The strokes of a path of M, L, H, V, Q and C commands, with curves as chains of short straight pieces."""
    tokens = re.findall(r"[A-Za-z]|-?[0-9.]+", data)
    chain: list[Point] = []
    at = 0
    command = ""
    takes = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6}
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        numbers = [float(token) for token in tokens[at : at + takes[command]]]
        at += takes[command]
        if command == "M":
            if chain:
                yield chain
            chain = [(numbers[0], numbers[1])]
        elif command in "HV":
            x, y = chain[-1]
            chain.append((numbers[0], y) if command == "H" else (x, numbers[0]))
        else:
            controls = [chain[-1], *zip(numbers[::2], numbers[1::2], strict=True)]
            pieces = round(1 / STEP) if len(controls) > 2 else 1
            chain += [_on_curve(controls, (piece + 1) / pieces) for piece in range(pieces)]
    if chain:
        yield chain


def _on_curve(controls: list[Point], t: float) -> Point:
    """The point of a Bézier curve at t between 0 and 1 (De Casteljau)."""
    while len(controls) > 1:
        controls = [((1 - t) * x1 + t * x2, (1 - t) * y1 + t * y2) for (x1, y1), (x2, y2) in pairwise(controls)]
    return controls[0]

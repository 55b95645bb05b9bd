"""A picture as SVG, with nothing but the standard library.

MAX is a triangle that points up, MIN one that points down, chance a circle, an end a square; players of other games
are circles or boxes with their names. What colour says, shape says too: best play is thick, what search skipped is
grey and dashed, a cut is struck through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gdl.render.picture import Picture, PictureNode
from gdl.render.picture.labels import in_words
from gdl.render.svg.arrange import LINE, SMALL, Box, PictureLayout, text_rows
from gdl.render.svg.elements import Point, element, escape_xml, group, on_white, text
from gdl.render.svg.groups import outline
from gdl.render.svg.labelled import Strike, arrange, strikes, stroke_path
from gdl.render.svg.legend import add_frame
from gdl.render.svg.shapes import CUT, EDGES, INK, SKIPPED, board, shape, tab
from gdl.render.tree_text import describe

_MARGIN = 14.0


def svg(picture: Picture) -> str:
    """The picture as the text of an SVG file."""
    return draw(arrange(picture))


def draw(arranged: PictureLayout) -> str:
    """The laid-out picture as the text of an SVG file."""
    nodes = [node_svg(arranged, at, node) for at, node in enumerate(arranged.picture.nodes)]
    tree = [*_edges(arranged), *outline(arranged), *_labels(arranged), *nodes]
    return add_frame(arranged, tree, describe(arranged.picture))


def edge_kind(node: PictureNode) -> str:
    """The style of the edge above a node: `skipped`, `principal`, `best` or `plain`."""
    return "skipped" if node.skipped else "principal" if node.principal else "best" if node.best else "plain"


def _edges(arranged: PictureLayout) -> Iterator[str]:
    """The lines from parents to children, and the strokes through those that were cut."""
    lines: dict[str, list[str]] = {kind: [] for kind in EDGES}
    packed = arranged.tray_nodes
    for child, node in enumerate(arranged.picture.nodes):
        if node.parent is not None and child not in packed:
            lines[edge_kind(node)].append(_line(*arranged.edge(child), path_name(node)))
    for parent in arranged.trays:
        start = arranged.xs[parent], arranged.bottom(parent)
        lines["plain"].append(_line(start, (arranged.xs[parent], arranged.tray_top(parent))))
    for kind, drawn in lines.items():
        yield group(drawn, class_=f"edges {kind}", fill="none", **EDGES[kind])
    yield group([_tray(arranged, parent) for parent in arranged.trays], class_="trays", **_TRAY)
    cuts = [_strike(arranged, strike) for strike in strikes(arranged)]
    yield group(cuts, class_="cuts", fill="none", stroke=CUT, stroke_width=1.5)


_TRAY = {"fill": "#f6f6f4", "stroke": "#bbb", "stroke_width": 0.8}


def _tray(arranged: PictureLayout, parent: int) -> str:
    tray = arranged.trays[parent]
    left, top = arranged.xs[parent] - tray.width / 2, arranged.tray_top(parent)
    return element("rect", x=left, y=top, width=tray.width, height=tray.height, rx=6)


def _strike(arranged: PictureLayout, strike: Strike) -> str:
    nodes = [arranged.picture.nodes[child] for child in strike.children]
    title = element("title", escape_xml(arranged.picture.say("cut: {0}", nodes[0].cut)))
    return element("path", title, d=stroke_path(strike.strokes), data_cut=" ".join(map(path_name, nodes)))


def path_name(node: PictureNode) -> str:
    """The node's path as `1.0`; the edge above it bears the same name."""
    return ".".join(map(str, node.path))


def _line(start: Point, end: Point, of: str | None = None) -> str:
    (x1, y1), (x2, y2) = start, end
    return element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), data_of=of)


def _labels(arranged: PictureLayout) -> Iterator[str]:
    """The labels at edges, on white so that no line runs through them."""
    written: dict[bool, list[str]] = {False: [], True: []}
    packed = arranged.tray_nodes
    for child, node in enumerate(arranged.picture.nodes):
        lines = arranged.labels[child]
        if lines and child not in packed:
            x, y = arranged.label_at(child)
            written[node.skipped] += [
                on_white(x, at, line, data_of=path_name(node)) for at, line in text_rows(lines, y)
            ]
    yield group(written[False], class_="labels", text_anchor="middle", fill=INK)
    yield group(written[True], class_="labels skipped", text_anchor="middle", fill=SKIPPED)


def node_svg(arranged: PictureLayout, at: int, node: PictureNode) -> str:
    """A node: its shape, what is written in and around it, and a title with everything in words."""
    box, x, y = arranged.boxes[at], arranged.xs[at], arranged.ys[at]
    parts = node_parts(node, box, x, y, arranged.picture.words)
    parts += _value_elements(box.found, x + box.width / 2 + 5, y)
    return element("g", *parts, class_=f"node {node.shape}", data_path=path_name(node))


def node_parts(node: PictureNode, box: Box, x: float, y: float, words: Mapping[str, str]) -> list[str]:
    """The parts of a node: a title with everything in words, the shape, and the texts in and around it."""
    ink = SKIPPED if node.skipped else INK
    parts = [element("title", escape_xml(in_words(node, words))), shape(node, x, y, box.width, box.height)]
    if node.grid:
        parts += board(node.grid, x, y, ink)
    if node.has_tab:
        parts.append(tab(node, x, y - box.height / 2))
    parts += _lines_inside(node, box.inside, x, y)
    if box.beside:
        parts.append(text(x - box.width / 2 - 3, y - 6, box.beside, text_anchor="end", font_style="italic", fill=ink))
    return [*parts, *_lines_under(node, box.under, x, y + box.height / 2, ink)]


def _lines_inside(node: PictureNode, lines: tuple[str, ...], x: float, y: float) -> list[str]:
    """The lines in the shape of a node: a name, a payoff or a position in words. They are moved off the middle of the
    box in a triangle, which is wider there."""
    ink = SKIPPED if node.skipped else INK
    shift = {"max": 4.0, "min": -4.0}.get(node.shape, 0.0) if not node.lines else 0.0
    style = "italic" if node.shape in ("max", "min", "chance") and not node.lines else None
    look: dict[str, Any] = {"text_anchor": "middle", "font_style": style, "fill": ink}
    return [text(x, at, line, **look) for at, line in text_rows(lines, y + shift)]


def _value_elements(lines: tuple[str, ...], x: float, y: float) -> list[str]:
    """The value in bold, and the window under it."""
    return [
        text(x, at, line, size=SMALL, fill="#444") if row else text(x, at, line, font_weight="bold", fill=INK)
        for row, (at, line) in enumerate(text_rows(lines, y))
    ]


def _lines_under(node: PictureNode, lines: tuple[str, ...], x: float, bottom: float, ink: str) -> list[str]:
    """The lines under a node: a leaf's name, a position's payoff, or after a dotted line the size of what is folded."""
    parts = []
    y = bottom + LINE / 2 + 1
    for line in lines:
        if line == node.folded:
            look = {"stroke": ink, "stroke_width": 1.2, "stroke_dasharray": "1.5 2.5"}
            parts.append(element("line", x1=x, y1=y - LINE / 2, x2=x, y2=y + 6, **look))
            y += 14
        parts.append(text(x, y, line, size=SMALL, text_anchor="middle", fill=ink))
        y += LINE
    return parts

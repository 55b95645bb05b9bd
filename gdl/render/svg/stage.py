"""The tree as a stage: SVG for a page on which a script shows a search step by step.

Every node and edge is a group of its own, placed by a transform and told apart by its number (`data-n`), drawn without
its answer; there is room beside each inner node for the value and the window that the script writes there.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, degrees

from gdl.render.picture import Picture, PictureNode
from gdl.render.picture.labels import in_words
from gdl.render.svg.arrange import LINE, SMALL, PictureLayout, text_rows
from gdl.render.svg.elements import SERIF, element, group, number, on_white, text
from gdl.render.svg.labelled import arrange
from gdl.render.svg.legend import margin_names
from gdl.render.svg.tree import node_parts

_MARGIN = 12.0
_LABEL = "Game tree of {0}"
_WRITTEN = ("value", "alpha", "beta")  # classes of the texts that the script fills in beside a node


def stage(picture: Picture, everywhere: bool = False) -> tuple[str, PictureLayout]:
    """The SVG, and the layout of the picture; `everywhere` leaves room for numbers below the ends, too."""
    room = replace(picture, nodes=tuple(_with_room(node) for node in picture.nodes), bounds="nodes", blank=False)
    arranged = replace(arrange(room, pack=False), picture=picture)
    names, aside = margin_names(arranged)
    edges = [_edge(arranged, child) for child, node in enumerate(picture.nodes) if node.parent is not None]
    nodes = [_node(arranged, at, node, everywhere) for at, node in enumerate(picture.nodes)]
    tree = group([group(edges), group(nodes)], transform=f"translate({number(aside)} 0)")
    movers = group(names, class_="movers", fill="#555", font_style="italic")
    width, height = arranged.width + aside + 2 * _MARGIN, arranged.height + 2 * _MARGIN + 2 * LINE * everywhere
    inner = group([movers, tree], transform=f"translate({number(_MARGIN)} {number(_MARGIN)})", class_="stage")
    look = {"width": width, "height": height, "font_family": SERIF, "font_size": 11}
    box = f"0 0 {number(width)} {number(height)}"
    label = picture.say(_LABEL, picture.title) if picture.title else "Game tree"
    svg = element("svg", inner, xmlns="http://www.w3.org/2000/svg", role="group", aria_label=label, viewBox=box, **look)
    return svg, arranged


def _with_room(node: PictureNode) -> PictureNode:
    """The node with the widest value and window that a script may write beside it, so that the layout leaves room for
    them."""
    return replace(node, value="0000", bound="<=", window=("-inf", "0000")) if node.children else node


def _edge(arranged: PictureLayout, child: int) -> str:
    """The group of an edge: a line from the parent's foot to the child's head, the strokes that show a cut, and the
    label."""
    (x1, y1), (x2, y2) = arranged.edge(child)
    angle = degrees(atan2(y2 - y1, x2 - x1))
    middle = f"translate({number(x1 + 0.46 * (x2 - x1))} {number(y1 + 0.46 * (y2 - y1))}) rotate({number(angle)})"
    line = element("line", x1=x1, y1=y1, x2=x2, y2=y2)
    strike = element("path", d="M-2.6 3.2L-0.4 -3.2M0.4 3.2L2.6 -3.2", class_="strike", transform=middle)
    x, y = arranged.label_at(child)
    part = f"{arranged.along[child]:g}" if arranged.along else None
    label = [on_white(0, at, line, text_anchor="middle") for at, line in text_rows(arranged.labels[child], 0)]
    labels = group(label, class_="label", transform=f"translate({number(x)} {number(y)})", data_at=part)
    wide = element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="hit")  # where a page wants it, so that a finger finds it
    return element("g", line, wide, strike, labels, class_="edge", data_n=child)


def _node(arranged: PictureLayout, at: int, node: PictureNode, everywhere: bool) -> str:
    """The group of a node: its shape and texts around the origin, and empty texts that a script fills with the results
    of search."""
    box = arranged.boxes[at]
    parts = node_parts(node, box, 0, 0, arranged.picture.words)
    below = box.height / 2 + LINE / 2 + 1
    if everywhere and not node.children:
        below += LINE * len(box.under)
        for row, name in enumerate(_WRITTEN):
            parts.append(text(0, below + LINE * row, "", class_=name, size=SMALL, text_anchor="middle"))
    else:
        right = box.width / 2 + 5
        parts.append(text(right, -LINE, "", class_="value", font_weight="bold"))
        parts += [text(right, LINE * row, "", class_=name, size=SMALL) for row, name in enumerate(_WRITTEN[1:])]
    if node.children or everywhere:
        parts.append(text(-box.width / 2 - 2, -box.height / 2, "", class_="order", size=8.5, text_anchor="end"))
    else:
        parts.append(text(0, box.height / 2 + 6, "", class_="order", size=8.5, text_anchor="middle"))
    where = f"translate({number(arranged.xs[at])} {number(arranged.ys[at])})"
    look: dict[str, object] = {"class_": f"node {node.shape}", "data_n": at, "transform": where}
    if node.children:
        look |= {"tabindex": 0, "role": "button", "aria_expanded": "true"}
        look["aria_label"] = in_words(node, arranged.picture.words)
    return element("g", *parts, **look)

"""State graphs as SVG: positions on levels, moves as lines; what leads back or aside is an arrow that bends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gdl.render.layers import place_layers
from gdl.render.picture import Drawn
from gdl.render.picture.states import Link, StatePicture
from gdl.render.svg.arrange import LABEL, LONGEST, Arranged, Box, measured
from gdl.render.svg.elements import Point, document, element, group, number, on_white
from gdl.render.svg.legend import footer, headline, margin_names
from gdl.render.svg.measure import shortened, text_width
from gdl.render.svg.shapes import EDGES, INK
from gdl.render.svg.tree import edge_kind, node_svg
from gdl.render.tree_text import states_text

_MARGIN = 14.0
_GAP = 14.0
_STAND_IN = 4.0  # the width that a link takes on a level it passes
_HIGHEST = 150.0  # between two levels
_LABELS = 60  # links; with more, no actions are written at them
_ARROW = "M0 0L7 3L0 6z"


def svg_states(states: StatePicture) -> str:
    """The state graph as the text of an SVG file."""
    routes = _arrange(states)
    arranged = routes.arranged
    names, aside = margin_names(arranged)
    picture = states.picture
    head, head_height, head_width = headline(picture.title, picture.caption, max(arranged.width + aside, 300))
    foot, foot_height, foot_width = footer(picture)
    width = max(arranged.width + aside, head_width, foot_width) + 2 * _MARGIN
    left, top = (width - arranged.width - aside) / 2 + aside, _MARGIN + head_height
    nodes = [node_svg(arranged, at, node) for at, node in enumerate(picture.nodes)]
    body = [*_links(states, routes), *_labels(states, routes), *nodes]
    size = {"markerUnits": "userSpaceOnUse", "markerWidth": 7, "markerHeight": 6, "refX": 6, "refY": 3}
    arrow = element("marker", element("path", d=_ARROW, fill=INK), id="arrow", orient="auto", **size)
    parts = [
        element("defs", arrow),
        group(head, transform=f"translate({number(_MARGIN)} {number(_MARGIN)})"),
        group(names, transform=f"translate({number(left - aside)} {number(top)})", fill="#555", font_style="italic"),
        group(body, transform=f"translate({number(left)} {number(top)})"),
        group(foot, transform=f"translate({number(_MARGIN)} {number(top + arranged.height + 22)})", fill="#444"),
    ]
    height = top + arranged.height + (22 + foot_height if foot else 0) + _MARGIN
    return document(parts, width, height, picture.title, states_text(states))


@dataclass(frozen=True)
class _Routes:
    """Where the positions stand, and the places that each link passes between its ends."""

    arranged: Arranged
    bends: list[list[Point]]


def _arrange(states: StatePicture) -> _Routes:
    """The positions placed level by level; a link that passes a level has a stand-in there."""
    boxes = measured(states.picture)
    levels, widths = list(states.levels), [2 * max(box.left, box.right) for box in boxes]
    links: list[tuple[int, int]] = []
    chains: list[list[int]] = []
    for link in states.links:
        passed = range(states.levels[link.source] + 1, states.levels[link.target])
        chain = [len(levels) + place for place in range(len(passed))]
        levels += passed
        widths += [_STAND_IN] * len(chain)
        links += pairwise([link.source, *chain, link.target])
        chains.append(chain)
    xs = place_layers(levels, links, widths, _GAP)
    middles, height = _heights(states, boxes, xs)
    count = len(boxes)
    ys = [middles[level] for level in levels]
    width = max(x + across / 2 for x, across in zip(xs, widths, strict=True))
    arranged = Arranged(
        states.picture, boxes, [()] * count, levels[:count], xs[:count], ys[:count], {}, [], width, height
    )
    return _Routes(arranged, [[(xs[node], ys[node]) for node in chain] for chain in chains])


def _heights(states: StatePicture, boxes: Sequence[Box], xs: Sequence[float]) -> tuple[list[float], float]:
    """The middle of every level, far enough apart that no line runs too flat, and the lowest end."""
    count = max(states.levels) + 1
    above, below, gaps = [0.0] * count, [0.0] * count, [44.0] * count
    for box, level in zip(boxes, states.levels, strict=True):
        above[level], below[level] = max(above[level], box.above), max(below[level], box.below)
    for link in states.links:
        upper, lower = sorted((states.levels[link.source], states.levels[link.target]))
        if lower == upper + 1:
            gaps[lower] = max(gaps[lower], min(_HIGHEST, 0.25 * abs(xs[link.source] - xs[link.target])))
    middles = [above[0]]
    for upper, lower in pairwise(range(count)):
        middles.append(middles[-1] + below[upper] + gaps[lower] + above[lower])
    return middles, middles[-1] + below[-1]


def _links(states: StatePicture, routes: _Routes) -> Iterator[str]:
    drawn: dict[str, list[str]] = {kind: [] for kind in EDGES}
    for link, bends in zip(states.links, routes.bends, strict=True):
        mark = Drawn((), None, (), "end", skipped=link.cut, principal=link.principal, best=link.best)
        drawn[edge_kind(mark)].append(_path(states, routes.arranged, link, bends))
    for kind, paths in drawn.items():
        yield group(paths, class_=f"edges {kind}", fill="none", **EDGES[kind])


def _path(states: StatePicture, arranged: Arranged, link: Link, bends: list[Point]) -> str:
    """Down from level to level; what leads aside or back bends, with an arrow."""
    start, end = _ends(states, arranged, link)
    if states.levels[link.target] > states.levels[link.source]:
        return element("path", d=_through([start, *bends, end]))
    (x1, y1), (x2, y2) = start, end
    bend = 30 + abs(y2 - y1) * 0.15
    curve = f"C{number(x1 + bend)} {number(y1)} {number(x2 + bend)} {number(y2)} {number(x2)} {number(y2)}"
    return element("path", d=f"M{number(x1)} {number(y1)}{curve}", marker_end="url(#arrow)")


def _through(places: list[Point]) -> str:
    """A straight line, or one that is smooth at the places between its ends."""
    if len(places) == 2:
        (x1, y1), (x2, y2) = places
        return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
    first, *between, (end_x, end_y) = places
    parts = [f"M{number(first[0])} {number(first[1])}"]
    for (x, y), (next_x, next_y) in pairwise([*between, (end_x, end_y)]):
        parts.append(f"Q{number(x)} {number(y)} {number((x + next_x) / 2)} {number((y + next_y) / 2)}")
    return "".join([*parts, f"L{number(end_x)} {number(end_y)}"])


def _ends(states: StatePicture, arranged: Arranged, link: Link) -> tuple[Point, Point]:
    """From the foot of one position to the head of another below it; aside and back from the right sides."""
    source, target = link.source, link.target
    if states.levels[target] > states.levels[source]:
        return (arranged.xs[source], arranged.bottom(source)), (arranged.xs[target], arranged.top(target))
    boxes = arranged.boxes
    right = arranged.xs[source] + boxes[source].width / 2, arranged.ys[source] - 4
    return right, (arranged.xs[target] + boxes[target].width / 2, arranged.ys[target] + 4)


def _labels(states: StatePicture, routes: _Routes) -> Iterator[str]:
    """The actions, where they are few and boards do not show them."""
    if len(states.links) > _LABELS or any(node.grid for node in states.picture.nodes):
        return
    for link, bends in zip(states.links, routes.bends, strict=True):
        start, end = _ends(states, routes.arranged, link)
        down = states.levels[link.target] > states.levels[link.source]
        label = shortened(link.label, LONGEST)
        (x1, y1), (x2, y2) = start, bends[0] if bends else end
        x = (x1 + x2) / 2 if down else max(x1, x2) + 12 + text_width(label, LABEL) / 2
        yield on_white(x, (y1 + y2) / 2, label, text_anchor="middle", fill=INK)

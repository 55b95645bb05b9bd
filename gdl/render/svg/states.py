"""State graphs as SVG: positions on levels, moves as lines; what leads back or aside is an arrow that bends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gdl.render.picture import PictureNode
from gdl.render.picture.states import Link, StatePicture
from gdl.render.svg.arrange import LABEL, LONGEST
from gdl.render.svg.clear import ObstacleMap
from gdl.render.svg.elements import Point, document, element, escape_xml, group, number, on_white
from gdl.render.svg.labelled import node_rooms
from gdl.render.svg.legend import footer, headline, margin_names
from gdl.render.svg.measure import text_width, truncate_text
from gdl.render.svg.routes import Routes, leads_down, route_links
from gdl.render.svg.shapes import CUT, EDGES, INK
from gdl.render.svg.tree import edge_kind, node_svg
from gdl.render.tree_text import states_text

_MARGIN = 14.0
_LABELS = 120  # links; with more, no actions are written at them
_PLACES = (0.5, 0.42, 0.58, 0.36, 0.64, 0.3, 0.7, 0.24)  # along a way, where a label may stand
_ROUNDS = 7  # of drawing further apart until every label has its place
_MORE = 1.3
_ARROW = "M0 0L7 3L0 6z"


@dataclass
class _ActionLabels:
    """A state graph with the places of its labels; those of `nameless` links found none."""

    routes: Routes
    places: dict[int, Point] = field(default_factory=dict)
    nameless: int = 0
    left: float = 0.0  # how far labels reach beyond the positions
    right: float = 0.0


def svg_states(states: StatePicture) -> str:
    """The state graph as the text of an SVG file."""
    written = _arrange(states)
    arranged = written.routes.arranged
    names, aside = margin_names(arranged)
    picture = states.picture
    head, head_height, head_width = headline(picture.title, picture.caption, max(arranged.width + aside, 300))
    foot, foot_height, foot_width = footer(picture, _signs(states, written))
    across = max(arranged.width, written.right) + written.left
    width = max(across + aside, head_width, foot_width) + 2 * _MARGIN
    left, top = (width - across - aside) / 2 + aside + written.left, _MARGIN + head_height
    nodes = [node_svg(arranged, at, node) for at, node in enumerate(picture.nodes)]
    body = [*_links(states, written.routes), *_labels(states, written), *nodes]
    size = {"markerUnits": "userSpaceOnUse", "markerWidth": 7, "markerHeight": 6, "refX": 6, "refY": 3}
    arrow = element("marker", element("path", d=_ARROW, fill=INK), id="arrow", orient="auto", **size)
    parts = [
        element("defs", arrow),
        group(head, transform=f"translate({number(_MARGIN)} {number(_MARGIN)})"),
        group(
            names,
            transform=f"translate({number(left - written.left - aside)} {number(top)})",
            fill="#555",
            font_style="italic",
        ),
        group(body, transform=f"translate({number(left)} {number(top)})"),
        group(foot, transform=f"translate({number(_MARGIN)} {number(top + arranged.height + 22)})", fill="#444"),
    ]
    height = top + arranged.height + (22 + foot_height if foot else 0) + _MARGIN
    return document(parts, width, height, picture.title, states_text(states))


def _signs(states: StatePicture, written: _ActionLabels) -> list[tuple[str, str]]:
    """What the lines mean that occur."""
    links = states.links
    signs = [
        (any(link.principal for link in links), "principal", "best play"),
        (any(link.best and not link.principal for link in links), "best", "best for the one who moves"),
        (any(link.cut for link in links), "cut", "cut: never looked at"),
        (not all(leads_down(states, link) for link in links), "", "→ leads back or aside"),
        (written.nameless > 0, "", f"{written.nameless} of {len(links)} moves are named by their titles only"),
    ]
    return [(kind, words) for occurs, kind, words in signs if occurs]


def _arrange(states: StatePicture) -> _ActionLabels:
    """Laid out with a clear place for every label, if that can be had."""
    best: _ActionLabels | None = None
    more = 1.0
    for _ in range(_ROUNDS if len(states.links) <= _LABELS else 1):
        written = _place_action_labels(states, route_links(states, wide=1 + 2 * (more - 1), tall=more))
        if best is None or written.nameless < best.nameless:
            best = written
        if not written.nameless:
            break
        more *= _MORE
    assert best is not None
    return best


def _place_action_labels(states: StatePicture, routes: Routes) -> _ActionLabels:
    """The actions, where they are few and boards do not show them, each where nothing else is."""
    written = _ActionLabels(routes)
    if any(node.grid for node in states.picture.nodes):
        return written
    if len(states.links) > _LABELS:
        written.nameless = sum(bool(link.label) for link in states.links)
        return written
    taken = ObstacleMap()
    for at, box in enumerate(routes.arranged.boxes):
        for owner, room in node_rooms(routes.arranged, at, box):
            taken.take(owner, room)
    for at, way in enumerate(routes.ways):
        for curve in way:
            taken.draw(("link", at), curve.chain())
        if states.links[at].cut:
            (x, y), _ = _middle(routes, at)
            taken.take("strike", (x - 5, y - 5, x + 5, y + 5))
    for at, link in enumerate(states.links):
        half = text_width(truncate_text(link.label, LONGEST), LABEL) / 2 + 1
        for x, y in _spots(routes, at, half) if link.label else ():
            room = x - half, y - 5, x + half, y + 5
            if taken.is_clear(room, ("link", at)):
                taken.take(("label", at), room)
                written.places[at] = x, y
                written.left, written.right = max(written.left, -room[0]), max(written.right, room[2])
                break
    written.nameless = sum(bool(link.label) for link in states.links) - len(written.places)
    return written


def _spots(routes: Routes, link: int, half: float) -> Iterator[Point]:
    """Where a label may stand: on its way, where that bends and so is nobody else's, or else beside it."""
    apart = [curve for curve in routes.ways[link] if len(curve.points) > 2] or routes.ways[link]
    for aside in (0.0, half + 3, -half - 3):
        for part in _PLACES:
            for curve in apart:
                x, y = curve.at(part)
                yield x + aside, y


def _middle(routes: Routes, link: int) -> tuple[Point, Point]:
    """A place near the beginning of a way and the next, where a cut strikes it."""
    curve = max(routes.ways[link][:2], key=lambda curve: abs(curve.points[-1][1] - curve.points[0][1]))
    return curve.at(0.36), curve.at(0.4)


def _links(states: StatePicture, routes: Routes) -> Iterator[str]:
    drawn: dict[str, list[str]] = {kind: [] for kind in EDGES}
    strikes = []
    for at, link in enumerate(states.links):
        mark = PictureNode((), None, (), "end", skipped=link.cut, principal=link.principal, best=link.best)
        arrow = None if leads_down(states, link) else "url(#arrow)"
        title = element("title", escape_xml(link.label)) if link.label else ""
        drawn[edge_kind(mark)].append(element("path", title, d=routes.path(at), marker_end=arrow, data_of=_ends(link)))
        if link.cut:
            strikes.append(element("path", d=_strike(routes, at), data_of=_ends(link)))
    for kind, paths in drawn.items():
        yield group(paths, class_=f"edges {kind}", fill="none", **EDGES[kind])
    yield group(strikes, class_="strikes", fill="none", stroke=CUT, stroke_width=1.5)


def _ends(link: Link) -> str:
    return f"{link.source}>{link.target}"


def _strike(routes: Routes, link: int) -> str:
    """Two short strokes at right angles to the way."""
    (x1, y1), (x2, y2) = _middle(routes, link)
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 0.1)
    along, aside = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
    strokes = []
    for shift in (-1.7, 1.7):
        x, y = x1 + shift * along[0], y1 + shift * along[1]
        dx, dy = 4 * aside[0], 4 * aside[1]
        strokes.append(f"M{number(x - dx)} {number(y - dy)}L{number(x + dx)} {number(y + dy)}")
    return "".join(strokes)


def _labels(states: StatePicture, written: _ActionLabels) -> Iterator[str]:
    for at, (x, y) in written.places.items():
        link = states.links[at]
        label = truncate_text(link.label, LONGEST)
        yield on_white(x, y, label, text_anchor="middle", fill=INK, data_of=_ends(link))

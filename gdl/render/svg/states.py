"""State graphs as SVG: positions on levels, moves as lines; what leads back or aside is an arrow that bends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gdl.render.layers import place_layers
from gdl.render.picture import PictureNode
from gdl.render.picture.states import Link, StatePicture
from gdl.render.svg.arrange import LABEL, LONGEST, PictureLayout, measure_boxes
from gdl.render.svg.clear import ObstacleMap
from gdl.render.svg.elements import Point, element, escape_xml, group, number, on_white, text_width, truncate_text
from gdl.render.svg.labelled import node_rooms, stroke_path, strokes_across
from gdl.render.svg.legend import add_frame
from gdl.render.svg.shapes import CUT, EDGES, INK
from gdl.render.svg.tree import edge_kind, node_svg
from gdl.render.tree_text import states_text

# The ways of links in a state graph: between levels only, so that no line runs through a position.
#
# Every level is a band as high as its positions. A link that passes a level has a place of its own there; one that
# leads back goes up through such places; one between positions of one level turns round in the level below. All that
# is not straight down lies between two bands, where no position stands.

GAP = 14.0  # least gap between neighbours
_STAND_IN = 6.0  # the width that a link takes on a level it passes
_TURN = 18.0  # the width that a link takes where it turns round
_DEEP = 12.0  # depth of a turn
_FLATTEST, _HIGHEST = 44.0, 150.0  # least and greatest height between two levels
_STEEP = 0.25
_PIECES = 10  # straight pieces by which a curve is approximated


@dataclass(frozen=True, slots=True)
class RouteCurve:
    """A piece of a link's route: a straight line between two points, or a cubic Bézier curve with four."""

    points: tuple[Point, ...]

    def point_at(self, part: float) -> Point:
        """The point at `part` (0 to 1) of the curve's parameter, by De Casteljau's method."""
        points = list(self.points)
        while len(points) > 1:
            points = [
                ((1 - part) * x1 + part * x2, (1 - part) * y1 + part * y2) for (x1, y1), (x2, y2) in pairwise(points)
            ]
        return points[0]

    def chain(self) -> list[Point]:
        if len(self.points) == 2:
            return list(self.points)
        return [self.point_at(piece / _PIECES) for piece in range(_PIECES + 1)]


@dataclass(frozen=True)
class Routes:
    """The layout of the positions, and for every link the curves of its route."""

    arranged: PictureLayout
    ways: list[tuple[RouteCurve, ...]]

    def path(self, link: int) -> str:
        """The route of a link as the data of an SVG path."""
        way = self.ways[link]
        drawn = [("C" if len(curve.points) > 2 else "L") + " ".join(map(_pair, curve.points[1:])) for curve in way]
        return f"M{_pair(way[0].points[0])}{''.join(drawn)}"


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def leads_down(states: StatePicture, link: Link) -> bool:
    return states.levels[link.target] > states.levels[link.source]


@dataclass(frozen=True, slots=True)
class _Chain:
    """The stations of a link from its source on: positions at the ends, between them stand-ins, one on each level that
    the link passes. `turn`: the link joins positions of one level (or a position with itself) and turns at the stand-in
    below."""

    stations: tuple[int, ...]
    turn: bool = False


def route_links(states: StatePicture, *, wide: float = 1.0, tall: float = 1.0) -> Routes:
    """The positions placed level by level, and the routes between them; `wide` and `tall` multiply the usual gaps. The
    bands of the levels are so far apart that no line runs too flat."""
    boxes = measure_boxes(states.picture)
    levels, widths = list(states.levels), [2 * max(box.left, box.right) for box in boxes]
    chains = [_chain(states.levels, link, levels, widths) for link in states.links]
    near = [pair for chain in chains for pair in pairwise(chain.stations)]
    xs = place_layers(levels, near, widths, GAP * wide)
    own, count = len(boxes), max(levels) + 1
    above, below, gaps = [_DEEP / 2] * count, [_DEEP / 2] * count, [_FLATTEST * tall] * count
    for box, level in zip(boxes, states.levels, strict=True):
        above[level], below[level] = max(above[level], box.above), max(below[level], box.below)
    for one, other in near:
        if one < own and other < own:
            lower = max(levels[one], levels[other])
            gaps[lower] = max(gaps[lower], min(_HIGHEST, _STEEP * abs(xs[one] - xs[other])) * tall)
    bands, top = list[tuple[float, float, float]](), 0.0  # of each level the y of its top, its middle and its bottom
    for level in range(count):
        top += gaps[level] if level else 0
        bands.append((top, top + above[level], top + above[level] + below[level]))
        top = bands[-1][2]
    ys = [bands[level][1] for level in levels]
    width = max(x + across / 2 for x, across in zip(xs, widths, strict=True))
    arranged = PictureLayout(states.picture, boxes, [()] * own, levels[:own], xs[:own], ys[:own], {}, [], width, top)
    pen = _Pen(arranged, levels, xs, bands)
    return Routes(arranged, [pen.way(chain) for chain in chains])


def _chain(own: Sequence[int], link: Link, levels: list[int], widths: list[float]) -> _Chain:
    """The stations of a link; the levels and widths of its stand-ins are appended to the lists `levels` and
    `widths`."""
    start, end = own[link.source], own[link.target]
    turn = start == end
    passed = [start + 1] if turn else list(range(start + 1, end)) or list(range(start - 1, end, -1))
    between = tuple(range(len(levels), len(levels) + len(passed)))
    levels += passed
    widths += [_TURN if turn else _STAND_IN] * len(passed)
    return _Chain((link.source, *between, link.target), turn)


class _Pen:
    """Makes the curves of links from station to station."""

    def __init__(
        self, arranged: PictureLayout, levels: list[int], xs: list[float], bands: list[tuple[float, float, float]]
    ) -> None:
        self.arranged, self.levels, self.xs, self.bands = arranged, levels, xs, bands

    def way(self, chain: _Chain) -> tuple[RouteCurve, ...]:
        if chain.turn:
            return self._u_turn_curves(*chain.stations)
        first, last = chain.stations[0], chain.stations[-1]
        down = self.levels[last] > self.levels[first]
        side = 0 if down else 1
        curves: list[RouteCurve] = []
        for one, other in pairwise(chain.stations):
            curves += self._curves_between(self._leaves(one, down, side), self._leaves(other, not down, side)[::-1])
        return tuple(curves)

    def _curves_between(self, start: list[Point], end: list[Point]) -> list[RouteCurve]:
        """The curves between two stations: vertical within their bands, and from band to band bent, so that the ends
        are vertical. `start` and `end` hold the points at each station, from the position outwards at the start,
        towards it at the end."""
        found = [RouteCurve((start[0], start[1]))] if len(start) > 1 else []
        (x1, y1), (x2, y2) = start[-1], end[0]
        third, two = (y2 - y1) / 3, (x2 - x1) / 3
        leaving, coming = x1 if len(start) > 1 else x1 + two, x2 if len(end) > 1 else x2 - two
        bent = RouteCurve(((x1, y1), (leaving, y1 + third), (coming, y2 - third), (x2, y2)))
        straight = len(start) == len(end) == 1 or abs(x1 - x2) < 0.5
        found.append(RouteCurve(((x1, y1), (x2, y2))) if straight else bent)
        return found + ([RouteCurve((end[0], end[1]))] if len(end) > 1 else [])

    def _leaves(self, station: int, below: bool, side: int) -> list[Point]:
        """The points from a position (or, at a stand-in, from the middle of its band) to the edge of its band: the
        lower edge if `below`, else the upper. A link that leads to no deeper level keeps to the left (`side` -1) or the
        right (1) of positions."""
        edge = self.bands[self.levels[station]][2 if below else 0]
        x, y = self._port(station, below)
        if station < len(self.arranged.boxes) and side:
            dx, dy = self._side_offset(station, below)
            x, y = x + side * dx, y + dy
        return [(x, y), (x, edge)] if abs(y - edge) > 0.5 else [(x, edge)]

    def _side_offset(self, station: int, below: bool) -> Point:
        """The offset (x, y) from the middle of a position's foot (`below`) or head at which an edge that leads back
        touches it. At the tip of a triangle this is a point on the side."""
        box = self.arranged.boxes[station]
        across = min(box.width / 4, 8)
        node = self.arranged.picture.nodes[station]
        tip = not node.is_position and node.shape == ("min" if below else "max")
        down = across * 2 * box.height / box.width if tip else 0
        return across, -down if below else down

    def _port(self, station: int, below: bool) -> Point:
        """The point where edges touch a position: at its foot if `below`, else at its head."""
        arranged = self.arranged
        if station >= len(arranged.boxes):
            return self.xs[station], self.bands[self.levels[station]][1]
        box, x, y = arranged.boxes[station], arranged.xs[station], arranged.ys[station]
        foot = box.below if box.under else box.height / 2
        return x, y + (foot if below else -box.height / 2)

    def _u_turn_curves(self, source: int, turn: int, target: int) -> tuple[RouteCurve, ...]:
        """The curves of a link within a level: down beside the foot of the source, round in the level below (at the
        stand-in `turn`), and up to the target from below."""
        back = self.arranged.xs[target] < self.arranged.xs[source]
        side = -1 if back else 1
        top = self.bands[self.levels[turn]][0]
        half, x = _TURN / 2 - 2, self.xs[turn]
        leaving = -side if source == target else side  # a loop goes down on one side of its own foot
        start, end = self._leaves(source, True, leaving), self._leaves(target, True, -leaving)
        left, right = x - side * half, x + side * half
        down = self._curves_between(start, [(left, top)] * 2)
        around = RouteCurve(((left, top), (left, top + _DEEP), (right, top + _DEEP), (right, top)))
        up = self._curves_between([(right, top)] * 2, end[::-1])
        return tuple(curve for curve in (*down, around, *up) if curve.points[0] != curve.points[-1])


_LABELS = 120  # links; with more, no actions are written at them
_PLACES = (0.5, 0.42, 0.58, 0.36, 0.64, 0.3, 0.7, 0.24)  # along a way, where a label may stand
_ROUNDS = 7  # attempts to lay the graph out with larger gaps, until every label has its place
_MORE = 1.3
_ARROW = "M0 0L7 3L0 6z"


@dataclass
class ActionLabels:
    """The routes of a state graph with the centre of each link's label, by the link's number; `nameless` counts the
    labels that found no place."""

    routes: Routes
    places: dict[int, Point] = field(default_factory=dict)
    nameless: int = 0
    left: float = 0.0  # how far labels reach beyond the positions
    right: float = 0.0


def svg_states(states: StatePicture) -> str:
    """The state graph as the text of an SVG file."""
    written = arrange_states(states)
    arranged = written.routes.arranged
    nodes = [node_svg(arranged, at, node) for at, node in enumerate(states.picture.nodes)]
    body = [*_links(states, written.routes), *_labels(states, written), *nodes]
    size = {"markerUnits": "userSpaceOnUse", "markerWidth": 7, "markerHeight": 6, "refX": 6, "refY": 3}
    arrow = element("marker", element("path", d=_ARROW, fill=INK), id="arrow", orient="auto", **size)
    return add_frame(
        arranged, body, states_text(states), more=link_signs(states, written), before=[element("defs", arrow)],
        left=written.left, right=written.right,
    )  # fmt: skip


def link_signs(states: StatePicture, written: ActionLabels) -> list[tuple[str, str]]:
    """The kinds of lines that occur in the picture, each with its meaning."""
    links = states.links
    signs = [
        (any(link.principal for link in links), "principal", "best play"),
        (any(link.best and not link.principal for link in links), "best", "best for the one who moves"),
        (any(link.cut for link in links), "cut", "cut: never looked at"),
        (not all(leads_down(states, link) for link in links), "", "→ leads back or aside"),
        (written.nameless > 0, "", f"{written.nameless} of {len(links)} moves are named by their titles only"),
    ]
    return [(kind, words) for occurs, kind, words in signs if occurs]


def arrange_states(states: StatePicture) -> ActionLabels:
    """Lay out the graph with growing gaps until every label has a clear place; otherwise, the layout with the fewest
    labels left out."""
    best: ActionLabels | None = None
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


def _place_action_labels(states: StatePicture, routes: Routes) -> ActionLabels:
    """Place the labels of the actions, each where nothing else is. There are none if there are too many links, or if
    boards show the actions."""
    written = ActionLabels(routes)
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
            (x, y), _ = middle_of_route(routes, at)
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
    """Places for the label of a link, best first: on its bent curves (since no other link runs there), then beside
    them. `half` is half the label's width."""
    apart = [curve for curve in routes.ways[link] if len(curve.points) > 2] or routes.ways[link]
    for aside in (0.0, half + 3, -half - 3):
        for part in _PLACES:
            for curve in apart:
                x, y = curve.point_at(part)
                yield x + aside, y


def middle_of_route(routes: Routes, link: int) -> tuple[Point, Point]:
    """Two points next to each other near the beginning of a route; the strokes of a cut go through the first."""
    curve = max(routes.ways[link][:2], key=lambda curve: abs(curve.points[-1][1] - curve.points[0][1]))
    return curve.point_at(0.36), curve.point_at(0.4)


def _links(states: StatePicture, routes: Routes) -> Iterator[str]:
    drawn: dict[str, list[str]] = {kind: [] for kind in EDGES}
    strikes = []
    for at, link in enumerate(states.links):
        mark = PictureNode((), None, (), "end", skipped=link.cut, principal=link.principal, best=link.best)
        arrow = None if leads_down(states, link) else "url(#arrow)"
        title = element("title", escape_xml(link.label)) if link.label else ""
        drawn[edge_kind(mark)].append(element("path", title, d=routes.path(at), marker_end=arrow, data_of=_ends(link)))
        if link.cut:
            strikes.append(
                element(
                    "path", d=stroke_path(strokes_across(*middle_of_route(routes, at), part=0.0)), data_of=_ends(link)
                )
            )
    for kind, paths in drawn.items():
        yield group(paths, class_=f"edges {kind}", fill="none", **EDGES[kind])
    yield group(strikes, class_="strikes", fill="none", stroke=CUT, stroke_width=1.5)


def _ends(link: Link) -> str:
    return f"{link.source}>{link.target}"


def _labels(states: StatePicture, written: ActionLabels) -> Iterator[str]:
    for at, (x, y) in written.places.items():
        link = states.links[at]
        label = truncate_text(link.label, LONGEST)
        yield on_white(x, y, label, text_anchor="middle", fill=INK, data_of=_ends(link))

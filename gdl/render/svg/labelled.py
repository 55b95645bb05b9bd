"""A picture laid out so that nothing lies on anything else. For every label a clear place along its edge is looked for.
If there is none, or if a line runs through a node or a text, the picture is laid out again with its levels further
apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from math import hypot

from gdl.render.picture import Picture
from gdl.render.svg.arrange import AT, LABEL, LINE, SMALL, Box, LayoutStretch, PictureLayout, arranged_once, text_rows
from gdl.render.svg.clear import Box as Room
from gdl.render.svg.clear import ObstacleMap
from gdl.render.svg.elements import Point, Stroke, number, text_width
from gdl.render.svg.groups import capsule, line_of, name_places

_PLACES = (AT, 0.6, 0.72, 0.54, 0.78, 0.48, 0.84, 0.42, 0.9, 0.36)  # along an edge, where a label may stand
_ROUNDS = 9  # attempts to lay the picture out with larger gaps
_TALLER, _STEEPER, _WIDER = 1.3, 1.4, 0.4
_ROUNDS_OF_MANY, _MANY = 2, 1_500  # nodes of a picture that nobody looks at closely


def arrange(picture: Picture, *, pack: bool = True) -> PictureLayout:
    """The layout of a picture on which no label lies on something else, or, if that cannot be had, as few as possible.
    `pack` puts many last positions into trays."""
    rounds = _ROUNDS if len(picture.nodes) <= _MANY else _ROUNDS_OF_MANY
    stretch = LayoutStretch()
    best: tuple[int, PictureLayout] | None = None
    for turn in range(rounds):
        arranged, crowd = _place_labels(arranged_once(picture, pack, stretch))
        if best is None or crowd.count < best[0]:
            best = crowd.count, arranged
        if not crowd.count:
            break
        more = dict.fromkeys(crowd.tight, _TALLER) | dict.fromkeys(crowd.flat, _STEEPER)
        taller = [stretch.factor_above(level) * more.get(level, 1) for level in range(max(arranged.levels) + 1)]
        stretch = LayoutStretch(stretch.wide + (_WIDER * turn if crowd.tight else 0), tuple(taller))
    assert best is not None
    return best[1]


@dataclass
class _Crowd:
    """The levels that are too crowded, one entry for each fault: `flat` for an edge that runs through a node, `tight`
    for a label or name without a clear place."""

    flat: list[int] = field(default_factory=list)
    tight: list[int] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.flat) + len(self.tight)


def _place_labels(arranged: PictureLayout) -> tuple[PictureLayout, _Crowd]:
    """The layout with its labels and names placed, and a record of the faults that remain."""
    taken, crowd = _obstacle_map(arranged), _Crowd()
    nodes, packed = arranged.picture.nodes, arranged.tray_nodes
    for child, node in enumerate(nodes):
        if node.parent is None or child in packed:
            continue
        start, end = arranged.edge(child)
        if not taken.is_free(start, end, ("node", node.parent), ("node", child)):
            crowd.flat.append(arranged.levels[child])
    named = tuple(_names(arranged, taken, crowd))
    return replace(arranged, along=tuple(_labels(arranged, taken, crowd)), names=named), crowd


def _obstacle_map(arranged: PictureLayout) -> ObstacleMap:
    """All nodes with what is written at them, all edges, strikes and sets."""
    taken = ObstacleMap()
    packed = arranged.tray_nodes
    for at, box in enumerate(arranged.boxes):
        for owner, room in node_rooms(arranged, at, box):
            taken.take(owner, room)
        if arranged.picture.nodes[at].parent is not None and at not in packed:
            taken.draw(("edge", at), arranged.edge(at))
    for strike in strikes(arranged):
        for (x1, y1), (x2, y2) in strike.strokes:
            taken.take("strike", (x1, min(y1, y2), x2, max(y1, y2)))
    for at, strand in enumerate(arranged.strands):
        for run in strand.runs:
            if len(run) > 1:
                left, top, right, bottom = capsule(arranged, run)
                corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
                taken.draw(("set", at), corners)
        for before, after in pairwise(strand.runs):
            taken.draw(("set", at), line_of(arranged, strand, before[-1], after[0]))
    return taken


def node_rooms(arranged: PictureLayout, number: int, box: Box) -> Iterator[tuple[tuple[str, int], Room]]:
    """The rectangles that a node covers, each with its owner: its shape, which its own edges may touch, and the texts
    around it, which no line may."""
    x, y = arranged.xs[number], arranged.ys[number]
    node = arranged.picture.nodes[number]
    yield ("node", number), (x - box.width / 2, y - box.height / 2, x + box.width / 2, y + box.height / 2)
    if box.above > box.height / 2 and node.is_position:  # the sign of the mover on top
        yield ("node", number), (x - 5, y - box.height / 2 - 8, x + 5, y - box.height / 2)
    if box.beside:
        right = x - box.width / 2 - 3
        yield ("text", number), (right - text_width(box.beside, LABEL), y - 11, right, y - 1)
    left = x + box.width / 2 + 5
    for row, (middle, line) in enumerate(text_rows(box.found, y)):
        yield ("text", number), (left, middle - 4, left + text_width(line, SMALL if row else LABEL), middle + 4)
    if box.under:
        half = max(text_width(line, SMALL) for line in box.under) / 2
        foot = y + box.height / 2
        yield ("text", number), (x - half, foot + 1, x + half, foot + box.below - box.height / 2)


def _names(arranged: PictureLayout, taken: ObstacleMap, crowd: _Crowd) -> Iterator[Point | None]:
    """The centre of the name of each information set; None for a set without a name."""
    for at, (group, strand) in enumerate(zip(arranged.picture.groups, arranged.strands, strict=True)):
        if not group.name:
            yield None
            continue
        half = text_width(group.name, SMALL) / 2 + 1
        points = list(name_places(arranged, strand, half))
        rooms = [(x - half, y - SMALL / 2, x + half, y + SMALL / 2) for x, y in points]
        clear = next((place for place, room in enumerate(rooms) if taken.is_clear(room, ("set", at))), None)
        if clear is None:
            crowd.tight.append(min(strand.level + 1, max(arranged.levels)))
        taken.take(("set", at), rooms[clear or 0])
        yield points[clear or 0]


def _labels(arranged: PictureLayout, taken: ObstacleMap, crowd: _Crowd) -> Iterator[float]:
    """The place of each label along its edge, from 0 (the parent's end) to 1."""
    packed = arranged.tray_nodes
    for child, lines in enumerate(arranged.labels):
        if not lines or child in packed:
            yield AT
            continue
        half = max(text_width(line, LABEL) for line in lines) / 2 + 1
        tall = LINE * (len(lines) - 1) / 2 + 5
        for part in (*_PLACES, AT):  # at last the usual place, although something is there
            x, y = arranged.on_edge(child, part)
            room = x - half, y - tall, x + half, y + tall
            if clear := taken.is_clear(room, ("edge", child)):
                break
        if not clear:
            crowd.tight.append(arranged.levels[child])
        taken.take(("label", child), room)
        yield part


# The strokes through edges that search cut: a short double stroke through one edge, a long one across neighbours that
# were cut together, as one strikes them out on a blackboard.

_NEAR = 0.36  # part of the edges, from the parent, at which neighbours are struck
_ALONE = 0.46  # part of a single edge at which it is struck
_APART = 3.4  # distance between the two strokes
_BEYOND = 5.0  # length by which a stroke goes beyond the outer edges
_HALF = 4.0  # half the length of a stroke through one edge


@dataclass(frozen=True, slots=True)
class Strike:
    """Two strokes across one edge or several, and the children whose edges they strike."""

    children: tuple[int, ...]
    strokes: list[Stroke]


def strikes(arranged: PictureLayout) -> Iterator[Strike]:
    """All strikes of the picture; every cut edge is in exactly one."""
    nodes, packed = arranged.picture.nodes, arranged.tray_nodes
    for parent, node in enumerate(nodes):
        # In a tray no edges stand side by side, so that every child is struck out by itself.
        for (cut, _), together in groupby(node.children, lambda c: (bool(nodes[c].cut), c if c in packed else None)):
            run = tuple(together)
            if cut and len(run) > 1:
                yield _strike_across(arranged, parent, run)
            elif cut:
                yield _strike_through(arranged, parent, run[0], run[0] in packed)


def _strike_through(arranged: PictureLayout, parent: int, child: int, packed: bool) -> Strike:
    """Two short strokes at right angles to a single edge, near the parent; in a tray (`packed`), just above the
    child."""
    x2, y2 = arranged.xs[child], arranged.top(child)
    x1, y1 = (x2, y2 - 8) if packed else (arranged.xs[parent], arranged.bottom(parent))
    return Strike((child,), strokes_across((x1, y1), (x2, y2), _ALONE, lean=1.4))


def strokes_across(start: Point, end: Point, part: float, lean: float = 0.0) -> list[Stroke]:
    """Two short strokes at right angles to a straight line, at this part of it; they `lean` so far along it."""
    (x1, y1), (x2, y2) = start, end
    length = max(hypot(x2 - x1, y2 - y1), 0.1)
    along, aside = ((x2 - x1) / length, (y2 - y1) / length), ((y1 - y2) / length, (x2 - x1) / length)
    dx, dy = _HALF * aside[0] + lean * along[0], _HALF * aside[1] + lean * along[1]
    places = (part * length - _APART / 2, part * length + _APART / 2)
    middles = [(x1 + along[0] * distance, y1 + along[1] * distance) for distance in places]
    return [((x - dx, y - dy), (x + dx, y + dy)) for x, y in middles]


def stroke_path(strokes: Iterable[Stroke]) -> str:
    """The data of an SVG path of straight strokes."""
    return "".join(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" for (x1, y1), (x2, y2) in strokes)


def _strike_across(arranged: PictureLayout, parent: int, run: tuple[int, ...]) -> Strike:
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
    return Strike(run, strokes)


def _at_height(arranged: PictureLayout, parent: int, child: int, height: float) -> float:
    """The x at which the edge to a child passes a height."""
    top, foot = arranged.top(child), arranged.bottom(parent)
    return arranged.xs[parent] + (arranged.xs[child] - arranged.xs[parent]) * (height - foot) / max(top - foot, 1)

"""The places of everything in a picture on paper: sizes of nodes and texts, positions, levels.

Lengths are CSS pixels, 96 to the inch, so that a tree of 40 leaves at natural size is as wide as an A4 page in
landscape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, sqrt

from gdl.render.layout import Extent, Spacing, levels, place
from gdl.render.picture import Picture, PictureNode
from gdl.render.svg.elements import Point, text_width, truncate_text

# The lines that join the nodes of an information set. They run in lanes of their own below the level, between runs of
# neighbouring nodes, so that sets which cross stay apart.

LANE = 8.0  # distance between lanes, and from the lowest node to the first lane


@dataclass(frozen=True, slots=True)
class Strand:
    """How the members of one information set are joined: runs of neighbours from left to right, and the lane in which
    the lines between the runs lie."""

    runs: tuple[tuple[int, ...], ...]
    level: int  # the level below which the lines run
    lane: int


def strands(picture: Picture, levels: Sequence[int], xs: Sequence[float]) -> list[Strand]:
    """A strand for each group of the picture, in the order of the groups."""
    rank = _ranks(levels, xs)
    taken: dict[int, list[float]] = {}  # level -> how far right each of its lanes is in use
    found: dict[int, Strand] = {}
    leftmost = [min(xs[member] for member in group.members) for group in picture.groups]
    for at in sorted(range(len(picture.groups)), key=lambda at: (leftmost[at], at)):
        members = sorted(picture.groups[at].members, key=lambda member: (xs[member], member))
        runs = _runs(members, levels, rank)
        level = max(levels[member] for member in members)
        lane = 0 if len(runs) == 1 else _free_lane(taken.setdefault(level, []), leftmost[at], xs[members[-1]])
        found[at] = Strand(tuple(map(tuple, runs)), level, lane)
    return [found[at] for at in range(len(picture.groups))]


def _ranks(levels: Sequence[int], xs: Sequence[float]) -> list[int]:
    """The position of every node on its level, counted from the left."""
    ranks, used = [0] * len(xs), [0] * (max(levels) + 1)
    for node in sorted(range(len(xs)), key=xs.__getitem__):
        ranks[node] = used[levels[node]]
        used[levels[node]] += 1
    return ranks


def _runs(members: list[int], levels: Sequence[int], rank: list[int]) -> list[list[int]]:
    """The members of an information set, grouped into runs of direct neighbours on a level."""
    runs = [[members[0]]]
    for before, after in pairwise(members):
        if levels[before] == levels[after] and rank[after] == rank[before] + 1:
            runs[-1].append(after)
        else:
            runs.append([after])
    return runs


def _free_lane(lanes: list[float], start: float, end: float) -> int:
    """The first lane that is unused from `start` on; its entry in `lanes`, how far right it is in use, becomes
    `end`."""
    lane = next((lane for lane, used in enumerate(lanes) if used < start), len(lanes))
    lanes[lane : lane + 1] = [end]
    return lane


def lane_room(found: Sequence[Strand], levels: int) -> list[float]:
    """The height that lanes take below each level."""
    room = [0.0] * levels
    for strand in found:
        if len(strand.runs) > 1:
            room[strand.level] = max(room[strand.level], LANE * (strand.lane + 1))
    return room


# Positions side by side in a tray: the many last moves of a game on a board, packed in rows and columns under the
# node where they are made, so that two plies of tic-tac-toe fit a page.

_FEWEST = 4  # positions in a tray
_PAGE = 1_000.0  # width of the last positions side by side that needs no packing
_LANDSCAPE = 1.5  # desired ratio of width to height of all trays
GAP = 8.0  # gap between positions in a tray


@dataclass(frozen=True, slots=True)
class Tray:
    """The children of a node packed in rows under it; `cell` is the width and height of the place of each."""

    members: tuple[int, ...]
    columns: int
    cell: tuple[float, float]

    @property
    def width(self) -> float:
        return self.columns * (self.cell[0] + GAP) + GAP

    @property
    def height(self) -> float:
        return ceil(len(self.members) / self.columns) * (self.cell[1] + GAP) + GAP

    def centres(self, x: float, top: float) -> list[tuple[float, float]]:
        """The centres of the members' places, if the middle of the tray's upper edge lies at (x, top)."""
        width, height = self.cell[0] + GAP, self.cell[1] + GAP
        left, high = x - self.width / 2 + GAP / 2, top + GAP / 2
        places = (divmod(place, self.columns) for place in range(len(self.members)))
        return [(left + width * (column + 0.5), high + height * (row + 0.5)) for row, column in places]


def trays(picture: Picture, sizes: Sequence[tuple[float, float]]) -> dict[int, Tray]:
    """The trays of a picture, by the number of the node that they hang from; `sizes` are the widths and heights of all
    nodes, with the text under them. The columns are chosen so that all trays together have about the proportions of a
    landscape page."""
    nodes = picture.nodes
    last = {number for number, node in enumerate(nodes) if node.grid and not node.children}
    if sum(sizes[number][0] + GAP for number in last) <= _PAGE:
        return {}
    hung = [n for n, node in enumerate(nodes) if len(node.children) >= _FEWEST and last.issuperset(node.children)]
    found = {}
    for number in hung:
        members = nodes[number].children
        widths, heights = zip(*(sizes[child] for child in members), strict=True)
        width, height = max(widths), max(heights)
        columns = round(sqrt(_LANDSCAPE * len(members) * height / (len(hung) * width)))
        found[number] = Tray(members, max(2, columns), (width, height))
    return found


LABEL = 11.0  # font sizes: actions, values, names
SMALL = 9.5  # windows, counts
LINE = 12.0  # height of a line of text
CELL = 10.0  # a square of a board
TRIANGLE = 30.0, 26.0
RADIUS = 12.0
AT = 0.66  # default place of a label along its edge, from 0 (the parent's end) to 1
LONGEST = 28  # characters of a label that are drawn; its title has them all

_STACKED = 12  # vectors at the ends of a tree with more leaves are written as columns
_FOLDS = 12  # counts of moves told one by one
_STEEP = 0.34  # an edge goes down at least this much for its way aside
_FLATTEST = 44.0  # least and greatest height between two levels
_HIGHEST = 120.0


def text_rows(lines: Sequence[str], middle: float) -> list[tuple[float, str]]:
    """The lines of a text, each with its height, if all together are centred at the height `middle`."""
    first = middle - LINE * (len(lines) - 1) / 2
    return [(first + LINE * row, line) for row, line in enumerate(lines)]


@dataclass(frozen=True, slots=True)
class Box:
    """A node's size: its shape (width and height), and how far the shape and the texts around it reach from its centre
    on each side."""

    width: float
    height: float
    left: float
    right: float
    above: float
    below: float
    inside: tuple[str, ...]  # written in the shape
    beside: str  # the name, to its left
    found: tuple[str, ...]  # value and window, to its right
    under: tuple[str, ...]  # below it


_NOTHING = Box(0, 0, 0, 0, 0, 0, (), "", (), ())


@dataclass(frozen=True)
class PictureLayout:
    """A picture laid out: for every node its box, its centre, and the label of the edge above it. Nodes in a tray have
    no edge of their own."""

    picture: Picture
    boxes: list[Box]
    labels: list[tuple[str, ...]]
    levels: list[int]
    xs: list[float]
    ys: list[float]  # centres of the shapes
    trays: dict[int, Tray]
    strands: list[Strand]
    width: float
    height: float
    along: tuple[float, ...] = ()  # each label's place along its edge (0 to 1); empty before labels are placed
    feet: tuple[float, ...] = ()  # the y at which each level ends, with the texts at its nodes
    names: tuple[Point | None, ...] = ()  # the centre of each information set's name; None: no name

    def top(self, number: int) -> float:
        return self.ys[number] - self.boxes[number].height / 2

    def bottom(self, number: int) -> float:
        return self.ys[number] + self.boxes[number].height / 2

    def tray_top(self, number: int) -> float:
        """The upper edge of the tray under a node."""
        tray = self.trays[number]
        box = self.boxes[tray.members[0]]
        return self.ys[tray.members[0]] - (box.above - box.below) / 2 - tray.cell[1] / 2 - GAP

    def label_at(self, number: int) -> tuple[float, float]:
        """The centre of the label of the edge above a node."""
        return self.on_edge(number, self.along[number] if self.along else AT)

    def on_edge(self, number: int, part: float) -> tuple[float, float]:
        """A point on the edge above a node; `part` 0 is the parent's end, 1 the node's."""
        (x1, y1), (x2, y2) = self.edge(number)
        return x1 + part * (x2 - x1), y1 + part * (y2 - y1)

    def edge(self, number: int) -> tuple[Point, Point]:
        """The two ends of the edge above a node."""
        parent = self.picture.nodes[number].parent
        assert parent is not None
        return (self.xs[parent], self.bottom(parent)), (self.xs[number], self.top(number))

    @property
    def tray_nodes(self) -> frozenset[int]:
        """The nodes in trays."""
        return frozenset(member for tray in self.trays.values() for member in tray.members)


@dataclass(frozen=True, slots=True)
class LayoutStretch:
    """How much more room is given than is usual: between neighbours, and above each level."""

    wide: float = 1.0
    tall: tuple[float, ...] = ()

    def factor_above(self, level: int) -> float:
        return self.tall[level] if level < len(self.tall) else 1.0


def arranged_once(picture: Picture, pack: bool, stretch: LayoutStretch) -> PictureLayout:
    """Measure every node, place them level by level; `pack` puts many last positions into trays. Levels are far enough
    apart for the edges, labels and lines of information sets between them."""
    nodes = picture.nodes
    labels = [edge_label(picture, node) for node in nodes]
    boxes = measure_boxes(picture)
    hung = trays(picture, [(box.left + box.right, box.above + box.below) for box in boxes]) if pack else {}
    children = [node.children[:1] if number in hung else node.children for number, node in enumerate(nodes)]
    level = levels(children, [group.members for group in picture.groups])
    packed = _with_trays(boxes, hung)
    extents = [_extent(box, label) for box, label in zip(packed, labels, strict=True)]
    usual = Spacing(siblings=10, others=16) if picture.groups else Spacing()
    more = 24 * (stretch.wide - 1)
    xs = place(children, extents, level, Spacing(usual.siblings + more, usual.others + more))
    count = max(level) + 1
    above, below, gap = [0.0] * count, [0.0] * count, [0.0] * count
    for number, node in enumerate(nodes):
        here, box = level[number], packed[number]
        above[here], below[here] = max(above[here], box.above), max(below[here], box.below)
        if node.parent is not None and box is not _NOTHING:
            aside = abs(xs[number] - xs[node.parent]) / (here - level[node.parent])
            needed = max(_FLATTEST + LINE * (len(labels[number]) - 1), aside * _STEEP)
            gap[here] = max(gap[here], min(needed, _HIGHEST))
    joined = strands(picture, level, xs)
    lanes = lane_room(joined, count)
    middles = [above[0]]
    for upper, lower in pairwise(range(count)):
        middles.append(
            middles[-1] + below[upper] + lanes[upper] + gap[lower] * stretch.factor_above(lower) + above[lower]
        )
    feet = tuple(middle + under for middle, under in zip(middles, below, strict=True))
    ys = [middles[here] for here in level]
    width = max(x + extent.right for x, extent in zip(xs, extents, strict=True))
    for tray in hung.values():
        first = tray.members[0]
        centres = tray.centres(xs[first], ys[first] - packed[first].above)
        for member, (x, y) in zip(tray.members, centres, strict=True):
            xs[member], ys[member], level[member] = x, y + (boxes[member].above - boxes[member].below) / 2, level[first]
    height = feet[-1] + lanes[-1]
    return PictureLayout(picture, boxes, labels, level, xs, ys, hung, joined, width, height, feet=feet)


def measure_boxes(picture: Picture) -> list[Box]:
    """The boxes of all nodes."""
    stacked = sum(node.shape == "end" for node in picture.nodes) > _STACKED
    told = shows_fold_sizes(picture)
    return [_box(picture, node if told else replace(node, folded=""), stacked) for node in picture.nodes]


def shows_fold_sizes(picture: Picture) -> bool:
    """True if every folded node says how much is below it; False if there are so many, all with counts of moves or
    outcomes, that the legend says it once."""
    folds = [node.folded for node in picture.nodes if node.folded]
    return len(folds) <= _FOLDS or not all(fold.endswith(("move", "moves", "outcome", "outcomes")) for fold in folds)


def _with_trays(boxes: list[Box], hung: Mapping[int, Tray]) -> list[Box]:
    """The boxes as the layout takes them: the first member of a tray gets the size of the whole tray, its first row on
    the level; the other members take no room."""
    packed = boxes.copy()
    for tray in hung.values():
        first, *others = tray.members
        half, above = tray.width / 2, boxes[first].above + GAP
        packed[first] = replace(boxes[first], left=half, right=half, above=above, below=tray.height - above)
        for member in others:
            packed[member] = _NOTHING
    return packed


def pretty(text: str) -> str:
    """A number, bound or window as books print it."""
    for plain, printed in (("<=", "≤"), (">=", "≥"), ("~", "≈"), ("inf", "∞"), ("-", "−")):
        text = text.replace(plain, printed)
    return text


def edge_label(picture: Picture, node: PictureNode) -> tuple[str, ...]:
    """The lines at the edge above a node: the action, its probability, the window passed down."""
    if node.parent is None:
        return ()
    named = node.action and not node.grid  # a board shows what was done
    lines = [truncate_text(node.action, LONGEST)] if named else []
    if node.probability:
        joined = [" ".join([*lines, node.probability])]
        lines = joined if len(joined[0]) <= 8 else [*lines, node.probability]
    if node.played:
        lines.append(f"p = {node.played}")
    if picture.bounds == "edges" and node.children and (picture.blank or node.window is not None):
        lines.append("[___, ___]" if picture.blank else pretty(f"[{', '.join(node.window or ())}]"))
    return tuple(lines)


def _extent(box: Box, label: Sequence[str]) -> Extent:
    """The room of a node, widened for the label of the edge above it: labels stand higher than nodes, where siblings'
    edges are nearer together."""
    half = max((text_width(line, LABEL) for line in label), default=0) / 2 / AT
    return Extent(max(box.left, half), max(box.right, half))


def _box(picture: Picture, node: PictureNode, stacked: bool) -> Box:
    inside, beside, under = _texts(node, stacked)
    width, height = _body(node, inside)
    found = _value_lines(picture, node)
    left = width / 2 + (text_width(beside, LABEL) + 4 if beside else 0)
    right = width / 2 + max((text_width(line, LABEL) + 6 for line in found), default=0)
    half = max((text_width(line, SMALL) for line in under), default=0) / 2
    fold = 14.0 if node.folded else 0.0
    above = height / 2 + (11 if node.has_tab else 0)
    below = height / 2 + fold + LINE * len(under)
    aside = LINE * len(found) / 2
    reach = max(left, half), max(right, half), max(above, aside), max(below, aside)
    return Box(width, height, *reach, inside, beside, found, under)


def _texts(node: PictureNode, stacked: bool) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Three groups of text: the lines in the node's shape, the name beside it, the lines under it. `stacked` puts the
    payoffs of an end one below the other."""
    name = truncate_text(node.name, LONGEST)
    under = [node.folded] if node.folded else []
    payoff = tuple(pretty(part) for part in node.payoff)
    if len(payoff) > 1 and not stacked:
        payoff = (f"({', '.join(payoff)})",)
    if node.is_position:
        return node.lines, name, (*(" ".join(payoff),) * bool(payoff), *under)
    if node.shape == "end":
        return payoff, "", (name, *under) if name else tuple(under)
    if node.shape == "player":
        return (truncate_text(node.mover, LONGEST),), name, tuple(under)
    fits = text_width(name, LABEL) <= 15
    return ((name,) if fits and name else ()), "" if fits else name, tuple(under)


def _value_lines(picture: Picture, node: PictureNode) -> tuple[str, ...]:
    """The lines beside an inner node: the value that search found and the window; in a blank picture, lines to write
    on."""
    if node.shape == "end":
        return ()
    if picture.blank:
        return ("____", "α ___", "β ___") if picture.bounds == "nodes" else ("____",)
    value = (pretty(f"{node.bound} {node.value}"),) if node.value else ()
    if picture.bounds != "nodes" or node.window is None:
        return value
    alpha, beta = map(pretty, node.window)
    return (*value, f"α = {alpha}", f"β = {beta}")


def _body(node: PictureNode, inside: tuple[str, ...]) -> tuple[float, float]:
    """Width and height of the shape."""
    widest = max((text_width(line, LABEL) for line in inside), default=0)
    if node.grid:
        return CELL * len(node.grid[0]) + 6, CELL * len(node.grid) + 6
    if node.lines:
        return widest + 12, LINE * len(inside) + 8
    if node.shape == "end":
        return max(20.0, widest + 8), max(20.0, LINE * len(inside) + 6)
    if node.shape == "chance":
        return 2 * RADIUS, 2 * RADIUS
    if node.shape == "player":
        return (2 * RADIUS, 2 * RADIUS) if widest <= 1.4 * RADIUS else (widest + 14, 2 * RADIUS)
    return TRIANGLE

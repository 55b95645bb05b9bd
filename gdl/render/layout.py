"""A tidy drawing of a tree: parents above the middle of their children, equal subtrees drawn equally, nothing overlaps.

1. Levels: a node stands below its parent, and all nodes of an information set on one level where that is possible.
   An edge that passes a level leaves room there.
2. From the leaves up, the subtrees of a node are set side by side as close as their outlines allow; a subtree moved
   aside draws the smaller ones between it and its neighbour along.
3. From the root down, what each subtree was moved by is added up.

Sources: Reingold and Tilford, Tidier drawings of trees, IEEE Transactions on Software Engineering 7, 1981; Walker, A
node-positioning algorithm for general trees, Software: Practice and Experience 20, 1990. The nodes come breadth first,
so plain loops do what the papers do by recursion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

_ROUNDS = 50  # attempts to bring information sets onto one level before groups are ignored


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a node and what is written at it reach from its centre, to the left and to the right."""

    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Spacing:
    """The least gaps between neighbours on a level: between children of one node, and between others."""

    siblings: float = 3
    others: float = 9


def levels(children: Sequence[Sequence[int]], groups: Sequence[Sequence[int]] = ()) -> list[int]:
    """The level of every node, 0 for the root. The members of a group share a level, unless one is an ancestor of
    another or groups cross; then each keeps the level that it has without groups."""
    found = _lower_children(children, [0] * len(children))
    for _ in range(_ROUNDS):
        least = found.copy()
        for members in groups:
            deepest = max(found[member] for member in members)
            for member in members:
                least[member] = deepest
        if least == found:
            return found
        found = _lower_children(children, least)
    return _lower_children(children, [0] * len(children))


def _lower_children(children: Sequence[Sequence[int]], least: list[int]) -> list[int]:
    """The least level for every node that is no less than `least` and at least one more than its parent's."""
    found = least.copy()
    for number, below in enumerate(children):
        for child in below:
            found[child] = max(found[child], found[number] + 1)
    return found


def place(
    children: Sequence[Sequence[int]], extents: Sequence[Extent], levels: Sequence[int], spacing: Spacing = Spacing()
) -> list[float]:
    """The x of every node's centre; the leftmost edge of what is drawn lies at 0. Every parent comes before its
    children in the list of nodes; `levels` are those that the function `levels` returns."""
    aside = [0.0] * len(children)  # horizontal offset of each node from its parent
    outlines: dict[int, list[tuple[float, float]]] = {}  # of a subtree: its ends on each level, seen from its root
    for node in reversed(range(len(children))):
        own, below = extents[node], children[node]
        passed = [[(0.0, 0.0)] * (levels[child] - levels[node] - 1) for child in below]
        subtrees = [edge + outlines.pop(child) for edge, child in zip(passed, below, strict=True)]
        xs = _side_by_side(subtrees, spacing) if len(below) > 1 else [0.0] * len(below)
        middle = (xs[0] + xs[-1]) / 2 if xs else 0.0
        for child, x in zip(below, xs, strict=True):
            aside[child] = x - middle
        joined = _joined_outline(subtrees, [x - middle for x in xs]) if len(below) > 1 else chain(*subtrees)
        outlines[node] = [(-own.left, own.right), *joined]
    places = [0.0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            places[child] = places[node] + aside[child]
    reach = min(x - extent.left for x, extent in zip(places, extents, strict=True))
    return [x - reach for x in places]


def _side_by_side(subtrees: Sequence[Sequence[tuple[float, float]]], spacing: Spacing) -> list[float]:
    """The x of the roots of sibling subtrees, set as close as their outlines allow. If a subtree must move aside, those
    between it and the one in its way move, too, each by a proportional share."""
    xs: list[float] = []
    drawn = [0.0] * len(subtrees)
    ends: list[tuple[float, int]] = []  # for each level, the rightmost x in use, and the subtree that uses it
    for at, outline in enumerate(subtrees):
        x = 0.0
        for depth, ((left, _), (end, other)) in enumerate(zip(outline, ends, strict=False)):
            gap = spacing.others if depth else spacing.siblings
            overlap = end + gap - left - x
            if depth == 0:
                x += overlap
            elif overlap > 0:
                x += overlap
                for between in range(other + 1, at):
                    drawn[between] += overlap * (between - other) / (at - other)
        xs.append(x)
        ends[: len(outline)] = [(x + right, at) for _, right in outline]
    return [x + more for x, more in zip(xs, drawn, strict=True)]


def _joined_outline(
    subtrees: Sequence[Sequence[tuple[float, float]]], xs: Sequence[float]
) -> list[tuple[float, float]]:
    """The outline of several subtrees whose roots stand at `xs`: the leftmost and rightmost x on each level."""
    found: list[tuple[float, float]] = []
    for outline, x in zip(subtrees, xs, strict=True):
        for depth, (left, right) in enumerate(outline):
            if depth == len(found):
                found.append((x + left, x + right))
            else:
                found[depth] = min(found[depth][0], x + left), max(found[depth][1], x + right)
    return found

"""A tidy drawing of a tree: parents above the middle of their children, equal subtrees drawn equally, nothing overlaps.

1. Levels: a node stands below its parent, and all nodes of an information set on one level where that is possible.
   An edge that passes a level leaves room there.
2. From the leaves up, the subtrees of a node are set side by side as close as their outlines allow; a subtree moved
   aside draws the smaller ones between it and its neighbour along. Outlines are followed by threads, so the work is
   linear in the number of nodes.
3. From the root down, what each subtree was moved by is added up.

Sources: Reingold and Tilford, Tidier drawings of trees, IEEE Transactions on Software Engineering 7, 1981; Walker, A
node-positioning algorithm for general trees, Software: Practice and Experience 20, 1990; Buchheim, Jünger and Leipert,
Improving Walker's algorithm to run in linear time, Graph Drawing 2002. The nodes come breadth first, so plain loops
do what the papers do by recursion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_ROUNDS = 50  # of lowering nodes to the level of their information set, before it is given up


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a node and what is written at it reach from its centre, to the left and to the right."""

    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Spacing:
    """The least gaps between neighbours on a level: children of one node, and others."""

    siblings: float = 3
    others: float = 9


def levels(children: Sequence[Sequence[int]], groups: Sequence[Sequence[int]] = ()) -> list[int]:
    """The level of every node, the root's being 0. The members of a group share a level unless one stands above
    another (then, or where groups cross, they stay where the tree has them)."""
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
    """The least levels, every child at least one below its parent."""
    found = least.copy()
    for number, below in enumerate(children):
        for child in below:
            found[child] = max(found[child], found[number] + 1)
    return found


def place(
    children: Sequence[Sequence[int]],
    extents: Sequence[Extent],
    levels: Sequence[int],
    spacing: Spacing = Spacing(),
) -> list[float]:
    """The x of every node's centre, the leftmost reach being 0. Nodes come with every parent before its children,
    the children of each in order, levels as `levels` gives them."""
    tree = _Tree(children, extents, levels, spacing)
    for node in reversed(range(len(tree.children))):
        tree.set_children(node)
    return tree.positions()[: len(children)]


class _Tree:
    """The arrays of the linear algorithm, named as in the paper. Nodes after the given ones are stand-ins for edges
    that pass a level."""

    def __init__(
        self, children: Sequence[Sequence[int]], extents: Sequence[Extent], levels: Sequence[int], spacing: Spacing
    ):
        self.spacing = spacing
        self.given = len(children)
        self._add_nodes(children, extents, levels)
        count = len(self.children)
        self.number = [0] * count  # position among the siblings
        self.parent = [-1] * count
        for node, below in enumerate(self.children):
            for position, child in enumerate(below):
                self.number[child], self.parent[child] = position, node
        self.prelim = [0.0] * count  # x before the subtrees around it are moved
        self.mod = [0.0] * count  # by which the nodes below are moved
        self.shift = [0.0] * count
        self.change = [0.0] * count
        self.thread = [-1] * count
        self.ancestor = list(range(count))

    def _add_nodes(self, children: Sequence[Sequence[int]], extents: Sequence[Extent], levels: Sequence[int]) -> None:
        """Renumber breadth first, with a chain of stand-ins where an edge passes a level."""
        self.children: list[list[int]] = []
        self.extents: list[Extent] = []
        self.names: list[int] = []  # of each node here, its number in the input; -1 for a stand-in
        waiting = [(0, 0)]  # node of the input, level to stand on: a stand-in while that is not its own
        for node, level in waiting:  # grows while it is walked
            own = levels[node] == level
            self.names.append(node if own else -1)
            self.extents.append(extents[node] if own else Extent(0, 0))
            below = [(child, level + 1) for child in children[node]] if own else [(node, level + 1)]
            self.children.append(list(range(len(waiting), len(waiting) + len(below))))
            waiting += below

    def set_children(self, node: int) -> None:
        """FIRSTWALK of all children of a node whose subtrees are done: side by side, then the node above them."""
        below = self.children[node]
        if not below:
            return
        default_ancestor = below[0]
        for position, child in enumerate(below):
            middle = self._middle(child)
            if position:
                left = below[position - 1]
                self.prelim[child] = self.prelim[left] + self._distance(left, child)
                self.mod[child] = self.prelim[child] - middle
            else:
                self.prelim[child] = middle
            default_ancestor = self._apportion(child, default_ancestor)
        self._execute_shifts(below)

    def _middle(self, node: int) -> float:
        below = self.children[node]
        return (self.prelim[below[0]] + self.prelim[below[-1]]) / 2 if below else 0.0

    def _distance(self, left: int, right: int) -> float:
        gap = self.spacing.siblings if self.parent[left] == self.parent[right] else self.spacing.others
        return self.extents[left].right + self.extents[right].left + gap

    def _apportion(self, node: int, default_ancestor: int) -> int:
        """Move the node's subtree right until it is clear of everything to its left."""
        if not self.number[node]:
            return default_ancestor
        siblings = self.children[self.parent[node]]
        inside_right = outside_right = node
        inside_left, outside_left = siblings[self.number[node] - 1], siblings[0]
        sum_ir = sum_or = self.mod[node]
        sum_il, sum_ol = self.mod[inside_left], self.mod[outside_left]
        while (next_il := self._next_right(inside_left)) >= 0 and (next_ir := self._next_left(inside_right)) >= 0:
            inside_left, inside_right = next_il, next_ir
            outside_left, outside_right = self._next_left(outside_left), self._next_right(outside_right)
            self.ancestor[outside_right] = node
            overlap = self.prelim[inside_left] + sum_il - self.prelim[inside_right] - sum_ir
            overlap += self._distance(inside_left, inside_right)
            if overlap > 0:
                blocking = self.ancestor[inside_left]
                if self.parent[blocking] != self.parent[node]:
                    blocking = default_ancestor
                self._move_subtree(blocking, node, overlap)
                sum_ir += overlap
                sum_or += overlap
            sum_il += self.mod[inside_left]
            sum_ir += self.mod[inside_right]
            sum_ol += self.mod[outside_left]
            sum_or += self.mod[outside_right]
        if self._next_right(inside_left) >= 0 and self._next_right(outside_right) < 0:
            self.thread[outside_right] = self._next_right(inside_left)
            self.mod[outside_right] += sum_il - sum_or
        if self._next_left(inside_right) >= 0 and self._next_left(outside_left) < 0:
            self.thread[outside_left] = self._next_left(inside_right)
            self.mod[outside_left] += sum_ir - sum_ol
            default_ancestor = node
        return default_ancestor

    def _next_left(self, node: int) -> int:
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _next_right(self, node: int) -> int:
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _move_subtree(self, left: int, right: int, by: float) -> None:
        between = self.number[right] - self.number[left]
        self.change[right] -= by / between
        self.shift[right] += by
        self.change[left] += by / between
        self.prelim[right] += by
        self.mod[right] += by

    def _execute_shifts(self, siblings: list[int]) -> None:
        shift = change = 0.0
        for child in reversed(siblings):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

    def positions(self) -> list[float]:
        """SECONDWALK: the x of every given node, then nothing further left than 0."""
        moved = [0.0] * len(self.children)
        xs = [0.0] * self.given
        self.prelim[0] = self._middle(0)
        for node, below in enumerate(self.children):
            if self.names[node] >= 0:
                xs[self.names[node]] = self.prelim[node] + moved[node]
            for child in below:
                moved[child] = moved[node] + self.mod[node]
        reach = min(xs[name] - extent.left for name, extent in zip(self.names, self.extents, strict=True) if name >= 0)
        return [x - reach for x in xs]

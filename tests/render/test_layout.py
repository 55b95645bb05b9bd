"""Where nodes stand: nothing overlaps, parents stand above the middle of their children, order and shape are kept."""

import random
import sys
from itertools import pairwise

import pytest
from together import together

from gdl.render.layers import place_layers
from gdl.render.layout import Extent, Spacing, levels, place

SPACING = Spacing(siblings=4, others=12)


def random_tree(seed: int, most: int = 80) -> list[list[int]]:
    """Children by node, breadth first."""
    rng = random.Random(seed)
    children: list[list[int]] = [[]]
    for node in range(most):
        if node >= len(children) or len(children) >= most:
            break
        for _ in range(rng.randint(0 if node else 1, 4)):
            children[node].append(len(children))
            children.append([])
    return children


def random_extents(seed: int, count: int) -> list[Extent]:
    rng = random.Random(seed)
    return [Extent(rng.choice([3, 5, 20]), rng.choice([5, 9, 40])) for _ in range(count)]


def parents(children: list[list[int]]) -> dict[int, int]:
    return {child: node for node, below in enumerate(children) for child in below}


@together(range(60))
def test_neighbours_keep_their_distance_and_order(seed):
    children = random_tree(seed)
    extents, level, above = random_extents(seed, len(children)), levels(children), parents(children)
    xs = place(children, extents, level, SPACING)
    for depth in range(max(level) + 1):
        row = [node for node in range(len(children)) if level[node] == depth]  # breadth first: from left to right
        for left, right in pairwise(row):
            gap = xs[right] - extents[right].left - xs[left] - extents[left].right
            assert gap >= (SPACING.siblings if above[left] == above[right] else SPACING.others) - 1e-6
    assert min(x - extent.left for x, extent in zip(xs, extents, strict=True)) == pytest.approx(0)


@together(range(60))
def test_parents_stand_above_the_middle_of_their_children(seed):
    children = random_tree(seed)
    xs = place(children, random_extents(seed, len(children)), levels(children), SPACING)
    for node, below in enumerate(children):
        if below:
            assert xs[node] == pytest.approx((xs[below[0]] + xs[below[-1]]) / 2)


def test_siblings_stand_as_close_as_they_may():
    xs = place([[1, 2, 3], [], [], []], [Extent(10, 10)] * 4, [0, 1, 1, 1], SPACING)
    assert xs == [34, 10, 34, 58]


def test_small_subtrees_between_large_ones_are_spread_evenly():
    """The case that Walker mends: the middle children do not stick to one side."""
    children = [[1, 2, 3], [4, 5, 6, 7, 8], [], [9, 10, 11, 12, 13], *[[]] * 10]
    xs = place(children, [Extent(10, 10)] * len(children), levels(children), SPACING)
    assert xs[2] - xs[1] == pytest.approx(xs[3] - xs[2])


def test_a_subtree_is_drawn_the_same_wherever_it_stands():
    shape = [[1, 2], [3, 4, 5], [], [], [], []]
    alone = place(shape, [Extent(10, 10)] * 6, levels(shape), SPACING)
    # the same subtree twice, under a root, with a leaf between
    both = [[1, 2, 3], [4, 5], [], [6, 7], [8, 9, 10], [], [11, 12, 13], [], *[[]] * 6]
    xs = place(both, [Extent(10, 10)] * len(both), levels(both), SPACING)
    for copy in ([1, 4, 5, 8, 9, 10], [3, 6, 7, 11, 12, 13]):
        assert [xs[node] - xs[copy[0]] for node in copy] == pytest.approx([x - alone[0] for x in alone])


def test_a_tree_and_its_mirror_image_are_drawn_as_mirror_images():
    for seed in range(50):
        children = random_tree(seed, most=40)
        order, mirrored = [0], []
        for node in order:  # breadth first, every node's children the other way round
            below = children[node][::-1]
            mirrored.append(list(range(len(order), len(order) + len(below))))
            order += below
        xs = place(children, [Extent(10, 10)] * len(children), levels(children), SPACING)
        image = place(mirrored, [Extent(10, 10)] * len(children), levels(mirrored), SPACING)
        assert max(xs) == pytest.approx(max(image)), "as wide"
        assert [max(xs) + 10 - xs[node] for node in order] == pytest.approx(image, abs=1e-6)


def test_members_of_an_information_set_share_a_level():
    #      0
    #    1   2
    #   3 4 5 6
    children = [[1, 2], [3, 4], [5, 6], [], [], [], []]
    assert levels(children, [[1, 5]]) == [0, 2, 1, 3, 3, 2, 2]
    assert levels(children, [[1, 3]]) == levels(children), "one above the other cannot"


def test_an_edge_that_passes_a_level_leaves_room_there():
    children = [[1, 2, 3], [], [4, 5, 6, 7], [], [], [], [], []]
    level = levels(children, [[1, 4]])
    xs = place(children, [Extent(10, 10)] * 8, level, SPACING)
    assert level[1] == 2
    assert xs[1] + 10 + 10 <= xs[4], "it stands left of the others' level, not on it"


def test_chains_and_stars_are_no_trouble():
    chain = [[node + 1] for node in range(3_000)] + [[]]
    assert set(place(chain, [Extent(5, 5)] * 3_001, levels(chain), SPACING)) == {5}
    star = [list(range(1, 3_001)), *[[]] * 3_000]
    assert place(star, [Extent(5, 5)] * 3_001, levels(star), SPACING)[-1] == pytest.approx(5 + 2_999 * 14)


@pytest.mark.thorough
def test_the_work_is_linear():
    def calls(count: int) -> int:
        """The functions called to place a tree of so many nodes."""
        children, events = random_tree(3, most=count), []
        sys.setprofile(lambda frame, event, argument: events.append(None))
        try:
            place(children, [Extent(5, 5)] * len(children), levels(children), SPACING)
        finally:
            sys.setprofile(None)
        return len(events)

    assert calls(20_000) < 12 * calls(2_000)


# ---- Layers -------------------------------------------------------------------------------------------------------


def layered(seed: int) -> tuple[list[int], list[tuple[int, int]], list[float]]:
    rng = random.Random(seed)
    level = [0] + [row for row in range(1, 5) for _ in range(rng.randint(1, 8))]
    links = [
        (one, other)
        for one in range(len(level))
        for other in range(len(level))
        if level[other] == level[one] + 1 and rng.random() < 0.4
    ]
    return level, links, [rng.choice([20.0, 40.0]) for _ in level]


@together(range(60))
def test_nodes_of_a_layer_do_not_overlap(seed):
    level, links, widths = layered(seed)
    xs = place_layers(level, links, widths, 10)
    for depth in range(max(level) + 1):
        row = sorted((node for node in range(len(level)) if level[node] == depth), key=xs.__getitem__)
        for left, right in pairwise(row):
            assert xs[right] - xs[left] >= (widths[left] + widths[right]) / 2 + 10 - 1e-6
    assert min(x - width / 2 for x, width in zip(xs, widths, strict=True)) == pytest.approx(0)


def test_sweeps_uncross_what_need_not_cross():
    # 0 leads to 1, 2, 3; these, in reverse, to 4, 5, 6
    xs = place_layers([0, 1, 1, 1, 2, 2, 2], [(0, 1), (0, 2), (0, 3), (1, 6), (2, 5), (3, 4)], [20.0] * 7, 10)
    assert sorted([1, 2, 3], key=xs.__getitem__) == [
        {6: 1, 5: 2, 4: 3}[n] for n in sorted([4, 5, 6], key=xs.__getitem__)
    ]
    assert xs[1] == pytest.approx(xs[6])
    assert xs[0] == pytest.approx(xs[2])

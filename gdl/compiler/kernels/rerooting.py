"""A tree of simulations goes on from another root: a position that it has met, which comes to be searched next.

1. The position is looked for among the nodes whose states are kept, a few plies below the root.
2. What does not lie below it is left behind. A node has a smaller number than its children, so one look at the nodes
   in the order of their numbers finds those that stay; they move together, in the same order.
3. So do the states.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_values import *

REROOT_STAYS = const(-1)  # the mark of a node that stays
# By node, when its turn comes to be moved: 0 if it is left behind; else REROOT_STAYS or, for a first child, 1 + the new
# number of its parent. Later, by place of a state: 1 + the node.
reroot_mark = array(i32, NODES)


def reroot_found(plies: i32, most: i32) -> i32:
    """The first node whose state is the present one, in a walk over nodes at most `plies` below the root; -1 if none of
    the first `most` nodes has it."""
    tree_path[0] = 0
    d = 0
    while most > 0:
        most -= 1
        node = tree_path[d]
        kept = tree_link[node * LINK + LINK_KEPT]
        if kept > 0 and equal(tree_state, (kept - 1) * STATE, s, 0, STATE):
            return node
        # Down to the first child, else on to the next sibling of the nearest ancestor that has one: a walk without a
        # stack of its own, as the path holds the place at each depth.
        if d < plies and tree_link[node * LINK + LINK_ROWS] > 0:
            d += 1
            tree_path[d] = tree_link[node * LINK + LINK_FIRST]
            continue
        last = 1
        while d > 0 and last:
            parent = tree_path[d - 1]
            last = tree_path[d] + 1 == tree_link[parent * LINK + LINK_FIRST] + tree_link[parent * LINK + LINK_ROWS]
            if last:
                d -= 1
        if d == 0:
            return -1
        tree_path[d] += 1
    return -1


def reroot_nodes(root: i32) -> i32:
    """Move the nodes below the new root to the front. Returns how many there are."""
    to = 0
    reroot_mark[root] = REROOT_STAYS
    for node in range(root, i32(tree_count[TREE_USED])):
        mark = reroot_mark[node]
        if mark != 0:
            reroot_mark[node] = 0
            # A first child tells its parent where the children are now; the others follow it, as they did before.
            if mark > 0:
                tree_link[(mark - 1) * LINK + LINK_FIRST] = to
            first_child = tree_link[node * LINK + LINK_FIRST]
            rows = tree_link[node * LINK + LINK_ROWS]
            if rows > 0:
                reroot_mark[first_child] = to + 1
                for k in range(1, rows):
                    reroot_mark[first_child + k] = REROOT_STAYS
            copy(tree_link, to * LINK, tree_link, node * LINK, LINK)
            if WEIGHED:
                tree_weight[to] = tree_weight[node]
            tree_move(node, to)
            to += 1
    return to


def reroot_states() -> None:
    """Move the states of the nodes that have stayed."""
    for node in range(i32(tree_count[TREE_USED])):
        if tree_link[node * LINK + LINK_KEPT] > 0:
            # From places to nodes: states are moved in the order of their places, so that none is overwritten before it
            # has moved.
            reroot_mark[tree_link[node * LINK + LINK_KEPT] - 1] = node + 1
    to = 0
    for place in range(i32(tree_count[TREE_STATES])):
        mark = reroot_mark[place]
        if mark > 0:
            reroot_mark[place] = 0
            copy(tree_state, to * STATE, tree_state, place * STATE, STATE)
            to += 1
            tree_link[(mark - 1) * LINK + LINK_KEPT] = to
    tree_count[TREE_STATES] = to


def reroot(plies: i32, most: i32) -> i32:
    """Make the present state the root of the tree. Returns 0 if it is not among the first `most` nodes looked at, at
    most `plies` below the root."""
    # Simulations under way refer to nodes by numbers that are about to change.
    tree_rest()
    root = -1
    d = 0
    # The shallowest node with this position comes first: most simulations have gone through it.
    while root < 0 and d <= plies:
        root = reroot_found(d, most)
        d += 1
    if root < 0:
        return 0
    if root > 0:
        tree_count[TREE_USED] = reroot_nodes(root)
        reroot_states()
    tree_count[TREE_NODES] = 1
    tree_count[TREE_FULL] = 0
    tree_count[TREE_LAST] = 0
    tree_goes_on()
    return 1

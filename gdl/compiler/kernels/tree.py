"""A tree of simulations, as tree search grows it (`mcts`).

A node is a number; the children of a node lie side by side, and room for all of them is taken at once. States are kept
of as many nodes as there is memory for; from the last one on the path the moves are made again.

The values of nodes are in `tree_values`, the descent of a simulation in `tree_descent`.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *

NODES = const(1)  # set: nodes of the tree, at most
STATES = const(1)  # set: states that are kept, at most
DEPTH = const(2)  # set: plies of a simulation, at most
CHANCES = const(0)  # set: whether the game has chance
TREE_SIMULATIONS = const(0)  # places in tree_count: simulations done,
TREE_WANTED = const(1)  # and wanted; -1: any number
TREE_NODES = const(2)  # nodes met, those of random play included,
TREE_MOST = const(3)  # and at most; -1: any number
TREE_USED = const(4)  # nodes of the tree
TREE_STATES = const(5)  # states kept
TREE_FULL = const(6)  # 1 if there was no room for the children of a node
TREE_LAST = const(7)  # the depth of the last node of the path
TREE_COUNTS = const(8)
RUN_DONE = const(0)  # results of a search that has ended: all is done,
RUN_OUT_OF_NODES = const(-2)  # TREE_MOST nodes were met,
RUN_ENDLESS = const(-3)  # or play has no end, and that has no price
LINK = const(8)  # words of a node in tree_link, six of them in use:
LINK_FIRST = const(0)  # the first child
LINK_ROWS = const(1)  # how many children there is room for; 0: none
LINK_TRIED = const(2)  # how many of them were visited
LINK_WHOSE = const(3)  # who moves there
LINK_PROVEN = const(4)  # 1 if its value is known for certain
LINK_KEPT = const(5)  # 1 + the place of its state; 0: it is not kept
WHOSE_NOBODY = const(0)  # the node was not visited yet
WHOSE_CHANCE = const(1)
WHOSE_OVER = const(2)  # nobody moves, it is an end
WHOSE_PLAYER = const(3)  # plus the player

tree_link = array(i32, NODES * LINK)
tree_weight = array(i64, NODES if WEIGHED else 1)  # by node that is an outcome of chance: its weight
tree_state = array(i32, STATES * STATE)  # the kept states
tree_path = array(i32, DEPTH)  # by depth: the node of the present simulation
tree_count = array(i64, TREE_COUNTS)


def tree_ways(node: i32) -> i32:
    """The number of ways to go on from the state of the node, which is present. Outcomes that have weights are
    listed."""
    if WEIGHED and tree_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        return moves()
    return ways()


def tree_take(node: i32, way: i32) -> None:
    """Play the way of this number at a node."""
    if WEIGHED and tree_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        apply(way)
        return
    take(way)


def tree_draw(node: i32) -> i32:
    """Draw one of the outcomes of a chance node."""
    if not WEIGHED:
        return i32(playout_below(tree_link[node * LINK + LINK_ROWS]))
    child = tree_link[node * LINK + LINK_FIRST]
    total: i64 = 0
    for k in range(tree_link[node * LINK + LINK_ROWS]):
        total += tree_weight[child + k]
    unit: i64 = 1
    if total >= MANY:  # as in playout_outcome
        unit = 0
        for k in range(tree_link[node * LINK + LINK_ROWS]):
            unit = common_divisor(unit, tree_weight[child + k])
        total //= unit
    ticket: i64 = playout_below(total) * unit
    while ticket >= tree_weight[child]:
        ticket -= tree_weight[child]
        child += 1
    return child - tree_link[node * LINK + LINK_FIRST]


def tree_enter(last: i32) -> None:
    """Make the state of the node at place `last` of the path the present one."""
    d = last
    # The root's state is always kept, so this ends. From the nearest kept state the moves are made again: that costs
    # time, and spares the memory of a state for every node.
    while tree_link[tree_path[d] * LINK + LINK_KEPT] == 0:
        d -= 1
    copy(s, 0, tree_state, (tree_link[tree_path[d] * LINK + LINK_KEPT] - 1) * STATE, STATE)
    while d < last:
        tree_ways(tree_path[d])
        tree_take(tree_path[d], tree_path[d + 1] - tree_link[tree_path[d] * LINK + LINK_FIRST])
        d += 1


def tree_meet(node: i32, kind: i32) -> None:
    """Note who moves at a new node, whose state is present, or that it is an end; keep its state if there is room."""
    if kind == TERMINAL:
        tree_link[node * LINK + LINK_WHOSE] = WHOSE_OVER
        tree_link[node * LINK + LINK_PROVEN] = 1
        return
    tree_link[node * LINK + LINK_WHOSE] = WHOSE_CHANCE if kind == CHANCE else WHOSE_PLAYER + s[0]
    # Where there is no memory left, or the past does not fit, the state is not kept; the tree goes on without it.
    if tree_count[TREE_STATES] < STATES and keep_past():
        place = i32(tree_count[TREE_STATES])
        tree_count[TREE_STATES] += 1
        tree_link[node * LINK + LINK_KEPT] = place + 1
        copy(tree_state, place * STATE, s, 0, STATE)


def tree_reach(last: i32, here: i32) -> i32:
    """Make the state of the node at place `last` of the path, which is new, the present one, and note who moves there.
    Returns its kind: DECISION, CHANCE or TERMINAL. `here`: 1 if its parent's state is the present one and the parent's
    ways are listed; 0 if the parent's state must be made first."""
    node = tree_path[last - 1]
    if here == 0:
        tree_enter(last - 1)
        tree_ways(node)
    mover = s[1]
    tree_take(node, tree_path[last] - tree_link[node * LINK + LINK_FIRST])
    tree_count[TREE_NODES] += 1
    kind = status_after(mover)
    tree_meet(tree_path[last], kind)
    tree_link[node * LINK + LINK_TRIED] += 1
    return kind


def tree_open(node: i32, rows: i32) -> i32:
    """Take room for `rows` children of a node. Returns 0 if there is none."""
    if tree_count[TREE_USED] + rows > NODES:
        tree_count[TREE_FULL] = 1
        return 0
    # Side by side, so that a child's number tells which way leads there, and no list of children is needed.
    first_child = i32(tree_count[TREE_USED])
    for k in range(first_child * LINK, (first_child + rows) * LINK):
        tree_link[k] = 0
    tree_link[node * LINK + LINK_FIRST] = first_child
    tree_link[node * LINK + LINK_ROWS] = rows
    tree_count[TREE_USED] += rows
    return 1


def tree_begin() -> None:
    """Begin a tree with nothing but the root, which has not been visited."""
    for k in range(TREE_COUNTS):
        if k != TREE_WANTED and k != TREE_MOST:
            tree_count[k] = 0
    tree_count[TREE_USED] = 1
    tree_count[TREE_NODES] = 1
    for k in range(LINK):
        tree_link[k] = 0


def tree_weigh(node: i32) -> None:
    """Note the weights of the outcomes of a chance node, which are listed."""
    if WEIGHED and tree_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        for k in range(tree_link[node * LINK + LINK_ROWS]):
            tree_weight[tree_link[node * LINK + LINK_FIRST] + k] = weight[k]


def tree_is_avoided(node: i32, parent: i32) -> i32:
    """Return 1 for a new node in which another player than the parent's mover wins at once, if that mover has other
    actions left to try."""
    whose = tree_link[parent * LINK + LINK_WHOSE]
    # Chance avoids nothing, and a player does not avoid their own win. With nothing else left to try, there is no
    # avoiding.
    others = whose >= WHOSE_PLAYER and whose != tree_link[node * LINK + LINK_WHOSE]
    return others and tree_link[parent * LINK + LINK_TRIED] < tree_link[parent * LINK + LINK_ROWS]

"""The values of the nodes of a tree: totals of visits, estimates, and proofs.

The values of nodes are utilities, and the estimates by which they are chosen lie on a scale from 0 to 1.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.immediate_wins import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.taken import uct_forget_cells, uct_move_cell, uct_note_cell
from gdl.compiler.kernels.tree import *

CELLS = const(0)  # set: cells of a board that actions take one by one, for good (AMAF); 0: not used
RECORD = const(PLAYERS + 1)  # numbers of a node in uct_sum
NOT_MET = const(1152921504606846976)  # greater than any utility: none was met yet
NEVER = const(-1.0e300)  # in place of a mean: proven to be lost, or to be worse than a sibling
uct_sum = array(i64, NODES * RECORD)  # by node: the visits N (negative if it is proven to be lost, or a sibling to be
# better), and each player's total W, times DENOMINATOR
uct_cell = array(i32, NODES if CELLS else 1)  # by node: the cell that its action took
uct_score = array(f64, NODES * 2)  # by node: the mean for the parent's mover on the scale 0..1, and 1 / sqrt(N)
uct_gain = array(i64, PLAYERS)  # by player, as all that follow: the payoff of this simulation, times DENOMINATOR
uct_low = array(i64, PLAYERS)  # the least and the greatest utility met
uct_high = array(i64, PLAYERS)
uct_least = array(i64, PLAYERS)  # the number that no utility falls below,
uct_least_known = array(u8, PLAYERS)  # and 1 if that is known


def uct_visits(node: i32) -> i64:
    """How often a node was visited."""
    visits: i64 = uct_sum[node * RECORD]
    return -visits if visits < 0 else visits


def tree_pays(node: i32, player: i32) -> i64:
    """The value of a proven node to a player."""
    paid: i64 = uct_sum[node * RECORD + 1 + player]
    return paid // uct_visits(node)


def uct_is_lost(player: i32, utility: i64) -> i32:
    """Return 1 if the player can get no less than this utility."""
    return uct_least_known[player] and utility <= uct_least[player]


def uct_open(node: i32, rows: i32) -> i32:
    """Take room for `rows` children of a node, without visits. Returns 0 if there is none."""
    if tree_open(node, rows) == 0:
        return 0
    first_child = tree_link[node * LINK + LINK_FIRST]
    for k in range(first_child * RECORD, (first_child + rows) * RECORD):
        uct_sum[k] = 0
    if CELLS:
        uct_forget_cells(first_child, rows)
        for k in range(first_child * 2, (first_child + rows) * 2):
            uct_score[k] = 1.0
    return 1


def tree_expand(node: i32, last: i32) -> i32:
    """Make the state of a node, at place `last` of the path, list its ways, and take room for its children. Returns 0
    if there is none."""
    tree_enter(last)
    if CELLS:
        listed = moves()
        if tree_count[TREE_USED] + listed <= NODES:
            for k in range(listed):
                uct_cell[i32(tree_count[TREE_USED]) + k] = move[k * WIDTH + 1]
    if uct_open(node, tree_ways(node)) == 0:
        return 0
    tree_weigh(node)
    return 1


def tree_visit(node: i32) -> None:
    """Add one visit to a node, and the simulation's result to its totals."""
    uct_sum[node * RECORD] += 1
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] += uct_gain[p]


def uct_met(player: i32, utility: i64) -> i32:
    """Widen the range of utilities that the player has met, if this one is outside. Returns 1 if it is."""
    wider = 0
    if utility < uct_low[player]:
        uct_low[player] = utility
        wider = 1
    if utility > uct_high[player]:
        uct_high[player] = utility
        wider = 1
    return wider


def tree_note(node: i32, parent: i32) -> None:
    """Note the estimate of a node for the parent's mover: its mean on the scale from 0 to 1, and 1 / sqrt(N) of its N
    visits, which says how little it was tried."""
    player = tree_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    visits: i64 = uct_sum[node * RECORD]
    if CELLS:
        uct_note_cell(node, parent)
        return
    if player < 0 or visits == 0:
        return
    if visits < 0:
        # Proven to be lost, or worse than a brother: no bonus for curiosity can lift it above the others.
        uct_score[node * 2] = NEVER
        return
    low: i64 = uct_low[player]
    spread: i64 = uct_high[player] - low
    mean = 0.0
    if spread > 0:
        # In whole numbers up to the last step, so that every engine divides the same two numbers and gets the same
        # bits.
        mean = f64(uct_sum[node * RECORD + 1 + player] - low * visits) / f64(spread * visits)
    uct_score[node * 2] = mean
    uct_score[node * 2 + 1] = 1.0 / sqrt(f64(visits))


def uct_note_all() -> None:
    """Compute the estimates of all nodes again."""
    for node in range(i32(tree_count[TREE_USED])):
        for k in range(tree_link[node * LINK + LINK_ROWS]):
            tree_note(tree_link[node * LINK + LINK_FIRST] + k, node)


def tree_back_up() -> None:
    """Add the simulation's gain to every node of the path."""
    for d in range(i32(tree_count[TREE_LAST]) + 1):
        tree_visit(tree_path[d])
        if d > 0:
            tree_note(tree_path[d], tree_path[d - 1])


def tree_compare(child: i32, best: i32, parent: i32, player: i32) -> None:
    """See to it that a proven child is never selected again if it is worse than the best one or lost."""
    if uct_sum[child * RECORD] > 0:
        worth = tree_pays(child, player)
        if worth < tree_pays(best, player) or uct_is_lost(player, worth):
            uct_sum[child * RECORD] = -uct_sum[child * RECORD]
            tree_note(child, parent)


def tree_prove(node: i32, best: i32) -> None:
    """Set the totals of a proven node as if every visit had been worth its value, which is that of child `best`."""
    visits: i64 = uct_sum[node * RECORD]
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] = visits * tree_pays(best, p)


def tree_settle_node(node: i32) -> None:
    """Prove a node's value, if the values of its children prove it."""
    player = tree_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER
    first_child = tree_link[node * LINK + LINK_FIRST]
    best = -1
    proven = 1
    for child in range(first_child, first_child + tree_link[node * LINK + LINK_ROWS]):
        if tree_link[child * LINK + LINK_PROVEN] == 0:
            proven = 0
        elif best < 0 or (player >= 0 and tree_pays(child, player) > tree_pays(best, player)):
            best = child
    if player >= 0:
        for child in range(first_child, first_child + tree_link[node * LINK + LINK_ROWS]):
            if tree_link[child * LINK + LINK_PROVEN]:
                tree_compare(child, best, node, player)
        # Nothing can be better than the best utility, so the other children need not be proven.
        if greatest_is_known[player] and tree_pays(best, player) >= greatest_utility[player]:
            proven = 1
    elif proven:
        for child in range(first_child, first_child + tree_link[node * LINK + LINK_ROWS]):
            for p in range(PLAYERS):
                # At a chance node only equal values prove anything: a mean is a fraction, and proven values are whole
                # numbers.
                if tree_pays(child, p) != tree_pays(first_child, p):
                    proven = 0
    if proven:
        tree_link[node * LINK + LINK_PROVEN] = 1
        tree_prove(node, best)


def tree_settle() -> None:
    """If the last node of the path is proven, prove the nodes above it whose values follow."""
    d = i32(tree_count[TREE_LAST])
    # Upward as long as each node is proven: a value that is not certain below proves nothing above.
    while d > 0 and tree_link[tree_path[d] * LINK + LINK_PROVEN]:
        d -= 1
        tree_settle_node(tree_path[d])
        if d > 0:
            tree_note(tree_path[d], tree_path[d - 1])


def tree_move(node: i32, to: i32) -> None:
    """Give a node another number, which is no greater."""
    copy(uct_sum, to * RECORD, uct_sum, node * RECORD, RECORD)
    uct_score[to * 2] = uct_score[node * 2]
    uct_score[to * 2 + 1] = uct_score[node * 2 + 1]
    if CELLS:
        uct_cell[to] = uct_cell[node]
        uct_move_cell(node, to)


def tree_goes_on() -> None:
    """Make the first node, which has been moved there, a root: it is compared with no siblings, whatever was proven of
    them."""
    uct_sum[0] = uct_visits(0)
    tree_count[TREE_SIMULATIONS] = uct_sum[0]

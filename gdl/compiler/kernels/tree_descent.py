"""How a simulation goes down a tree: by upper confidence bounds (UCT), to a node that is new, or proven, or has no room
for children.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.immediate_wins import *
from gdl.compiler.kernels.logarithm import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_values import *

JOIN_ENDS = const(1)  # results of tree_join other than 0 (go on): the new node ends its descent,
JOIN_PASSED_BY = const(2)  # or another child is to be tried
NOW_PLIES = const(0)  # places in uct_now: plies of this simulation,
NOW_PATIENCE = const(1)  # the most plies that one may take (its patience),
NOW_LEAST = const(2)  # and the least value of this limit
NOW_PLAYING = const(3)  # 1 if it has left the tree and plays at random
NOW_KIND = const(4)  # the kind of its state
NOW_PLAYED = const(5)  # the plies just played
NOW_CUTS = const(6)  # the simulations that were cut off so far
uct_now = array(i32, 7)
uct_share = array(f64, PLAYERS)  # by player: the share of the spread between the extremes by which results differ
uct_c = array(f64, 2)  # the constant of exploration c: with few visits, and with more
uct_few = array(i64, 1)  # visits of a node for each of its children that count as few
uct_logs = array(f64, 4096)  # by number: its natural logarithm


def uct_curious(node: i32) -> f64:
    """The factor of exploration at a node, c sqrt(ln N), with N visits."""
    log = uct_logs[i32(uct_sum[node * RECORD] & 4095)]
    # Small logarithms come from a table: nearly all nodes have few visits, and a logarithm costs as much as a child.
    if uct_sum[node * RECORD] >= 4096:
        log = natural_log(uct_sum[node * RECORD])
    # With few visits for each child little curiosity finds good moves sooner; with many it would never correct an early
    # mistake.
    few = uct_sum[node * RECORD] <= uct_few[0] * tree_link[node * LINK + LINK_ROWS]
    share = uct_share[tree_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER]
    return (uct_c[0] if few else uct_c[1]) * share * sqrt(log)


def uct_best(node: i32) -> i32:
    """The child with the greatest upper confidence bound, the first of equals."""
    curious = uct_curious(node)
    best = tree_link[node * LINK + LINK_FIRST]
    greatest = uct_score[best * 2] + curious * uct_score[best * 2 + 1]
    for child in range(best + 1, best + tree_link[node * LINK + LINK_ROWS]):
        bound = uct_score[child * 2] + curious * uct_score[child * 2 + 1]
        if bound > greatest:
            best = child
            greatest = bound
    return best


def tree_choose(node: i32) -> i32:
    """The child that a simulation visits next. Children that were never tried come first, unless there is an estimate
    of them."""
    # With AMAF a child that was never tried has an estimate already, from plays in which its action came later.
    if not CELLS and tree_link[node * LINK + LINK_TRIED] < tree_link[node * LINK + LINK_ROWS]:
        return tree_link[node * LINK + LINK_FIRST] + tree_link[node * LINK + LINK_TRIED]
    return uct_best(node)


def uct_pass_by(node: i32, parent: i32) -> None:
    """Note a new node in which the mover wins at once. The parent's mover will avoid it, so its result is not carried
    up to the nodes above."""
    wider = 0
    uct_sum[node * RECORD] = 1
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] = util[p]
        wider = wider | uct_met(p, util[p])
    player = tree_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    if uct_is_lost(player, util[player]):
        # The sign marks what is never to be selected again; the number stays a count of visits.
        uct_sum[node * RECORD] = -1
    tree_note(node, parent)
    if wider:
        uct_note_all()


def tree_join(child: i32, parent: i32, kind: i32) -> i32:
    """Add a new node, whose state is present, to the tree; random play begins there unless its value is certain.
    Returns one of the JOIN constants."""
    uct_now[NOW_KIND] = kind
    # The mover wins at once: the value is proven without a simulation.
    if kind == DECISION and is_won():
        tree_link[child * LINK + LINK_PROVEN] = 1
        if tree_is_avoided(child, parent):
            uct_pass_by(child, parent)
            return JOIN_PASSED_BY
    if tree_link[child * LINK + LINK_PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]
    else:
        uct_now[NOW_PLAYING] = 1
    return JOIN_ENDS


def tree_stop(node: i32, last: i32) -> None:
    """End the descent at a node of the tree: take the gain of a proven one; at one without room for children random
    play begins."""
    if tree_link[node * LINK + LINK_PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = tree_pays(node, p)
        return
    uct_now[NOW_PLAYING] = 1
    tree_enter(last)
    uct_now[NOW_KIND] = CHANCE if CHANCES and tree_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE else DECISION


def tree_select() -> i32:
    """Descend from the root to a node that is new, or proven, or has no room for children. Returns 0 if no more nodes
    may be met."""
    node = 0
    d = 0
    tree_path[0] = 0
    tree_count[TREE_LAST] = 0
    while tree_link[node * LINK + LINK_PROVEN] == 0:
        here = 0
        if tree_link[node * LINK + LINK_ROWS] == 0:
            # No room for children: the simulation ends here, in random play, and the tree grows no more.
            if tree_expand(node, d) == 0:
                break
            here = 1
        if d >= uct_now[NOW_PATIENCE]:
            break
        if CHANCES and tree_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
            child = tree_link[node * LINK + LINK_FIRST] + tree_draw(node)
        else:
            child = tree_choose(node)
        tree_path[d + 1] = child
        tree_count[TREE_LAST] = d + 1
        if tree_link[child * LINK + LINK_WHOSE] == WHOSE_NOBODY:
            if tree_count[TREE_NODES] == tree_count[TREE_MOST]:
                return 0
            joined = tree_join(child, node, tree_reach(d + 1, here))
            if joined == JOIN_ENDS:
                return 1
            # The same node chooses once more, in the same simulation: the child is proven now, so this cannot go on for
            # ever.
            if joined == JOIN_PASSED_BY:
                continue
        d += 1
        node = child
    tree_stop(node, d)
    return 1

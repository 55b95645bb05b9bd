"""Values of cells whenever they are taken (AMAF): for tree search in games whose every action takes a cell for good.

Who holds the cells at the end of a simulation is read from its last state.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_descent import *
from gdl.compiler.kernels.tree_values import *

HELD_BY_PLANE = const(0)  # set: whether states hold the cells as planes of bits, one for each player,
HELD_FROM = const(0)  # set: the word of the first cell, or the 64-bit word where planes begin,
HELD_WORDS = const(1)  # set: and the 64-bit words of a plane
uct_later = array(i64, NODES * 2)  # by node: the simulations through its parent in which the parent's mover came to
# hold its cell, and the sum of what these paid that player
uct_holder = array(i32, CELLS)  # by cell: who holds it at the end of the simulation; -1 nobody
uct_trust = array(f64, 1)  # the weight of the values of cells, in visits for each child of the node


def uct_note_cell(child: i32, parent: i32) -> None:
    """Note the estimate, for the parent's mover, of a child that takes a cell. It is the mean of the child's visits and
    of the worth of that cell in all simulations in which the player took it at any time; the latter counts as `trust`
    further visits."""
    player = tree_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    trust = uct_trust[0] * f64(tree_link[parent * LINK + LINK_ROWS])
    visits: i64 = uct_sum[child * RECORD]
    low: i64 = uct_low[player]
    spread = f64(uct_high[player] - low)
    if visits < 0:
        uct_score[child * 2] = NEVER
        return
    uct_score[child * 2 + 1] = 1.0
    if visits > 1:
        uct_score[child * 2 + 1] = 1.0 / sqrt(f64(visits))
    brought = f64(uct_sum[child * RECORD + 1 + player] - low * visits)
    if visits > 0 and tree_link[child * LINK + LINK_PROVEN]:
        uct_score[child * 2] = brought / (spread * f64(visits)) if spread > 0.0 else 0.0
        return
    held: i64 = uct_later[child * 2]
    uct_score[child * 2] = 1.0
    if held > 0 and spread > 0.0:
        hoped = brought * f64(held) + trust * f64(uct_later[child * 2 + 1] - low * held)
        uct_score[child * 2] = hoped / (spread * f64(held) * (f64(visits) + trust))


def uct_forget_cells(first_child: i32, rows: i32) -> None:
    """Clear the values of the cells of `rows` new nodes."""
    for k in range(first_child * 2, (first_child + rows) * 2):
        uct_later[k] = 0


def uct_move_cell(node: i32, to: i32) -> None:
    """Move the statistics of a node's cell to another number."""
    uct_later[to * 2] = uct_later[node * 2]
    uct_later[to * 2 + 1] = uct_later[node * 2 + 1]


def uct_hold() -> None:
    """Write into `uct_holder` who holds each cell: by the last state of random play or, if there was none, by the path
    alone."""
    for cell in range(CELLS):
        uct_holder[cell] = -1
    if uct_now[NOW_PLAYING]:
        for cell in range(CELLS):
            if HELD_BY_PLANE:
                for p in range(PLAYERS):
                    if w[HELD_FROM + p * HELD_WORDS + (cell >> 6)] >> (cell & 63) & 1 != 0:
                        uct_holder[cell] = p
            else:
                uct_holder[cell] = s[HELD_FROM + cell]
    else:
        for d in range(1, i32(tree_count[TREE_LAST]) + 1):
            uct_holder[uct_cell[tree_path[d]]] = tree_link[tree_path[d - 1] * LINK + LINK_WHOSE] - WHOSE_PLAYER


def uct_learn_cells() -> None:
    """Learn from a simulation: at every node of the path, add its gain to each child whose cell the node's mover came
    to hold."""
    uct_hold()
    for d in range(i32(tree_count[TREE_LAST]) + 1):
        node = tree_path[d]
        if tree_link[node * LINK + LINK_ROWS] == 0:
            return
        player = tree_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER
        first_child = tree_link[node * LINK + LINK_FIRST]
        rows = tree_link[node * LINK + LINK_ROWS]
        trust = uct_trust[0] * f64(rows)
        low: i64 = uct_low[player]
        spread = f64(uct_high[player] - low)
        gain: i64 = uct_gain[player]
        for child in range(first_child, first_child + rows):
            if uct_holder[uct_cell[child]] == player:
                held: i64 = uct_later[child * 2] + 1
                later: i64 = uct_later[child * 2 + 1] + gain
                uct_later[child * 2] = held
                uct_later[child * 2 + 1] = later
                visits: i64 = uct_sum[child * RECORD]
                if visits >= 0 and spread > 0.0 and tree_link[child * LINK + LINK_PROVEN] == 0:
                    brought = f64(uct_sum[child * RECORD + 1 + player] - low * visits)
                    hoped = brought * f64(held) + trust * f64(later - low * held)
                    uct_score[child * 2] = hoped / (spread * f64(held) * (f64(visits) + trust))

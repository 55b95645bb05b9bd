"""The textbook's alpha-beta: left to right, without a table; the run of `gdl.solvers.minimax.alpha_beta`."""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.utilities import *

STRICTLY = const(0)  # set: whether a node is left only where its value lies beyond the window, not on its edge
f_max = array(i32, FRAMES)  # whether the first player moves, who maximises here
f_alpha = array(i32, FRAMES)
f_beta = array(i32, FRAMES)
f_value = array(i32, FRAMES)  # of the children seen so far, the best
f_length = array(i32, FRAMES)  # of the line
f_line = array(i16, FRAMES * FRAMES)  # rows of best play


def begin(left: i32) -> None:
    """Search the state, so many plies deep."""
    path_begin()
    nodes[0] = 1
    enter(left, -FAR, FAR)


def enter(left: i32, alpha: i32, beta: i32) -> None:
    """A frame for the state."""
    f = enter_frame(left)
    if f < 0:
        return
    f_max[f] = s[0] == 0
    f_alpha[f] = alpha
    f_beta[f] = beta
    f_value[f] = -FAR if f_max[f] else FAR
    f_length[f] = 0


def note_rows(f: i32, first: i32, rows: i32) -> i32:
    """All rows are visited; a line holds their numbers in 16 bits."""
    if rows > 32767:
        refused[0] = TOO_WIDE
    return rows


def visit(f: i32) -> None:
    """Visit the next child."""
    copy(s, 0, child, (f * WAITING + f_next[f]) * STATE, STATE)
    f_next[f] += 1
    nodes[0] += 1
    kind = status_after(1 - f_max[f])
    if kind == TERMINAL:
        leaves[0] += 1
        back_up(f, worth(), 0)
    elif kind != DECISION:
        refused[0] = NO_DECISION
    elif f_left[f] == 1:
        leaves[0] += 1
        back_up(f, estimate(), 0)
    else:
        enter(f_left[f] - 1, f_alpha[f], f_beta[f])


def back_up(f: i32, value: i32, length: i32) -> None:
    """The value of the child visited last, and the length of the line below it, which lies in the next frame."""
    if value > f_value[f] if f_max[f] else value < f_value[f]:
        f_value[f] = value
        f_length[f] = length + 1
        f_line[f * FRAMES] = f_made[f] - f_count[f] + f_next[f] - 1
        copy(f_line, f * FRAMES + 1, f_line, (f + 1) * FRAMES, length)
    if f_max[f]:
        if f_value[f] > f_alpha[f]:
            f_alpha[f] = f_value[f]
        if f_value[f] > f_beta[f] or (f_value[f] == f_beta[f] and not STRICTLY):
            skip(f)
    else:
        if f_value[f] < f_beta[f]:
            f_beta[f] = f_value[f]
        if f_alpha[f] > f_value[f] or (f_alpha[f] == f_value[f] and not STRICTLY):
            skip(f)


def skip(f: i32) -> None:
    """The other children do not matter."""
    f_made[f] = f_rows[f]
    f_next[f] = f_count[f]


def search_run(budget: i32) -> i32:
    """Go on for so many nodes; 1 where something is left to do."""
    until = node_limit(budget)
    while nodes[0] < until and refused[0] == 0:
        f = top[0] - 1
        if f < 0:
            return 0
        if f_next[f] < f_count[f]:
            visit(f)
        elif f_made[f] < f_rows[f] or f_rows[f] < 0:
            make_children(f)
        else:
            top[0] = f
            if f > 0:
                back_up(f - 1, f_value[f], f_length[f])
    return refused[0] == 0 and top[0] > 0

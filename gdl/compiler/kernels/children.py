"""The children of the positions on a path, made some at a time from one listing.

A node is a child that is visited. The search joined with this gives `note_rows(f, first, rows)`, which notes what it
needs of the listed rows from `first` on, and returns how many of all rows are to be visited.
"""

from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.search import note_rows
from gdl.compiler.kernels.utility_sums import *

WAITING = const(16)  # set: children made from one listing
ORDERED = const(0)  # set: whether the child of row `f_first` is made first
PLY = const(1)  # set: by how much a move lowers the plies left; 0: the search goes to the ends
leaves = array(i64, 1)  # ends and estimated positions met
cut_off = array(i64, 1)  # leaves that were estimated
f_left = array(i32, FRAMES)  # by frame: plies left
f_rows = array(i32, FRAMES)  # rows to be visited; -1: not listed yet
f_made = array(i32, FRAMES)  # rows of which children were made
f_count = array(i32, FRAMES)  # children of the last listing
f_next = array(i32, FRAMES)  # of these, the one to be visited next
f_first = array(i32, FRAMES if ORDERED else 1)  # the row made first; the others keep their order
child = array(i32, FRAMES * WAITING * STATE)


def path_begin() -> None:
    """Begin with an empty path."""
    top[0] = 0
    leaves[0] = 0
    cut_off[0] = 0
    sums[0] = 0


def enter_frame(left: i32) -> i32:
    """Push a frame for the present state, without children yet, with `left` plies left. Returns its number, or -1 if
    there is no room."""
    f = path_push()
    if f >= 0:
        f_left[f] = left
        f_rows[f] = -1
        f_made[f] = 0
        f_count[f] = 0
        f_next[f] = 0
    return f


def row_at(f: i32, place: i32) -> i32:
    """The row of which the child in this place of the frame's order is made."""
    if ORDERED:
        return f_first[f] if place == 0 else place - (place <= f_first[f])
    return place


def make_children(f: i32) -> None:
    """Make the next children of the frame."""
    copy(s, 0, f_state, f * STATE, STATE)
    rows = moves()
    if rows == 0:
        refused[0] = NO_DECISION
        return
    first = f_made[f]
    rows = note_rows(f, first, rows)
    f_rows[f] = rows
    count = rows - first if rows - first < WAITING else WAITING
    for k in range(count):
        if k > 0:
            copy(s, 0, f_state, f * STATE, STATE)
        apply(row_at(f, first + k))
        copy(child, (f * WAITING + k) * STATE, s, 0, STATE)
    f_made[f] = first + count
    f_count[f] = count
    f_next[f] = 0

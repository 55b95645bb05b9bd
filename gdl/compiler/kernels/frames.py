"""The path of a depth-first search: a stack of frames, one for each position on the path.

The frames lie in memory, so a search stops after any number of nodes and goes on when it is called again.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.reasons import *

FRAMES = const(512)  # set: the most frames, and so plies of a path
top = array(i32, 1)  # frames in use
nodes = array(i64, 1)  # nodes visited so far
most = array(i64, 1)  # nodes at which the search stops
f_state = array(i32, FRAMES * STATE)  # by frame: its position


def node_limit(budget: i32) -> i64:
    """The count of nodes at which a call with this budget stops."""
    until = nodes[0] + budget
    return until if until < most[0] else most[0]


def path_push() -> i32:
    """Push a frame for the present state. Returns its number, or -1, and the search is refused, if there is no room."""
    f = top[0]
    if f == FRAMES:
        refused[0] = TOO_DEEP
        return -1
    top[0] = f + 1
    copy(f_state, f * STATE, s, 0, STATE)
    return f

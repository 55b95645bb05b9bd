"""Positions at the horizon of a search by windows: evaluated there, or followed to quiet play.

If the file says nothing, EVAL is taken there. Where the file says what quiet play keeps (`quiet:`, a number), search
goes on to quiet positions:

1. The one who moves may be content with EVAL (stand pat): it is the least that the position is worth to them.
2. They may also take an action that changes the number; the others are not looked at, nor made where the game lists
   such actions alone.
3. Where the number is none, the position is restless, and the mover can't be content: all actions are followed.
4. A position is not even entered where its mover, content with EVAL, would already cut it off.
5. FURTHER plies past the horizon EVAL is taken everywhere.

Sources: Shannon, Programming a computer for playing chess, 1950, section 3; Beal, A generalised quiescence search
algorithm, Artificial Intelligence 43, 1990.
"""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.utilities import *
from gdl.compiler.kernels.windows import (
    back_up,
    child_identity,
    child_rank,
    child_row,
    child_same,
    child_static,
    f_alpha,
    f_best,
    f_beta,
    f_left,
    f_open,
    f_rows,
    f_side,
)

QUIESCENT = const(0)  # set: whether search goes on to quiet positions
RESTLESS = const(0)  # set: what quiet() returns where the number is none
LISTS_LOUD = const(0)  # set: whether the game has `loud_moves()`
FURTHER = const(4)  # plies past the horizon at most; gdl.solvers.horizon has the same
UNKNOWN = const(-2147483648)  # in the place of an EVAL: it was not computed
f_quiet = array(i64, FRAMES)  # by frame: the number that quiet play keeps


def stand(f: i32, known: i32) -> None:
    """Let the mover of a frame at the horizon or past it be content with EVAL, if its position is quiet. `known`: its
    EVAL for the first player, or UNKNOWN."""
    if not QUIESCENT:
        return
    f_quiet[f] = quiet()
    if f_quiet[f] == RESTLESS:
        return
    value = f_side[f] * (estimate() if known == UNKNOWN else known)
    f_best[f] = value
    f_open[f] = 1
    if value > f_alpha[f]:
        f_alpha[f] = value
    # No rows: the frame is left at once, as too good.
    if value >= f_beta[f]:
        f_rows[f] = 0


def is_quiet(f: i32) -> i32:
    """Return 1 if the last ply, from the frame's position to the present state, was quiet by the file's own number, or
    the present state has none."""
    if not QUIESCENT:
        return 0
    now: i64 = quiet()
    return f_quiet[f] != RESTLESS and (now == f_quiet[f] or now == RESTLESS)


def only_loud(f: i32) -> i32:
    """Return 1 if only those actions of the frame are listed that are not quiet."""
    return LISTS_LOUD and QUIESCENT and f_left[f] <= 0 and f_quiet[f] != RESTLESS


def at_horizon(f: i32, at: i32) -> None:
    """Evaluate child `at`, the present state, which lies at the horizon or past it; or leave it waiting for a search to
    quiet positions."""
    static = estimate()
    own = f_side[f] * static
    if QUIESCENT:
        child_static[at] = static
        # Whoever moves in the child could stand pat there, and that alone decides it: a frame for it would be wasted.
        content = own >= f_beta[f] if child_same[at] else own <= f_alpha[f]
        if f_left[f] != 1 - FURTHER and not (content and quiet() != RESTLESS):
            child_rank[at] = own
            return
    child_rank[at] = -FAR
    back_up(f, own, 1, child_row[at], child_identity[at])

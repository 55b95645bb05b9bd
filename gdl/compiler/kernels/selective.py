"""Selective search by windows: parts are left out, or looked at less deep, so as to look deeper at those that are
likely to matter.

Only where a search is to find a good action in the time that it has, and the file says what quiet play is: the value
is no longer that of minimax to a depth. Nothing is left at the start, within a window that is not empty, or where the
position is not quiet by the file's own word. What rests on it counts as an estimate, so what is proved stays proved.

1. A position a few plies before the horizon whose EVAL is too good by a MARGIN for each ply is left with it (reverse
   futility pruning).
2. Where EVAL is too good, the mover passes; if the opponent, with some plies less, can't make use of that, the
   position is left as too good (null move). This is done where the rules tell a position in which the mover would lose
   if they could do nothing (a check) from another (a stalemate), in the others alone, and where there is CHOICE
   enough: with little, having to move may itself be bad.
3. Quiet actions far back in the order are searched some plies less deep, and as deep as others where they are better
   than the best by then (late move reductions).
4. An action that leads to such a threat takes no ply.

Sources: Heinz, Extended futility pruning, ICCA Journal 21, 1998; Donninger, Null move and deep search, ICCA Journal 16,
1993; Levy, Broughton and Taylor, The SEX algorithm in computer chess, ICCA Journal 12, 1989.
"""

from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.quiescence import *
from gdl.compiler.kernels.utilities import *
from gdl.compiler.kernels.windows import (
    child_quiet,
    f_alpha,
    f_best,
    f_beta,
    f_count,
    f_left,
    f_made,
    f_open,
    f_rows,
    f_searched,
    f_side,
    f_static,
)

SELECTIVE = const(0)  # set: whether search is selective
TELLS_THREATS = const(0)  # set: whether the game has `stuck()`
NEAR = const(3)  # plies left where a position may be left for its EVAL
PASSES = const(3)  # plies left at least where the mover may pass
LESS = const(2)  # plies less, after a pass,
ONE_MORE = const(6)  # and one more for every so many that are left
CHOICE = const(12)  # actions that the mover must have had two plies before, at least, to pass
EARLY = const(3)  # the first actions of a position, which are searched with full depth
LATE = const(8)  # actions after which the rest are searched two plies less deep, not one
DEEP = const(4)  # plies left beyond which it is a ply less still
MARGINS = const(4)  # a margin is the average change of EVAL by actions that are not quiet, divided by this
f_threat = array(i32, FRAMES)  # 1 if the mover would lose if they could do nothing
f_pass = array(i32, FRAMES)  # TO_PASS, PASSED or 0
f_less = array(i32, FRAMES)  # plies less by which the child that is searched is looked at
margin = array(i32, 1)  # EVAL for each ply left by which a position must be too good
loud_gain = array(i64, 2)  # of actions in random play that were not quiet: the sum of changes of EVAL, and their number
TO_PASS = const(1)  # a pass is to be tried,
PASSED = const(2)  # or is being tried


def is_threatened() -> i32:
    """1 if the mover would lose by having no action, where the rules tell such ends apart; else 0."""
    if TELLS_THREATS:
        if stuck() == TERMINAL:
            # A threat is only one of losing everything: ends that pay something between are no check.
            return worth() == (least[0] if s[0] == 0 else greatest[0])
    return 0


def foresee(f: i32) -> None:
    """Look at a frame that was just made for the present state: leave it at once, or note that a pass is to be
    tried."""
    f_pass[f] = 0
    f_less[f] = 0
    left = f_left[f]
    if left <= 0:
        return
    f_quiet[f] = quiet()
    static = f_side[f] * estimate()
    f_static[f] = static
    f_threat[f] = is_threatened()
    # At the root an action is wanted, not a bound. In a window that is not empty the value itself is wanted. And where
    # something hangs or threatens, EVAL says little.
    if f == 0 or f_threat[f] or f_quiet[f] == RESTLESS or f_beta[f] != f_alpha[f] + 1:
        return
    if left <= NEAR and static - left * margin[0] >= f_beta[f]:
        give_up(f, static)
    # Never two passes in a row: that would be the same position with less depth.
    elif TELLS_THREATS and left >= PASSES and static >= f_beta[f] and f_pass[f - 1] == 0:
        if f < 2 or f_rows[f - 2] >= CHOICE:
            f_pass[f] = TO_PASS


def give_up(f: i32, value: i32) -> None:
    """Leave the frame with an estimate."""
    f_best[f] = value
    f_open[f] = 1
    f_rows[f] = 0
    f_made[f] = 0
    f_count[f] = 0


def plies_less(f: i32, row: i32) -> i32:
    """The number of plies by which child `row` of the frame, the next one, is searched less deep."""
    if f_left[f] < 3 or f_searched[f] <= EARLY or child_quiet[row] == 0 or f_threat[f]:
        return 0
    less = 1 + (f_searched[f] > LATE) + (f_left[f] > DEEP)
    # At least a ply stays before the horizon, so that a quiet action is never judged by loud answers alone.
    return less if less < f_left[f] - 1 else f_left[f] - 2


def note_gain(before: i64, static: i32) -> None:
    """Note by how much an action of random play has changed EVAL, if it was not quiet. It has led to the present state
    from one with EVAL `static` and quiet number `before`."""
    now: i64 = quiet()
    if now != before and now != RESTLESS and before != RESTLESS:
        gain: i64 = estimate() - static
        loud_gain[0] += gain if gain > 0 else -gain
        loud_gain[1] += 1
        margin[0] = i32(loud_gain[0] // (loud_gain[1] * MARGINS))

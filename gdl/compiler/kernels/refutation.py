"""Refutation of actions that lose by force within a few plies, as `gdl.solvers.mcts.refutation` does it: the same
positions are visited in the same order.

The frames lie in memory, so the search stops after any number of positions and goes on when it is called again.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *

REFUTING_PLIES = const(3)  # set: plies after the action that are searched
REFUTED_NOT = const(0)  # results of refute_run: the action was not shown to lose,
REFUTED_YES = const(1)  # it loses,
REFUTED_GOES_ON = const(2)  # call again,
REFUTED_SPENT = const(3)  # no more positions may be visited
refute_state = array(i32, (REFUTING_PLIES + 1) * STATE)  # the start, and the position of each frame below it
refute_rows = array(i32, REFUTING_PLIES + 1)  # by frame: the number of ways to go on,
refute_next = array(i32, REFUTING_PLIES + 1)  # and the next of them
refute_top = array(i32, 1)  # the last frame
refute_player = array(i32, 1)  # the player whose loss is to be shown,
refute_least = array(i64, 1)  # and the greatest utility that is a loss, times DENOMINATOR
refute_left = array(i64, 1)  # positions that may still be visited


def refute_begin(way: i32) -> None:
    """Begin with the action of this number at the start."""
    refute_top[0] = 0
    refute_rows[0] = way + 1
    refute_next[0] = way


def refute_worth(f: i32) -> i32:
    """Visit the next position below a frame. Returns REFUTED_YES or REFUTED_NOT if it is known whether it is lost, else
    REFUTED_GOES_ON: it has become a frame."""
    copy(s, 0, refute_state, f * STATE, STATE)
    last = s[1]
    ways()
    take(refute_next[f])
    refute_next[f] += 1
    kind = status_after(last)
    if kind == TERMINAL:
        return util[refute_player[0]] <= refute_least[0]
    if kind != DECISION:
        return REFUTED_NOT
    rows = known_ways()
    if f == REFUTING_PLIES:
        return REFUTED_NOT
    refute_top[0] = f + 1
    copy(refute_state, (f + 1) * STATE, s, 0, STATE)
    refute_rows[f + 1] = rows
    refute_next[f + 1] = 0
    return REFUTED_GOES_ON


def refute_run(budget: i32) -> i32:
    """Visit up to `budget` positions. Returns REFUTED_YES or REFUTED_NOT for the action, REFUTED_SPENT if no more may
    be visited, REFUTED_GOES_ON to be called again."""
    while budget > 0:
        if refute_left[0] == 0:
            return REFUTED_SPENT
        budget -= 1
        refute_left[0] -= 1
        lost = refute_worth(refute_top[0])
        while lost != REFUTED_GOES_ON:
            f = refute_top[0]
            if f == 0:
                return lost
            own = refute_state[f * STATE] == refute_player[0]
            if lost != own or refute_next[f] == refute_rows[f]:
                refute_top[0] = f - 1
            else:
                lost = REFUTED_GOES_ON
    return REFUTED_GOES_ON

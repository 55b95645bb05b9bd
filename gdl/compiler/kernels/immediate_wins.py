"""Wins by a single move, as `find_immediate_win` of gdl/states/safe_play.py finds them."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *

AT_A_TIME = const(16)  # positions made from one listing
FEW_WAYS = const(256)  # set: positions with more ways to go on than this are not looked at
greatest_utility = array(i64, PLAYERS)  # by player: the number that no utility exceeds, times DENOMINATOR,
greatest_is_known = array(u8, PLAYERS)  # and 1 if that is known
winning_child = array(i32, AT_A_TIME * STATE)  # the positions made from the last listing
winning_start = array(i32, STATE)  # the state that is looked at


def is_won() -> i32:
    """Return 1 if one of the ways to go on is an end that pays the mover the most that can be had; `util` has its
    payoffs. Returns 0 if none is, or there are too many ways to look; then the state is as before."""
    player = s[0]
    if greatest_is_known[player] == 0:
        return 0
    last = s[1]
    copy(winning_start, 0, s, 0, STATE)
    rows = known_ways()
    if rows > FEW_WAYS:
        return 0
    done = 0
    while done < rows:
        if WON_ASKS_WAYS and done > 0:
            ways()
        count = rows - done if rows - done < AT_A_TIME else AT_A_TIME
        for k in range(count):
            take(done + k)
            copy(winning_child, k * STATE, s, 0, STATE)
            copy(s, 0, winning_start, 0, STATE)
        for k in range(count):
            copy(s, 0, winning_child, k * STATE, STATE)
            if won_after(last) == TERMINAL and util[player] >= greatest_utility[player]:
                return 1
        done += count
        copy(s, 0, winning_start, 0, STATE)
    if WON_ASKS_WAYS:
        status()
    return 0

"""Counting action sequences, depth first.

1. A node with as many plies left as its move takes adds its ways to the count: they are not entered.
2. Any other node becomes a frame: its state, its number of ways, and how many of them have been taken. Some of its
   children at a time are made from one listing and wait in the frame.
3. The last frame's last waiting child is next; where none waits, its next children are made; where all have been
   made, the frame is done.

The frames lie in memory, so the search stops after any number of nodes and goes on when it is called again.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *

DEPTH = const(1)  # set: plies of the longest sequences
AT_ONCE = const(0)  # set: whether players may move at once
LARGEST_COUNT = const(9223372036854775807)  # the greatest number of sequences that fits in 64 bits
WAITING = const(16)  # children made from one listing
frames = array(i32, 1)  # frames in use
frame_state = array(i32, DEPTH * STATE)
frame_ways = array(i64, DEPTH)  # by frame: its number of ways,
frame_taken = array(i64, DEPTH)  # how many of them were taken,
frame_left = array(i32, DEPTH)  # the plies left for its children,
frame_waiting = array(i32, DEPTH)  # how many of these wait,
frame_child = array(i32, DEPTH * WAITING * STATE)  # and their states
perft_count = array(i64, 1)  # sequences counted so far


def perft_ways(left: i32) -> i64:
    """The number of ways in which play can go on, of which the rows are listed. In a simultaneous move, the number of
    combinations of the first `left` players' choices."""
    if not AT_ONCE:
        return ways()
    count: i64 = moves()
    if s[0] == -1:
        count = 1
        counted = 0
        for p in range(PLAYERS):
            own: i64 = first[p + 1] - first[p]
            if own > 0 and counted < left:
                if count > LARGEST_COUNT // own:
                    refused[0] = TOO_GREAT
                    return 0
                count = count * own
                counted += 1
    return count


def perft_plies() -> i32:
    """The number of plies of the listed move: 1, or in a simultaneous move the number of players with a choice."""
    plies = 0
    if AT_ONCE:
        if s[0] == -1:
            for p in range(PLAYERS):
                plies += first[p + 1] > first[p]
    return plies if plies > 0 else 1


def perft_take(way: i64) -> None:
    """Play the way with this number; in a simultaneous move it stands for a combination of choices."""
    if not AT_ONCE:
        take(i32(way))
        return
    if s[0] != -1:
        apply(i32(way))
        return
    for p in range(PLAYERS):
        own = first[p + 1] - first[p]
        joint[p] = -1
        if own > 0:
            joint[p] = first[p] + i32(way % own)
            way = way // own
    apply_joint()


def perft_make(f: i32) -> None:
    """Make the next children of the last frame; its state is there, and its ways are listed."""
    made = 0
    while made < WAITING and frame_taken[f] < frame_ways[f]:
        if made > 0:
            copy(s, 0, frame_state, f * STATE, STATE)
        perft_take(frame_taken[f])
        copy(frame_child, (f * WAITING + made) * STATE, s, 0, STATE)
        frame_taken[f] += 1
        made += 1
    frame_waiting[f] = made


def perft_enter(left: i32) -> None:
    """Count the plays of `left` plies from the state."""
    if status() == TERMINAL:
        return
    ways = perft_ways(left)
    plies = perft_plies()
    if plies >= left:
        if perft_count[0] > LARGEST_COUNT - ways:
            refused[0] = TOO_GREAT
            return
        perft_count[0] += ways
        return
    f = frames[0]
    frames[0] = f + 1
    copy(frame_state, f * STATE, s, 0, STATE)
    frame_ways[f] = ways
    frame_taken[f] = 0
    frame_left[f] = left - plies
    perft_make(f)


def perft_run(budget: i32) -> i32:
    """Visit up to `budget` nodes. Returns 1 if the count is not finished; 0 also if the numbers grow too large."""
    while budget > 0:
        if refused[0]:
            return 0
        f = frames[0] - 1
        if f < 0:
            return 0
        if frame_waiting[f] > 0:
            frame_waiting[f] -= 1
            copy(s, 0, frame_child, (f * WAITING + frame_waiting[f]) * STATE, STATE)
            perft_enter(frame_left[f])
            budget -= 1
        elif frame_taken[f] < frame_ways[f]:
            copy(s, 0, frame_state, f * STATE, STATE)
            perft_ways(0)
            perft_make(f)
        else:
            frames[0] = f
    return 1

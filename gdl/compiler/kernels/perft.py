"""Counting action sequences, depth first.

1. A node with as many plies left as its move takes adds its ways to the count: they are not entered.
2. Any other node becomes a frame: its state, its number of ways, and how many of them have been taken. Some of its
   children at a time are made from one listing and wait in the frame.
3. The last frame's last waiting child is next; where none waits, its next children are made; where all have been
   made, the frame is done.
4. Many joint moves leave the same state. What is counted below their results is kept: a state that comes again, with as
   many plies left, is not entered again.

The frames lie in memory, so the search stops after any number of nodes and goes on when it is called again.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.joint_moves import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *

DEPTH = const(1)  # set: plies of the longest sequences
KEPT = const(0)  # set: places for counts below results of joint moves, a power of 2; 0 where none are kept
WAITING = const(16)  # children made from one listing
frames = array(i32, 1)  # frames in use
frame_state = array(i32, DEPTH * STATE)
frame_ways = array(i64, DEPTH)  # by frame: its number of ways,
frame_taken = array(i64, DEPTH)  # how many of them were taken,
frame_left = array(i32, DEPTH)  # the plies left for its children,
frame_waiting = array(i32, DEPTH)  # how many of these wait,
frame_child = array(i32, DEPTH * WAITING * STATE)  # and their states
frame_before = array(i64, DEPTH)  # what had been counted before it
kept_state = array(i32, KEPT * STATE)  # by place of a kept count: its state,
kept_left = array(i32, KEPT)  # the plies of its sequences; 0: the place is free
kept_count = array(i64, KEPT)  # and their number
perft_count = array(i64, 1)  # sequences counted so far


def perft_ways(left: i32) -> i64:
    """The number of ways in which play can go on, of which the rows are listed. In a simultaneous move, the number of
    combinations of the first `left` players' choices. Sets `joint_plies`."""
    joint_plies[0] = 1
    if not AT_ONCE or s[0] != -1:
        return ways()
    moves()
    count = joint_ways(left)
    if count == 0:
        refused[0] = TOO_GREAT
    return count


def perft_take(way: i64) -> None:
    """Play the way with this number; in a simultaneous move it stands for a combination of choices."""
    if not AT_ONCE or s[0] != -1:
        take(i32(way))
    else:
        take_joint(way)


def perft_make(f: i32) -> None:
    """Make the next children of the last frame; its state is there, and its ways are listed."""
    frame_waiting[f] = 0
    while frame_waiting[f] < WAITING and frame_taken[f] < frame_ways[f]:
        if frame_waiting[f] > 0:
            copy(s, 0, frame_state, f * STATE, STATE)
        perft_take(frame_taken[f])
        copy(frame_child, (f * WAITING + frame_waiting[f]) * STATE, s, 0, STATE)
        frame_taken[f] += 1
        frame_waiting[f] += 1


def perft_add(count: i64) -> None:
    """Add to the sequences counted so far."""
    if perft_count[0] > LARGEST_COUNT - count:
        refused[0] = TOO_GREAT
    else:
        perft_count[0] += count


def place_of_count(left: i32) -> i32:
    """The place for the number of plays of `left` plies from the state; -1 if no joint move has led here."""
    f = frames[0] - 1
    if f < 0 or frame_state[f * STATE] != -1:
        return -1
    return i32(hash()) + left & KEPT - 1


def keep_count(left: i32, count: i64) -> None:
    """Keep the number of plays of `left` plies from the state, if a joint move has led here."""
    at = place_of_count(left)
    if at >= 0:
        copy(kept_state, at * STATE, s, 0, STATE)
        kept_left[at] = left
        kept_count[at] = count


def perft_enter(left: i32) -> None:
    """Count the plays of `left` plies from the state."""
    if KEPT:
        at = place_of_count(left)
        if at >= 0 and kept_left[at] == left and equal(kept_state, at * STATE, s, 0, STATE):
            perft_add(kept_count[at])
            return
    if status() == TERMINAL:
        return
    ways = perft_ways(left)
    if joint_plies[0] >= left:
        if KEPT:
            keep_count(left, ways)
        perft_add(ways)
        return
    f = frames[0]
    frames[0] = f + 1
    copy(frame_state, f * STATE, s, 0, STATE)
    frame_ways[f] = ways
    frame_taken[f] = 0
    frame_left[f] = left - joint_plies[0]
    frame_before[f] = perft_count[0]
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
            if KEPT and f > 0:
                copy(s, 0, frame_state, f * STATE, STATE)
                keep_count(frame_left[f - 1], perft_count[0] - frame_before[f])
    return 1

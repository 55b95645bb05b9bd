"""Counting action sequences in kernel Python, depth first.

1. A node with as many plies left as its move takes adds its ways to the count: they are not entered.
2. Any other node becomes a frame: its state, its number of ways, and how many of them have been taken. Some of its
   children at a time are made from one listing and wait in the frame.
3. The last frame's last waiting child is next; where none waits, its next children are made; where all have been
   made, the frame is done.

The frames lie in memory, so the search stops after any number of nodes and goes on when it is called again.
"""

from __future__ import annotations

WAITING = 16  # children made from one listing

_SEARCH = '''
WAITING = const({waiting})
frames = array(i32, 1)
frame_state = array(i32, {depth} * STATE)
frame_ways = array(i64, {depth})
frame_taken = array(i64, {depth})
frame_left = array(i32, {depth})  # plies left for its children
frame_waiting = array(i32, {depth})
frame_child = array(i32, {depth} * WAITING * STATE)
perft_count = array(i64, 1)


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
    """Count below the state, so many plies."""
    if status() == 3:
        return
    ways = perft_ways(left)
    plies = perft_plies()
    if plies >= left:
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
    """Go on for so many nodes; 1 where something is left to do."""
    while budget > 0:
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
'''

_IN_TURN = '''

def perft_ways(left: i32) -> i64:
    """In how many ways play can go on."""
    return ways()


def perft_plies() -> i32:
    """How many plies a move is."""
    return 1


def perft_take(way: i64) -> None:
    """Go one of the ways."""
    take(i32(way))
'''

_AT_ONCE = '''

def perft_ways(left: i32) -> i64:
    """List what can be done; in how many ways the next plies, at most those of this move, can be chosen."""
    ways: i64 = moves()
    if s[0] == -1:
        ways = 1
        counted = 0
        for p in range(PLAYERS):
            if first[p + 1] > first[p] and counted < left:
                ways = ways * (first[p + 1] - first[p])
                counted += 1
    return ways


def perft_plies() -> i32:
    """How many plies the listed move is: each player's who has a choice is one."""
    plies = 0
    if s[0] == -1:
        for p in range(PLAYERS):
            plies += first[p + 1] > first[p]
    return plies if plies > 0 else 1


def perft_take(way: i64) -> None:
    """Go one of the ways."""
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
'''


def kernel(depth: int, at_once: bool) -> str:
    """The search for sequences of so many plies, in a game where players move at once, or one where none do."""
    return (_AT_ONCE if at_once else _IN_TURN) + _SEARCH.format(depth=depth, waiting=WAITING)

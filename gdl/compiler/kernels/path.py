"""The path of a depth-first search in kernel Python, and numbers that are never rounded: what such searches share.

The frames lie in memory, so the search stops after any number of nodes and goes on when it is called again. Children
are made some at a time from one listing, but a node is one that is visited. The kernel that this is joined with has
`noted(f, first, rows)`, which notes what it wants of the rows from the first on, and says how many are to be visited.
"""

from __future__ import annotations

FRAMES = 512  # plies
WAITING = 16  # children made from one listing
TOO_DEEP, TOO_GREAT, AT_ONCE, FULL, COMES_AGAIN, UNEVEN, BEYOND, TOO_WIDE = range(1, 9)  # of `refused`

_PATH = '''
FRAMES = const({frames})
WAITING = const({waiting})
PLY = const({ply})  # what a move takes of the plies that are left
ONE_SUM = const({one_sum})  # whether the utilities of all ends must have the same sum
top = array(i32, 1)  # frames in use
nodes = array(i64, 1)  # visited
most = array(i64, 1)  # nodes; then the search stops
leaves = array(i64, 1)
cut_off = array(i64, 1)  # leaves that were estimated
sums = array(i64, 2)  # whether an end was met, and what its utilities sum to
refused = array(i32, 1)  # why the search cannot go on; 0: it can

f_state = array(i32, FRAMES * STATE)
f_left = array(i32, FRAMES)  # plies
f_rows = array(i32, FRAMES)  # -1: not listed yet
f_made = array(i32, FRAMES)  # rows of which children were made
f_count = array(i32, FRAMES)  # children of the last listing
f_next = array(i32, FRAMES)  # of them, the one to be visited
child = array(i32, FRAMES * WAITING * STATE)


def path_begin() -> None:
    """An empty path."""
    top[0] = 0
    leaves[0] = 0
    cut_off[0] = 0
    sums[0] = 0


def path_push(left: i32) -> i32:
    """A frame for the state; -1 where there is none left."""
    f = top[0]
    if f == FRAMES:
        refused[0] = 1
        return -1
    top[0] = f + 1
    copy(f_state, f * STATE, s, 0, STATE)
    f_left[f] = left
    f_rows[f] = -1
    f_made[f] = 0
    f_count[f] = 0
    f_next[f] = 0
    return f


def make(f: i32) -> None:
    """Make the next children of the frame."""
    copy(s, 0, f_state, f * STATE, STATE)
    rows = moves()
    if rows == 0:
        refused[0] = 3
        return
    first = f_made[f]
    rows = noted(f, first, rows)
    f_rows[f] = rows
    count = rows - first if rows - first < WAITING else WAITING
    for k in range(count):
        if k > 0:
            copy(s, 0, f_state, f * STATE, STATE)
        apply(first + k)
        copy(child, (f * WAITING + k) * STATE, s, 0, STATE)
    f_made[f] = first + count
    f_count[f] = count
    f_next[f] = 0


def add_up() -> None:
    """The utilities of an end must sum to what they have summed to so far."""
    total: i64 = 0
    for p in range(PLAYERS):
        total += util[p]
    if sums[0] == 0:
        sums[0] = 1
        sums[1] = total
    if total != sums[1]:
        refused[0] = 6


def fits(a: i64, b: i64) -> i32:
    """Whether the product has less than 63 bits."""
    if clz(a if a > 0 else -a) + clz(b if b > 0 else -b) >= 66:
        return 1
    refused[0] = 2
    return 0


def common(a: i64, b: i64) -> i64:
    """The greatest common divisor of two numbers, none of them negative."""
    while b != 0:
        rest: i64 = a % b
        a = b
        b = rest
    return a
'''


def kernel(frames: int, limited: bool, one_sum: bool) -> str:
    """The path, of so many plies at most; `limited`: moves take from the plies that are left."""
    return _PATH.format(frames=frames, waiting=WAITING, ply=int(limited), one_sum=int(one_sum))

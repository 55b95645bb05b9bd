"""The textbook's alpha-beta in kernel Python: left to right, without a table; the same run as `solvers.alpha_beta`.

The frames lie in memory, so the search stops after any number of nodes and goes on when it is called again. Children
are made some at a time from one listing, but a node is one that is visited.
"""

from __future__ import annotations

FRAMES = 512  # plies
WAITING = 16  # children made from one listing

_SEARCH = '''
FRAMES = const({frames})
WAITING = const({waiting})
top = array(i32, 1)  # frames in use
nodes = array(i64, 1)  # visited
leaves = array(i64, 1)
most = array(i64, 1)  # nodes; then the search stops

f_state = array(i32, FRAMES * STATE)
f_max = array(i32, FRAMES)  # whether the first player moves, who maximises here
f_alpha = array(i32, FRAMES)
f_beta = array(i32, FRAMES)
f_value = array(i32, FRAMES)  # of the children seen so far, the best
f_left = array(i32, FRAMES)  # plies
f_rows = array(i32, FRAMES)
f_made = array(i32, FRAMES)  # rows of which children were made
f_count = array(i32, FRAMES)  # children of the last listing
f_next = array(i32, FRAMES)  # of them, the one to be visited
f_length = array(i32, FRAMES)  # of the line
f_line = array(i16, FRAMES * FRAMES)  # rows of best play
child = array(i32, FRAMES * WAITING * STATE)


def begin(left: i32) -> None:
    """Search the state, so many plies deep."""
    top[0] = 0
    nodes[0] = 1
    leaves[0] = 0
    enter(left, -FAR, FAR)


def enter(left: i32, alpha: i32, beta: i32) -> None:
    """A frame for the state."""
    f = top[0]
    if f == FRAMES:
        refused[0] = 1
        return
    top[0] = f + 1
    copy(f_state, f * STATE, s, 0, STATE)
    f_max[f] = s[0] == 0
    f_alpha[f] = alpha
    f_beta[f] = beta
    f_value[f] = -FAR if f_max[f] else FAR
    f_left[f] = left
    f_rows[f] = -1
    f_made[f] = 0
    f_count[f] = 0
    f_next[f] = 0
    f_length[f] = 0


def make(f: i32) -> None:
    """Make the next children of the frame."""
    copy(s, 0, f_state, f * STATE, STATE)
    rows = moves()
    if rows > 32767:
        refused[0] = 2
        return
    f_rows[f] = rows
    first = f_made[f]
    count = rows - first if rows - first < WAITING else WAITING
    for k in range(count):
        if k > 0:
            copy(s, 0, f_state, f * STATE, STATE)
        apply(first + k)
        copy(child, (f * WAITING + k) * STATE, s, 0, STATE)
    f_made[f] = first + count
    f_count[f] = count
    f_next[f] = 0


def visit(f: i32) -> None:
    """Visit the next child."""
    copy(s, 0, child, (f * WAITING + f_next[f]) * STATE, STATE)
    f_next[f] += 1
    nodes[0] += 1
    kind = status_after(1 - f_max[f])
    if kind == 3:
        leaves[0] += 1
        back_up(f, worth(), 0)
    elif kind != 0:
        refused[0] = 5
    elif f_left[f] == 1:
        leaves[0] += 1
        back_up(f, estimate(), 0)
    else:
        enter(f_left[f] - 1, f_alpha[f], f_beta[f])


def back_up(f: i32, value: i32, length: i32) -> None:
    """The value of the child visited last, and the length of the line below it, which lies in the next frame."""
    if value > f_value[f] if f_max[f] else value < f_value[f]:
        f_value[f] = value
        f_length[f] = length + 1
        f_line[f * FRAMES] = f_made[f] - f_count[f] + f_next[f] - 1
        copy(f_line, f * FRAMES + 1, f_line, (f + 1) * FRAMES, length)
    if f_max[f]:
        if f_value[f] > f_alpha[f]:
            f_alpha[f] = f_value[f]
        if f_value[f] {beyond} f_beta[f]:
            skip(f)
    else:
        if f_value[f] < f_beta[f]:
            f_beta[f] = f_value[f]
        if f_alpha[f] {beyond} f_value[f]:
            skip(f)


def skip(f: i32) -> None:
    """The other children do not matter."""
    f_made[f] = f_rows[f]
    f_next[f] = f_count[f]


def search_run(budget: i32) -> i32:
    """Go on for so many nodes; 1 where something is left to do."""
    until = nodes[0] + budget
    if until > most[0]:
        until = most[0]
    while nodes[0] < until and refused[0] == 0:
        f = top[0] - 1
        if f < 0:
            return 0
        if f_next[f] < f_count[f]:
            visit(f)
        elif f_made[f] < f_rows[f] or f_rows[f] < 0:
            make(f)
        else:
            top[0] = f
            if f > 0:
                back_up(f - 1, f_value[f], f_length[f])
    return refused[0] == 0 and top[0] > 0
'''


def kernel(strictly: bool) -> str:
    """The run; `strictly`: a node is left where its value lies beyond the window, not on its edge. It needs the text of
    `worth`."""
    return _SEARCH.format(frames=FRAMES, waiting=WAITING, beyond=">" if strictly else ">=")

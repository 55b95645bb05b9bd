"""Strong components of games of chance, each worked on as soon as it is known.

It is joined with the enumeration, on whose edges it works, and with what works on a component (kernels/chance.py).

1. A chance state that one action of one state leads to, and nothing else, is folded into it: that action leads to what
   chance makes of it.
2. All other states are walked in depth. Behind a state where a component begins, all that is open is the component
   (Tarjan). Those that lead nowhere else come first. A state gets its place in this order.
3. A component's rows are written, and it is worked on at once, while its data are in the cache.

Source: Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972.
"""

from gdl.compiler.kernels.component import leads_to_itself, set_single_bounds
from gdl.compiler.kernels.edges import *
from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.patterns import *
from gdl.compiler.kernels.words import *

FOLDED = const(-1)  # in the place of a state's number by Tarjan: a chance state that is part of the one before it
CLOSED = const(-2)  # in the same place, less the state's place: its component is known
F_STATE = const(0)  # of a frame in `pool`, for a state on the path: its number
F_EDGE = const(1)  # its next edge
F_OUTCOME = const(2)  # where chance is folded into that, its next outcome
F_OUTCOMES = const(3)  # and where these end
F_REACHED = const(4)  # the lowest number by Tarjan that has been reached
F_OPENED = const(5)  # and how many states were open before it
FRAME = const(6)
TURNED = const(3 * MOST_STATES)  # added to a place: players have changed parts there
# A row: MAXIMUM, MINIMUM, or ENDED less the number of the utility; then for each action the place that it leads to or,
# before chance, -1 less the number of the pattern and the places of the outcomes. TURNED is added to a place if players
# change parts on the way there.
MINIMUM = const(-1)
MAXIMUM = const(-2)
ENDED = const(-3)


def bounds_start() -> None:
    """Fold chance states, and begin at the first state."""
    states = i32(enumerated[STATES])
    number = i32(play[P_NUMBER])
    edge = i32(solved[EDGE])
    pool[states] = i32(enumerated[EDGES])
    for n in range(states):
        pool[number + n] = 0
    for n in range(states):
        # Count down from 0: -1 is a chance state that one action leads to and nothing else. A chance state before it
        # counts twice, which is never -1, since folding goes one state deep.
        count = 2 if who[n] == 3 else 1
        for e in range(edge + pool[n], edge + pool[n + 1]):
            to = pool[e] >> EXCHANGES
            if who[to] == 3:
                pool[number + to] -= count
    pool[number] = 0
    for n in range(states):
        # From here on 0 means that a state was not met.
        if pool[number + n] < FOLDED:
            pool[number + n] = 0
    for k in range(P_DEPTH, P_ENDLESS + 1):
        play[k] = 0
    meet(0)


def meet(n: i32) -> None:
    """Put state n, which is met for the first time, on the path."""
    frame = i32(play[P_PATH] + play[P_DEPTH] * FRAME)
    play[P_DEPTH] += 1
    play[P_COUNTER] += 1
    pool[i32(play[P_NUMBER]) + n] = i32(play[P_COUNTER])
    pool[frame + F_STATE] = n
    pool[frame + F_EDGE] = pool[n]
    pool[frame + F_OUTCOME] = 0
    pool[frame + F_OUTCOMES] = 0
    pool[frame + F_REACHED] = i32(play[P_COUNTER])
    pool[frame + F_OPENED] = i32(play[P_OPENED])


def walk() -> None:
    """Walk on from the last state of the path to a successor that has not been met; if there is none, leave the
    state."""
    number = i32(play[P_NUMBER])
    edge = i32(solved[EDGE])
    frame = i32(play[P_PATH] + (play[P_DEPTH] - 1) * FRAME)
    e = pool[frame + F_EDGE]
    end = pool[pool[frame + F_STATE] + 1]
    o = pool[frame + F_OUTCOME]
    outcomes = pool[frame + F_OUTCOMES]
    reached = pool[frame + F_REACHED]
    while e < end or o < outcomes:
        to = 0
        if o < outcomes:
            to = pool[edge + o] >> EXCHANGES
            o += 1
        else:
            to = pool[edge + e] >> EXCHANGES
            e += 1
        # Numbers by Tarjan are above 0, and those of known components below FOLDED: an edge into one of these changes
        # nothing.
        met = pool[number + to]
        if met > 0:
            reached = met if met < reached else reached
        elif met == FOLDED:
            # Walk through the folded state's outcomes as if they were edges of this one.
            o = pool[to]
            outcomes = pool[to + 1]
        elif met == 0:
            pool[frame + F_EDGE] = e
            pool[frame + F_OUTCOME] = o
            pool[frame + F_OUTCOMES] = outcomes
            pool[frame + F_REACHED] = reached
            meet(to)
            return
    leave(frame, reached)


def leave(frame: i32, reached: i32) -> None:
    """Take the last state, in `frame`, from the path: all its successors have been met, and `reached` is the lowest
    number by Tarjan among them."""
    n = pool[frame + F_STATE]
    play[P_DEPTH] -= 1
    if play[P_DEPTH] > 0 and reached < pool[frame - FRAME + F_REACHED]:
        pool[frame - FRAME + F_REACHED] = reached
    pool[i32(play[P_OPEN] + play[P_OPENED])] = n
    play[P_OPENED] += 1
    # Nothing behind this state leads to one met earlier: here its component begins.
    if reached == pool[i32(play[P_NUMBER]) + n]:
        close(pool[frame + F_OPENED])


def close(opened: i32) -> None:
    """Close a component: the open states from `opened` on. Each gets a place after its successors, as far as possible,
    and its row is written."""
    number = i32(play[P_NUMBER])
    open = i32(play[P_OPEN])
    first = i32(play[P_PLACED])
    size = i32(play[P_OPENED]) - opened
    for k in range(size):
        # All places are given before the first row is written, as rows lead to other states of the component.
        pool[number + pool[open + opened + k]] = CLOSED - first - k
    at = i32(play[P_ROWS])
    for k in range(size):
        pool[i32(play[P_START]) + k] = at
        at = row(at, pool[open + opened + k])
    pool[i32(play[P_START]) + size] = at
    play[P_OPENED] = opened
    play[P_PLACED] = first + size
    play[P_FIRST] = first
    play[P_LAST] = first + size
    # Most components are one state that play never comes back to; it needs no sweeps.
    if size == 1 and leads_to_itself(first) == 0:
        set_single_bounds(first)
    else:
        play[P_PHASE] = 1


def row(at: i32, n: i32) -> i32:
    """Write the row of state n at `at` in `pool`. Returns where the row ends."""
    number = i32(play[P_NUMBER])
    edge = i32(solved[EDGE])
    kind = i32(who[n])
    pool[at] = ENDED - value[n] if kind == 2 else MINIMUM if kind == 0 else MAXIMUM
    at += 1
    if kind == 3:
        return chance_row(at, n, 0)
    for e in range(edge + pool[n], edge + pool[n + 1]):
        to = pool[number + (pool[e] >> EXCHANGES)]
        turned = pool[e] & EXCHANGES
        if to == FOLDED:
            at = chance_row(at, pool[e] >> EXCHANGES, turned)
        else:
            pool[at] = CLOSED - to + turned * TURNED
            at += 1
    return at


def chance_row(at: i32, n: i32, turned: i32) -> i32:
    """Write, at `at`, the part of a row for the outcomes of chance state n; `turned`: 1 if players changed parts on the
    way to it. Returns where the part ends."""
    number = i32(play[P_NUMBER])
    edge = i32(solved[EDGE])
    pool[at] = -1 - value[n]
    at += 1
    for e in range(edge + pool[n], edge + pool[n + 1]):
        pool[at] = CLOSED - pool[number + (pool[e] >> EXCHANGES)] + ((pool[e] & EXCHANGES) ^ turned) * TURNED
        at += 1
    return at

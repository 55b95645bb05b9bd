"""The edges of the states that an enumeration meets, the utilities of ends for MAX, and who moves at each state.

Edges are kept where an edge does not lead to the next level, or the game has chance. Utilities are given by their
places in the sorted list of all.
"""

from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.patterns import *

MAX = const(0)  # set: the player who is MAX
POOL = const(1)  # set: the length of `pool`
POSITIONS = const(1)  # set: positions that have values: two for each state if TWO, else one
TWO = const(0)  # set: 1 if a state stands for two positions with exact values, as players can change parts; else 0
EVEN = const(0)  # set: 1 if players choose at random, as chance would; then every choice is one of chance
MAX_UTILITIES = const(32768)
# Places in `solved`:
UTILITIES = const(0)  # how many different utilities were met
UNFIT = const(1)  # 1 if something was too much: utilities, patterns of chance or plies
UNEVEN = const(2)  # 1 if the utilities of ends have different sums
TOTAL = const(3)  # the sum of the utilities of an end
EDGE = const(4)  # where the edges begin in `pool`
PARENTS = const(5)  # each state's first parent
SOURCE = const(6)  # the parents
QUEUE = const(7)  # the queue
WAITED = const(8)  # the numbers of children that are waited for
PRICE = const(9)  # the place of the price of endless play among utilities
AT = const(10)  # the next state
FIRST = const(11)  # the first of what is worked on
LAST = const(12)  # and the last
SPREADING = const(13)  # the utility that spreads

solved = array(i64, 14)
utility = array(i64, MAX_UTILITIES)  # utilities of ends for MAX, in the order in which they were met
utility_slot = array(i32, 2 * MAX_UTILITIES)  # by hash: 1 + the number of a utility; 0: free
place_of = array(i16, MAX_UTILITIES)  # by number: the place of the utility in the sorted list, the least first,
place_of_other = array(i16, MAX_UTILITIES)  # and the place of the other player's
end_of = array(i32, BATCH)  # of each end in the batch: the number of its utility
turn_of = array(i32, BATCH)  # of each other state in the batch: whose turn it is, s[0]
who = array(u8, MOST_STATES)  # by state, who moves: 1 MAX, 0 MIN, 3 chance; 2: nobody, it is an end
value = array(i16, POSITIONS)  # the place of a position's utility, -1: none yet; of chance its pattern
rank = array(i16, POSITIONS)  # plies to the end; -1 where nobody forces one
pool = array(i32, POOL)  # by state where its edges begin; from `solved[EDGE]` on the edges, then other lists


def batch_end(k: i32) -> None:
    """Note the utility of state `k` of the batch, which is an end; it is the present state."""
    u: i64 = util[MAX]
    total: i64 = 0
    for p in range(PLAYERS):
        total += util[p]
    if solved[UTILITIES] == 0:
        solved[TOTAL] = total
    elif total != solved[TOTAL]:
        solved[UNEVEN] = 1
    i = i32(wrap64(u * -7046029254386353131) >> 40 & MAX_UTILITIES * 2 - 1)
    while utility_slot[i] != 0:
        if utility[utility_slot[i] - 1] == u:
            end_of[k] = utility_slot[i] - 1
            return
        i = i + 1 & MAX_UTILITIES * 2 - 1
    n = i32(solved[UTILITIES])
    end_of[k] = 0
    if n == MAX_UTILITIES - 1:
        solved[UNFIT] = 1
        return
    utility[n] = u
    utility_slot[i] = n + 1
    solved[UTILITIES] = n + 1
    end_of[k] = n


def batch_choice(k: i32, rows: i32) -> None:
    """Note who moves at state `k` of the batch and, where chance does, the pattern of its `rows` probabilities."""
    turn_of[k] = -3 if EVEN else s[0]
    if CHANCES and turn_of[k] <= -3:
        pattern_of[k] = pattern(rows, s[0] > -3)
        if pattern_of[k] < 0:
            solved[UNFIT] = 1
            pattern_of[k] = 0


def record_state(k: i32) -> None:
    """If edges are kept by now, record the next state, number `k` of the batch: its type, and where its edges begin."""
    if CHANCES or enumerated[LAYERED] == 0:
        keep_state(i32(enumerated[EXPANDED]), k, i32(enumerated[EDGES]))


def keep_state(n: i32, k: i32, edges: i32) -> None:
    """Store for state n, number `k` of the batch, who moves there or how it ends, and that its edges begin at
    `edges`."""
    pool[n] = edges
    who[n] = 1 if turn_of[k] == MAX else 0
    if CHANCES and turn_of[k] <= -3:
        who[n] = 3
        value[n] = pattern_of[k]
    if batch_rows[k] < 0:
        who[n] = 2
        value[n << TWO] = end_of[k]


def record_edge(i: i32, after: i32) -> None:
    """Record edge `i` of the next state, if edges are kept by now: it leads to `after` (twice the state, plus 1 if
    players change parts, where they can)."""
    if CHANCES or enumerated[LAYERED] == 0:
        if solved[EDGE] + enumerated[EDGES] + i < POOL:
            pool[i32(solved[EDGE] + enumerated[EDGES]) + i] = after


def take_in(n: i32, v: i32, far: i32, mine: i32) -> None:
    """Compare one successor of state n, with value `v` and distance `far`, with the best so far for n's mover, who is
    MAX if `mine`, and keep the better one. Of equal values MAX and MIN take the shorter way to those that they force,
    the longer to others."""
    if value[n] < 0 or (v > value[n] if mine else v < value[n]):
        value[n] = v
        rank[n] = far
    elif v == value[n]:
        if (v > solved[PRICE]) == mine:
            rank[n] = far if far < rank[n] else rank[n]
        else:
            rank[n] = far if far > rank[n] else rank[n]


def find() -> i32:
    """The number of the state that is present; -1 if the enumeration has not met it."""
    write_key()
    if enumerated[NUMBERS] == PLAIN:
        return slots[i32(key[0])] - 1
    put_hash(0)
    copy(batch_key, 0, key, 0, KEY)
    return number_known(0)

"""Max^n, expectiminimax and minimax, to the ends (backward induction) or to a depth.

A node is worth a vector, a whole number for each player over one denominator:

1. An end gives its utilities; where no plies are left, the evaluation.
2. Where a player moves, the vector of the first child that is best for that player.
3. At a chance node, the average of the children by their weights, in lowest terms: nothing is rounded, and a number
   that would not fit stops the search.
4. Equal positions with equally many plies left are visited once: the table forgets nothing until the next search. In
   a search to the ends all have as many, and one that comes again on its own path stops the search.

Sources: Luckhardt and Irani, An algorithmic solution of N-person games, AAAI 1986; Michie, Game-playing and
game-learning automata, 1966.
"""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.fractions import *
from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.utility_sums import *

BUCKETS = const(1024)  # set: buckets of the table, a power of two
ENTRIES = const(1024)  # set: entries of the table
tie = array(i32, 1)  # 1 if a mover was indifferent between children that are not the same to everyone

met = array(i64, PLAYERS)  # the vector of the node that was met last: numerators,
met_under = array(i64, 1)  # its denominator,
met_row = array(i32, 1)  # and the row of its best child

f_entry = array(i32, FRAMES)  # by frame, as all that begins with f_: its entry in the table
f_mover = array(i32, FRAMES)  # who moves; -1: chance
f_value = array(i64, FRAMES * PLAYERS)  # of the children so far: the best, or the sum by weights
f_under = array(i64, FRAMES)  # its denominator; 0: there is no best yet
f_row = array(i32, FRAMES)  # the row of the best child
f_tie = array(i32, FRAMES)  # 1 if another child is as good for the mover, and not the same to everyone
f_weight = array(i64, FRAMES)  # the sum of the weights of the outcomes so far
child_weight = array(i64, FRAMES * WAITING)  # by frame and waiting child: the weight of the outcome

head = array(i64, BUCKETS)  # by bucket: the search that filled it (upper 32 bits), and its last entry
searches = array(i64, 1)  # the number of the present search
kept = array(i32, 1)  # entries in use
kept_key = array(i64, ENTRIES * KEY)  # by entry: the key of the position,
kept_value = array(i64, ENTRIES * PLAYERS)  # its vector: numerators,
kept_under = array(i64, ENTRIES)  # and their denominator; 0: the position is on the path,
kept_row = array(i32, ENTRIES)  # the row of its best child,
kept_left = array(i32, ENTRIES)  # the plies left there,
kept_next = array(i32, ENTRIES)  # and the next entry of the same bucket; -1: none


def bucket(left: i32) -> i32:
    """The number of the bucket for the position whose key is in `key`, with `left` plies left."""
    return (i32(key_hash() >> 36) ^ (left * 40503)) & (BUCKETS - 1)


def table_find(left: i32) -> i32:
    """Return 1 if the table has the vector of the position whose key is in `key`, which is then copied to `met`; -1 if
    the position is on the path; 0 if it is new."""
    first: i64 = head[bucket(left)]
    if first >> 32 != searches[0]:
        return 0
    at = i32(first & 2147483647)
    while at >= 0:
        if kept_left[at] == left and equal(kept_key, at * KEY, key, 0, KEY):
            copy(met, 0, kept_value, at * PLAYERS, PLAYERS)
            met_under[0] = kept_under[at]
            met_row[0] = kept_row[at]
            return 1 if met_under[0] > 0 else -1
        at = kept_next[at]
    return 0


def table_open(left: i32) -> i32:
    """Make an entry for the position whose key is in `key`, which is on the path from now on. Returns its number, or -1
    if the table is full."""
    at = kept[0]
    if at == ENTRIES:
        refused[0] = FULL
        return -1
    kept[0] = at + 1
    b = bucket(left)
    first: i64 = head[b]
    kept_next[at] = i32(first & 2147483647) if first >> 32 == searches[0] else -1
    head[b] = (searches[0] << 32) | at
    kept_left[at] = left
    kept_under[at] = 0
    copy(kept_key, at * KEY, key, 0, KEY)
    return at


def table_keep(at: i32) -> None:
    """Write the vector in `met` into an entry."""
    kept_under[at] = met_under[0]
    kept_row[at] = met_row[0]
    copy(kept_value, at * PLAYERS, met, 0, PLAYERS)


def vectors_known(left: i32) -> i32:
    """1 if the table has the vector of the present state, searched `left` plies deep."""
    pack()
    return table_find(left) > 0


def vectors_asked(left: i64) -> i64:
    """Call `vectors_known` with one 64-bit number, as fast calls from Python pass it."""
    return vectors_known(i32(left))


def vectors_begin(left: i32) -> None:
    """Begin a search of the state, `left` plies deep."""
    searches[0] += 1
    kept[0] = 0
    path_begin()
    tie[0] = 0
    pack()
    visit(left)


def visit(left: i32) -> i32:
    """Visit the present state, whose key is in `key`. Returns 1 if its vector is in `met`, 0 if it has become a
    frame."""
    nodes[0] += 1
    entry = table_open(left)
    if entry < 0:
        return 0
    kind = status()
    if kind == TERMINAL or left == 0:
        leaf(leaf_scale(kind), entry)
        return 1
    if kind == SIMULTANEOUS:
        refused[0] = NO_DECISION
        return 0
    f = enter_frame(left)
    if f < 0:
        return 0
    f_entry[f] = entry
    f_mover[f] = -1 if kind == CHANCE else s[0]
    for p in range(PLAYERS):
        f_value[f * PLAYERS + p] = 0
    f_under[f] = kind == CHANCE
    f_row[f] = 0
    f_tie[f] = 0
    f_weight[f] = 0
    return 0


def leaf(scale: i64, entry: i32) -> None:
    """Write the vector of a leaf, the numbers in `util` times `scale`, into `met` and into its entry."""
    leaves[0] += 1
    for p in range(PLAYERS):
        if fits(util[p], scale):
            met[p] = util[p] * scale
    met_under[0] = 1
    met_row[0] = 0
    table_keep(entry)


def note_rows(f: i32, first: i32, rows: i32) -> i32:
    """Note the weights of the children that are made next. Returns `rows`: all are visited."""
    if WEIGHED:
        for k in range(first, rows if rows < first + WAITING else first + WAITING):
            child_weight[f * WAITING + k - first] = weight[k]
    return rows


def back_up(f: i32) -> None:
    """Take in the vector in `met` for the next child of the frame."""
    at = f * WAITING + f_next[f]
    f_next[f] += 1
    if f_mover[f] < 0:
        add(f, child_weight[at])
        return
    gain = 1 if f_under[f] == 0 else compare_to_best(f)
    if gain > 0:
        copy(f_value, f * PLAYERS, met, 0, PLAYERS)
        f_under[f] = met_under[0]
        f_row[f] = f_made[f] - f_count[f] + f_next[f] - 1
        f_tie[f] = 0
    elif gain == 0 and differs(f):
        f_tie[f] = 1


def compare_to_best(f: i32) -> i32:
    """Compare the new vector with the best so far, for the mover: 1 if better, -1 if worse, 0 if as good."""
    new: i64 = met[f_mover[f]]
    old: i64 = f_value[f * PLAYERS + f_mover[f]]
    if met_under[0] != f_under[f]:
        if not (fits(new, f_under[f]) and fits(old, met_under[0])):
            return 0
        new = new * f_under[f]
        old = old * met_under[0]
    return i32(new > old) - i32(new < old)


def differs(f: i32) -> i32:
    """Return 1 if the vector in `met` differs from the best so far; both are in lowest terms."""
    if met_under[0] != f_under[f]:
        return 1
    for p in range(PLAYERS):
        if met[p] != f_value[f * PLAYERS + p]:
            return 1
    return 0


def add(f: i32, part: i64) -> None:
    """Add the vector in `met`, times the outcome's weight `part`, to the sum of the frame."""
    shared: i64 = common(f_under[f], met_under[0])
    widen: i64 = met_under[0] // shared
    if not (fits(f_under[f], widen) and fits(f_under[f] // shared, part)):
        return
    scale: i64 = f_under[f] // shared * part
    for p in range(PLAYERS):
        at = f * PLAYERS + p
        if fits(f_value[at], widen) and fits(met[p], scale):
            f_value[at] = f_value[at] * widen + met[p] * scale
    f_under[f] = f_under[f] * widen
    f_weight[f] += part


def leave(f: i32) -> None:
    """Finish the frame: write its vector into `met` and the table, and hand it to the frame below."""
    top[0] = f
    shared: i64 = 1
    if f_mover[f] < 0:
        if not fits(f_under[f], f_weight[f]):
            return
        f_under[f] = f_under[f] * f_weight[f]
        shared = f_under[f]
        for p in range(PLAYERS):
            value: i64 = f_value[f * PLAYERS + p]
            shared = common(shared, value if value > 0 else -value)
    for p in range(PLAYERS):
        met[p] = f_value[f * PLAYERS + p] // shared
    met_under[0] = f_under[f] // shared
    met_row[0] = f_row[f]
    tie[0] |= f_tie[f]
    table_keep(f_entry[f])
    if f > 0:
        back_up(f - 1)


def vectors_run(budget: i32) -> i32:
    """Visit up to `budget` nodes. Returns 1 if the search is not finished."""
    until = node_limit(budget)
    while refused[0] == 0:
        f = top[0] - 1
        if f < 0:
            return 0
        if f_next[f] < f_count[f]:
            copy(s, 0, child, (f * WAITING + f_next[f]) * STATE, STATE)
            pack()
            known = table_find(f_left[f] - PLY)
            if known < 0:
                refused[0] = COMES_AGAIN
            elif known:
                back_up(f)
            elif nodes[0] >= until:
                return 1
            elif visit(f_left[f] - PLY):
                back_up(f)
        elif f_rows[f] < 0 or f_made[f] < f_rows[f]:
            make_children(f)
        else:
            leave(f)
    return 0

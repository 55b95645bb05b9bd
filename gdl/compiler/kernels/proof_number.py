"""Proof-number search, depth first (df-pn): one question of `gdl.solvers.minimax.proof_number`.

Can the first player secure an end that is worth at least `goal`? Proof and disproof numbers lie in the transposition
table, whose information is here: pn (27 bits), dn (27), work (6, as there), and a bit that says that there is an entry.
A position's children are made at once, and their keys lie in its frame while it is on the path.
"""

from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.transposition import *
from gdl.compiler.kernels.utilities import *

FOLDS = const(0)  # set: whether every position below the first is taken for the least of its images
ROOM = const(65536)  # children of all positions on the path, at most
NEVER = const(134217727)  # the infinity of proof and disproof numbers: it certainly cannot be done
goal = array(i32, 1)  # as all utilities here, of the first player over the common denominator
met_enough = array(i32, 1)  # the least utility met of at least `goal`
met_short = array(i32, 1)  # the greatest utility met below it
numbers = array(i64, 2)  # pn and dn of the position asked about

f_key = array(i64, FRAMES * KEY)
f_max = array(i32, FRAMES)  # 1 if the first player moves
f_pn = array(i64, FRAMES)  # thresholds: the frame is left when its numbers reach one of them
f_dn = array(i64, FRAMES)
f_first = array(i32, FRAMES + 1)  # where its children begin; they end where the next frame's begin
f_nodes = array(i64, FRAMES)  # `nodes` on entry
f_current = array(i32, FRAMES)  # the child that the search has gone to
child = array(i32, ROOM * STATE)
child_key = array(i64, ROOM * KEY)
child_pn = array(i64, ROOM)  # as known here, if the table has forgotten it
child_dn = array(i64, ROOM)


def begin() -> None:
    """Begin a search of the present state, which is no end."""
    top[0] = 0
    f_first[0] = 0
    pack()
    enter(NEVER, NEVER)


def enter(pn: i64, dn: i64) -> None:
    """Push a frame for the present state, whose key is in `key`, and make its children. The search leaves it when its
    proof number reaches `pn`, or its disproof number `dn`."""
    f = path_push()
    if f < 0:
        return
    copy(f_key, f * KEY, key, 0, KEY)
    f_max[f] = s[0] == 0
    f_pn[f] = pn
    f_dn[f] = dn
    f_nodes[f] = nodes[0]
    rows = moves()
    first = f_first[f]
    # The room is shared by all frames of the path; it is asked for before anything is written.
    if first + rows > ROOM:
        refused[0] = TOO_WIDE
        return
    f_first[f + 1] = first + rows
    for row in range(rows):
        if row > 0:
            copy(s, 0, f_state, f * STATE, STATE)
        apply(row)
        copy(child, (first + row) * STATE, s, 0, STATE)
    nodes[0] += rows
    for c in range(first, first + rows):
        copy(s, 0, child, c * STATE, STATE)
        # Nothing is known of a new child: one leaf has to be proved, and one disproved. (An end overwrites both.)
        child_pn[c] = 1
        child_dn[c] = 1
        kind = status_after(1 - f_max[f])
        if kind == TERMINAL:
            meet(c, worth())
        elif kind != DECISION:
            refused[0] = NO_DECISION
        if FOLDS:
            fold()
            copy(child, c * STATE, s, 0, STATE)
        else:
            pack()
        copy(child_key, c * KEY, key, 0, KEY)


def meet(c: i32, value: i32) -> None:
    """Set the numbers of a child that is an end with this utility for the first player."""
    if value >= goal[0]:
        if value < met_enough[0]:
            met_enough[0] = value
        child_pn[c] = 0
        child_dn[c] = NEVER
    else:
        if value > met_short[0]:
            met_short[0] = value
        child_pn[c] = NEVER
        child_dn[c] = 0


def visit(f: i32) -> None:
    """Compute the numbers of frame f from those of its children; then go on to the most promising child, or leave the
    frame if a threshold is reached."""
    pn: i64 = 0
    dn: i64 = 0
    least: i64 = NEVER + 1
    second: i64 = NEVER + 1
    total: i64 = 0
    best = f_first[f]
    for c in range(f_first[f], f_first[f + 1]):
        copy(key, 0, child_key, c * KEY, KEY)
        # The table may know more than when the child was left: another path may have come to it since.
        information = table_find()
        if information != 0:
            child_pn[c] = (information >> 36) & NEVER
            child_dn[c] = (information >> 9) & NEVER
        pn = child_pn[c]
        dn = child_dn[c]
        easy: i64 = pn if f_max[f] else dn
        hard: i64 = dn if f_max[f] else pn
        # The sum stops at NEVER. It may count a position twice that several children lead to, which only misleads the
        # search.
        total = total + hard if total + hard < NEVER else NEVER
        if easy < least:
            second = least
            least = easy
            best = c
        elif easy < second:
            second = easy
    pn = least if f_max[f] else total
    dn = total if f_max[f] else least
    copy(key, 0, f_key, f * KEY, KEY)
    if pn >= f_pn[f] or dn >= f_dn[f]:
        top[0] = f
        work: i64 = 64 - clz(nodes[0] - f_nodes[f])
        table_keep((pn << 36) | (dn << 9) | (work << 3) | 1)
        numbers[0] = pn
        numbers[1] = dn
        if f > 0:
            child_pn[f_current[f - 1]] = pn
            child_dn[f_current[f - 1]] = dn
        return
    f_current[f] = best
    copy(s, 0, child, best * STATE, STATE)
    copy(key, 0, child_key, best * KEY, KEY)
    # The child is left as soon as its brother becomes easier, by one: so the search does not jump to and fro between
    # two.
    limit: i64 = second + 1
    if f_max[f]:
        limit = limit if limit < f_pn[f] else f_pn[f]
        # What the frame may still gain in disproof is left to this child: its own share, and what is missing of the
        # sum.
        enter(limit, NEVER if f_dn[f] == NEVER else f_dn[f] - dn + child_dn[best])
    else:
        limit = limit if limit < f_dn[f] else f_dn[f]
        enter(NEVER if f_pn[f] == NEVER else f_pn[f] - pn + child_pn[best], limit)


def search_run(budget: i32) -> i32:
    """Visit up to `budget` nodes. Returns 1 if the search is not finished."""
    until = node_limit(budget)
    steps = 0
    # Steps are counted too, for going back and forth between known positions makes no nodes.
    while nodes[0] < until and steps < budget and refused[0] == 0:
        if top[0] == 0:
            return 0
        visit(top[0] - 1)
        steps += 1
    return refused[0] == 0 and top[0] > 0

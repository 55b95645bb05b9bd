"""Star1 and Star2, visiting the same nodes as `gdl.solvers.minimax.star`, from left to right; or, with a table of
transpositions (`star_table`), fewer of them, the most promising action first.

One player, ME, maximises, everybody else minimises: so it is alpha-beta where there is no chance, and with more players
the search of paranoid. Numbers are fractions, numerator and denominator apart; a denominator of 0 is an infinity. At a
chance node the bounds of all outcomes have one denominator, and their sums by weights are kept up to date. Nothing is
rounded, and a number that would not fit stops the search.

With a table windows may be a little wider than they need be: their fractions would become too long far down, and a
value stays the same in a wider window. At the start the window is open far enough to tell all best actions.

Sources: those of `gdl.solvers.minimax.star`; the table in Star2: Veness and Blair, Effective use of transposition
tables in stochastic game tree search, IEEE Computational Intelligence and Games 2007.
"""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.fractions import *
from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.star_table import *
from gdl.compiler.kernels.utility_sums import *

ME = const(0)  # set: the player who maximises
PROBING = const(0)  # set: whether this is star2
STRICTLY = const(0)  # set: whether a node is left where its value lies beyond the window, not on its edge
APART = const(1)  # set: whether a position that comes again on its own path is looked for
BOUNDED = const(0)  # set: 1 if the least utility of ME is known, plus 2 if the greatest is
LEAST = const(0)  # set: that utility, over the common denominator,
GREATEST = const(0)  # set: and the greatest
FINEST = const(1048576)  # denominator to which windows are rounded
OUTCOMES = const(512)  # of a chance node, at most
chances = array(i64, 1)  # chance nodes met

r_n = array(i64, 1)  # the result of the node that was left last: numerator and denominator,
r_d = array(i64, 1)
r_bound = array(i32, 1)  # and what that is: 1 a lower bound of the node's value, 2 an upper, 3 exact, 0 neither
r_estimated = array(i32, 1)  # 1 if it rests on an estimate
r_length = array(i32, 1)  # the length of the line below it, which lies in the frame above the last
q_n = array(i64, 1)  # the result of ratio()
q_d = array(i64, 1)
w_n = array(i64, 2)  # the window for the next child: alpha, beta
w_d = array(i64, 2)

f_key = array(i64, FRAMES * KEY if APART or SLOTS else 1)  # by frame, as all that begins with f_: its key
f_kind = array(i32, FRAMES)  # 0: a player who minimises moves, 1: ME moves, 2: chance
f_probe = array(i32, FRAMES)  # 1 if only the first child is looked at
f_n = array(i64, FRAMES * 2)  # the window: alpha, beta
f_d = array(i64, FRAMES * 2)
f_vn = array(i64, FRAMES)  # the best of the children so far
f_vd = array(i64, FRAMES)
f_estimated = array(i32, FRAMES)  # 1 if that rests on an estimate
f_attained = array(i32, FRAMES)  # 1 if some child is known to be at least as good as that for the mover
f_closed = array(i32, FRAMES)  # 1 if no child can be better
f_length = array(i32, FRAMES)  # length of the line of best play
f_line = array(i16, FRAMES * FRAMES)  # and its rows

f_nodes = array(i64, FRAMES)  # `nodes` on entry
f_identity = array(i32, FRAMES)  # where the history has the best child's action
child_identity = array(i32, FRAMES * WAITING)  # by frame and waiting child: the same
ties = array(i32, 512)  # rows of the start that are as good as the best,
tied = array(i32, 1)  # and their number

f_looking = array(i32, FRAMES)  # 1 if outcomes only get a first look
f_under = array(i64, FRAMES)  # the denominator of the bounds of all outcomes
f_total = array(i64, FRAMES)  # the sum of the weights
f_sum = array(i64, FRAMES * 2)  # the weighted sums of the lower and of the upper bounds that are known
f_open = array(i32, FRAMES * 2)  # outcomes without a lower, and without an upper bound
o_weight = array(i64, FRAMES * OUTCOMES)  # by frame and outcome: its weight,
o_low = array(i64, FRAMES * OUTCOMES)  # its bounds, over f_under,
o_high = array(i64, FRAMES * OUTCOMES)
o_known = array(i32, FRAMES * OUTCOMES)  # 1 if the lower bound is known, plus 2 if the upper is
o_done = array(i32, FRAMES * OUTCOMES)  # 1 if it need not be visited any more


def ratio(n: i64, d: i64) -> None:
    """Write the fraction n / d in lowest terms into `q_n` and `q_d`."""
    shared: i64 = common(n if n > 0 else -n, d)
    q_n[0] = n // shared
    q_d[0] = d // shared


def compare(n: i64, d: i64, m: i64, e: i64) -> i32:
    """Compare two fractions: 1 if n / d is greater than m / e, 0 if they are equal, -1 if it is less."""
    if d == 0 or e == 0:
        # Beside an infinity every finite number counts as 0, so that the signs alone decide.
        a: i64 = n if d == 0 else 0
        b: i64 = m if e == 0 else 0
        return i32(a > b) - i32(a < b)
    if d != e:
        if not (fits(n, e) and fits(m, d)):
            return 0
        n = n * e
        m = m * d
    return i32(n > m) - i32(n < m)


def window_open() -> None:
    """Make the window for the next child an open one."""
    w_n[0] = -1
    w_d[0] = 0
    w_n[1] = 1
    w_d[1] = 0


def star_begin(left: i32) -> None:
    """Begin a search of the state, `left` plies deep."""
    path_begin()
    chances[0] = 0
    tied[0] = 0
    window_open()
    nodes[0] += 1
    kind = status()
    if kind == TERMINAL:
        leaf(UTILITY)
    else:
        enter(left, kind, 0)


def enter(left: i32, kind: i32, probe: i32) -> None:
    """Push a frame for the present state, with the window in `w_n` and `w_d`. `probe`: 1 if only its first child is to
    be looked at."""
    known = -1
    if SLOTS or APART:
        pack()
    if SLOTS:
        known = slot_find(left)
        if known >= 0 and top[0] > 0 and recall(known, left):
            back_up(top[0] - 1)
            return
    f = enter_frame(left)
    if f < 0:
        return
    if kind == SIMULTANEOUS:
        refused[0] = NO_DECISION
    if SLOTS:
        f_first[f] = slot_row[known] if known >= 0 else -1
        f_nodes[f] = nodes[0]
    if SLOTS or APART:
        copy(f_key, f * KEY, key, 0, KEY)
    if APART:
        for other in range(f):
            if equal(f_key, other * KEY, key, 0, KEY):
                # Without a table a position that comes again on its own path would be searched for ever.
                refused[0] = COMES_AGAIN
    f_kind[f] = 2 if kind == CHANCE else s[0] == ME
    f_probe[f] = probe
    for side in range(2):
        f_n[f * 2 + side] = w_n[side]
        f_d[f * 2 + side] = w_d[side]
    # The worst infinity for the mover: the first child is better in any case.
    f_vn[f] = -1 if f_kind[f] == 1 else 1
    f_vd[f] = 0
    f_estimated[f] = 0
    f_attained[f] = 0
    f_closed[f] = 1
    f_length[f] = 0
    f_looking[f] = PROBING
    chances[0] += kind == CHANCE


def recall(known: i32, left: i32) -> i32:
    """Return 1 if the table's entry `known` has all that a search `left` plies deep could say within the window in
    `w_n` and `w_d`: that is the result then."""
    if slot_holds(known, left) == 0:
        return 0
    kind = slot_kind[known] & 3
    if kind < 3:
        side = kind & 1  # a lower bound is enough from beta on, an upper one up to alpha
        order = compare(slot_n[known], slot_d[known], w_n[side], w_d[side])
        if order < 0 if side else order > 0:
            return 0
    r_n[0] = slot_n[known]
    r_d[0] = slot_d[known]
    r_bound[0] = kind
    r_estimated[0] = slot_kind[known] >> 2
    r_length[0] = 0
    return 1


def place_in_history(f: i32, row: i32) -> i32:
    """The place of the action in a row of the last listing, which is the frame's, in `history`."""
    return identity(row) + (IDENTITIES if f_kind[f] else 0)


def first_row(f: i32, rows: i32) -> i32:
    """The row that is searched first: what was best here before, else what was best most often elsewhere."""
    if f_kind[f] == 2:
        return 0
    if f_first[f] >= 0:
        return f_first[f]
    best = 0
    most: i64 = -1
    for row in range(rows):
        work: i64 = history[place_in_history(f, row)]
        if work > most:
            most = work
            best = row
    return best


def note_rows(f: i32, first: i32, rows: i32) -> i32:
    """Set up the outcomes of a chance node. Returns how many rows are visited: all, or only the first of a player's
    node that is probed."""
    if rows > 32767 or (WEIGHED and f_kind[f] == 2 and rows > OUTCOMES):
        refused[0] = TOO_WIDE
        return first
    if SLOTS:
        if f_rows[f] < 0:
            f_first[f] = first_row(f, rows)
        if f_kind[f] < 2:
            for k in range(first, rows if rows < first + WAITING else first + WAITING):
                child_identity[f * WAITING + k - first] = place_in_history(f, row_at(f, k))
    if WEIGHED and f_kind[f] == 2 and f_rows[f] < 0:
        outcomes(f, rows)
    elif f_probe[f]:
        f_closed[f] = rows == 1
        return 1
    return rows


def outcomes(f: i32, rows: i32) -> None:
    """Set the bounds of a chance node's outcomes before any is visited."""
    f_under[f] = 1
    f_total[f] = 0
    f_open[f * 2] = 0
    f_open[f * 2 + 1] = 0
    for k in range(rows):
        at = f * OUTCOMES + k
        part: i64 = weight[k] if WEIGHED else 1
        o_weight[at] = part
        o_low[at] = LEAST
        o_high[at] = GREATEST
        o_known[at] = BOUNDED
        o_done[at] = 0
        f_total[f] += part
        if part > 0:
            f_open[f * 2] += BOUNDED & 1 == 0
            f_open[f * 2 + 1] += BOUNDED & 2 == 0
    for side in range(2):
        each: i64 = GREATEST if side else LEAST
        f_sum[f * 2 + side] = f_total[f] * each if fits(f_total[f], each) else 0


def product_fits(a: i64, b: i64) -> i32:
    """Return 1 if the product of two numbers fits. With a table a window may be wider than it need be, and goes without
    numbers that do not fit; else the search is refused."""
    if SLOTS:
        return clz(a if a > 0 else -a) + clz(b if b > 0 else -b) >= 66
    return fits(a, b)


def round_outward(side: i32) -> None:
    """Round a side of the window outwards, so that the numbers of windows far down do not become too long."""
    if w_d[side] > FINEST and product_fits(w_n[side], FINEST):
        n: i64 = w_n[side] * FINEST
        w_n[side] = -((-n) // w_d[side]) if side else n // w_d[side]
        w_d[side] = FINEST


def window(f: i32, at: i32) -> None:
    """Write into `w_n` and `w_d` the window in which an outcome's own value could still matter: ((alpha - high of the
    others) / p, (beta - low of the others) / p), cut to its known bounds."""
    window_open()
    for side in range(2):
        # The window for one outcome is what is left of the node's window when all others are worth as much as they can
        # be (for alpha), or as little (for beta).
        own: i64 = o_low[at] if side else o_high[at]  # the bound that does not count among the others'
        mine = 0 if o_known[at] & (1 if side else 2) else 1
        n: i64 = f_n[f * 2 + side]
        d: i64 = f_d[f * 2 + side]
        # With another outcome unbounded nothing is known of the sum, and the window stays open on this side.
        if d > 0 and o_weight[at] > 0 and f_open[f * 2 + 1 - side] == mine:
            others: i64 = f_sum[f * 2 + 1 - side]
            if mine == 0:
                if not product_fits(own, o_weight[at]):
                    return
                others -= own * o_weight[at]
            scale: i64 = f_total[f] * f_under[f] if product_fits(f_total[f], f_under[f]) else 1
            part: i64 = o_weight[at] * f_under[f] if product_fits(o_weight[at], f_under[f]) else 1
            if not (product_fits(n, scale) and product_fits(d, others) and product_fits(d, part)):
                return
            ratio(n * scale - d * others, d * part)
            w_n[side] = q_n[0]
            w_d[side] = q_d[0]
            if SLOTS:
                round_outward(side)
        narrow(side, o_high[at] if side else o_low[at], o_known[at] & (2 if side else 1), f_under[f], o_weight[at])


def narrow(side: i32, bound: i64, known: i32, under: i64, part: i64) -> None:
    """End the window for an outcome on one side at the outcome's bound, if that is known."""
    if known == 0 or part == 0:
        return
    order = compare(bound, under, w_n[side], w_d[side])
    if order < 0 if side else order > 0:
        ratio(bound, under)
        w_n[side] = q_n[0]
        w_d[side] = q_d[0]


def visit(f: i32, until: i64) -> i32:
    """Visit the next child of the frame, or pass over an outcome that needs no visit. Returns 1 if no more nodes may be
    visited."""
    copy(s, 0, child, (f * WAITING + f_next[f]) * STATE, STATE)
    at = f * OUTCOMES + f_made[f] - f_count[f] + f_next[f]
    kind = status()
    left = f_left[f] - PLY
    ends = kind == TERMINAL or left == 0
    if WEIGHED and f_kind[f] == 2:
        # A first look visits one child of a player's node; below a chance node one child would say nothing.
        if o_done[at] or (f_looking[f] and kind == CHANCE and not ends):
            f_next[f] += 1
            return 0
        if nodes[0] < until:
            window(f, at)
    else:
        for side in range(2):
            w_n[side] = f_n[f * 2 + side]
            w_d[side] = f_d[f * 2 + side]
        if SLOTS:
            if f == 0:
                see_ties(f)
    if nodes[0] >= until:
        return 1
    f_next[f] += 1
    nodes[0] += 1
    if ends:
        leaf(leaf_scale(kind))
        r_estimated[0] = kind != TERMINAL
        back_up(f)
    else:
        enter(left, kind, i32(WEIGHED and f_kind[f] == 2 and f_looking[f]))
    return 0


def see_ties(f: i32) -> None:
    """Open the window of a child of the start by a little, so that one as good as the best is told from a worse one."""
    side = 1 - f_kind[f]
    if w_d[side] > 0 and product_fits(w_d[side], FINEST) and product_fits(w_n[side], FINEST):
        w_n[side] = w_n[side] * FINEST + (1 if side else -1)
        w_d[side] = w_d[side] * FINEST


def leaf(scale: i64) -> None:
    """Return the value of a leaf, its number in `util` times `scale`."""
    leaves[0] += 1
    if fits(util[ME], scale):
        r_n[0] = util[ME] * scale
    r_d[0] = 1
    r_bound[0] = 3
    r_length[0] = 0
    if (BOUNDED & 1 and r_n[0] < LEAST) or (BOUNDED & 2 and r_n[0] > GREATEST):
        refused[0] = BEYOND


def back_up(f: i32) -> None:
    """Take in the result of the child that was visited last; skip the others if the node can be left."""
    row = f_made[f] - f_count[f] + f_next[f] - 1
    f_estimated[f] = f_estimated[f] | r_estimated[0]
    if WEIGHED and f_kind[f] == 2:
        average(f, f * OUTCOMES + row)
        # The sum of the bounds lies outside the window: whatever the other outcomes are worth, the node does not
        # matter.
        if lies_beyond(f, 0) or lies_beyond(f, 1):
            skip(f)
        return
    best(f, row)
    up = f_kind[f]
    order = compare(f_vn[f], f_vd[f], f_n[f * 2 + up], f_d[f * 2 + up])
    if order == 0:
        # By the usual rule equality is enough to cut; by the strict rule the value must lie beyond.
        if STRICTLY == 0:
            skip(f)
    elif order > 0 if up else order < 0:
        skip(f)


def best(f: i32, row: i32) -> None:
    """Take in the result of child `row` at a player's node: the better value is kept, of equals the first, and the
    window narrows."""
    up = f_kind[f]
    promising = 1 if up else 2
    order = compare(r_n[0], r_d[0], f_vn[f], f_vd[f])
    if order > 0 if up else order < 0:
        f_vn[f] = r_n[0]
        f_vd[f] = r_d[0]
        # An upper bound of a child says that it may be so good, not that it is; only a bound from below, or a value,
        # proves it.
        f_attained[f] = r_bound[0] & promising != 0
        f_length[f] = r_length[0] + 1
        f_line[f * FRAMES] = row_at(f, row)
        f_identity[f] = child_identity[f * WAITING + f_next[f] - 1]
        copy(f_line, f * FRAMES + 1, f_line, (f + 1) * FRAMES, r_length[0])
        if f == 0:
            tied[0] = 0
    elif order == 0 and r_bound[0] & promising != 0:
        f_attained[f] = 1
    if SLOTS:
        if f == 0 and (order >= 0 if up else order <= 0):
            ties[tied[0]] = row_at(f, row)
            tied[0] += 1
    if r_bound[0] == promising:
        f_closed[f] = 0
    side = 1 - up
    order = compare(f_vn[f], f_vd[f], f_n[f * 2 + side], f_d[f * 2 + side])
    if order > 0 if up else order < 0:
        f_n[f * 2 + side] = f_vn[f]
        f_d[f * 2 + side] = f_vd[f]


def average(f: i32, at: i32) -> None:
    """Take the result of outcome `at` as bounds on its value."""
    shared: i64 = common(f_under[f], r_d[0])
    # One denominator for the bounds of all outcomes, so that their sums are whole numbers.
    widen: i64 = r_d[0] // shared
    if widen > 1:
        widen_bounds(f, widen)
    scale: i64 = f_under[f] // r_d[0]
    if not fits(r_n[0], scale):
        return
    value: i64 = r_n[0] * scale
    if r_bound[0] & 1 and (o_known[at] & 1 == 0 or value > o_low[at]):
        settle(f, at, 0, value - (o_low[at] if o_known[at] & 1 else 0))
        o_low[at] = value
    if r_bound[0] & 2 and (o_known[at] & 2 == 0 or value < o_high[at]):
        settle(f, at, 1, value - (o_high[at] if o_known[at] & 2 else 0))
        o_high[at] = value
    if r_bound[0] == 3 or (STRICTLY == 0 and o_known[at] == 3 and o_low[at] == o_high[at]):
        o_done[at] = 1


def widen_bounds(f: i32, widen: i64) -> None:
    """Bring the bounds of all outcomes to a denominator that is `widen` times as great."""
    if fits(f_under[f], widen) and fits(f_sum[f * 2], widen) and fits(f_sum[f * 2 + 1], widen):
        f_under[f] = f_under[f] * widen
        f_sum[f * 2] = f_sum[f * 2] * widen
        f_sum[f * 2 + 1] = f_sum[f * 2 + 1] * widen
    for k in range(f_rows[f]):
        at = f * OUTCOMES + k
        if fits(o_low[at], widen) and fits(o_high[at], widen):
            o_low[at] = o_low[at] * widen
            o_high[at] = o_high[at] * widen


def settle(f: i32, at: i32, side: i32, more: i64) -> None:
    """Raise the frame's sum of lower (side 0) or upper (side 1) bounds: that of outcome `at` has grown by `more`."""
    if o_weight[at] > 0 and o_known[at] & (1 + side) == 0:
        f_open[f * 2 + side] -= 1
    o_known[at] = o_known[at] | (1 + side)
    if fits(more, o_weight[at]):
        f_sum[f * 2 + side] += more * o_weight[at]
    fits(f_sum[f * 2 + side], 1)


def lies_beyond(f: i32, side: i32) -> i32:
    """Return 1 if the average of the outcomes surely lies outside the window: too low (side 0) or too high (side 1)."""
    if f_open[f * 2 + 1 - side] > 0 or not fits(f_total[f], f_under[f]):
        return 0
    order = compare(f_sum[f * 2 + 1 - side], f_total[f] * f_under[f], f_n[f * 2 + side], f_d[f * 2 + side])
    if order == 0:
        return STRICTLY == 0
    return order > 0 if side else order < 0


def skip(f: i32) -> None:
    """Leave out the other children of the frame."""
    if f_made[f] - f_count[f] + f_next[f] < f_rows[f]:
        f_closed[f] = 0
    f_made[f] = f_rows[f]
    f_next[f] = f_count[f]
    f_looking[f] = 0


def leave(f: i32) -> None:
    """Finish the frame, and return its value, or a bound, to the frame below."""
    top[0] = f
    r_length[0] = f_length[f]
    if WEIGHED and f_kind[f] == 2:
        average_outcomes(f)
    else:
        r_n[0] = f_vn[f]
        r_d[0] = f_vd[f]
        if f_attained[f] and f_closed[f]:
            r_bound[0] = 3
        elif f_probe[f] and f_attained[f] == 0:
            r_bound[0] = 0
        else:
            r_bound[0] = 1 if f_attained[f] == f_kind[f] else 2
    if SLOTS:
        r_estimated[0] = f_estimated[f]
        remember(f)
    if f > 0:
        back_up(f - 1)


def remember(f: i32) -> None:
    """Put the result of the frame into the table, and its best action into the history."""
    row = f_line[f * FRAMES] if f_length[f] > 0 else -1
    if row >= 0:
        history[f_identity[f]] += nodes[0] - f_nodes[f] + 1
    if r_bound[0]:
        copy(key, 0, f_key, f * KEY, KEY)
        slot_keep(f_left[f], r_n[0], r_d[0], r_bound[0] + 4 * f_estimated[f], row)


def average_outcomes(f: i32) -> None:
    """Return the average of a chance node, if it is known; else the bound by which it was left."""
    side = 0
    r_bound[0] = 1
    if f_open[f * 2] + f_open[f * 2 + 1] == 0 and f_sum[f * 2] == f_sum[f * 2 + 1]:
        r_bound[0] = 3
    elif f_open[f * 2 + 1] == 0:
        order = compare(f_sum[f * 2 + 1], f_total[f] * f_under[f], f_n[f * 2], f_d[f * 2])
        if order <= 0:
            side = 1
            r_bound[0] = 2
    if f_open[f * 2 + side] > 0:
        refused[0] = TOO_GREAT
    ratio(f_sum[f * 2 + side], f_total[f] * f_under[f])
    r_n[0] = q_n[0]
    r_d[0] = q_d[0]


def star_run(budget: i32) -> i32:
    """Visit up to `budget` nodes. Returns 1 if the search is not finished."""
    until = node_limit(budget)
    while refused[0] == 0:
        f = top[0] - 1
        if f < 0:
            return 0
        if f_next[f] < f_count[f]:
            if visit(f, until):
                return 1
        elif f_made[f] < f_rows[f] or f_rows[f] < 0:
            make_children(f)
        elif WEIGHED and f_kind[f] == 2 and f_looking[f]:
            f_looking[f] = 0
            f_made[f] = 0
        else:
            leave(f)
    return 0

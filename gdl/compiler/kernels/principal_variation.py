"""Principal variation search: alpha-beta as strong programs have it, for two players and zero sum.

A node is searched within a window (alpha, beta), in the numbers of the one who moves there:

1. The table may know enough of the position: a value, or a bound beyond the window.
2. Children are made a few at a time: first the action that was best before, alone; then the others, those first that
   made for cuts elsewhere (killers: on this ply; history: in the whole search), or that did best in random play.
3. Of the children just made, an end gives its value at once, and one of which the table knows enough to leave the node
   leaves it. The others are searched, the most promising first: where the file tells quiet play from other, what is
   not quiet, by what it gains of EVAL (so captures, the greatest first); where nothing is cut off, near the start, also
   those first that leave the opponent few ways to go on, for they are proved fastest.
4. The first is searched with the whole window, the others with an empty one (beta = alpha + 1), which only tells
   whether they are better; one that is better is searched again (PVS).
5. The result goes into the table, with its work, and whether it rests on an estimate.

With `plies` left the search is cut off where none are left, and EVAL taken, or a quiet position looked for
(`quiescence`); only entries of as many plies, or such as rest on ends alone, are taken from the table, so the value is
that of minimax cut off there. Without, every value rests on ends alone, also where positions can come again.

A search deeper by a ply begins within a narrow window around the value that it expects, and is made again where the
value proves to lie outside (aspiration; gdl/compiler/searches/principal_variation.py).

The frames lie in memory, so the search stops after any number of nodes and goes on when it is called again.

Sources: PVS: Marsland and Campbell, Parallel search of strongly ordered game trees, Computing Surveys 14, 1982;
aspiration: Slate and Atkin, CHESS 4.5, 1977; killers: Akl and Newborn, The principal continuation and the killer
heuristic, 1977; Schaeffer, The history heuristic, ICCA Journal 6, 1983; looking up all children first: Plaat et al.,
Exploiting graph properties of game trees, AAAI 1996.
"""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.frames import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.ordering import *
from gdl.compiler.kernels.quiescence import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.selective import *
from gdl.compiler.kernels.team import *
from gdl.compiler.kernels.transposition import *
from gdl.compiler.kernels.utilities import *

FOLDS = const(0)  # set: whether every position below the first is taken for the least of its images
ROWS = const(4096)  # set: actions of a position, at most
WHOLE = const(123)  # plies left where nothing is cut off: 127, which the table has bits for, less FURTHER
FASTEST = const(16)  # plies from the start on in which children are also ordered by their ways to go on
WAY = const(500)  # what one way less for the opponent is worth, where a win in all random plays is worth 10,000
LOUD = const(1000000)  # bonus of an action that is not quiet, and as much again if it gains as much EVAL as any did
AGAIN = const(FAR + 1)  # the rank of a child that is searched once more, as deep as others; FAR: with the whole window
CUT = const(1000)  # bonus of a move that made for a cut, times the logarithm to base 2 of the work below it
KEPT = const(8)  # nodes below a position, at least, for it to go into the table
found = array(i32, 4)  # the result: value for the first player; 1 if it is estimated; row or -1; LOWER, UPPER or EXACT

f_key = array(i64, FRAMES * KEY)  # by frame, as all that begins with f_: the key of its position
f_side = array(i32, FRAMES)  # 1 where the first player moves, else -1
f_alpha = array(i32, FRAMES)  # the window by now, for the one who moves
f_beta = array(i32, FRAMES)
f_before = array(i32, FRAMES)  # alpha on entry
f_best = array(i32, FRAMES)  # the best value so far for the mover; -FAR: none
f_row = array(i32, FRAMES)  # the row of the best child; -1: none
f_open = array(i32, FRAMES)  # 1 if the value rests on an estimate
f_nodes = array(i64, FRAMES)  # `nodes` on entry
f_searched = array(i32, FRAMES)  # children searched
f_current = array(i32, FRAMES)  # the child being searched
f_empty = array(i32, FRAMES)  # 1 if it is searched with an empty window
f_known = array(i32, FRAMES)  # the row that was best before, or -1
f_static = array(i32, FRAMES)  # EVAL for the one who moves, where children are ordered by it
f_order = array(i16, FRAMES * ROWS)  # the rows in the order in which children are made of them
f_killers = array(i32, FRAMES * 2)  # identities of the last two moves that cut off at this ply
history = array(i32, 2 * IDENTITIES)  # by identity, as `prior`: the bonus for cuts made
widest = array(i32, 1)  # the most that one action has changed EVAL by
rank = array(i32, ROWS)  # how promising the rows of the last listing are,
row_identity = array(i32, ROWS)  # and the identities of their actions
child_row = array(i32, FRAMES * WAITING)  # by frame and waiting child, as all that begins with child_
child_identity = array(i32, FRAMES * WAITING)
child_rank = array(i32, FRAMES * WAITING)  # how promising; -FAR: it need not be searched any more
child_hash = array(i64, FRAMES * WAITING if SHARED else 1)  # of its key
child_static = array(i32, FRAMES * WAITING)  # EVAL for the first player, of those at the horizon and past it
child_quiet = array(u8, FRAMES * WAITING)  # 1 if the action was quiet, of those before the horizon
child_same = array(u8, FRAMES * WAITING)  # 1 if the frame's mover moves again, whatever they are called in an image


def begin(left: i32, alpha: i32, beta: i32) -> None:
    """Begin a search of the state, which is no end, `left` plies deep, in a window of the first player's values."""
    top[0] = 0
    if SHARED:
        team_begin()
    pack()
    enter(left, alpha if s[0] == 0 else -beta, beta if s[0] == 0 else -alpha, UNKNOWN)


def enter(left: i32, alpha: i32, beta: i32, static: i32) -> None:
    """Push a frame for the present state, whose key is in `key`, with a window in its mover's numbers; or, if the table
    knows enough, hand that value over at once. `static`: the state's EVAL for the first player, or UNKNOWN."""
    f = top[0]
    if f == FRAMES:
        refused[0] = TOO_DEEP
        return
    side = 1 if s[0] == 0 else -1
    f_side[f] = side
    high = greatest[0] if side == 1 else -least[0]
    known = -1
    information = table_find()
    if information != 0:
        known = i32((information >> 16) & 65535) - 1
        value = i32(information >> 32)
        kind = i32(information & 3)
        if enough(information, left):
            if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
                give(f, value, i32((information >> 2) & 1), known, kind)
                return
            # The bound narrows the window by all but one: so a search that only confirms the bound still returns it as
            # a value inside the window, with its best action, and not as one more bound.
            if kind == LOWER and value > alpha:
                alpha = value - 1
            if kind == UPPER and value < beta:
                beta = value + 1
    enter_frame(left)
    copy(f_key, f * KEY, key, 0, KEY)
    f_alpha[f] = alpha
    # No value is above the greatest utility, so a child that reaches it cuts off, whatever the window was.
    f_beta[f] = beta if beta < high else high
    f_before[f] = alpha
    f_best[f] = -FAR
    f_row[f] = -1
    f_open[f] = 0
    f_nodes[f] = nodes[0]
    f_searched[f] = 0
    f_known[f] = known
    # Past the horizon the mover may stand pat; this may leave the frame without children.
    if left <= 0:
        stand(f, static)
    if SELECTIVE:
        if left < WHOLE:
            foresee(f)


def enough(information: i64, left: i32) -> i32:
    """Return 1 if the table's information is as good as a search of `left` plies."""
    depth = i32((information >> 9) & 127) - FURTHER
    if SELECTIVE:
        # A deeper search is as good for choosing an action, though its value is another one.
        return depth >= left or information & 4 == 0
    # The value must be that of minimax cut off at this very depth, unless it rests on ends alone, which no depth
    # changes.
    return depth == left or (depth < left and information & 4 == 0)


def give(f: i32, value: i32, open: i32, row: i32, kind: i32) -> None:
    """Hand the value that frame f has, or would have had, for its mover to the frame below, or to `found` if there is
    none. `open`: 1 if it rests on an estimate; `kind`: LOWER, UPPER or EXACT."""
    if f == 0:
        found[0] = f_side[0] * value
        found[1] = open
        found[2] = row
        found[3] = kind
        return
    p = f - 1
    if SELECTIVE:
        if f_pass[p]:
            f_pass[p] = 0
            if -value >= f_beta[p]:
                give_up(p, f_beta[p])
            return
    at = p * WAITING + f_current[p]
    if SHARED:
        if team_apart(p, f_left[p]):
            team_forget(child_hash[at])
    # The same player may move twice in a row, so the sign depends on who moves, not on the ply.
    own = value if child_same[at] else -value
    if SELECTIVE:
        if f_less[p]:
            if own > f_alpha[p]:
                # Searched less deep it seems better than the best so far: that counts only after a search of full
                # depth.
                child_rank[at] = AGAIN
                return
            open = 1
    if f_empty[p] and own > f_alpha[p] and own < f_beta[p]:
        child_rank[at] = FAR  # once more, with the whole window
        return
    back_up(p, own, open, child_row[at], child_identity[at])


def back_up(f: i32, own: i32, open: i32, row: i32, identity: i32) -> None:
    """Take in a child of the frame with the value `own` for the frame's mover. `open`: 1 if it rests on an estimate."""
    if own > f_best[f]:
        f_best[f] = own
        f_row[f] = row
    if own > f_alpha[f]:
        f_alpha[f] = own
    if own < f_beta[f]:
        # The value rests on every child that was compared, so one estimate among them makes it an estimate.
        f_open[f] = f_open[f] | open
        return
    # A cut rests on this child alone.
    f_open[f] = open
    # As if all children had been made and looked at: the frame is left next.
    f_made[f] = f_rows[f]
    f_count[f] = 0
    prefer(f, identity)


def prefer(f: i32, identity: i32) -> None:
    """Note that the move with this identity has cut the frame off, for the order of moves elsewhere."""
    if f_killers[2 * f] != identity:
        f_killers[2 * f + 1] = f_killers[2 * f]
        f_killers[2 * f] = identity
    at = identity + (IDENTITIES if f_side[f] == 1 else 0)
    history[at] += i32(1 + 64 - clz(nodes[0] - f_nodes[f])) * CUT
    # Halving keeps the numbers within 32 bits, and lets old cuts count for less than new ones.
    if history[at] > 1000000:
        for k in range(2 * IDENTITIES):
            history[k] = history[k] >> 1


def make(f: i32) -> None:
    """Make the next children of the frame."""
    copy(s, 0, f_state, f * STATE, STATE)
    loud = only_loud(f)
    begin_rows()
    rows = list_rows(f, loud)
    if rows > ROWS:
        refused[0] = TOO_WIDE
        return
    if f_rows[f] < 0:
        f_rows[f] = rows
        if QUIESCENT and SELECTIVE == 0 and f_left[f] > 1 and f_left[f] < WHOLE:
            f_quiet[f] = quiet()
            f_static[f] = f_side[f] * estimate()
        for row in range(rows):
            f_order[f * ROWS + row] = row
    made = 0
    first = f_made[f]
    # The action from the table is made alone: where it cuts off, no other child is made at all. A listing of loud
    # actions has other row numbers, so it does not apply there.
    if first == 0 and f_known[f] >= 0 and f_known[f] < rows and loud == 0:
        f_order[f * ROWS] = f_known[f]
        f_order[f * ROWS + f_known[f]] = 0
        made = 1
        row_identity[f_known[f]] = identity(f_known[f])
    else:
        arrange(f)
        made = rows - first if rows - first < WAITING else WAITING
    for k in range(made):
        at = f * WAITING + k
        row = f_order[f * ROWS + first + k]
        child_row[at] = row
        child_identity[at] = row_identity[row]
    for k in range(made):
        at = f * WAITING + k
        # `moves()` has left the state as it was, so the first row needs no copy.
        if k > 0:
            copy(s, 0, f_state, f * STATE, STATE)
        apply_listed(child_row[at])
        copy(child, at * STATE, s, 0, STATE)
    end_rows()
    f_made[f] = first + made
    f_count[f] = made
    nodes[0] += made
    look(f)


def list_rows(f: i32, loud: i32) -> i32:
    """List the actions of the present state, which is the frame's: only those that are not quiet, if `loud`. Returns
    the number of rows."""
    if LISTS_LOUD:
        if loud:
            return loud_moves(f_quiet[f])
    return moves()


def arrange(f: i32) -> None:
    """Bring the most promising of the rows not yet made to the front, as many as are made next."""
    first = f_made[f]
    rows = f_rows[f]
    side = IDENTITIES if f_side[f] == 1 else 0
    # In a search to the ends what random play brought is a better guide than what cut off beside.
    killer = 300 if f_left[f] == WHOLE else 2000000
    for row in range(rows):
        own = identity(row)
        row_identity[row] = own
        rank[row] = prior[own + side]
        if f_left[f] < WHOLE:
            rank[row] += history[own + side]
        if own == f_killers[2 * f]:
            rank[row] += killer
        elif own == f_killers[2 * f + 1]:
            rank[row] += killer // 2
    last = first + WAITING if first + WAITING < rows else rows
    # All are made at once, and `next_child` takes them by rank: only a choice among more needs an order here.
    if rows - first <= WAITING:
        return
    base = f * ROWS
    for k in range(first, last):
        best = k
        for other in range(k + 1, rows):
            if rank[f_order[base + other]] > rank[f_order[base + best]]:
                best = other
        row = f_order[base + best]
        for other in range(best, k, -1):
            f_order[base + other] = f_order[base + other - 1]
        f_order[base + k] = row


def look(f: i32) -> None:
    """Take in each of the children just made that needs no search: ends, and what the table knows enough of. Either may
    cut the frame off, which leaves it without children. In a search to the ends, ends come first."""
    to_the_ends = f_left[f] == WHOLE
    for k in range(f_count[f]):
        at = f * WAITING + k
        copy(s, 0, child, at * STATE, STATE)
        child_rank[at] = -FAR
        if f_left[f] <= 0 and is_quiet(f):
            continue
        kind = status_after(1 - (f_side[f] + 1) // 2)
        if kind == TERMINAL:
            back_up(f, f_side[f] * worth(), 0, child_row[at], child_identity[at])
        elif kind != DECISION:
            refused[0] = NO_DECISION
        else:
            child_rank[at] = rank[child_row[at]]
            child_same[at] = (s[0] == 0) == (f_side[f] == 1)
            if f_left[f] <= 1:
                at_horizon(f, at)
            elif to_the_ends == 0:
                look_up(f, at)
        if f_count[f] == 0:
            return
    if to_the_ends:
        for k in range(f_count[f]):
            at = f * WAITING + k
            if child_rank[at] > -FAR:
                copy(s, 0, child, at * STATE, STATE)
                look_up(f, at)
                if f_count[f] == 0:
                    return
                if f < FASTEST and child_rank[at] > -FAR:
                    further = ways()
                    child_rank[at] += further * WAY if child_same[at] else -further * WAY


def look_up(f: i32, at: i32) -> None:
    """Look child `at` of the frame, the present state, up in the table. Looking all children up before any is searched
    finds cuts that cost nothing (Plaat and others)."""
    if QUIESCENT and f_left[f] < WHOLE:
        child_rank[at] += loudness(f, at)
    if FOLDS:
        fold()
        copy(child, at * STATE, s, 0, STATE)
    else:
        pack()
    if SHARED:
        child_hash[at] = key_hash()
    information = table_find()
    if information != 0:
        settle(f, at, information)


def loudness(f: i32, at: i32) -> i32:
    """The bonus for an action of the frame that was not quiet, by the EVAL that it gains; 0 for a quiet one. The
    present state is what it has led to, child `at`."""
    child_quiet[at] = is_quiet(f)
    if child_quiet[at]:
        return 0
    gain: i64 = f_side[f] * estimate() - f_static[f]
    if gain > widest[0] or -gain > widest[0]:
        widest[0] = i32(gain if gain > 0 else -gain)
    return LOUD + (i32(gain * LOUD // widest[0]) if widest[0] > 0 else 0)


def settle(f: i32, at: i32, information: i64) -> None:
    """Take a child's value from the table's entry, if that is exact enough or cuts the frame off."""
    left = f_left[f] - (f_left[f] < WHOLE)
    if not enough(information, left):
        return
    value = i32(information >> 32)
    own = value if child_same[at] else -value
    kind = i32(information & 3)
    # A bound on the child is one from the other side for the frame, if the other player moves there.
    promising = LOWER if child_same[at] else UPPER
    if kind == EXACT or (kind == promising and own >= f_beta[f]) or (kind == 3 - promising and own <= f_alpha[f]):
        child_rank[at] = -FAR
        back_up(f, own, i32((information >> 2) & 1), child_row[at], child_identity[at])


def search(f: i32, at: i32) -> None:
    """Enter the waiting child `at` of the frame, to be searched next."""
    copy(s, 0, child, at * STATE, STATE)
    pack()
    alpha = f_alpha[f]
    beta = alpha + 1 if f_empty[f] else f_beta[f]
    left = f_left[f] - (f_left[f] < WHOLE)
    if SELECTIVE:
        if f_left[f] > 0 and f_left[f] < WHOLE:
            # A threat takes no ply, but not without end: no line becomes longer than twice the depth.
            left += (f < 2 * f_left[0] and is_threatened()) - f_less[f]
    static = child_static[at] if left <= 0 else UNKNOWN
    if child_same[at]:
        enter(left, alpha, beta, static)
    else:
        enter(left, -beta, -alpha, static)


def pass_turn(f: i32) -> None:
    """Let the mover of the frame pass, and enter the position after that."""
    copy(s, 0, f_state, f * STATE, STATE)
    s[0] = 1 - s[0]
    s[1] = s[0]
    nodes[0] += 1
    f_pass[f] = 0
    if status_after(1 - s[0]) == DECISION:
        f_pass[f] = PASSED
        pack()
        left = f_left[f] - 1 - LESS - f_left[f] // ONE_MORE
        # An empty window: all that is asked is whether the opponent can prevent beta after a pass.
        enter(left, -f_beta[f], 1 - f_beta[f], UNKNOWN)


def next_child(f: i32) -> i32:
    """The most promising child of the frame that waits to be searched; -1 if none does."""
    best = -1
    for k in range(f_count[f]):
        at = f * WAITING + k
        if child_rank[at] > -FAR and (best < 0 or child_rank[at] > child_rank[best]):
            best = at
    return best


def unsearched_child(f: i32, at: i32) -> i32:
    """The most promising child that no other thread is searching; child `at` if there is none."""
    if at < 0 or f_searched[f] == 0 or team_apart(f, f_left[f]) == 0:
        return at
    best = -1
    for k in range(f_count[f]):
        other = f * WAITING + k
        if child_rank[other] > -FAR and team_has(child_hash[other]) == 0:
            if best < 0 or child_rank[other] > child_rank[best]:
                best = other
    return best if best >= 0 else at


def leave(f: i32) -> None:
    """Finish the frame: put its value into the table, and hand it to the frame below. Where only loud actions were made
    and the value is proved, all are listed once more, so that a fault in a quiet one shows."""
    top[0] = f
    value = f_best[f]
    kind = LOWER if value >= f_beta[f] else UPPER if value <= f_before[f] else EXACT
    high = greatest[0] if f_side[f] == 1 else -least[0]
    low = least[0] if f_side[f] == 1 else -greatest[0]
    # A bound at the greatest or the least utility is the value: there is nothing beyond it.
    if value == high or value == low:
        kind = EXACT if (value == high and kind == LOWER) or (value == low and kind == UPPER) else kind
    work: i64 = 64 - clz(nodes[0] - f_nodes[f])
    copy(key, 0, f_key, f * KEY, KEY)
    row = f_known[f] if only_loud(f) else f_row[f]  # among all rows
    if LISTS_LOUD:
        # The quiet actions were never made. If one of them breaks a rule, this listing traps, as a full search would
        # have.
        if only_loud(f) and f_open[f] == 0:
            copy(s, 0, f_state, f * STATE, STATE)
            moves()
    information: i64 = (i64(value) << 32) | ((i64(row) + 1) << 16) | ((f_left[f] + FURTHER) << 9)
    # A position that costs a few nodes is found again sooner than it is looked up, and would drive out a dearer one. A
    # win or a loss is kept all the same where a selective search finds it, so that the line leads to its end.
    if nodes[0] - f_nodes[f] >= KEPT or (SELECTIVE and (value == high or value == low)):
        table_keep(information | (work << 3) | (f_open[f] << 2) | kind)
    give(f, value, f_open[f], f_row[f], kind)


def search_run(budget: i32) -> i32:
    """Visit up to `budget` nodes. Returns 1 if the search is not finished."""
    until = node_limit(budget)
    while nodes[0] < until and refused[0] == 0:
        f = top[0] - 1
        if SHARED:
            if team_over[0]:
                return 0
        if f < 0:
            if SHARED:
                team_over[0] = 1
            return 0
        if SELECTIVE:
            if f_pass[f] == TO_PASS:
                pass_turn(f)
                continue
        at = next_child(f)
        if SHARED:
            at = unsearched_child(f, at)
        if at >= 0:
            f_current[f] = at - f * WAITING
            if SELECTIVE:
                f_less[f] = plies_less(f, at) if child_rank[at] < FAR else 0
            # The first child has no alpha to beat yet; and an empty window cannot become emptier.
            f_empty[f] = child_rank[at] != FAR and f_searched[f] > 0 and f_beta[f] > f_alpha[f] + 1
            f_searched[f] += 1
            child_rank[at] = -FAR
            if SHARED:
                if team_apart(f, f_left[f]):
                    team_note(child_hash[at])
            search(f, at)
        elif f_rows[f] < 0 or f_made[f] < f_rows[f]:
            make(f)
        else:
            leave(f)
    return refused[0] == 0

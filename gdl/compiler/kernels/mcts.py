"""UCT: selection, expansion, simulation, backup and proof as in `gdl.solvers.mcts.mcts`, which tells them.

Room for all children of a node is taken when the first joins the tree (`tree`). A simulation can be left after any ply
of its random play and gone on with later.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.logarithm import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.taken import uct_forget_cells, uct_learn_cells, uct_move_cell, uct_note_cell
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.winning import *

CELLS = const(0)  # set: of the board that actions take one by one, for good; 0: there is none, or it is not to be used
NOW_PLIES = const(0)  # plies of this simulation
NOW_PATIENCE = const(1)  # and at most
NOW_LEAST = const(2)  # and of the most at least
NOW_PLAYING = const(3)  # whether it has left the tree
NOW_KIND = const(4)  # the kind of its state
NOW_PLAYED = const(5)  # the plies just played
KINDS = const(3)  # of results: won, drawn, lost
RULE_PRICED = const(0)  # whether endless play has a price
RULE_PATIENCE = const(1)  # the most patience
RULE_FACTOR = const(2)  # and how many ends make it so
RECORD = const(PLAYERS + 1)
SAFE_ACTIONS = const(0)  # set: of a player, at most, among whose a safe one is looked for; 0: moves are not safe
TRIAL = const(1000)  # looks, after which it is known whether wins in one are rare:
RARE = const(16)  # less than one in so many looks finds one
SAFE_LOOKS = const(0)  # how often it was looked for a win in one,
SAFE_HITS = const(1)  # and how often one was found
uct_sum = array(i64, NODES * RECORD)  # of each node: the visits N (negative where the node is proven to be lost,
# or a brother to be better), and the totals W
uct_cell = array(i32, NODES if CELLS else 1)  # of each node: the cell that its action took
uct_safe = array(i64, 2)  # how safe play went until now
uct_safe_state = array(i32, STATE if SAFE_ACTIONS else 1)  # from which a safe action is looked for
uct_begun = array(i64, 3)  # the random numbers' state when this simulation's random play began, and `uct_safe` then
uct_now = array(i32, 6)
uct_low = array(i64, PLAYERS)  # the least and the greatest utility met
uct_high = array(i64, PLAYERS)
uct_kind = array(i64, PLAYERS * KINDS)  # the first different ones that random play brought,
uct_kinds = array(i32, PLAYERS)  # and how many; one more than KINDS: there are more
uct_last = array(i64, PLAYERS)  # the last one,
uct_moved = array(i64, PLAYERS)  # how much it differed from the one before, in sum,
uct_results = array(i64, 1)  # and how many there were
uct_share = array(f64, PLAYERS)  # of the spread between the extremes, in which results lie
uct_least = array(i64, PLAYERS)  # what no utility of a player falls below,
uct_least_known = array(u8, PLAYERS)  # if that is known
uct_gain = array(i64, PLAYERS)  # of this simulation
uct_price = array(i64, PLAYERS)  # of endless play,
uct_rule = array(i32, 3)
uct_score = array(f64, NODES * 2)  # of each node: the mean of the parent's mover on the scale 0..1, and 1 / sqrt(N)
NOT_MET = const(1152921504606846976)  # no utility is so great
uct_c = array(f64, 2)  # how curious it is: at first, and after
uct_few = array(i64, 1)  # so many visits of a node for each of its children
uct_logs = array(f64, 4096)  # logarithms of small numbers


def tree_expand(node: i32, last: i32) -> i32:
    """Take room for the node's children; 0 where none is left. Its state is made, and its ways are listed."""
    tree_enter(last)
    if CELLS:
        listed = moves()
        if tree_count[TREE_USED] + listed <= NODES:
            for k in range(listed):
                uct_cell[i32(tree_count[TREE_USED]) + k] = move[k * WIDTH + 1]
    rows = tree_ways(node)
    if tree_open(node, rows) == 0:
        return 0
    first_child = tree_link[node * LINK + LINK_FIRST]
    for k in range(first_child * RECORD, (first_child + rows) * RECORD):
        uct_sum[k] = 0
    if CELLS:
        uct_forget_cells(first_child, rows)
        for k in range(first_child * 2, (first_child + rows) * 2):
            uct_score[k] = 1.0
    tree_weigh(node)
    return 1


def tree_note(node: i32, parent: i32) -> None:
    """Note the estimate of a node for the parent's mover: its mean on the scale 0..1, and how little it was tried."""
    player = tree_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    visits: i64 = uct_sum[node * RECORD]
    if CELLS:
        uct_note_cell(node, parent)
        return
    if player < 0 or visits == 0:
        return
    if visits < 0:
        # Proven to be lost, or worse than a brother: no bonus for curiosity can lift it above the others.
        uct_score[node * 2] = -1.0e300
        return
    low: i64 = uct_low[player]
    spread: i64 = uct_high[player] - low
    mean = 0.0
    if spread > 0:
        # In whole numbers up to the last step, so that every engine divides the same two numbers and gets the same
        # bits.
        mean = f64(uct_sum[node * RECORD + 1 + player] - low * visits) / f64(spread * visits)
    uct_score[node * 2] = mean
    uct_score[node * 2 + 1] = 1.0 / sqrt(f64(visits))


def uct_best(node: i32) -> i32:
    """The child with the greatest upper confidence bound, the first of equals."""
    log = uct_logs[i32(uct_sum[node * RECORD] & 4095)]
    # Small logarithms come from a table: nearly all nodes have few visits, and a logarithm costs as much as a child.
    if uct_sum[node * RECORD] >= 4096:
        log = natural_log(uct_sum[node * RECORD])
    # With few visits for each child little curiosity finds good moves sooner; with many it would never correct an early
    # mistake.
    few = uct_sum[node * RECORD] <= uct_few[0] * tree_link[node * LINK + LINK_ROWS]
    share = uct_share[tree_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER]
    curious = (uct_c[0] if few else uct_c[1]) * share * sqrt(log)
    best = tree_link[node * LINK + LINK_FIRST]
    greatest = uct_score[best * 2] + curious * uct_score[best * 2 + 1]
    for child in range(best + 1, best + tree_link[node * LINK + LINK_ROWS]):
        bound = uct_score[child * 2] + curious * uct_score[child * 2 + 1]
        if bound > greatest:
            best = child
            greatest = bound
    return best


def uct_met(player: i32, utility: i64) -> i32:
    """The player can get this; whether that is less or more than was known."""
    wider = 0
    if utility < uct_low[player]:
        uct_low[player] = utility
        wider = 1
    if utility > uct_high[player]:
        uct_high[player] = utility
        wider = 1
    return wider


def uct_note_all() -> None:
    """Compute the estimates of all nodes again."""
    for node in range(i32(tree_count[TREE_USED])):
        for k in range(tree_link[node * LINK + LINK_ROWS]):
            tree_note(tree_link[node * LINK + LINK_FIRST] + k, node)


def uct_pass_by(node: i32, parent: i32) -> None:
    """Note a new node in which the mover wins at once. Its parent's mover will avoid it, so its result is not carried
    up to the nodes above."""
    wider = 0
    uct_sum[node * RECORD] = 1
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] = util[p]
        wider = wider | uct_met(p, util[p])
    player = tree_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    if uct_is_lost(player, util[player]):
        # The sign marks what is never to be selected again; the number stays a count of visits.
        uct_sum[node * RECORD] = -1
    tree_note(node, parent)
    if wider:
        uct_note_all()


def tree_longest() -> i32:
    """The longest simulation that is waited for, in plies."""
    return uct_now[NOW_PATIENCE]


def tree_choose(node: i32) -> i32:
    """The child that a simulation visits next. Children that were never tried come first."""
    # With AMAF a child that was never tried has an estimate already, from plays in which its action came later.
    if not CELLS and tree_link[node * LINK + LINK_TRIED] < tree_link[node * LINK + LINK_ROWS]:
        return tree_link[node * LINK + LINK_FIRST] + tree_link[node * LINK + LINK_TRIED]
    return uct_best(node)


def tree_join(child: i32, parent: i32, kind: i32) -> i32:
    """A new node, whose state is there, joins the tree, and random play begins or, where its value is certain, the gain
    is known; or another child is to be tried in the same simulation."""
    uct_now[NOW_KIND] = kind
    # The mover wins at once: the value is proven without a simulation.
    if kind == DECISION and is_won():
        tree_link[child * LINK + LINK_PROVEN] = 1
        if tree_is_avoided(child, parent):
            uct_pass_by(child, parent)
            return JOIN_PASSED_BY
    if tree_link[child * LINK + LINK_PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]
    else:
        uct_now[NOW_PLAYING] = 1
    return JOIN_ENDS


def tree_stop(node: i32, last: i32) -> None:
    """The gain of a node that is proven; from one that has no room for children random play begins."""
    if tree_link[node * LINK + LINK_PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = tree_pays(node, p)
        return
    uct_now[NOW_PLAYING] = 1
    tree_enter(last)
    uct_now[NOW_KIND] = CHANCE if CHANCES and tree_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE else DECISION


def tree_visit(node: i32) -> None:
    """Add one visit to a node, and the simulation's result to its totals."""
    uct_sum[node * RECORD] += 1
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] += uct_gain[p]


def tree_pays(node: i32, player: i32) -> i64:
    """The value of a proven node to a player."""
    visits: i64 = uct_sum[node * RECORD]
    if visits < 0:
        visits = -visits
    return uct_sum[node * RECORD + 1 + player] // visits


def uct_is_lost(player: i32, utility: i64) -> i32:
    """1 if no utility is less for the player."""
    return uct_least_known[player] and utility <= uct_least[player]


def tree_compare(child: i32, best: i32, parent: i32, player: i32) -> None:
    """A child that is proven to be worse than another, or to be lost, is never selected again."""
    if uct_sum[child * RECORD] > 0:
        worth = tree_pays(child, player)
        if worth < tree_pays(best, player) or uct_is_lost(player, worth):
            uct_sum[child * RECORD] = -uct_sum[child * RECORD]
            tree_note(child, parent)


def tree_prove(node: i32, best: i32) -> None:
    """The totals of a proven node say what it is worth."""
    visits: i64 = uct_sum[node * RECORD]
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] = visits * tree_pays(best, p)


def uct_finish() -> None:
    """The end of a simulation."""
    if CELLS:
        uct_learn_cells()
    wider = 0
    for p in range(PLAYERS):
        wider = wider | uct_met(p, uct_gain[p])
    tree_back_up()
    if wider:
        uct_note_all()
    tree_settle()
    tree_count[TREE_SIMULATIONS] += 1
    uct_now[NOW_PLAYING] = 0


def uct_note_kind(player: i32) -> None:
    """Note the simulation's result for a player, if it differs from those noted so far."""
    for k in range(uct_kinds[player]):
        if uct_kind[player * KINDS + k] == uct_gain[player]:
            return
    if uct_kinds[player] < KINDS:
        uct_kind[player * KINDS + uct_kinds[player]] = uct_gain[player]
    uct_kinds[player] += 1


def uct_differ() -> None:
    """Random play brought something: how much such results differ, one from the next."""
    for p in range(PLAYERS):
        # Counting stops at the first result beyond three: whether a game is won, drawn or lost is all that matters.
        if uct_kinds[p] <= KINDS:
            uct_note_kind(p)
        if uct_results[0] > 0:
            change: i64 = uct_gain[p] - uct_last[p]
            uct_moved[p] += change if change > 0 else -change
        uct_last[p] = uct_gain[p]
        # Only where results are points. Where they are won, drawn or lost, the spread is the scale, and the share stays
        # 1.
        if uct_kinds[p] > KINDS:
            spread: i64 = uct_high[p] - uct_low[p]
            share = f64(2 * uct_moved[p]) / f64((uct_results[0] + 1) * spread)
            uct_share[p] = share if share < 1.0 else 1.0
    uct_results[0] += 1


def uct_ended() -> None:
    """A simulation came to its end: how much patience that gives."""
    # Patience is a multiple of the longest play seen so far: without that, endless plays would take all the time.
    if uct_rule[RULE_PRICED]:
        enough: i64 = uct_now[NOW_PLIES]
        enough = enough * uct_rule[RULE_FACTOR]
        enough = enough if enough < uct_rule[RULE_PATIENCE] else uct_rule[RULE_PATIENCE]
        if enough > uct_now[NOW_LEAST]:
            uct_now[NOW_LEAST] = i32(enough)
        if uct_now[NOW_LEAST] > uct_now[NOW_PATIENCE]:
            uct_now[NOW_PATIENCE] = uct_now[NOW_LEAST]
    at_random = uct_now[NOW_PLAYING]
    uct_finish()
    if at_random:
        uct_differ()


def uct_cut_off() -> i32:
    """A simulation went on for too long; 0 where that has no price."""
    if uct_rule[RULE_PRICED] == 0:
        return 0
    for p in range(PLAYERS):
        uct_gain[p] = uct_price[p]
    # A play without end was met, so others are likely; waiting half as long for the next costs little accuracy.
    half = uct_now[NOW_PATIENCE] // 2
    uct_now[NOW_PATIENCE] = half if half > uct_now[NOW_LEAST] else uct_now[NOW_LEAST]
    uct_finish()
    return 1


def uct_begin() -> None:
    """The root joins the tree; the state is there."""
    if uct_logs[2] == 0.0:
        for n in range(1, 4096):
            uct_logs[n] = natural_log(n)
    for p in range(PLAYERS):
        uct_low[p] = NOT_MET
        uct_high[p] = -NOT_MET
        uct_kinds[p] = 0
        uct_moved[p] = 0
        uct_share[p] = 1.0
    uct_results[0] = 0
    uct_safe[SAFE_LOOKS] = 0
    uct_safe[SAFE_HITS] = 0
    for k in range(RECORD):
        uct_sum[k] = 0
    tree_begin()
    tree_meet(0, status())
    if tree_link[LINK_PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]


def uct_note_begin() -> None:
    """Keep what random play begins with, so that the interpreter can play a fault of this simulation again."""
    uct_begun[0] = played[PLAYED_RANDOM]
    uct_begun[1] = uct_safe[SAFE_LOOKS]
    uct_begun[2] = uct_safe[SAFE_HITS]


def uct_safe_step(rows: i32, last: i32) -> i32:
    """A random move after which no other wins at once, if there is one, as in `SafePlay` of gdl/states/safe_play.py;
    the kind of the state. If there is none, the end that the last one tried allows."""
    player = s[0]
    copy(uct_safe_state, 0, s, 0, STATE)
    at = playout_pick(rows)
    for k in range(rows):
        if k > 0:
            copy(s, 0, uct_safe_state, 0, STATE)
            ways()
        take(at)
        at = at + 1 if at + 1 < rows else 0
        kind = status_after(last)
        if kind != DECISION or s[0] == player:
            return kind
        uct_safe[SAFE_LOOKS] += 1
        if is_won() == 0:
            return DECISION
        uct_safe[SAFE_HITS] += 1
    return TERMINAL


def uct_step(kind: i32) -> i32:
    """A ply of random play; the kind of the state that it leads to."""
    last = s[1]
    if SAFE_ACTIONS and kind == DECISION:
        if uct_safe[SAFE_LOOKS] < TRIAL or uct_safe[SAFE_HITS] * RARE >= uct_safe[SAFE_LOOKS]:
            rows = known_ways()
            if rows <= SAFE_ACTIONS:
                return uct_safe_step(rows, last)
    playout_step(kind)
    return status_after(last)


def uct_play_out(budget: i32) -> i32:
    """Play at most `budget` plies at random. Returns the status that `uct_run` has to return."""
    steps: i64 = uct_now[NOW_PATIENCE] - uct_now[NOW_PLIES]
    steps = steps if steps < budget else i64(budget)
    if tree_count[TREE_MOST] >= 0:
        rest: i64 = tree_count[TREE_MOST] - tree_count[TREE_NODES]
        steps = steps if steps < rest else rest
    kind = uct_now[NOW_KIND]
    left = steps
    while kind != TERMINAL and left > 0:
        kind = uct_step(kind)
        left -= 1
    uct_now[NOW_KIND] = kind
    uct_now[NOW_PLAYED] = i32(steps - left)
    uct_now[NOW_PLIES] += i32(steps - left)
    tree_count[TREE_NODES] += steps - left
    if kind == TERMINAL:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]
        uct_ended()
    elif uct_now[NOW_PLIES] >= uct_now[NOW_PATIENCE]:
        if uct_cut_off() == 0:
            return RUN_ENDLESS
    elif tree_count[TREE_NODES] == tree_count[TREE_MOST]:
        return RUN_OUT_OF_NODES
    return 1


def uct_run(budget: i32) -> i32:
    """Go on for `budget` plies of random play. Returns 1 to be called again, 0 if all is done, -2 if no nodes are left,
    -3 if play has no end."""
    while budget > 0:
        budget -= 1
        if uct_now[NOW_PLAYING] == 0:
            if tree_count[TREE_SIMULATIONS] == tree_count[TREE_WANTED] or (tree_link[LINK_PROVEN] and uct_sum[0] > 0):
                return 0
            uct_note_begin()
            # The first state is an end: there is nothing to select, and each simulation is one more visit.
            if tree_link[LINK_WHOSE] == WHOSE_OVER:
                tree_path[0] = 0
                uct_finish()
                continue
            if tree_select() == 0:
                return RUN_OUT_OF_NODES
            uct_now[NOW_PLIES] = i32(tree_count[TREE_LAST])
            if uct_now[NOW_PLAYING] == 0:
                uct_ended()
            else:
                uct_note_begin()
        else:
            found = uct_play_out(budget)
            budget -= uct_now[NOW_PLAYED]
            if found < 0:
                return found
    return 1


def tree_rest() -> None:
    """Forget the simulation that is going on: the node that it has added is new again."""
    last = i32(tree_count[TREE_LAST])
    node = tree_path[last]
    if uct_now[NOW_PLAYING] and last > 0 and uct_sum[node * RECORD] == 0:
        if tree_link[node * LINK + LINK_KEPT] > 0:
            tree_count[TREE_STATES] -= 1
        tree_link[node * LINK + LINK_KEPT] = 0
        tree_link[node * LINK + LINK_WHOSE] = WHOSE_NOBODY
        tree_link[tree_path[last - 1] * LINK + LINK_TRIED] -= 1
    uct_now[NOW_PLAYING] = 0


def tree_move(node: i32, to: i32) -> None:
    """A node gets another number, which is no greater."""
    copy(uct_sum, to * RECORD, uct_sum, node * RECORD, RECORD)
    uct_score[to * 2] = uct_score[node * 2]
    uct_score[to * 2 + 1] = uct_score[node * 2 + 1]
    if CELLS:
        uct_cell[to] = uct_cell[node]
        uct_move_cell(node, to)


def tree_goes_on() -> i32:
    """The first node is another root; brothers, one of which may have been proven to be better, it has none."""
    if uct_sum[0] < 0:
        uct_sum[0] = -uct_sum[0]
    tree_count[TREE_SIMULATIONS] = uct_sum[0]
    return 1

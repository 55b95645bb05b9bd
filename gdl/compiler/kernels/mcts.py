"""UCT: selection, expansion, simulation, backup and proof as described in `gdl.solvers.mcts.mcts`.

Room for all children of a node is taken when the first joins the tree (`tree`). A simulation can be left after any ply
of its random play and gone on with later.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.immediate_wins import *
from gdl.compiler.kernels.logarithm import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.taken import uct_learn_cells
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_descent import *
from gdl.compiler.kernels.tree_values import *

KINDS = const(3)  # of results: won, drawn, lost
RULE_PRICED = const(0)  # places in uct_rule: whether endless play has a price,
RULE_PATIENCE = const(1)  # the greatest patience (the most plies of a simulation),
RULE_FACTOR = const(2)  # and how many times the longest play the patience is
SAFE_ACTIONS = const(0)  # set: a safe move is looked for among at most so many actions; 0: never
TRIAL = const(1000)  # looks for wins in one, after which it is known whether these are rare:
RARE = const(16)  # fewer than one in so many looks finds one
WIDE = const(4)  # looks in vain for which a position with more actions counts
SAFE_LOOKS = const(0)  # places in uct_safe: how often a win in one was looked for,
SAFE_HITS = const(1)  # and how often one was found
uct_safe = array(i64, 2)
uct_safe_state = array(i32, STATE if SAFE_ACTIONS else 1)  # the state in which a safe action is looked for
uct_begun = array(i64, 3)  # the generator's state when this simulation's random play began, and `uct_safe` then
uct_kind = array(i64, PLAYERS * KINDS)  # by player: the first different results of random play,
uct_kinds = array(i32, PLAYERS)  # and how many different ones there were, KINDS + 1 at most
uct_last = array(i64, PLAYERS)  # the last result,
uct_moved = array(i64, PLAYERS)  # the sum of all differences of one result from the one before,
uct_results = array(i64, 1)  # and the number of results
uct_price = array(i64, PLAYERS)  # what endless play pays, times DENOMINATOR
uct_rule = array(i32, 3)


def uct_finish() -> None:
    """Finish a simulation: carry its gain up the path, and prove what follows."""
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
    """Note the result of random play, and how much results differ from one to the next, compared with their spread."""
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
    """Finish a simulation that has come to an end of play; where endless play has a price, the length of this play
    gives patience for the next."""
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
    """Finish a simulation whose play was too long with the price of endless play. Returns 0 if that has no price."""
    if uct_rule[RULE_PRICED] == 0:
        return 0
    copy(uct_gain, 0, uct_price, 0, PLAYERS)
    uct_now[NOW_CUTS] += 1
    # A play without end was met, so others are likely; waiting half as long for the next costs little accuracy.
    half = uct_now[NOW_PATIENCE] // 2
    uct_now[NOW_PATIENCE] = half if half > uct_now[NOW_LEAST] else uct_now[NOW_LEAST]
    uct_finish()
    return 1


def uct_forget() -> None:
    """Forget all that was learned of the game's utilities."""
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


def uct_begin() -> None:
    """Begin a tree whose root is the present state."""
    uct_forget()
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
    """Play a random move after which no other player wins at once, as `SafePlay` of gdl/states/safe_play.py does.
    Returns the kind of the next state: TERMINAL if no move is safe, with the other player's win after the last one
    tried in `util`."""
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
    """Play a ply at random. Returns the kind of the state that it leads to."""
    last = s[1]
    if SAFE_ACTIONS and kind == DECISION:
        if uct_safe[SAFE_LOOKS] < TRIAL or uct_safe[SAFE_HITS] * RARE >= uct_safe[SAFE_LOOKS]:
            rows = known_ways()
            if rows <= SAFE_ACTIONS:
                return uct_safe_step(rows, last)
            uct_safe[SAFE_LOOKS] += WIDE
    playout_step(kind)
    return status_after(last)


def uct_play_out(budget: i32) -> i32:
    """Play at most `budget` plies at random. Returns the result that `uct_run` passes on: 1, RUN_ENDLESS or
    RUN_OUT_OF_NODES."""
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
    """Go on for `budget` plies of random play. Returns 1 to be called again, RUN_DONE if all is done,
    RUN_OUT_OF_NODES if no nodes are left, RUN_ENDLESS if play has no end and that has no price."""
    while budget > 0:
        budget -= 1
        if uct_now[NOW_PLAYING] == 0:
            if tree_count[TREE_SIMULATIONS] == tree_count[TREE_WANTED] or (tree_link[LINK_PROVEN] and uct_sum[0] > 0):
                return RUN_DONE
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
            found = uct_play_out(budget + 1)  # at least one ply, or a budget of 1 would never end
            budget -= uct_now[NOW_PLAYED]
            if found < 0:
                return found
    return 1


def tree_rest() -> None:
    """Forget the simulation that is under way: the node that it has added was never visited."""
    last = i32(tree_count[TREE_LAST])
    node = tree_path[last]
    if uct_now[NOW_PLAYING] and last > 0 and uct_sum[node * RECORD] == 0:
        if tree_link[node * LINK + LINK_KEPT] > 0:
            tree_count[TREE_STATES] -= 1
        tree_link[node * LINK + LINK_KEPT] = 0
        tree_link[node * LINK + LINK_WHOSE] = WHOSE_NOBODY
        tree_link[tree_path[last - 1] * LINK + LINK_TRIED] -= 1
    uct_now[NOW_PLAYING] = 0

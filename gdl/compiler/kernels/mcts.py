"""UCT: selection, expansion, simulation, backup and proof as in `solvers.mcts.mcts`, which tells them.

A node is a number; the children of a node lie side by side, and room for all of them is taken when the first joins the
tree. States are kept of as many nodes as there is memory for; from the last one on the path the moves are made again.
A simulation can be left after any ply of its random play and gone on with later.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.logarithm import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.taken import uct_learn_cells, uct_note_cell
from gdl.compiler.kernels.winning import *
from gdl.compiler.kernels.words import *

NODES = const(1)  # set: of the tree, at most
STATES = const(1)  # set: that are kept, at most
DEPTH = const(1)  # set: plies of a simulation, at most
NO_ROOM = const(2)  # what uct_select says where all is not well
TOO_LONG = const(3)
DONE = const(0)  # what uct_run says at its end
OUT_OF_NODES = const(-2)
ENDLESS = const(-3)
WHOSE_NOBODY = const(0)  # nobody was there yet
WHOSE_CHANCE = const(1)
WHOSE_OVER = const(2)
WHOSE_PLAYER = const(3)  # and the player
CHANCES = const(0)  # set: whether the game has chance
CELLS = const(0)  # set: of the board that actions take one by one, for good; 0: there is none, or it is not to be used
COUNT_SIMULATIONS = const(0)  # simulations
COUNT_WANTED = const(1)  # and how many are wanted
COUNT_NODES = const(2)  # nodes met
COUNT_MOST = const(3)  # and at most; -1: any number
COUNT_USED = const(4)  # nodes of the tree
COUNT_STATES = const(5)  # states kept
COUNT_BEGUN = const(6)  # the random numbers' state when this simulation's random play began
NOW_PLIES = const(0)  # plies of this simulation
NOW_PATIENCE = const(1)  # and at most
NOW_LEAST = const(2)  # and of the most at least
NOW_DEPTH = const(3)  # the last of the path
NOW_PLAYING = const(4)  # whether it has left the tree
NOW_KIND = const(5)  # the kind of its state
NOW_PLAYED = const(6)  # the plies just played
RULE_PRICED = const(0)  # whether endless play has a price
RULE_PATIENCE = const(1)  # the most patience
RULE_FACTOR = const(2)  # and how many ends make it so
RECORD = const(PLAYERS + 1)
uct_sum = array(i64, NODES * RECORD)  # of each node: the visits N (negative where a brother is proven to be better),
# and the totals W
LINK = const(8)  # words of what else there is to know of a node, six of them in use:
LINK_FIRST = const(0)  # the first child
LINK_ROWS = const(1)  # how many children there is room for; 0: none
LINK_TRIED = const(2)  # how many decisions have been tried
LINK_WHOSE = const(3)  # who moves there
LINK_PROVEN = const(4)  # whether the mean is the value for certain
LINK_KEPT = const(5)  # 1 and the place of its state; 0: it is not kept
uct_link = array(i32, NODES * LINK)
uct_weight = array(i64, NODES if WEIGHED else 1)  # of outcomes
uct_cell = array(i32, NODES if CELLS else 1)  # of each node: the cell that its action took
uct_state = array(i32, STATES * STATE)
uct_path = array(i32, DEPTH)
uct_count = array(i64, 7)
uct_now = array(i32, 7)
uct_low = array(i64, PLAYERS)  # the least and the greatest utility met
uct_high = array(i64, PLAYERS)
uct_gain = array(i64, PLAYERS)  # of this simulation
uct_price = array(i64, PLAYERS)  # of endless play,
uct_rule = array(i32, 3)
uct_score = array(f64, NODES * 2)  # of each node: the mean of the parent's mover on the scale 0..1, and 1 / sqrt(N)
NOT_MET = const(1152921504606846976)  # no utility is so great
uct_c = array(f64, 2)  # how curious it is: at first, and after
uct_few = array(i64, 1)  # so many visits of the root for each of its children
uct_logs = array(f64, 4096)  # logarithms of small numbers


def uct_ways(node: i32) -> i32:
    """In how many ways the state of the node can go on; of outcomes that have weights, these are listed."""
    if WEIGHED and uct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        return moves()
    return ways()


def uct_take(node: i32, way: i32) -> None:
    """Go one of them."""
    if WEIGHED and uct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        apply(way)
        return
    take(way)


def uct_draw(node: i32) -> i32:
    """Draw one of the outcomes of a chance node."""
    if not WEIGHED:
        return i32(playout_below(uct_link[node * LINK + LINK_ROWS]))
    child = uct_link[node * LINK + LINK_FIRST]
    total: i64 = 0
    for k in range(uct_link[node * LINK + LINK_ROWS]):
        total += uct_weight[child + k]
    ticket: i64 = playout_below(total)
    while ticket >= uct_weight[child]:
        ticket -= uct_weight[child]
        child += 1
    return child - uct_link[node * LINK + LINK_FIRST]


def uct_enter(last: i32) -> None:
    """Make the state of a node of the path."""
    d = last
    while uct_link[uct_path[d] * LINK + LINK_KEPT] == 0:
        d -= 1
    copy(s, 0, uct_state, (uct_link[uct_path[d] * LINK + LINK_KEPT] - 1) * STATE, STATE)
    while d < last:
        uct_ways(uct_path[d])
        uct_take(uct_path[d], uct_path[d + 1] - uct_link[uct_path[d] * LINK + LINK_FIRST])
        d += 1


def uct_look(node: i32, kind: i32) -> i32:
    """Note what a new node is; the state is there."""
    if kind == TERMINAL:
        uct_link[node * LINK + LINK_WHOSE] = WHOSE_OVER
        uct_link[node * LINK + LINK_PROVEN] = 1
        return kind
    uct_link[node * LINK + LINK_WHOSE] = WHOSE_CHANCE if kind == CHANCE else WHOSE_PLAYER + s[0]
    if uct_count[COUNT_STATES] < STATES and keep_past():
        place = i32(uct_count[COUNT_STATES])
        uct_count[COUNT_STATES] += 1
        uct_link[node * LINK + LINK_KEPT] = place + 1
        copy(uct_state, place * STATE, s, 0, STATE)
    return kind


def uct_open(node: i32, last: i32) -> i32:
    """Take room for the node's children; 0 where none is left. Its state is made, and its ways are listed."""
    uct_enter(last)
    if CELLS:
        listed = moves()
        if uct_count[COUNT_USED] + listed <= NODES:
            for k in range(listed):
                uct_cell[i32(uct_count[COUNT_USED]) + k] = move[k * WIDTH + 1]
    rows = uct_ways(node)
    if uct_count[COUNT_USED] + rows > NODES:
        return 0
    uct_link[node * LINK + LINK_FIRST] = i32(uct_count[COUNT_USED])
    uct_link[node * LINK + LINK_ROWS] = rows
    uct_count[COUNT_USED] += rows
    if CELLS:
        for k in range(rows):
            uct_score[(uct_link[node * LINK + LINK_FIRST] + k) * 2] = 1.0
            uct_score[(uct_link[node * LINK + LINK_FIRST] + k) * 2 + 1] = 1.0
    if WEIGHED and uct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        for k in range(rows):
            uct_weight[uct_link[node * LINK + LINK_FIRST] + k] = weight[k]
    return 1


def uct_note(node: i32, parent: i32) -> None:
    """What the parent's mover makes of a node: its mean on the scale 0..1, and how little it was tried."""
    player = uct_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    visits: i64 = uct_sum[node * RECORD]
    if CELLS:
        uct_note_cell(node, parent)
        return
    if player < 0 or visits == 0:
        return
    if visits < 0:
        uct_score[node * 2] = -1.0e300
        return
    low: i64 = uct_low[player]
    spread: i64 = uct_high[player] - low
    mean = 0.0
    if spread > 0:
        mean = f64(uct_sum[node * RECORD + 1 + player] - low * visits) / f64(spread * visits)
    uct_score[node * 2] = mean
    uct_score[node * 2 + 1] = 1.0 / sqrt(f64(visits))


def uct_best(node: i32) -> i32:
    """The child with the greatest upper confidence bound, the first of equals."""
    log = uct_logs[i32(uct_sum[node * RECORD] & 4095)]
    if uct_sum[node * RECORD] >= 4096:
        log = natural_log(uct_sum[node * RECORD])
    few = uct_sum[0] <= uct_few[0] * uct_link[LINK_ROWS]
    curious = (uct_c[0] if few else uct_c[1]) * sqrt(log)
    best = uct_link[node * LINK + LINK_FIRST]
    greatest = uct_score[best * 2] + curious * uct_score[best * 2 + 1]
    for child in range(best + 1, best + uct_link[node * LINK + LINK_ROWS]):
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
    """Scale all means anew."""
    for node in range(i32(uct_count[COUNT_USED])):
        for k in range(uct_link[node * LINK + LINK_ROWS]):
            uct_note(uct_link[node * LINK + LINK_FIRST] + k, node)


def uct_is_avoided(node: i32, parent: i32) -> i32:
    """Whether the parent's mover may do without a new node in which another wins at once."""
    whose = uct_link[parent * LINK + LINK_WHOSE]
    others = whose >= WHOSE_PLAYER and whose != uct_link[node * LINK + LINK_WHOSE]
    return others and uct_link[parent * LINK + LINK_TRIED] < uct_link[parent * LINK + LINK_ROWS]


def uct_pass_by(node: i32, parent: i32) -> None:
    """A new node in which the one who moves wins at once: who does not want that does something else, so it says
    nothing of the nodes above, which get nothing of it."""
    wider = 0
    uct_sum[node * RECORD] = 1
    for p in range(PLAYERS):
        uct_sum[node * RECORD + 1 + p] = util[p]
        wider = wider | uct_met(p, util[p])
    uct_note(node, parent)
    if wider:
        uct_note_all()


def uct_select() -> i32:
    """From the root to a node that is new, or proven, or has no room for children; 1 where all is well."""
    node = 0
    d = 0
    uct_path[0] = 0
    uct_now[NOW_DEPTH] = 0
    uct_now[NOW_PLIES] = 0
    while uct_link[node * LINK + LINK_PROVEN] == 0:
        here = 0
        if uct_link[node * LINK + LINK_ROWS] == 0:
            if uct_open(node, d) == 0:
                break
            here = 1
        if d >= uct_now[NOW_PATIENCE]:
            return TOO_LONG
        child = uct_link[node * LINK + LINK_FIRST]
        if CHANCES and uct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
            child += uct_draw(node)
        elif CELLS:
            child = uct_best(node)
        elif uct_link[node * LINK + LINK_TRIED] < uct_link[node * LINK + LINK_ROWS]:
            child += uct_link[node * LINK + LINK_TRIED]
        else:
            child = uct_best(node)
        d += 1
        uct_path[d] = child
        uct_now[NOW_DEPTH] = d
        uct_now[NOW_PLIES] = d
        if uct_link[child * LINK + LINK_WHOSE] == WHOSE_NOBODY:
            if uct_count[COUNT_NODES] == uct_count[COUNT_MOST]:
                return NO_ROOM
            if here == 0:
                uct_enter(d - 1)
                uct_ways(node)
            last = s[1]
            uct_take(node, child - uct_link[node * LINK + LINK_FIRST])
            uct_count[COUNT_NODES] += 1
            uct_now[NOW_KIND] = uct_look(child, status_after(last))
            uct_link[node * LINK + LINK_TRIED] += 1
            if uct_now[NOW_KIND] == DECISION and is_won():
                uct_link[child * LINK + LINK_PROVEN] = 1
                if uct_is_avoided(child, node):
                    uct_pass_by(child, node)
                    d -= 1
                    continue
            if uct_link[child * LINK + LINK_PROVEN]:
                for p in range(PLAYERS):
                    uct_gain[p] = util[p]
            else:
                uct_now[NOW_PLAYING] = 1
            return 1
        node = child
    if uct_link[node * LINK + LINK_PROVEN]:
        visits: i64 = uct_sum[node * RECORD]
        for p in range(PLAYERS):
            uct_gain[p] = uct_sum[node * RECORD + 1 + p] // visits
    else:
        uct_now[NOW_PLAYING] = 1
        uct_enter(d)
        uct_now[NOW_KIND] = CHANCE if CHANCES and uct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE else DECISION
    return 1


def uct_back_up() -> None:
    """The gain is added to every node of the path."""
    wider = 0
    for p in range(PLAYERS):
        wider = wider | uct_met(p, uct_gain[p])
    parent = 0
    for d in range(uct_now[NOW_DEPTH] + 1):
        node = uct_path[d]
        uct_sum[node * RECORD] += 1
        for p in range(PLAYERS):
            uct_sum[node * RECORD + 1 + p] += uct_gain[p]
        if d > 0:
            uct_note(node, parent)
        parent = node
    if wider:
        uct_note_all()


def uct_value(node: i32, player: i32) -> i64:
    """What a proven node is worth to a player."""
    visits: i64 = uct_sum[node * RECORD]
    if visits < 0:
        visits = -visits
    return uct_sum[node * RECORD + 1 + player] // visits


def uct_settle(node: i32) -> None:
    """The value of a node, if those of its children prove it."""
    player = uct_link[node * LINK + LINK_WHOSE] - 3
    first_child = uct_link[node * LINK + LINK_FIRST]
    best = -1
    proven = 1
    for child in range(first_child, first_child + uct_link[node * LINK + LINK_ROWS]):
        if uct_link[child * LINK + LINK_PROVEN] == 0:
            proven = 0
        elif best < 0 or (player >= 0 and uct_value(child, player) > uct_value(best, player)):
            best = child
    if player >= 0:
        for child in range(first_child, first_child + uct_link[node * LINK + LINK_ROWS]):
            if uct_link[child * LINK + LINK_PROVEN] and uct_value(child, player) < uct_value(best, player):
                if uct_sum[child * RECORD] > 0:
                    uct_sum[child * RECORD] = -uct_sum[child * RECORD]
                    uct_note(child, node)
        if proven == 0 and greatest_is_known[player] and uct_value(best, player) >= greatest_utility[player]:
            proven = 1
    elif proven:
        for child in range(first_child, first_child + uct_link[node * LINK + LINK_ROWS]):
            for p in range(PLAYERS):
                if uct_value(child, p) != uct_value(first_child, p):
                    proven = 0
    if proven:
        visits: i64 = uct_sum[node * RECORD]
        for p in range(PLAYERS):
            uct_sum[node * RECORD + 1 + p] = visits * uct_value(best, p)
        uct_link[node * LINK + LINK_PROVEN] = 1


def uct_finish() -> None:
    """The end of a simulation."""
    if CELLS:
        uct_learn_cells()
    uct_back_up()
    d = uct_now[NOW_DEPTH]
    while d > 0 and uct_link[uct_path[d] * LINK + LINK_PROVEN]:
        d -= 1
        uct_settle(uct_path[d])
        if d > 0:
            uct_note(uct_path[d], uct_path[d - 1])
    uct_count[COUNT_SIMULATIONS] += 1
    uct_now[NOW_PLAYING] = 0


def uct_ended() -> None:
    """A simulation came to its end: how much patience that gives."""
    if uct_rule[RULE_PRICED]:
        enough: i64 = uct_now[NOW_PLIES]
        enough = enough * uct_rule[RULE_FACTOR]
        enough = enough if enough < uct_rule[RULE_PATIENCE] else uct_rule[RULE_PATIENCE]
        if enough > uct_now[NOW_LEAST]:
            uct_now[NOW_LEAST] = i32(enough)
        if uct_now[NOW_LEAST] > uct_now[NOW_PATIENCE]:
            uct_now[NOW_PATIENCE] = uct_now[NOW_LEAST]
    uct_finish()


def uct_cut_off() -> i32:
    """A simulation went on for too long; 0 where that has no price."""
    if uct_rule[RULE_PRICED] == 0:
        return 0
    for p in range(PLAYERS):
        uct_gain[p] = uct_price[p]
    half = uct_now[NOW_PATIENCE] // 2
    uct_now[NOW_PATIENCE] = half if half > uct_now[NOW_LEAST] else uct_now[NOW_LEAST]
    uct_finish()
    return 1


def uct_begin() -> None:
    """The root joins the tree; the state is there."""
    for n in range(1, 4096):
        uct_logs[n] = natural_log(n)
    for p in range(PLAYERS):
        uct_low[p] = NOT_MET
        uct_high[p] = -NOT_MET
    uct_count[COUNT_USED] = 1
    uct_count[COUNT_NODES] = 1
    uct_look(0, status())
    if uct_link[LINK_PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]


def uct_play_out(budget: i32) -> i32:
    """So many plies of random play, or fewer to the end of the simulation; what uct_run is to say."""
    steps: i64 = uct_now[NOW_PATIENCE] - uct_now[NOW_PLIES]
    steps = steps if steps < budget else i64(budget)
    if uct_count[COUNT_MOST] >= 0:
        rest: i64 = uct_count[COUNT_MOST] - uct_count[COUNT_NODES]
        steps = steps if steps < rest else rest
    kind = uct_now[NOW_KIND]
    left = steps
    while kind != TERMINAL and left > 0:
        last = s[1]
        playout_step(kind)
        kind = status_after(last)
        left -= 1
    uct_now[NOW_KIND] = kind
    uct_now[NOW_PLAYED] = i32(steps - left)
    uct_now[NOW_PLIES] += i32(steps - left)
    uct_count[COUNT_NODES] += steps - left
    if kind == TERMINAL:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]
        uct_ended()
    elif uct_now[NOW_PLIES] >= uct_now[NOW_PATIENCE]:
        if uct_cut_off() == 0:
            return ENDLESS
    elif uct_count[COUNT_NODES] == uct_count[COUNT_MOST]:
        return OUT_OF_NODES
    return 1


def uct_run(budget: i32) -> i32:
    """Go on for so many plies of random play; 1 go on, 0 all is done, -2 no nodes are left, -3 there is no end."""
    while budget > 0:
        budget -= 1
        if uct_now[NOW_PLAYING] == 0:
            if uct_count[COUNT_SIMULATIONS] == uct_count[COUNT_WANTED] or (uct_link[LINK_PROVEN] and uct_sum[0] > 0):
                return 0
            uct_count[COUNT_BEGUN] = played[PLAYED_RANDOM]
            if uct_link[LINK_WHOSE] == WHOSE_OVER:
                uct_path[0] = 0
                uct_finish()
                continue
            found = uct_select()
            if found == NO_ROOM:
                return OUT_OF_NODES
            if found == TOO_LONG:
                if uct_cut_off() == 0:
                    return ENDLESS
            elif uct_now[NOW_PLAYING] == 0:
                uct_ended()
            else:
                uct_count[COUNT_BEGUN] = played[PLAYED_RANDOM]
        else:
            found = uct_play_out(budget)
            budget -= uct_now[NOW_PLAYED]
            if found < 0:
                return found
    return 1

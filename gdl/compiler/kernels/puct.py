"""PUCT: tree search led by a net, as `solvers.mcts.puct` tells it, which is the reference.

A node is a number; the children of a node lie side by side, and there is room for all of them when the net has looked
at it. What a node is worth is told on the scale of the net. States are kept of as many nodes as there is memory for;
from the last one on the path the moves are made again.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.network import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.winning import *
from gdl.compiler.kernels.words import *

NODES = const(1)  # set: of the tree, at most
STATES = const(1)  # set: that are kept, at most
DEPTH = const(2)  # set: plies of a simulation, at most
CHANCES = const(0)  # set: whether the game has chance
RUN_DONE = const(0)  # what puct_run says at its end
RUN_OUT_OF_NODES = const(-2)
LINK = const(8)  # words of what there is to know of a node, six of them in use:
LINK_FIRST = const(0)  # the first child
LINK_ROWS = const(1)  # how many children there is room for; 0: none
LINK_TRIED = const(2)  # how many of them were visited
LINK_WHOSE = const(3)  # who moves there
LINK_PROVEN = const(4)  # whether it is worth what was paid for certain
LINK_KEPT = const(5)  # 1 and the place of its state; 0: it is not kept
WHOSE_NOBODY = const(0)  # nobody was there yet
WHOSE_CHANCE = const(1)
WHOSE_OVER = const(2)
WHOSE_PLAYER = const(3)  # and the player
TREE_SIMULATIONS = const(0)  # of puct_count: simulations
TREE_WANTED = const(1)  # and how many are wanted
TREE_NODES = const(2)  # nodes met
TREE_MOST = const(3)  # and at most; -1: any number
TREE_USED = const(4)  # nodes of the tree
TREE_STATES = const(5)  # states kept
RULE_C = const(0)  # of puct_rule: how curious it is,
RULE_LESS = const(1)  # and how much less than its parent what was never tried is thought to be worth
NEVER = const(-1.0e300)  # what is proven to be worse than another is taken for this

puct_visits = array(i64, NODES)
puct_total = array(f64, NODES * PLAYERS)  # what the visits were worth
puct_paid = array(i64, NODES * PLAYERS)  # of proven nodes: what they pay, times DENOMINATOR
puct_prior = array(f64, NODES)  # the share that the net gives to it
puct_mean = array(f64, NODES)  # what it is worth to the mover of the node before, on average,
puct_part = array(f64, NODES)  # and the share divided by 1 + visits
puct_link = array(i32, NODES * LINK)
puct_weight = array(i64, NODES if WEIGHED else 1)  # of outcomes
puct_state = array(i32, STATES * STATE)
puct_path = array(i32, DEPTH)
puct_last = array(i32, 1)  # the last of the path
puct_gain = array(f64, PLAYERS)  # of this simulation
puct_count = array(i64, 6)
puct_rule = array(f64, 2)


def puct_ways(node: i32) -> i32:
    """In how many ways the state of the node can go on; of outcomes that have weights, these are listed."""
    if WEIGHED and puct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        return moves()
    return ways()


def puct_take(node: i32, way: i32) -> None:
    """Go one of them."""
    if WEIGHED and puct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
        apply(way)
        return
    take(way)


def puct_draw(node: i32) -> i32:
    """Draw one of the outcomes of a chance node."""
    if not WEIGHED:
        return i32(playout_below(puct_link[node * LINK + LINK_ROWS]))
    child = puct_link[node * LINK + LINK_FIRST]
    total: i64 = 0
    for k in range(puct_link[node * LINK + LINK_ROWS]):
        total += puct_weight[child + k]
    ticket: i64 = playout_below(total)
    while ticket >= puct_weight[child]:
        ticket -= puct_weight[child]
        child += 1
    return child - puct_link[node * LINK + LINK_FIRST]


def puct_enter(last: i32) -> None:
    """Make the state of a node of the path."""
    d = last
    while puct_link[puct_path[d] * LINK + LINK_KEPT] == 0:
        d -= 1
    copy(s, 0, puct_state, (puct_link[puct_path[d] * LINK + LINK_KEPT] - 1) * STATE, STATE)
    while d < last:
        puct_ways(puct_path[d])
        puct_take(puct_path[d], puct_path[d + 1] - puct_link[puct_path[d] * LINK + LINK_FIRST])
        d += 1


def puct_clear(node: i32) -> None:
    """A node that nobody has been to."""
    puct_visits[node] = 0
    for p in range(PLAYERS):
        puct_total[node * PLAYERS + p] = 0.0
    puct_prior[node] = 1.0
    puct_mean[node] = 0.0
    puct_part[node] = 1.0
    for k in range(LINK):
        puct_link[node * LINK + k] = 0


def puct_pays(node: i32) -> None:
    """The node is proven to pay what `util` says."""
    puct_link[node * LINK + LINK_PROVEN] = 1
    for p in range(PLAYERS):
        puct_paid[node * PLAYERS + p] = util[p]


def puct_note(node: i32, kind: i32) -> None:
    """Note what a new node is; the state is there."""
    if kind == TERMINAL:
        puct_link[node * LINK + LINK_WHOSE] = WHOSE_OVER
        puct_pays(node)
        return
    puct_link[node * LINK + LINK_WHOSE] = WHOSE_CHANCE if kind == CHANCE else WHOSE_PLAYER + s[0]
    if puct_count[TREE_STATES] < STATES and keep_past():
        place = i32(puct_count[TREE_STATES])
        puct_count[TREE_STATES] += 1
        puct_link[node * LINK + LINK_KEPT] = place + 1
        copy(puct_state, place * STATE, s, 0, STATE)


def puct_open(node: i32, rows: i32) -> i32:
    """Take room for so many children; 0 where none is left."""
    if puct_count[TREE_USED] + rows > NODES:
        return 0
    child = i32(puct_count[TREE_USED])
    puct_link[node * LINK + LINK_FIRST] = child
    puct_link[node * LINK + LINK_ROWS] = rows
    puct_count[TREE_USED] += rows
    for k in range(rows):
        puct_clear(child + k)
    return 1


def puct_look(node: i32) -> None:
    """The net looks at a decision, whose state is there: what it is worth is the gain, the shares are the children's
    own."""
    player = s[0]
    net_look(player)
    for p in range(PLAYERS):
        puct_gain[p] = net_worth[p]
    rows = moves()
    if puct_open(node, rows):
        net_actions(player, rows)
        child = puct_link[node * LINK + LINK_FIRST]
        for k in range(rows):
            puct_prior[child + k] = net_share[k]
            puct_part[child + k] = net_share[k]


def puct_open_chance(node: i32, last: i32) -> i32:
    """Take room for the outcomes of a chance node; 0 where none is left."""
    puct_enter(last)
    rows = puct_ways(node)
    if puct_open(node, rows) == 0:
        return 0
    if WEIGHED:
        for k in range(rows):
            puct_weight[puct_link[node * LINK + LINK_FIRST] + k] = weight[k]
    return 1


def puct_best(node: i32) -> i32:
    """The child with the greatest bound, the first of equals."""
    player = puct_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER
    visits = f64(puct_visits[node])
    curious = puct_rule[RULE_C] * sqrt(visits)
    untried = puct_total[node * PLAYERS + player] / visits - puct_rule[RULE_LESS]
    best = puct_link[node * LINK + LINK_FIRST]
    greatest = (puct_mean[best] if puct_visits[best] > 0 else untried) + curious * puct_part[best]
    for child in range(best + 1, best + puct_link[node * LINK + LINK_ROWS]):
        bound = (puct_mean[child] if puct_visits[child] > 0 else untried) + curious * puct_part[child]
        if bound > greatest:
            best = child
            greatest = bound
    return best


def puct_count_in(node: i32, parent: i32) -> None:
    """What the parent's mover makes of a node that was visited once more; one that is proven teaches nothing more."""
    player = puct_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    if player < 0:
        return
    visits = f64(puct_visits[node])
    if puct_mean[node] > NEVER:
        puct_mean[node] = puct_total[node * PLAYERS + player] / visits
    if puct_link[node * LINK + LINK_PROVEN]:
        puct_part[node] = 0.0
        if puct_mean[node] > NEVER:
            puct_mean[node] = puct_mean[node] - 2.0 * puct_rule[RULE_LESS]
    else:
        puct_part[node] = puct_prior[node] / (1.0 + visits)


def puct_visit(node: i32) -> None:
    """One more visit, and what it was worth."""
    puct_visits[node] += 1
    for p in range(PLAYERS):
        puct_total[node * PLAYERS + p] += puct_gain[p]


def puct_gain_of(node: i32) -> None:
    """A proven node gives what it pays, and one with no room below it what it was worth on average (at first, to a
    chance node that was never visited: nothing)."""
    for p in range(PLAYERS):
        if puct_link[node * LINK + LINK_PROVEN]:
            puct_gain[p] = net_utility(puct_paid[node * PLAYERS + p], p)
        elif puct_visits[node] > 0:
            puct_gain[p] = puct_total[node * PLAYERS + p] / f64(puct_visits[node])
        else:
            puct_gain[p] = 0.0


def puct_is_avoided(node: i32, parent: i32) -> i32:
    """Whether the parent's mover may do without a new node in which another wins at once."""
    whose = puct_link[parent * LINK + LINK_WHOSE]
    others = whose >= WHOSE_PLAYER and whose != puct_link[node * LINK + LINK_WHOSE]
    return others and puct_link[parent * LINK + LINK_TRIED] < puct_link[parent * LINK + LINK_ROWS]


def puct_select() -> i32:
    """From the root to a node that is new, or proven, or without room; 0 where no more nodes may be met."""
    node = 0
    d = 0
    puct_path[0] = 0
    looked = 0
    while looked == 0 and puct_link[node * LINK + LINK_PROVEN] == 0:
        here = 0
        if puct_link[node * LINK + LINK_ROWS] == 0:
            if not CHANCES or puct_link[node * LINK + LINK_WHOSE] != WHOSE_CHANCE or puct_open_chance(node, d) == 0:
                break
            here = 1
        if d + 1 >= DEPTH:
            break
        child = puct_link[node * LINK + LINK_FIRST]
        if CHANCES and puct_link[node * LINK + LINK_WHOSE] == WHOSE_CHANCE:
            child += puct_draw(node)
        else:
            child = puct_best(node)
        d += 1
        puct_path[d] = child
        if puct_link[child * LINK + LINK_WHOSE] == WHOSE_NOBODY:
            if puct_count[TREE_NODES] == puct_count[TREE_MOST]:
                return 0
            if here == 0:
                puct_enter(d - 1)
                puct_ways(node)
            last = s[1]
            puct_take(node, child - puct_link[node * LINK + LINK_FIRST])
            puct_count[TREE_NODES] += 1
            kind = status_after(last)
            puct_note(child, kind)
            puct_link[node * LINK + LINK_TRIED] += 1
            if kind == DECISION:
                if is_won():
                    puct_pays(child)
                    if puct_is_avoided(child, node):
                        puct_gain_of(child)
                        puct_visit(child)
                        puct_count_in(child, node)
                        d -= 1
                        continue
                else:
                    puct_look(child)
                    looked = 1
        node = child
    puct_last[0] = d
    if looked == 0:
        puct_gain_of(node)
    return 1


def puct_settle(node: i32) -> None:
    """The value of a node, if those of its children prove it."""
    player = puct_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER
    first_child = puct_link[node * LINK + LINK_FIRST]
    best = -1
    proven = 1
    for child in range(first_child, first_child + puct_link[node * LINK + LINK_ROWS]):
        if puct_link[child * LINK + LINK_PROVEN] == 0:
            proven = 0
        elif best < 0:
            best = child
        elif player >= 0 and puct_paid[child * PLAYERS + player] > puct_paid[best * PLAYERS + player]:
            best = child
    if player >= 0:
        for child in range(first_child, first_child + puct_link[node * LINK + LINK_ROWS]):
            worse = puct_paid[child * PLAYERS + player] < puct_paid[best * PLAYERS + player]
            if puct_link[child * LINK + LINK_PROVEN] and worse:
                puct_mean[child] = NEVER
        if greatest_is_known[player] and puct_paid[best * PLAYERS + player] >= greatest_utility[player]:
            proven = 1
    elif proven:
        for child in range(first_child, first_child + puct_link[node * LINK + LINK_ROWS]):
            for p in range(PLAYERS):
                if puct_paid[child * PLAYERS + p] != puct_paid[first_child * PLAYERS + p]:
                    proven = 0
    if proven:
        puct_link[node * LINK + LINK_PROVEN] = 1
        for p in range(PLAYERS):
            puct_paid[node * PLAYERS + p] = puct_paid[best * PLAYERS + p]
            puct_total[node * PLAYERS + p] = f64(puct_visits[node]) * net_utility(puct_paid[node * PLAYERS + p], p)


def puct_simulate() -> i32:
    """One simulation; 0 where no more nodes may be met."""
    if puct_select() == 0:
        return 0
    d = puct_last[0]
    for k in range(d + 1):
        puct_visit(puct_path[k])
        if k > 0:
            puct_count_in(puct_path[k], puct_path[k - 1])
    while d > 0 and puct_link[puct_path[d] * LINK + LINK_PROVEN]:
        d -= 1
        puct_settle(puct_path[d])
        if d > 0:
            puct_count_in(puct_path[d], puct_path[d - 1])
    puct_count[TREE_SIMULATIONS] += 1
    return 1


def puct_begin() -> None:
    """The root is looked at; the state is there. That is the first visit."""
    puct_count[TREE_SIMULATIONS] = 0
    puct_count[TREE_USED] = 1
    puct_count[TREE_NODES] = 1
    puct_count[TREE_STATES] = 0
    puct_clear(0)
    kind = status()
    puct_note(0, kind)
    if kind == DECISION:
        puct_look(0)
        puct_visit(0)


def puct_choice() -> i32:
    """The child of the root to play: the most visited of those that are not proven, unless one that is gives no
    less."""
    player = puct_link[LINK_WHOSE] - WHOSE_PLAYER
    first_child = puct_link[LINK_FIRST]
    guess = -1
    certain = -1
    for child in range(first_child, first_child + puct_link[LINK_ROWS]):
        if puct_visits[child] > 0:
            if puct_link[child * LINK + LINK_PROVEN]:
                if certain < 0 or puct_paid[child * PLAYERS + player] > puct_paid[certain * PLAYERS + player]:
                    certain = child
            elif guess < 0 or puct_visits[child] > puct_visits[guess]:
                guess = child
    if guess < 0 or certain < 0:
        return (certain if guess < 0 else guess) - first_child
    if net_utility(puct_paid[certain * PLAYERS + player], player) >= puct_mean[guess]:
        return certain - first_child
    return guess - first_child


def puct_run(budget: i32) -> i32:
    """So many simulations; 1 go on, 0 all is done, -2 no nodes are left."""
    while budget > 0:
        budget -= 1
        if puct_count[TREE_SIMULATIONS] == puct_count[TREE_WANTED]:
            return RUN_DONE
        if puct_link[LINK_PROVEN] and puct_visits[0] > 0:
            return RUN_DONE
        if puct_simulate() == 0:
            return RUN_OUT_OF_NODES
    return 1

"""PUCT: tree search led by a net, as `gdl.solvers.mcts.puct` tells it.

The reference is tests/support/puct_reference.py. There is room for all children of a node when the net has looked at it
(`tree`). Values of nodes are on the scale of the net.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.network import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.winning import *

RULE_C = const(0)  # of puct_rule: how curious it is,
RULE_LESS = const(1)  # and how much less than its parent what was never tried is thought to be worth
NEVER = const(-1.0e300)  # what is proven to be worse than another is taken for this

puct_visits = array(i64, NODES)
puct_total = array(f64, NODES * PLAYERS)  # what the visits were worth
puct_paid = array(i64, NODES * PLAYERS)  # of proven nodes: what they pay, times DENOMINATOR
puct_prior = array(f64, NODES)  # the share that the net gives to it
puct_mean = array(f64, NODES)  # what it is worth to the mover of the node before, on average,
puct_part = array(f64, NODES)  # and the share divided by 1 + visits
puct_gain = array(f64, PLAYERS)  # of this simulation
puct_rule = array(f64, 2)
puct_told = array(i32, 1)  # the child of the root that the next simulation goes to; 0: the best


def puct_clear(node: i32) -> None:
    """Nothing is known of a node yet."""
    puct_visits[node] = 0
    for p in range(PLAYERS):
        puct_total[node * PLAYERS + p] = 0.0
    puct_prior[node] = 1.0
    puct_mean[node] = 0.0
    puct_part[node] = 1.0


def puct_pays(node: i32) -> None:
    """The node is proven to pay what `util` says."""
    tree_link[node * LINK + LINK_PROVEN] = 1
    for p in range(PLAYERS):
        puct_paid[node * PLAYERS + p] = util[p]


def puct_open(node: i32, rows: i32) -> i32:
    """Make room for `rows` children without visits. Returns 0 if there is no room."""
    if tree_open(node, rows) == 0:
        return 0
    for k in range(rows):
        puct_clear(tree_link[node * LINK + LINK_FIRST] + k)
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
        child = tree_link[node * LINK + LINK_FIRST]
        for k in range(rows):
            puct_prior[child + k] = net_share[k]
            puct_part[child + k] = net_share[k]


def tree_longest() -> i32:
    """As long as the path has room."""
    return DEPTH - 1


def tree_expand(node: i32, last: i32) -> i32:
    """Make room for the outcomes of a chance node. Returns 0 if there is none. (The children of a decision get room
    when the net looks at it, or never.)"""
    if not CHANCES or tree_link[node * LINK + LINK_WHOSE] != WHOSE_CHANCE:
        return 0
    tree_enter(last)
    rows = tree_ways(node)
    if puct_open(node, rows) == 0:
        return 0
    tree_weigh(node)
    return 1


def tree_choose(node: i32) -> i32:
    """The child at which a simulation continues."""
    return puct_told[0] if node == 0 and puct_told[0] > 0 else puct_best(node)


def puct_best(node: i32) -> i32:
    """The child with the greatest bound, the first of equals."""
    player = tree_link[node * LINK + LINK_WHOSE] - WHOSE_PLAYER
    visits = f64(puct_visits[node])
    # The bound is Q + c P sqrt(N) / (1 + n). P / (1 + n) changes for one child in a simulation, and is kept for each.
    curious = puct_rule[RULE_C] * sqrt(visits)
    # An action that was never tried is thought to be a little worse than its parent: first-play urgency. At its
    # parent's mean, every action would be tried before a good one is tried twice.
    untried = puct_total[node * PLAYERS + player] / visits - puct_rule[RULE_LESS]
    best = tree_link[node * LINK + LINK_FIRST]
    greatest = (puct_mean[best] if puct_visits[best] > 0 else untried) + curious * puct_part[best]
    for child in range(best + 1, best + tree_link[node * LINK + LINK_ROWS]):
        bound = (puct_mean[child] if puct_visits[child] > 0 else untried) + curious * puct_part[child]
        if bound > greatest:
            best = child
            greatest = bound
    return best


def tree_note(node: i32, parent: i32) -> None:
    """Note the estimate for the parent's mover of a node that was visited once more; one that is proven teaches nothing
    more."""
    player = tree_link[parent * LINK + LINK_WHOSE] - WHOSE_PLAYER
    if player < 0:
        return
    visits = f64(puct_visits[node])
    if puct_mean[node] > NEVER:
        puct_mean[node] = puct_total[node * PLAYERS + player] / visits
    if tree_link[node * LINK + LINK_PROVEN]:
        # Nothing is left to learn there: no curiosity, and a malus, so that simulations go where something is still
        # open.
        puct_part[node] = 0.0
        if puct_mean[node] > NEVER:
            puct_mean[node] = puct_mean[node] - 2.0 * puct_rule[RULE_LESS]
    else:
        puct_part[node] = puct_prior[node] / (1.0 + visits)


def tree_visit(node: i32) -> None:
    """One more visit, and what it was worth."""
    puct_visits[node] += 1
    for p in range(PLAYERS):
        puct_total[node * PLAYERS + p] += puct_gain[p]


def puct_gain_of(node: i32) -> None:
    """Set the gain of a simulation that ends at a node: the value of a proven node; the node's average if it has no
    room for children (nothing for a chance node without visits)."""
    for p in range(PLAYERS):
        if tree_link[node * LINK + LINK_PROVEN]:
            puct_gain[p] = net_utility(puct_paid[node * PLAYERS + p], p)
        elif puct_visits[node] > 0:
            puct_gain[p] = puct_total[node * PLAYERS + p] / f64(puct_visits[node])
        else:
            puct_gain[p] = 0.0


def tree_join(child: i32, parent: i32, kind: i32) -> i32:
    """A new node, whose state is there, joins the tree: how."""
    if kind == TERMINAL:
        puct_pays(child)
    if kind != DECISION:
        return JOIN_GOES_ON
    # A position that its mover can win at once needs no look by the net: it is proven.
    if is_won() == 0:
        puct_look(child)
        return JOIN_ENDS
    puct_pays(child)
    if tree_is_avoided(child, parent) == 0:
        return JOIN_GOES_ON
    puct_gain_of(child)
    tree_visit(child)
    tree_note(child, parent)
    return JOIN_PASSED_BY


def tree_stop(node: i32, last: i32) -> None:
    """Set the gain to the worth of a node at which a simulation stops."""
    puct_gain_of(node)


def tree_pays(node: i32, player: i32) -> i64:
    """The value of a proven node to a player."""
    return puct_paid[node * PLAYERS + player]


def tree_compare(child: i32, best: i32, parent: i32, player: i32) -> None:
    """A child that is proven to be worse than another is taken for the worst."""
    if tree_pays(child, player) < tree_pays(best, player):
        puct_mean[child] = NEVER


def tree_prove(node: i32, best: i32) -> None:
    """Every visit of a proven node was worth what it pays."""
    for p in range(PLAYERS):
        puct_paid[node * PLAYERS + p] = puct_paid[best * PLAYERS + p]
        # Earlier visits are rewritten: the node's mean is exact from now on, whatever they had estimated.
        puct_total[node * PLAYERS + p] = f64(puct_visits[node]) * net_utility(puct_paid[node * PLAYERS + p], p)


def puct_simulate() -> i32:
    """One simulation; 0 where no more nodes may be met."""
    if tree_select() == 0:
        return 0
    tree_back_up()
    tree_settle()
    tree_count[TREE_SIMULATIONS] += 1
    return 1


def puct_begin() -> None:
    """The root is looked at; the state is there. That is the first visit."""
    tree_begin()
    puct_clear(0)
    kind = status()
    tree_meet(0, kind)
    if kind == TERMINAL:
        puct_pays(0)
    if kind == DECISION:
        puct_look(0)
        tree_visit(0)


def puct_choice() -> i32:
    """The child of the root to play: the most visited of those that are not proven, unless one that is gives no
    less."""
    player = tree_link[LINK_WHOSE] - WHOSE_PLAYER
    first_child = tree_link[LINK_FIRST]
    guess = -1
    certain = -1
    for child in range(first_child, first_child + tree_link[LINK_ROWS]):
        if puct_visits[child] > 0:
            if tree_link[child * LINK + LINK_PROVEN]:
                if certain < 0 or puct_paid[child * PLAYERS + player] > puct_paid[certain * PLAYERS + player]:
                    certain = child
            elif guess < 0 or puct_visits[child] > puct_visits[guess]:
                guess = child
    if guess < 0 or certain < 0:
        return (certain if guess < 0 else guess) - first_child
    # What is proven is preferred to an estimate that promises no more.
    if net_utility(puct_paid[certain * PLAYERS + player], player) >= puct_mean[guess]:
        return certain - first_child
    return guess - first_child


def puct_run(budget: i32) -> i32:
    """Make `budget` simulations. Returns 1 to be called again, 0 if all is done, -2 if no nodes are left."""
    while budget > 0:
        budget -= 1
        if tree_count[TREE_SIMULATIONS] == tree_count[TREE_WANTED]:
            return RUN_DONE
        if tree_link[LINK_PROVEN] and puct_visits[0] > 0:
            return RUN_DONE
        if puct_simulate() == 0:
            return RUN_OUT_OF_NODES
    return 1


def tree_rest() -> None:
    """No simulation is going on between two calls."""


def tree_move(node: i32, to: i32) -> None:
    """A node gets another number, which is no greater."""
    copy(puct_total, to * PLAYERS, puct_total, node * PLAYERS, PLAYERS)
    copy(puct_paid, to * PLAYERS, puct_paid, node * PLAYERS, PLAYERS)
    puct_visits[to] = puct_visits[node]
    puct_prior[to] = puct_prior[node]
    puct_mean[to] = puct_mean[node]
    puct_part[to] = puct_part[node]


def tree_goes_on() -> i32:
    """The first node is another root: whether there is anything below it, or it needs no more."""
    tree_count[TREE_SIMULATIONS] = puct_visits[0]
    return tree_link[LINK_ROWS] > 0 or tree_link[LINK_PROVEN]

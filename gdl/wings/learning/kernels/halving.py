"""Sequential halving over the actions of the root, as `gdl.wings.learning.puct` describes it.

The reference is tests/support/puct_reference.py. Where a net learns from the search, noise of Gumbel's distribution is
added to the logarithms of the shares: that draws what is considered by the shares, none twice.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.logarithm import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_descent import *
from gdl.compiler.kernels.tree_values import *
from gdl.wings.learning.kernels.network import *

HALVED_MOST = const(8)  # actions that are considered, at most; and no more than half the simulations
HALVED_SURE = const(50.0)  # the weight of a value is this plus the visits of the most visited action,
HALVED_SCALE = const(0.2)  # times this; the logarithm of a share has weight 1
HALVED_LEFT = const(0)  # places in `halved`: how many actions are still considered,
HALVED_TURN = const(1)  # which of them comes next,
HALVED_EACH = const(2)  # how often each is still to be tried before they are halved,
HALVED_TIMES = const(3)  # and how often they are halved
halved = array(i32, 4)
halved_way = array(i32, HALVED_MOST)  # the actions that are considered, by number, the best first when sorted
halved_base = array(f64, MOVES)  # of each action of the root: the logarithm of its share


def exponential() -> f64:
    """A random number of the exponential distribution with mean 1; minus its logarithm is one of Gumbel's."""
    # The logarithm of 2^31 less that of a number up to it; the small term keeps it above 0, for it divides.
    return 21.487562597358306 - natural_log(playout_random() + 1) + 1.0e-9


def halved_begin(noisy: i32) -> None:
    """Choose the actions of the root that are considered, by their shares; none, if the net has not looked at the root.
    `noisy`: 1 to add Gumbel's noise."""
    halved[HALVED_LEFT] = 0
    if tree_link[LINK_WHOSE] < WHOSE_PLAYER or tree_link[LINK_ROWS] == 0:
        return
    half = tree_count[TREE_WANTED] // 2
    most = i32(half) if half < HALVED_MOST else HALVED_MOST
    most = most if most > 1 else 1
    left = 0
    for way in range(tree_link[LINK_ROWS]):
        # A share divided by an exponential number has Gumbel's noise added to its logarithm: so one logarithm is
        # enough.
        noise = exponential() if noisy else 1.0
        base = natural_log(i64(led_prior[tree_link[LINK_FIRST] + way] / noise * 1073741824.0) + 1)
        halved_base[way] = base
        at = left
        if left < most:
            left += 1
        else:
            at = most - 1 if base > halved_base[halved_way[most - 1]] else -1
        # The candidates stay in order, so that the last of them is the one to give way.
        while at > 0 and halved_base[halved_way[at - 1]] < base:
            halved_way[at] = halved_way[at - 1]
            at -= 1
        if at >= 0:
            halved_way[at] = way
    halved[HALVED_LEFT] = left
    halved[HALVED_TURN] = 0
    halved[HALVED_TIMES] = 1
    # The times that the candidates can be halved: the simulations are divided equally among them.
    while bit(halved[HALVED_TIMES]) < left:
        halved[HALVED_TIMES] += 1
    halved_share()


def halved_share() -> None:
    """Set how often each candidate is tried before the candidates are halved."""
    each = i32(tree_count[TREE_WANTED]) // (halved[HALVED_TIMES] * halved[HALVED_LEFT])
    halved[HALVED_EACH] = each if each > 1 else 1


def halved_score(way: i32, sigma: f64) -> f64:
    """The score of an action of the root: the logarithm of its share and, if it was tried, its mean times `sigma`."""
    child = tree_link[LINK_FIRST] + way
    if uct_sum[child * RECORD] == 0:
        return halved_base[way]
    return halved_base[way] + sigma * halved_mean(child, tree_link[LINK_WHOSE] - WHOSE_PLAYER)


def halved_mean(child: i32, player: i32) -> f64:
    """The average value to a player of a child that was tried."""
    return led_total[child * PLAYERS + player] / f64(uct_sum[child * RECORD])


def halved_sure() -> f64:
    """The weight of mean values against the logarithms of shares, before its scale: the greater, the more visits there
    were."""
    most: i64 = 0
    for child in range(tree_link[LINK_FIRST], tree_link[LINK_FIRST] + tree_link[LINK_ROWS]):
        most = uct_sum[child * RECORD] if uct_sum[child * RECORD] > most else most
    # The more the search has seen, the more its means count beside what the net thought at first.
    return HALVED_SURE + f64(most)


def halved_sort() -> None:
    """Sort the actions that are considered, the best first."""
    sigma = halved_sure() * HALVED_SCALE
    for i in range(1, halved[HALVED_LEFT]):
        way = halved_way[i]
        score = halved_score(way, sigma)
        at = i
        while at > 0 and halved_score(halved_way[at - 1], sigma) < score:
            halved_way[at] = halved_way[at - 1]
            at -= 1
        halved_way[at] = way


def halved_open() -> i32:
    """Return 1 if any action that is considered is not proven."""
    for i in range(halved[HALVED_LEFT]):
        if tree_link[(tree_link[LINK_FIRST] + halved_way[i]) * LINK + LINK_PROVEN] == 0:
            return 1
    return 0


def halved_next() -> i32:
    """The child of the root that the next simulation goes to; 0 if all candidates are proven."""
    while halved_open():
        if halved[HALVED_TURN] < halved[HALVED_LEFT]:
            child = tree_link[LINK_FIRST] + halved_way[halved[HALVED_TURN]]
            halved[HALVED_TURN] += 1
            if tree_link[child * LINK + LINK_PROVEN] == 0:
                return child
        else:
            halved[HALVED_TURN] = 0
            halved[HALVED_EACH] -= 1
            if halved[HALVED_EACH] == 0:
                halved_sort()
                # Two are kept to the end, so that the last simulations still compare.
                if halved[HALVED_LEFT] > 2:
                    halved[HALVED_LEFT] = halved[HALVED_LEFT] // 2
                halved_share()
    return 0


def halved_run(budget: i32) -> i32:
    """Make `budget` simulations. Returns 1 to be called again, RUN_DONE if all is done, RUN_OUT_OF_NODES if no nodes
    are left."""
    while budget > 0:
        budget -= 1
        led_told[0] = halved_next()
        said = uct_run(1)
        if said <= 0:
            return said
    return 1


def halved_choice() -> i32:
    """The number of the best action of the root; -1 if nothing was considered, the root is proven, or the best was not
    tried or proven to be worse."""
    if halved[HALVED_LEFT] == 0 or tree_link[LINK_PROVEN]:
        return -1
    halved_sort()
    child = tree_link[LINK_FIRST] + halved_way[0]
    return halved_way[0] if uct_sum[child * RECORD] > 0 and uct_score[child * 2] > NEVER else -1

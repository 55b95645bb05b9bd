"""The improved policy: what a net learns from a search by sequential halving (`halving`) whose root is not proven.

It is proportional to P exp(sigma Q), of the shares P that the net gives to the actions and of what these are worth to
the mover. An action that was not tried is taken to be worth the mean of what the net has said of the root and, by as
many visits as there were, of what those are worth that were tried, weighed by their shares.

Source: Danihelka, Guez, Schrittwieser and Silver, Policy improvement by planning with Gumbel, ICLR 2022. (There sigma
is that by which actions are chosen; here a quarter of it, which taught more, whoever judged.)
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_descent import *
from gdl.compiler.kernels.tree_values import *
from gdl.wings.learning.kernels.halving import *
from gdl.wings.learning.kernels.network import *

TAUGHT_SCALE = const(0.05)  # how a value is weighed against the logarithm of a share
TAUGHT_LEAST = const(1.0e-9)  # added to each share, so that their sum is not 0
gumbel_worth = array(f64, 1)  # the value of the root to its mover, by the net


def gumbel_search(noisy: i32) -> None:
    """Make all simulations that are wanted, at a decision at which the tree has begun. `noisy`: 1 to add Gumbel's noise
    to the choice of candidates."""
    gumbel_worth[0] = led_total[tree_link[LINK_WHOSE] - WHOSE_PLAYER] / f64(uct_sum[0])
    halved_begin(noisy)
    halved_run(2147483647)
    led_told[0] = 0


def gumbel_choice() -> i32:
    """The number of the action to play at the root."""
    best = halved_choice()
    return best if best >= 0 else uct_choice(0, tree_link[LINK_WHOSE] - WHOSE_PLAYER)


def gumbel_untried() -> f64:
    """The assumed value to the mover of an action that was not tried."""
    shares = 0.0
    worth = 0.0
    visits: i64 = 0
    for child in range(tree_link[LINK_FIRST], tree_link[LINK_FIRST] + tree_link[LINK_ROWS]):
        if uct_sum[child * RECORD] > 0:
            # By the net's shares, as in the paper, and not by visits, which halving spreads evenly at first.
            share = led_prior[child] + TAUGHT_LEAST
            shares += share
            worth += share * halved_mean(child, tree_link[LINK_WHOSE] - WHOSE_PLAYER)
            visits += uct_sum[child * RECORD]
    if visits == 0:
        return gumbel_worth[0]
    return (gumbel_worth[0] + f64(visits) * worth / shares) / (1.0 + f64(visits))


def gumbel_policy() -> None:
    """Write the improved policy into `net_share`, and its expected value to each player into `led_gain`."""
    player = tree_link[LINK_WHOSE] - WHOSE_PLAYER
    first = tree_link[LINK_FIRST]
    rows = tree_link[LINK_ROWS]
    sigma = halved_sure() * TAUGHT_SCALE
    untried = sigma * gumbel_untried()
    # The greatest exponent is subtracted from all: no power overflows, and the quotients stay as they are.
    greatest = untried
    for k in range(rows):
        net_share[k] = sigma * halved_mean(first + k, player) if uct_sum[(first + k) * RECORD] > 0 else untried
        greatest = net_share[k] if net_share[k] > greatest else greatest
    total = 0.0
    for k in range(rows):
        net_share[k] = (led_prior[first + k] + TAUGHT_LEAST) * power_of_e(net_share[k] - greatest)
        total += net_share[k]
    for p in range(PLAYERS):
        led_gain[p] = 0.0
    for k in range(rows):
        net_share[k] = net_share[k] / total
        for p in range(PLAYERS):
            mean = halved_mean(first + k, p) if uct_sum[(first + k) * RECORD] > 0 else led_total[p] / f64(uct_sum[0])
            led_gain[p] += net_share[k] * mean

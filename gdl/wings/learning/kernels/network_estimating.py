"""The evaluation of a game by a net that was learned: `evaluate()` as every game's module has it."""

from gdl.compiler.kernels.game import PLAYERS, s, util
from gdl.compiler.kernels.words import *
from gdl.wings.learning.kernels.network import (
    NET_BOUNDED,
    NET_HALF,
    NET_MIDDLE,
    NET_MOST,
    NET_OUTPUTS,
    net_look,
    net_scale,
    net_worth,
)

NET_OVER = const(1)  # set: the denominator of evaluations
NET_WHOLE = const(0)  # set: the sum of both players' evaluations, as a numerator


def evaluate() -> None:
    """Write the evaluation of the present state into `util`, as numerators over EVALUATION_DENOMINATOR. Before chance
    the net takes it to be the turn of the mover."""
    net_look(s[0] if s[0] >= 0 else s[1])
    for player in range(NET_OUTPUTS):
        util[player] = i32(net_spread(net_worth[player]) * f64(NET_OVER))
    if NET_OUTPUTS < PLAYERS:
        util[PLAYERS - 1] = NET_WHOLE - util[0]


def net_spread(value: f64) -> f64:
    """The utility that corresponds to a value of the net."""
    worth = net_scale[NET_MIDDLE] + net_scale[NET_HALF] * value
    if NET_BOUNDED:
        return worth
    most = net_scale[NET_MOST]
    if worth > most:
        return most
    return worth if worth > 0.0 - most else 0.0 - most

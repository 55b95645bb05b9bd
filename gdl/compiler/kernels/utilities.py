"""Utilities of ends and evaluations for the first player of a game with a constant sum.

They are whole numbers over one denominator.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.utility_sums import *

UTILITY = const(1)  # set: the factor that brings utilities to the denominator that they share with evaluations
EVALUATION = const(1)  # set: the same for evaluations; 0: the game has none
FAR = const(1073741824)  # greater than every value
least = array(i32, 1)  # bounds of the first player's utilities
greatest = array(i32, 1)


def worth() -> i32:
    """The end's utility for the first player, over the common denominator."""
    if PLAYERS == 2:
        add_up()
    return in_range(i64(util[0]) * UTILITY)


def estimate() -> i32:
    """The state's evaluation for the first player, over the common denominator."""
    if EVALUATION == 0:
        refused[0] = NO_DECISION
        return 0
    evaluate()
    value = in_range(i64(util[0]) * EVALUATION)
    if value > greatest[0] or value < least[0]:
        refused[0] = BEYOND
    return value


def in_range(value: i64) -> i32:
    """The value itself, if it is well within 32 bits (below FAR in size); else 0, and the search is refused."""
    if value >= FAR or value <= -FAR:
        refused[0] = TOO_GREAT
        return 0
    return i32(value)

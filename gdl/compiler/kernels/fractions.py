"""Arithmetic of searches in fractions that are never rounded: a number that does not fit in 64 bits ends the search."""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.utility_sums import *

ONE_SUM = const(0)  # set: whether the utilities of all ends must have the same sum
WEIGHED = const(0)  # set: whether the game has chance
UTILITY = const(1)  # set: the factor that brings utilities to the denominator that they share with evaluations
EVALUATION = const(0)  # set: the same for evaluations; 0: the search goes to the ends


def leaf_scale(kind: i32) -> i64:
    """The factor that brings the numbers in `util` at a leaf to the common denominator. `util` has an end's utilities;
    at any other state the evaluation is written there, and the leaf counts as cut off."""
    if kind == TERMINAL:
        if ONE_SUM:
            add_up()
        return UTILITY
    cut_off[0] += 1
    if EVALUATION:
        evaluate()
    else:
        refused[0] = NO_DECISION
    return EVALUATION


def fits(a: i64, b: i64) -> i32:
    """Return 1 if the product of two numbers has less than 63 bits; else 0, and the search is refused."""
    if clz(a if a > 0 else -a) + clz(b if b > 0 else -b) >= 66:
        return 1
    refused[0] = TOO_GREAT
    return 0


def common(a: i64, b: i64) -> i64:
    """The greatest common divisor of two numbers, none of them negative."""
    while b != 0:
        rest: i64 = a % b
        a = b
        b = rest
    return a

"""Fractions that are never rounded: what would not fit in 64 bits refuses the search."""

from gdl.compiler.kernels.reasons import *
from gdl.compiler.kernels.words import *


def fits(a: i64, b: i64) -> i32:
    """Whether the product has less than 63 bits."""
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

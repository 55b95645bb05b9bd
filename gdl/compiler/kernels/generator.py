"""Random numbers: SplitMix64, the same as in `gdl.states.random_numbers`, so that all engines play the same.

Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
"""

from gdl.compiler.kernels.words import *

MANY = const(2147483648)  # numbers of which one needs more than 31 bits, and so two draws
PLAYED_LEFT = const(0)  # places in `played`: playouts left,
PLAYED_PLIES = const(1)  # plies of all playouts,
PLAYED_RANDOM = const(2)  # the state of the generator now,
PLAYED_BEGUN = const(3)  # and its state when this playout began,
PLAYED_NEXT = const(4)  # the number of the next playout,
PLAYED_SEED = const(5)  # the seed,
PLAYED_AHEAD = const(6)  # and the random number that comes next
played = array(i64, 7)


def playout_mix(state: i64) -> i64:
    """The random number that comes after a state of the generator."""
    z = wrap64(state - 7046029254386353131)
    z = wrap64((z ^ ((z >> 30) & 17179869183)) * -4658895280553007687)
    z = wrap64((z ^ ((z >> 27) & 137438953471)) * -7723592293110705685)
    return z ^ ((z >> 31) & 8589934591)


def playout_seed(state: i64) -> None:
    """Set the state of the generator."""
    played[PLAYED_RANDOM] = state
    played[PLAYED_AHEAD] = playout_mix(state)


def playout_random() -> i64:
    """31 random bits. The next number is worked out before it is needed, and no move has to wait for it."""
    drawn = played[PLAYED_AHEAD]
    played[PLAYED_RANDOM] = wrap64(played[PLAYED_RANDOM] - 7046029254386353131)
    played[PLAYED_AHEAD] = playout_mix(played[PLAYED_RANDOM])
    return (drawn >> 33) & 2147483647


def playout_pick(count: i32) -> i32:
    """A random whole number from 0 to `count` - 1."""
    return i32((playout_random() * count) >> 31)


def playout_below(count: i64) -> i64:
    """A random whole number from 0 to `count` - 1; from two draws where `count` needs more than 31 bits."""
    drawn = playout_random()
    if count < MANY:
        return (drawn * count) >> 31
    return ((drawn << 31) | playout_random()) % count


def common_divisor(one: i64, other: i64) -> i64:
    """The greatest common divisor of two numbers."""
    while other > 0:
        rest = one % other
        one = other
        other = rest
    return one

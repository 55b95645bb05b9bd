"""Evaluation of a state by tables of patterns: the sum of their numbers, and the utility that it stands for.

1. The classes of all cells are read from the state.
2. For each pattern the place of its number is added up, cell by cell.
3. Sums become utilities as in `gdl.wings.learning.learned`, the reference; additions have the same order there.
"""

from gdl.compiler.kernels.game import PLAYERS, s
from gdl.compiler.kernels.words import *
from gdl.wings.learning.kernels.cells import estimate_cell

ESTIMATE_PATTERNS = const(1)  # set: patterns, for each side and output
ESTIMATE_MEMBERS = const(1)  # set: cells of all patterns together
ESTIMATE_STEPS = const(1)  # set: entries of estimate_step
ESTIMATE_ENTRIES = const(1)  # set: numbers of all tables together
ESTIMATE_SIDES = const(1)  # set: sides, which have tables of their own (see estimate_side)
ESTIMATE_OUTPUTS = const(1)  # set: players with values of their own: all, or of two the first
ESTIMATE_BOUNDED = const(1)  # set: whether utilities are known to have bounds
ESTIMATE_OVER = const(1)  # set: the denominator of evaluations
ESTIMATE_WHOLE = const(0)  # set: the sum of both players' evaluations, as a numerator
SCALE_MIDDLE = const(0)  # places in estimate_scale: the utility of a sum of 0,
SCALE_HALF = const(1)  # half of the spread of utilities (without bounds: the utility of a sum of 1),
SCALE_MOST = const(2)  # and the greatest evaluation, in size
estimate_start = array(i32, ESTIMATE_PATTERNS + 1)  # by pattern: where its cells begin in estimate_member,
estimate_member = array(i32, ESTIMATE_MEMBERS)  # the cells of all patterns
# By output, side and pattern: where its numbers begin in estimate_table, and 1 or -1, with which they count.
estimate_base = array(i32, ESTIMATE_OUTPUTS * ESTIMATE_SIDES * ESTIMATE_PATTERNS)
estimate_sign = array(i32, ESTIMATE_OUTPUTS * ESTIMATE_SIDES * ESTIMATE_PATTERNS)
# By output, side and cell of a pattern: where its classes begin in estimate_step, which moves the place by each class.
estimate_where = array(i32, ESTIMATE_OUTPUTS * ESTIMATE_SIDES * ESTIMATE_MEMBERS)
estimate_step = array(i32, ESTIMATE_STEPS)
estimate_table = array(f64, ESTIMATE_ENTRIES)
estimate_scale = array(f64, 3)


def estimate_side() -> i32:
    """The number of the tables for the present state: there are some for each player whose turn it is, and for each
    chance step and mover before it."""
    if s[0] >= 0:
        return s[0]
    steps = -2 - s[0]
    return s[1] + PLAYERS * (steps if steps > 0 else 0)


def estimate_sum(side: i32, output: i32) -> f64:
    """The sum of the patterns' numbers for an output, by the tables of a side; `estimate_cell` has the classes of the
    cells."""
    row = output * ESTIMATE_SIDES + side
    slot = row * ESTIMATE_PATTERNS
    at = row * ESTIMATE_MEMBERS
    k = 0
    total = 0.0
    for pattern in range(ESTIMATE_PATTERNS):
        end = estimate_start[pattern + 1]
        place = estimate_base[slot + pattern]
        while k < end:
            place += estimate_step[estimate_where[at + k] + estimate_cell[estimate_member[k]]]
            k += 1
        total += f64(estimate_sign[slot + pattern]) * estimate_table[place]
    return total


def estimate_worth(x: f64) -> f64:
    """The utility that a sum of patterns' numbers stands for."""
    if ESTIMATE_BOUNDED:
        return estimate_scale[SCALE_MIDDLE] + estimate_scale[SCALE_HALF] * (x / sqrt(1.0 + x * x))
    value = estimate_scale[SCALE_MIDDLE] + estimate_scale[SCALE_HALF] * x
    most = estimate_scale[SCALE_MOST]
    if value > most:
        return most
    return value if value > 0.0 - most else 0.0 - most

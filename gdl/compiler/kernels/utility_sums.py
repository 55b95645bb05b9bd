"""Sums of the utilities of ends."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.reasons import *

sums = array(i64, 2)  # whether an end was met, and what its utilities sum to


def add_up() -> None:
    """Check that the utilities of this end have the same sum as those of all ends so far."""
    total: i64 = 0
    for p in range(PLAYERS):
        total += util[p]
    if sums[0] == 0:
        sums[0] = 1
        sums[1] = total
    if total != sums[1]:
        refused[0] = NOT_CONSTANT

"""What ends and evaluations are worth to the first player of a game with a constant sum, in kernel Python.

They are whole numbers over one denominator. Here are also the reasons why a search by windows cannot go on.
"""

from __future__ import annotations

TOO_DEEP, TOO_WIDE, TOO_GREAT, NOT_CONSTANT, NO_DECISION, BEYOND = range(1, 7)  # of `refused`

_WORTH = '''
FAR = const(1073741824)  # beyond every value
refused = array(i32, 1)  # why the search cannot go on; 0: it can
sums = array(i64, 2)  # whether an end was met, and what its utilities sum to
least = array(i32, 1)  # the first player's utility at any end
greatest = array(i32, 1)


def worth() -> i32:
    """The end's utility."""
    total: i64 = 0
    for p in range(PLAYERS):
        total += util[p]
    if sums[0] == 0:
        sums[0] = 1
        sums[1] = total
    if PLAYERS == 2 and total != sums[1]:
        refused[0] = 4
    return in_range(i64(util[0]) * {utility})


def estimate() -> i32:
    """The state's evaluation."""
    {evaluate}
    value = in_range(i64(util[0]) * {evaluation})
    if value > greatest[0] or value < least[0]:
        refused[0] = 6
    return value


def in_range(value: i64) -> i32:
    if value >= FAR or value <= -FAR:
        refused[0] = 3
        return 0
    return i32(value)
'''


def kernel(utility: int, evaluation: int) -> str:
    """What to multiply utilities and evaluations with, so that they have a common denominator; 0 where the game has no
    evaluation."""
    evaluate = "evaluate()" if evaluation else "refused[0] = 5"
    return _WORTH.format(utility=utility, evaluation=evaluation, evaluate=evaluate)

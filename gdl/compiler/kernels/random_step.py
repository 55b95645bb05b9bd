"""A random move: everyone takes each action with the same probability, chance its own."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *

WEIGHED = const(0)  # set: whether outcomes of chance have weights; else all are equally likely
AT_ONCE = const(0)  # set: whether players may move at once
LISTS_JUDGED = const(0)  # set: whether list_after() can judge positions by the game's evaluation
COUNTS = const(0)  # set: whether decisions are counted
COUNTED_DECISIONS = const(0)  # places in `counted`: how often a player chose,
COUNTED_CHOICES = const(1)  # from how many actions in all,
COUNTED_BEFORE = const(2)  # the plies of all earlier playouts,
COUNTED_SHORTEST = const(3)  # the plies of the shortest playout,
COUNTED_LONGEST = const(4)  # and of the longest
counted = array(i64, 5)
list_judges = array(i32, 1)  # 1: list_after() does so, and leaves the evaluation in `util`


def playout_outcome(rows: i32) -> i32:
    """The row of a random outcome of chance, drawn by the weights of `rows` outcomes."""
    total: i64 = 0
    for i in range(rows):
        total += weight[i]
    unit: i64 = 1
    if total >= MANY:  # then two numbers are drawn, and as many by the interpreter, whose probabilities are reduced
        unit = 0
        for i in range(rows):
            unit = common_divisor(unit, weight[i])
        total //= unit
    at = playout_below(total) * unit
    for i in range(rows):
        at -= weight[i]
        if at < 0:
            return i
    return rows - 1


def playout_drawn(rows: i32) -> i32:
    """The row of a random outcome of chance, of which `rows` are listed."""
    return playout_outcome(rows) if WEIGHED else playout_pick(rows)


def playout_together() -> None:
    """Everyone makes a random choice, and all move at once."""
    moves()
    plies = 0
    for p in range(PLAYERS):
        own = first[p + 1] - first[p]
        joint[p] = -1
        if own > 0:
            joint[p] = first[p] + playout_pick(own)
            plies += 1
            if COUNTS:
                counted[COUNTED_DECISIONS] += 1
                counted[COUNTED_CHOICES] += own
    played[PLAYED_PLIES] += plies if plies > 0 else 1
    apply_joint()


def playout_step(kind: i32) -> None:
    """Play one random move, or draw an outcome of chance."""
    if WEIGHED and kind == CHANCE:
        apply(playout_outcome(moves()))
        played[PLAYED_PLIES] += 1
        return
    if AT_ONCE and kind == SIMULTANEOUS:
        playout_together()
        return
    ways = known_ways()
    if COUNTS and kind == DECISION:
        counted[COUNTED_DECISIONS] += 1
        counted[COUNTED_CHOICES] += ways
    take(playout_pick(ways))
    played[PLAYED_PLIES] += 1


def list_after(row: i64) -> i64:
    """Apply this row of the listing, unless it is below 0, and list the next. Returns the kind of node and, times 4,
    the number of rows."""
    if row >= 0:
        apply(i32(row))
    kind = status()
    if kind == TERMINAL:
        return i64(kind)
    if LISTS_JUDGED:
        if list_judges[0] and kind != SIMULTANEOUS:
            evaluate()
    return i64(moves()) * 4 + kind

"""The weights of chance states: equal lists of weights are one pattern, kept with the probabilities they stand for."""

from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.game import *

CHANCES = const(0)  # set: whether the game has chance, or players choose at random,
WEIGHTED = const(0)  # set: and whether its own outcomes have weights
PATTERNS = const(32768 if CHANCES else 1)  # patterns, at most,
WEIGHTS = const(262144 if CHANCES else 1)  # and all their weights
# Places in `play`:
P_PATTERNS = const(0)  # patterns met,
P_WEIGHTS = const(1)  # and the sum of their lengths
P_NUMBER = const(2)  # where in `pool` the numbers by Tarjan begin, which later are places,
P_OPEN = const(3)  # the open states,
P_PATH = const(4)  # the frames of the path,
P_START = const(5)  # the beginnings of the rows,
P_ROWS = const(6)  # and the rows
P_DEPTH = const(7)  # frames of the path
P_OPENED = const(8)  # states that are open
P_PLACED = const(9)  # places given
P_COUNTER = const(10)  # numbers by Tarjan given
P_FIRST = const(11)  # the component that is worked on: its first place,
P_LAST = const(12)  # and the place behind its last
P_PHASE = const(13)  # of its work: see work() in kernels/chance.py; 0: it is done
P_SWEEPS = const(14)  # sweeps of it so far
P_ASKED = const(15)  # how many of its states a sweep reads before it updates them
P_ENDLESS = const(16)  # 1 if play could stay in some component for ever
P_STILL = const(17)  # how many of its last sweeps moved no bound nearer
P_PROOFS = const(18)  # sweeps so far of bounds that are to be proved
# Places in `reals`:
R_PRICE = const(0)  # the price of endless play, times DENOMINATOR as all bounds
R_TOLERANCE = const(1)  # how near bounds are to come
R_SLACK = const(2)  # the rounding error of a product as large as the greatest utility
R_EPSILON = const(3)  # and of one of size 1
R_AROUND = const(4)  # how far around a guess bounds begin
R_ENOUGH = const(5)  # how little a guess may still change; how far the last sweep has moved a lower bound
R_GAP = const(6)  # how far apart bounds are behind the component's edges
R_LEAST = const(7)  # the least of them
R_MOST = const(8)  # and the greatest
pattern_of = array(i32, BATCH)  # by chance state in the batch: its pattern
pattern_slot = array(i32, 2 * PATTERNS)  # by hash: 1 + a pattern's number; 0: free
pattern_start = array(i32, PATTERNS + 1)  # by pattern: where its weights begin
pattern_weight = array(i64, WEIGHTS)
pattern_even = array(u8, PATTERNS)  # by pattern: 1 if all of its weights are the same
share = array(f64, WEIGHTS)  # the probabilities, beside pattern_weight
play = array(i64, 19)
reals = array(f64, 9)


def pattern(rows: i32, even: i32) -> i32:
    """The number of the pattern of the `rows` weights in `weight`, or of as many that are 1 if it is `even`; a new
    pattern gets the next one, or -1 if there is no room."""
    h: i64 = rows
    total: i64 = 0
    for i in range(rows):
        one: i64 = weight_of(i, even)
        h = wrap64((h ^ one) * -7046029254386353131)
        h = h ^ (h >> 29)
        total += one
    at = i32(h >> 20 & PATTERNS * 2 - 1)
    while pattern_slot[at] != 0:
        n = pattern_slot[at] - 1
        first = pattern_start[n]
        if pattern_start[n + 1] - first == rows:
            i = 0
            while i < rows and pattern_weight[first + i] == weight_of(i, even):
                i += 1
            if i == rows:
                return n
        at = at + 1 & PATTERNS * 2 - 1
    n = i32(play[P_PATTERNS])
    first = i32(play[P_WEIGHTS])
    if n == PATTERNS - 1 or first + rows > WEIGHTS:
        return -1
    pattern_even[n] = 1
    for i in range(rows):
        pattern_weight[first + i] = weight_of(i, even)
        if pattern_weight[first + i] != pattern_weight[first]:
            pattern_even[n] = 0
        share[first + i] = f64(pattern_weight[first + i]) / f64(total)
    pattern_slot[at] = n + 1
    pattern_start[n + 1] = first + rows
    play[P_PATTERNS] = n + 1
    play[P_WEIGHTS] = first + rows
    return n


def weight_of(row: i32, even: i32) -> i64:
    """The weight of an outcome of chance; 1 if they are `even`."""
    if WEIGHTED:
        if even == 0:
            return weight[row]
    return 1

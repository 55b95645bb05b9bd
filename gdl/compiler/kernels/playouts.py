"""Random playouts: games played at random to their ends, many of them."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *

STREAM = const(1)  # set: playouts that share one stream of random numbers
BRIEF = const(1)  # set: plies; the lengths of plays shorter than that are counted one by one
counted_first = array(i64, 2 * PLAYERS)  # by player: plays in which they are first alone, and with others
counted_lengths = array(i64, BRIEF + 1)  # by length in plies: the number of plays; the last: of BRIEF plies or more
HALF = const(31)  # bits of the lower part of a number, so that sums of products of parts are exact
LOWER = const(2147483647)  # the mask of the lower part
played_sum = array(i64, 2 * PLAYERS)  # by player: the sums of the upper and of the lower parts of their utilities,
played_squares = array(i64, 6 * PLAYERS)  # and of upper * upper, upper * lower, lower * lower, each in two parts
playing = array(i32, 1)  # 1 if a playout is under way
playout_start = array(i32, STATE)  # the state in which playouts begin


def playout_stream(number: i64) -> None:
    """Begin the stream of random numbers with this number, of those that belong to the seed."""
    seed = played[PLAYED_SEED]
    playout_seed(playout_mix(wrap64(seed + wrap64(number * -3372029247567499371))) if number != 0 else seed)


def playout_begin() -> i32:
    """Begin a playout. Returns the status of its first state."""
    if played[PLAYED_NEXT] % STREAM == 0:
        playout_stream(played[PLAYED_NEXT] // STREAM)
    played[PLAYED_NEXT] += 1
    played[PLAYED_LEFT] -= 1
    played[PLAYED_BEGUN] = played[PLAYED_RANDOM]
    counted[COUNTED_BEFORE] = played[PLAYED_PLIES]
    playing[0] = 1
    copy(s, 0, playout_start, 0, STATE)
    return status()


def playout_product(at: i32, product: i64) -> None:
    """Add a product to the sum at `at` of `played_squares`, which has an upper and a lower part."""
    played_squares[at] += product >> HALF
    played_squares[at + 1] += product & LOWER


def playout_end() -> None:
    """Add the utilities of the end that play has come to, and their squares, to the sums."""
    for p in range(PLAYERS):
        value: i64 = util[p]
        upper = value >> HALF
        lower = value & LOWER
        played_sum[2 * p] += upper
        played_sum[2 * p + 1] += lower
        playout_product(6 * p, upper * upper)
        playout_product(6 * p + 2, upper * lower)
        playout_product(6 * p + 4, lower * lower)
    playing[0] = 0
    if COUNTS:
        count_play()


def count_play() -> None:
    """Count the play that has ended: its length, and who has the highest utility."""
    length = played[PLAYED_PLIES] - counted[COUNTED_BEFORE]
    counted_lengths[i32(length) if length < BRIEF else BRIEF] += 1
    if length < counted[COUNTED_SHORTEST]:
        counted[COUNTED_SHORTEST] = length
    if length > counted[COUNTED_LONGEST]:
        counted[COUNTED_LONGEST] = length
    highest = util[0]
    for p in range(1, PLAYERS):
        if util[p] > highest:
            highest = util[p]
    holders = 0
    for p in range(PLAYERS):
        holders += util[p] == highest
    for p in range(PLAYERS):
        counted_first[2 * p + (holders > 1)] += util[p] == highest


def playouts_run(budget: i32) -> i32:
    """Play up to `budget` plies of random plays. Returns 1 if plays are left."""
    kind = status() if playing[0] else TERMINAL
    while budget > 0:
        if playing[0] == 0:
            if played[PLAYED_LEFT] == 0:
                return 0
            kind = playout_begin()
        while kind != TERMINAL and budget > 0:
            last = s[1]
            playout_step(kind)
            kind = status_after(last)
            budget -= 1
        if kind == TERMINAL:
            playout_end()
            budget -= 1
    return 1

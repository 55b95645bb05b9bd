"""Random playouts in kernel Python: everyone takes each action with the same probability, chance its own.

Random numbers are SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"), the same
as in `gdl.playouts`, so that both play the same.
"""

from __future__ import annotations

from gdl.random_numbers import STREAM

LEFT, PLIES, RANDOM, BEGUN, NEXT, SEED = range(6)  # of `played`: playouts left, plies, the generator's state now and
# when this playout began, the number of the next one, the seed

GENERATOR = '''

def playout_random() -> i64:
    """31 random bits."""
    played[2] = wrap64(played[2] - 7046029254386353131)
    z = played[2]
    z = wrap64((z ^ ((z >> 30) & 17179869183)) * -4658895280553007687)
    z = wrap64((z ^ ((z >> 27) & 137438953471)) * -7723592293110705685)
    z = z ^ ((z >> 31) & 8589934591)
    return (z >> 33) & 2147483647


def playout_below(count: i64) -> i64:
    """A random number below the count; from two draws where it is large."""
    if count < 2147483648:
        return (playout_random() * count) >> 31
    high = playout_random()
    return ((high << 31) | playout_random()) % count
'''

MEMORY = "played = array(i64, 6)\n"

_SEARCH = '''
STREAM = const({stream})
played_sum = array(f64, PLAYERS)
played_squares = array(f64, PLAYERS)
playing = array(i32, 1)  # whether a playout is under way
playout_start = array(i32, STATE)


def playout_stream(number: i64) -> None:
    """Begin one of the streams of random numbers that belong to the seed."""
    z = wrap64(played[5] + wrap64(number * -3372029247567499371) - 7046029254386353131)
    z = wrap64((z ^ ((z >> 30) & 17179869183)) * -4658895280553007687)
    z = wrap64((z ^ ((z >> 27) & 137438953471)) * -7723592293110705685)
    played[2] = z ^ ((z >> 31) & 8589934591)
    if number == 0:
        played[2] = played[5]


def playout_begin() -> i32:
    """Begin a playout; the status of its first state."""
    if played[4] % STREAM == 0:
        playout_stream(played[4] // STREAM)
    played[4] += 1
    played[0] -= 1
    played[3] = played[2]
    playing[0] = 1
    copy(s, 0, playout_start, 0, STATE)
    return status()


def playout_end() -> None:
    """Add what the state that play has come to pays."""
    for p in range(PLAYERS):
        value = f64(util[p])
        played_sum[p] += value
        played_squares[p] += value * value
    playing[0] = 0


def playouts_run(budget: i32) -> i32:
    """Go on for so many steps; 1 where playouts are left."""
    kind = status() if playing[0] else 3
    while budget > 0:
        if playing[0] == 0:
            if played[0] == 0:
                return 0
            kind = playout_begin()
        while kind != 3 and budget > 0:
            last = s[1]
            playout_step(kind)
            kind = status_after(last)
            budget -= 1
        if kind == 3:
            playout_end()
            budget -= 1
    return 1
'''

_STEP = '''

def playout_step(kind: i32) -> None:
    """One random move."""
{cases}    count: i64 = known_ways()
    take(i32(playout_below(count)))
    played[1] += 1
'''

_CHANCE = """    if kind == 1:
        apply(playout_outcome(moves()))
        played[1] += 1
        return
"""

_AT_ONCE = """    if kind == 2:
        moves()
        plies = 0
        for p in range(PLAYERS):
            own: i64 = first[p + 1] - first[p]
            joint[p] = -1
            if own > 0:
                joint[p] = first[p] + i32(playout_below(own))
                plies += 1
        played[1] += plies if plies > 0 else 1
        apply_joint()
        return
"""

_OUTCOME = '''

def playout_outcome(rows: i32) -> i32:
    """A random outcome, each by its weight."""
    total: i64 = 0
    for i in range(rows):
        total += weight[i]
    at = playout_below(total)
    for i in range(rows):
        at -= weight[i]
        if at < 0:
            return i
    return rows - 1
'''


def step(weighs: bool, at_once: bool) -> str:
    """The function `playout_step`, which makes one random move: in a game in which the outcomes of chance have weights,
    or are all alike; and in which players move at once, or none do."""
    cases = (_CHANCE if weighs else "") + (_AT_ONCE if at_once else "")
    return (_OUTCOME if weighs else "") + _STEP.format(cases=cases)


def kernel(weighs: bool, at_once: bool) -> str:
    """The playouts of such a game."""
    search = _SEARCH.lstrip().format(stream=STREAM)
    return f"{step(weighs, at_once)}\n\n{MEMORY}{GENERATOR}\n\n{search}"

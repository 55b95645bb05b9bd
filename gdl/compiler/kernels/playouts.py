"""Random playouts in kernel Python: everyone takes each action with the same probability, chance its own.

Random numbers are SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"), the same
as in `gdl.playouts`, so that both play the same.
"""

from __future__ import annotations

from typing import Any

from gdl.random_numbers import STREAM, Generator, signed
from gdl.tally import BRIEF

LEFT, PLIES, RANDOM, BEGUN, NEXT, SEED, AHEAD = range(7)  # of `played`: playouts left, plies, the generator's state now
# and when this playout began, the number of the next one, the seed, the random number that comes next
DECISIONS, CHOICES, BEFORE, SHORTEST, LONGEST = range(5)  # of `counted`: how often a player chose, from how many
# actions in all, the plies before this playout, and those of the shortest and the longest one

_MIX = """    z = wrap64(state - 7046029254386353131)
    z = wrap64((z ^ ((z >> 30) & 17179869183)) * -4658895280553007687)
    z = wrap64((z ^ ((z >> 27) & 137438953471)) * -7723592293110705685)
    z = z ^ ((z >> 31) & 8589934591)
"""

GENERATOR = f'''

def playout_mix(state: i64) -> i64:
    """The random number that comes after a state of the generator."""
{_MIX}    return z


def playout_seed(state: i64) -> None:
    """Go on from a state of the generator."""
    played[2] = state
    played[6] = playout_mix(state)


def playout_random() -> i64:
    """31 random bits. The next number is worked out before it is needed, and no move has to wait for it."""
    drawn = played[6]
    state = wrap64(played[2] - 7046029254386353131)
    played[2] = state
{_MIX}    played[6] = z
    return (drawn >> 33) & 2147483647


def playout_pick(count: i32) -> i32:
    """A random number below the count."""
    return i32((playout_random() * count) >> 31)


def playout_below(count: i64) -> i64:
    """The same for a count that may be large: then from two draws."""
    drawn = playout_random()
    if count < 2147483648:
        return (drawn * count) >> 31
    return ((drawn << 31) | playout_random()) % count
'''

MEMORY = "played = array(i64, 7)\n"

_SEARCH = '''
STREAM = const({stream})
played_sum = array(f64, PLAYERS)
played_squares = array(f64, PLAYERS)
playing = array(i32, 1)  # whether a playout is under way
playout_start = array(i32, STATE)


def playout_stream(number: i64) -> None:
    """Begin one of the streams of random numbers that belong to the seed."""
    seed = played[5]
    playout_seed(playout_mix(wrap64(seed + wrap64(number * -3372029247567499371))) if number != 0 else seed)


def playout_begin() -> i32:
    """Begin a playout; the status of its first state."""
    if played[4] % STREAM == 0:
        playout_stream(played[4] // STREAM)
    played[4] += 1
    played[0] -= 1
    played[3] = played[2]
{begin}    playing[0] = 1
    copy(s, 0, playout_start, 0, STATE)
    return status()


def playout_end() -> None:
    """Add what the state that play has come to pays."""
    for p in range(PLAYERS):
        value = f64(util[p])
        played_sum[p] += value
        played_squares[p] += value * value
    playing[0] = 0
{end}

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
{cases}    ways = known_ways()
{counts}    take(playout_pick(ways))
    played[1] += 1
'''

_CHOSEN = """    if kind == 0:
        counted[0] += 1
        counted[1] += ways
"""

_OWN_CHOSEN = """                counted[0] += 1
                counted[1] += own
"""

_COUNTED = '''
BRIEF = const({brief})
counted = array(i64, 5)
counted_first = array(i64, 2 * PLAYERS)  # plays in which a player has the highest utility: alone, with others
counted_lengths = array(i64, BRIEF + 1)  # plays of so many plies; the last are longer ones


def count_play() -> None:
    """Count the play that has ended: its length, and who has the highest utility."""
    length = played[1] - counted[2]
    counted_lengths[i32(length) if length < BRIEF else BRIEF] += 1
    if length < counted[3]:
        counted[3] = length
    if length > counted[4]:
        counted[4] = length
    highest = util[0]
    for p in range(1, PLAYERS):
        if util[p] > highest:
            highest = util[p]
    holders = 0
    for p in range(PLAYERS):
        holders += util[p] == highest
    for p in range(PLAYERS):
        counted_first[2 * p + (holders > 1)] += util[p] == highest


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
            own = first[p + 1] - first[p]
            joint[p] = -1
            if own > 0:
                joint[p] = first[p] + playout_pick(own)
                plies += 1
{counts}        played[1] += plies if plies > 0 else 1
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


def seed(played: Any, state: int) -> None:
    """Let the generator of a module go on from a state."""
    played[RANDOM], played[AHEAD] = signed(state), signed(Generator(state).word())


def step(weighs: bool, at_once: bool, counts: bool = False) -> str:
    """The function `playout_step`, which makes one random move: in a game in which the outcomes of chance have weights,
    or are all alike; in which players move at once, or none do; and which counts what they choose from, or does not."""
    together = _AT_ONCE.format(counts=_OWN_CHOSEN if counts else "")
    cases = (_CHANCE if weighs else "") + (together if at_once else "")
    return (_OUTCOME if weighs else "") + _STEP.format(cases=cases, counts=_CHOSEN if counts else "")


def kernel(weighs: bool, at_once: bool, counts: bool) -> str:
    """The playouts of such a game; with `counts`, also how long they are, who wins, and from how much they choose."""
    begin, end = ("    counted[2] = played[1]\n", "    count_play()\n") if counts else ("", "")
    counting = _COUNTED.format(brief=BRIEF) if counts else ""
    search = _SEARCH.lstrip().format(stream=STREAM, begin=begin, end=end)
    return f"{step(weighs, at_once, counts)}\n\n{MEMORY}{GENERATOR}\n\n{counting}{search}"

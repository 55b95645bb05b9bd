"""The sequences of own moves that lead to every end of a flat game (see solvers/equilibria/sequences.py).

1. From the first position to the last: each is reached by one sequence of each player and with some probability of
   chance's doing, a fraction in lowest terms. What follows a decision is reached by its mover's next sequence.
2. What ends pay, times the probability, is added up for each combination of sequences, over one denominator.

Where a position, or a set, can be reached by different own moves, or where a number would need more than 64 bits, the
tables are given up.
"""

from gdl.compiler.kernels.nodes import *
from gdl.wings.hidden.kernels.tuples import *

SEATS = const(2)  # set: players
POSITIONS = const(1)  # set: positions
LINKS = const(1)  # set: links between positions
SETS = const(1)  # set: information sets
ENDS = const(1)  # set: positions that are ends
NOTES = const(1)  # set: 1 + the greatest note of an end
KINDS_OF_END = const(1)  # set: different payoffs of ends
LARGEST_WHOLE = const(4000000000000000000)  # the limit of all whole numbers here
DONE = const(0)  # results: the tables are made,
FORGETS = const(1)  # a player forgets own moves,
TOO_LARGE = const(2)  # a number would be too large

kind = array(u8, POSITIONS)  # the flat game, by position: its kind (nodes.py),
note = array(i32, POSITIONS)  # the information set of a decision, else a note of chance or of the end,
start = array(i32, POSITIONS + 1)  # where its links begin,
link = array(i32, LINKS)  # and the positions that they lead to
share = array(i64, LINKS)  # by link after chance: the weight of the outcome
owner = array(i32, SETS)  # by information set: its player,
set_first = array(i32, SETS)  # the sequence of its first action,
set_before = array(i32, SETS)  # and the sequence that leads there; -1: none was found yet
pays = array(i32, NOTES)  # by note of an end: the number of its payoffs
pay = array(i64, KINDS_OF_END * SEATS)  # what these are, over one denominator

led = array(i32, POSITIONS * SEATS)  # by position and player: the sequence that leads there
upper = array(i64, POSITIONS)  # by position: the probability of chance's part, as a fraction upper / lower,
lower = array(i64, POSITIONS)  # 0: not reached yet
under = array(i64, 1)  # the denominator of the next two, beside that of `pay`
# A combination of sequences that leads to ends is a tuple of each player's sequence. By its number:
end_paid = array(i64, ENDS * SEATS)  # what its ends pay, times the probability,
end_likely = array(i64, ENDS)  # and that probability


def divisor(a: i64, b: i64) -> i64:
    """The greatest common divisor of two numbers."""
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return a


def reach(n: i32, likely: i64, of: i64) -> i32:
    """Add a way that leads to position n with probability `likely` / `of`. Returns 0 if the numbers grow too large."""
    if lower[n] == 0:
        upper[n] = likely
        lower[n] = of
        return 1
    common = divisor(lower[n], of)
    if f64(lower[n]) * f64(of // common) > f64(LARGEST_WHOLE):
        return 0
    one = upper[n] * (of // common)
    other = likely * (lower[n] // common)
    total = one + other
    whole = lower[n] // common * of
    common = divisor(total, whole)
    upper[n] = total // common
    lower[n] = whole // common
    return 1


def after_chance(n: i32) -> i32:
    """Reach the positions after chance position n. Returns DONE, or why the tables are given up."""
    total: i64 = 0
    for e in range(start[n], start[n + 1]):
        total += share[e]
    for e in range(start[n], start[n + 1]):
        common = divisor(share[e], total)
        likely = share[e] // common
        of = total // common
        one = divisor(upper[n], of)
        other = divisor(likely, lower[n])
        if f64(lower[n] // other) * f64(of // one) > f64(LARGEST_WHOLE):
            return TOO_LARGE
        for p in range(SEATS):
            if lower[link[e]] != 0 and led[link[e] * SEATS + p] != led[n * SEATS + p]:
                return FORGETS
            led[link[e] * SEATS + p] = led[n * SEATS + p]
        if reach(link[e], upper[n] // one * (likely // other), lower[n] // other * (of // one)) == 0:
            return TOO_LARGE
    return DONE


def after_decision(n: i32) -> i32:
    """Reach the positions after decision n. Returns DONE, or why the tables are given up."""
    h = note[n]
    player = owner[h]
    before = led[n * SEATS + player]
    if set_before[h] < 0:
        set_before[h] = before
    if set_before[h] != before:
        return FORGETS
    for e in range(start[n], start[n + 1]):
        for p in range(SEATS):
            sequence = led[n * SEATS + p]
            if p == player:
                sequence = set_first[h] + e - start[n]
            if lower[link[e]] != 0 and led[link[e] * SEATS + p] != sequence:
                return FORGETS
            led[link[e] * SEATS + p] = sequence
        if reach(link[e], upper[n], lower[n]) == 0:
            return TOO_LARGE
    return DONE


def walk() -> i32:
    """Step 1: find for each position the players' last sequences, and the probability of chance's part. Returns DONE,
    or why the tables are given up."""
    upper[0] = 1
    lower[0] = 1
    for h in range(SETS):
        set_before[h] = -1
    for n in range(POSITIONS):
        found = DONE
        if kind[n] == CHANCE:
            found = after_chance(n)
        elif kind[n] == DECISION:
            found = after_decision(n)
        if found != DONE:
            return found
    return DONE


def add_up() -> i32:
    """Step 2: add up, for each combination of sequences, what its ends pay, times their probability. Returns DONE, or
    TOO_LARGE."""
    tuple_size[0] = FIRST_TUPLE_SLOTS
    under[0] = 1
    for n in range(POSITIONS):
        if kind[n] == TERMINAL:
            common = divisor(under[0], lower[n])
            if f64(under[0]) * f64(lower[n] // common) > f64(LARGEST_WHOLE):
                return TOO_LARGE
            under[0] = under[0] * (lower[n] // common)
    for n in range(POSITIONS):
        if kind[n] == TERMINAL:
            times = upper[n] * (under[0] // lower[n])
            for p in range(SEATS):
                put(led[n * SEATS + p])
            e = tuple_number()
            end_likely[e] += times
            for p in range(SEATS):
                paid = pay[pays[note[n]] * SEATS + p]
                size = f64(end_paid[e * SEATS + p]) + f64(times) * f64(paid)
                if size > f64(LARGEST_WHOLE) or size < 0.0 - f64(LARGEST_WHOLE):
                    return TOO_LARGE
                end_paid[e * SEATS + p] += times * paid
    return DONE


def fill() -> i32:
    """Make the tables. Returns DONE, or why they are given up: FORGETS or TOO_LARGE."""
    found = walk()
    if found == DONE:
        found = add_up()
    return found

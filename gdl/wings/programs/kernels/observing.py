"""Observations of many games that are stepped together, as planes of numbers (gdl/wings/programs/planes.py).

An observation is kept for each game, beside the state that it shows: only what has changed since is written again. A
number of 32 bits is written by its bit pattern. A state is shown by its words: one that holds the number of an element,
or one whose bits each say something. An entry of a table says what is shown for one number or bit: a spot, twice the
place in the observation and 1 more if the spot is a whole plane, and the pattern. -1 is no spot.
"""

from gdl.compiler.kernels.game import *
from gdl.wings.programs.kernels.batch import *

SEEN = const(1)  # set: numbers of an observation,
SEEN_CELLS = const(1)  # of one plane,
SEEN_TURNS = const(1)  # and of the planes that say whose turn it is
SEEN_HIDES = const(0)  # set: whether something is hidden from a player
SEEN_NUMBERS = const(1)  # set: words that hold a number,
SEEN_BITS = const(1)  # words of 64 bits,
SEEN_VALUES = const(1)  # and numbers in all that these may hold
SEEN_ANEW = const(8)  # cleared bits, beyond which a state is shown anew
batch_seen = array(i32, STEP_PLAYS * SEEN)
batch_seen_state = array(i32, STEP_PLAYS * STATE)  # by game: the state that is shown,
batch_seen_by = array(i32, STEP_PLAYS)  # and 1 + the player to whom; 0: nobody yet
batch_seen_wanted = array(i32, STEP_PLAYS)  # by game: the player who is to see it,
batch_seen_final = array(u8, STEP_PLAYS)  # and whether the last state of the play before
batch_seen_here = array(i32, STATE)  # the state to be shown
batch_seen_long = view(i64, batch_seen_state)
batch_seen_long_here = view(i64, batch_seen_here)
batch_seen_turns = array(
    i32, (PLAYERS + 2) * SEEN_TURNS
)  # the planes of the turn: everybody's, each player's, nobody's
batch_seen_blank = array(i32, PLAYERS * SEEN)  # by player: what is shown where all words are 0, and nobody is to move
batch_seen_number = array(i32, SEEN_NUMBERS)  # the words that hold a number,
batch_seen_first = array(i32, SEEN_NUMBERS)  # and the entry for 0 of each
batch_seen_spot = array(i32, SEEN_VALUES)  # the entries for numbers
batch_seen_pattern = array(i32, SEEN_VALUES)
batch_seen_bits = array(i32, SEEN_BITS)  # the words of bits
batch_seen_set = array(i32, SEEN_BITS * 64)  # by bit: the entry where it is set,
batch_seen_set_pattern = array(i32, SEEN_BITS * 64)
batch_seen_unset = array(i32, SEEN_BITS * 64)  # and where it is not
batch_seen_unset_pattern = array(i32, SEEN_BITS * 64)
batch_seen_hidden = array(u8, PLAYERS * (SEEN_NUMBERS + SEEN_BITS * 64))  # by player: whether a number or bit is hidden


def batch_seen_put(at: i32, spot: i32, pattern: i32) -> None:
    """Write a pattern at a spot of the observation that begins at `at`."""
    if spot < 0:
        return
    place = at + (spot >> 1)
    if spot & 1:
        for k in range(place, place + SEEN_CELLS):
            batch_seen[k] = pattern
    else:
        batch_seen[place] = pattern


def batch_seen_clear(at: i32, entry: i32) -> None:
    """Show that the bit of an entry is clear now, in the observation that begins at `at`."""
    batch_seen_put(at, batch_seen_set[entry], 0)
    batch_seen_put(at, batch_seen_unset[entry], batch_seen_unset_pattern[entry])


def batch_seen_raise(at: i32, entry: i32) -> None:
    """Show that the bit of an entry is set now."""
    batch_seen_put(at, batch_seen_unset[entry], 0)
    batch_seen_put(at, batch_seen_set[entry], batch_seen_set_pattern[entry])


def batch_seen_few(i: i32) -> i32:
    """Show the bits of game `i` that have changed, if at most one was cleared and at most one set, without a branch
    that nobody can predict. Returns 0 if there are more, -1 if so many that all is better shown anew."""
    old = i * (STATE // 2)
    gone = i64(0)
    come = i64(0)
    cleared = 0
    raised = 0
    for k in range(SEEN_BITS):
        word = batch_seen_bits[k]
        before = batch_seen_long[old + word]
        now = batch_seen_long_here[word]
        less = before & ~now
        more = now & ~before
        gone += popcount(less)
        come += popcount(more)
        cleared = k * 64 + ctz(less) if less else cleared
        raised = k * 64 + ctz(more) if more else raised
    if gone > 1 or come > 1:
        return -1 if gone > SEEN_ANEW else 0
    if gone:
        batch_seen_clear(i * SEEN, cleared)
    if come:
        batch_seen_raise(i * SEEN, raised)
    return 1


def batch_seen_change(i: i32, hidden: i32, fresh: i32, cleared: i32) -> None:
    """Show the bits of game `i` that have changed: those that are clear now (`cleared`), or those that are set.
    `hidden`: the player's entries in `batch_seen_hidden`; `fresh`: no bit is shown yet."""
    at = i * SEEN
    for k in range(SEEN_BITS):
        word = batch_seen_bits[k]
        before = i64(0) if fresh else batch_seen_long[i * (STATE // 2) + word]
        now = batch_seen_long_here[word]
        changed = before & ~now if cleared else now & ~before
        while changed:
            entry = k * 64 + ctz(changed)
            changed &= wrap64(changed - 1)
            if SEEN_HIDES and batch_seen_hidden[hidden + SEEN_NUMBERS + entry]:
                continue
            if cleared:
                batch_seen_clear(at, entry)
            else:
                batch_seen_raise(at, entry)


def batch_seen_show(i: i32) -> None:
    """Show game `i` to the player who is to see it."""
    at = i * SEEN
    old = i * STATE
    player = batch_seen_wanted[i]
    hidden = player * (SEEN_NUMBERS + SEEN_BITS * 64)
    if batch_seen_final[i]:
        copy(batch_seen_here, 0, batch_final, old, STATE)
    else:
        copy(batch_seen_here, 0, batch_state, old, STATE)
    fresh = 1 if batch_seen_by[i] == 0 or (SEEN_HIDES and batch_seen_by[i] != player + 1) else 0
    few = 0
    if SEEN_HIDES == 0:
        few = 0 if fresh else batch_seen_few(i)
        fresh = 1 if few < 0 else fresh
    batch_seen_by[i] = player + 1
    turn = batch_seen_here[0]
    if fresh or turn != batch_seen_state[old]:
        if fresh:
            copy(batch_seen, at, batch_seen_blank, player * SEEN, SEEN)
        copy(batch_seen, at, batch_seen_turns, SEEN_TURNS * (turn + 1 if turn >= -1 else PLAYERS + 1), SEEN_TURNS)
    for k in range(SEEN_NUMBERS):
        word = batch_seen_number[k]
        before = batch_seen_state[old + word]
        if fresh or before != batch_seen_here[word]:
            if SEEN_HIDES and batch_seen_hidden[hidden + k]:
                continue
            if fresh == 0:
                batch_seen_put(at, batch_seen_spot[batch_seen_first[k] + before], 0)
            entry = batch_seen_first[k] + batch_seen_here[word]
            batch_seen_put(at, batch_seen_spot[entry], batch_seen_pattern[entry])
    if few <= 0:
        if fresh == 0:
            batch_seen_change(i, hidden, 0, 1)
        batch_seen_change(i, hidden, fresh, 0)
    copy(batch_seen_state, old, batch_seen_here, 0, STATE)


def batch_observe(unused: i64) -> i64:
    """Show every game to the player who is to see it. Returns 0, or -1 less the first game for which there is no such
    player."""
    for i in range(STEP_PLAYS):
        if batch_seen_wanted[i] < 0 or batch_seen_wanted[i] >= PLAYERS:
            return -1 - i
        batch_seen_show(i)
    return 0

"""The transposition table of star1 and star2, and what it says of the order of actions.

An entry is for a position with so many plies left: its value, or a bound of it, as a fraction, and the action that was
best there. A bucket has two entries. The first is for the one with more plies left, as it saves more work, the second
for any other (Breuker, Uiterwijk and van den Herik's TwoDeep, ICCA Journal 17, 1994).
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.identities import *

SLOTS = const(0)  # set: entries of the table, a power of two; 0: there is none
slot_key = array(i64, SLOTS * KEY if SLOTS else 1)  # by entry: the key of its position,
slot_n = array(i64, SLOTS if SLOTS else 1)  # the number, numerator and denominator,
slot_d = array(i64, SLOTS if SLOTS else 1)
slot_left = array(i32, SLOTS if SLOTS else 1)  # the plies left,
slot_row = array(i32, SLOTS if SLOTS else 1)  # the row of the best action, or -1,
slot_kind = array(
    u8, SLOTS if SLOTS else 1
)  # and 1 for a lower bound, 2 an upper, 3 the value; more 4: it is estimated
history = array(i64, 2 * IDENTITIES if SLOTS else 1)  # by side and identity: the work below actions that were best


def slot_is(at: i32) -> i32:
    """Return 1 if the entry is for the position whose key is in `key`."""
    return slot_kind[at] > 0 and equal(slot_key, at * KEY, key, 0, KEY)


def slot_pair() -> i32:
    """The first entry of the bucket for the position whose key is in `key`."""
    return i32(key_hash() >> 36) & (SLOTS - 2)


def slot_find(left: i32) -> i32:
    """The entry for the position whose key is in `key`, searched as deep as is asked for, or else one for any depth;
    -1 if there is none."""
    found = -1
    for at in range(slot_pair(), slot_pair() + 2):
        if slot_is(at) and (found < 0 or slot_holds(at, left)):
            found = at
    return found


def slot_holds(at: i32, left: i32) -> i32:
    """Return 1 if the entry says what a search `left` plies deep would: what rests on ends alone, it does anyhow."""
    return slot_left[at] == left or (slot_left[at] < left and slot_kind[at] < 4)


def slot_keep(left: i32, n: i64, d: i64, kind: i32, row: i32) -> None:
    """Make an entry for the position whose key is in `key`."""
    at = slot_pair()
    if slot_kind[at] and slot_left[at] > left:
        at += 1
    copy(slot_key, at * KEY, key, 0, KEY)
    slot_n[at] = n
    slot_d[at] = d
    slot_left[at] = left
    slot_row[at] = row
    slot_kind[at] = kind

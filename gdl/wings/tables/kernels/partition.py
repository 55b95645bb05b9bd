"""One of the two parts of a shared enumeration: the states whose keys' hashes are even, or those with odd ones.

It is joined with the enumeration (kernels/enumerate.py). Each part expands its own states; keys of the other part wait
in the outbox, and what the other has found comes in the inbox. Only the count of all states has a meaning in the end:
states are numbered within each part.
"""

from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.game import *

SPARE = const(262144)  # set: keys of a box, beside those of a batch
BOX = const(SPARE + BATCH * MOVES)
MINE = const(0)  # places in `parted`: the own part, 0 or 1; its keys' hashes have this as their last bit
OUT = const(1)  # the keys in the outbox
IN = const(2)  # and in the inbox
TAKEN = const(3)  # how many of those have been taken
parted = array(i64, 4)
outbox = array(i64, BOX * KEY)
inbox = array(i64, BOX * KEY)


def hand_over() -> i32:
    """Put the present key into the outbox, if it belongs to the other part. Returns 1 if it does."""
    if (key_hash() & 1) == parted[MINE]:
        return 0
    copy(outbox, i32(parted[OUT]) * KEY, key, 0, KEY)
    parted[OUT] += 1
    return 1


def number_own() -> i32:
    """Number the keys of the batch. Returns 0 if there was no room for all."""
    for e in range(i32(enumerated[WAITING])):
        if number_of(e) < 0:
            enumerated[MORE] = 1
            return 0
    return 1


def expand_run(budget: i32) -> i32:
    """Expand `budget` states of the level. Returns 1 if some are left and the outbox has room."""
    while budget > 0:
        if enumerated[EXPANDED] == enumerated[LEVEL_END] or parted[OUT] + BATCH * MOVES > BOX:
            return 0
        grow()
        gather(i32(enumerated[EXPANDED]), i32(enumerated[LEVEL_END]))
        for k in range(i32(enumerated[GATHERED])):
            if batch_rows[k] < 0:
                enumerated[ENDS] += 1
            else:
                enumerated[EDGES] += batch_rows[k]
        enumerated[EXPANDED] += enumerated[GATHERED]
        if number_own() == 0:
            return 0
        budget -= i32(enumerated[GATHERED])
    return 1


def take_run(budget: i32) -> i32:
    """Number up to `budget` keys of this part from the inbox. Returns 1 if more are waiting."""
    parted[OUT] = 0
    while budget > 0 and parted[TAKEN] < parted[IN]:
        grow()
        waiting = 0
        while waiting < BATCH and parted[TAKEN] < parted[IN]:
            copy(key, 0, inbox, i32(parted[TAKEN]) * KEY, KEY)
            copy(batch_key, waiting * KEY, key, 0, KEY)
            parted[TAKEN] += 1
            budget -= 1
            if (key_hash() & 1) == parted[MINE]:
                put_hash(waiting)
                waiting += 1
        enumerated[WAITING] = waiting
        touch()
        if number_own() == 0:
            return 0
    return parted[TAKEN] < parted[IN]

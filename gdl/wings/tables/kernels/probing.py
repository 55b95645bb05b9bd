"""A table of a solved game joined with the game: positions that the table has are ends, with its values as utilities.

1. Where a position is no end by the rules, it is packed as the table packs, its key is hashed, and looked for among
   the table's keys as the enumeration does: open addressing, with some bits of the hash beside each number.
2. A position that is there is given its utilities, as if the rules had ended play there. So every search that asks for
   the status of a position probes the table before it goes on.

Where the table has one position of those that are symmetric, the position is made the least of its images, found, and
put back; where players change parts under symmetries, a number stands for two positions.

Sources: Ströhlein, Untersuchungen über kombinatorische Spiele, 1970; Thompson, Retrograde analysis of certain
endgames, ICCA Journal 9, 1986; search that probes: Schaeffer et al., A world championship caliber checkers program,
Artificial Intelligence 53, 1992.
"""

from gdl.compiler.kernels.game import STATE, s, util
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.words import *
from gdl.wings.tables.kernels.solved import (
    rules_status,
    rules_status_after,
    solved_exchanged,
    solved_fold,
    solved_KEY,
    solved_key,
    solved_key_hash,
    solved_pack,
    solved_unfolded,
)

SOLVED_SECOND = const(0)  # set: whether the table lies in the second memory
SOLVED_FOLDED = const(0)  # set: whether the table has one position for those that are symmetric
SOLVED_TURNS = const(0)  # set: whether a state's number stands for two positions, as players can change parts
SOLVED_TURNED = const(0)  # set: 1 if players have changed parts in the first of these
SOLVED_STATES = const(1)  # set: states in the table
SOLVED_POSITIONS = const(1)  # set: values in the table
SOLVED_SLOTS = const(1)  # set: slots of its table of numbers
SOLVED_TAGS = const(0)  # set: the bits of a slot that hold no number
SOLVED_UTILITIES = const(1)  # set: different utilities
SOLVED_WIDE = const(0)  # set: whether utilities have 64 bits
SOLVED_MAXIMISER = const(0)  # set: the player who is MAX
SOLVED_ALONE = const(0)  # set: whether there is no other player
SOLVED_TOTAL = const(0)  # set: the sum of both players' utilities
# The keys of the states, the slots by which they are found, and the places of the positions' values in solved_utility:
solved_keys = vast(i64, SOLVED_STATES * solved_KEY) if SOLVED_SECOND else array(i64, SOLVED_STATES * solved_KEY)
solved_slots = vast(i32, SOLVED_SLOTS) if SOLVED_SECOND else array(i32, SOLVED_SLOTS)
solved_values = vast(i16, SOLVED_POSITIONS) if SOLVED_SECOND else array(i16, SOLVED_POSITIONS)
solved_utility = array(i64, SOLVED_UTILITIES)  # utilities of MAX, times DENOMINATOR


def solved_slot(at: i32) -> i32:
    """The content of a slot."""
    if SOLVED_SECOND:
        return solved_slots[i64(at)]
    return solved_slots[at]


def solved_word(number: i32, k: i32) -> i64:
    """A word of the key of the state with this number."""
    if SOLVED_SECOND:
        return solved_keys[i64(number) * solved_KEY + k]
    return solved_keys[number * solved_KEY + k]


def solved_value(number: i32) -> i32:
    """The place in `solved_utility` of the value of the present state's position, of which the state in the table has
    this number."""
    position = number
    if SOLVED_TURNS:
        position = number * 2 + (solved_exchanged[0] != SOLVED_TURNED)
    if SOLVED_SECOND:
        return solved_values[i64(position)]
    return solved_values[position]


def solved_number() -> i32:
    """The state's number in the table; -1 if the table does not have it."""
    if SOLVED_FOLDED:
        solved_fold()
        copy(s, 0, solved_unfolded, 0, STATE)
    else:
        solved_pack()
    h: i64 = solved_key_hash()
    tag = i32(h) & SOLVED_TAGS
    at = i32(((h >> 32) & 4294967295) * SOLVED_SLOTS >> 32)
    while solved_slot(at) != 0:
        number = (solved_slot(at) ^ tag) - 1
        if number >= 0 and number < SOLVED_STATES:
            if solved_is(number):
                return number
        at += 1
        if at == SOLVED_SLOTS:
            at = 0
    return -1


def solved_is(number: i32) -> i32:
    """Return 1 if the state with this number has the key in `solved_key`."""
    for k in range(solved_KEY):
        if solved_word(number, k) != solved_key[k]:
            return 0
    return 1


def solved_end() -> i32:
    """Return 1 if the table has the state; its utilities are in `util` then."""
    number = solved_number()
    if number < 0:
        return 0
    place = solved_value(number)
    if place < 0 or place >= SOLVED_UTILITIES:
        return 0
    write_utility(SOLVED_MAXIMISER, solved_utility[place])
    if not SOLVED_ALONE:
        write_utility(1 - SOLVED_MAXIMISER, SOLVED_TOTAL - solved_utility[place])
    return 1


def write_utility(player: i32, utility: i64) -> None:
    """Write a player's utility."""
    if SOLVED_WIDE:
        util[player] = utility
    else:
        util[player] = i32(utility)


def status() -> i32:
    """The state's status by the rules; TERMINAL instead of DECISION if the table has the state."""
    kind = rules_status()
    if kind == DECISION and solved_end():
        kind = TERMINAL
    return kind


def status_after(last: i32) -> i32:
    """The state's status by the rules, after a ply by `last`; TERMINAL instead of DECISION if the table has the
    state."""
    kind = rules_status_after(last)
    if kind == DECISION and solved_end():
        kind = TERMINAL
    return kind

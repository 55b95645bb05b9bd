"""A table of a solved game in kernel Python: positions that the table has are ends, worth what it says.

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

from __future__ import annotations

from collections.abc import Sequence

NEAR_BYTES = 1 << 27  # bytes of a table that lies beside everything else

_PROBE = '''

solved_keys = {array}(i64, {states} * solved_KEY)
solved_slots = {array}(i32, {slots})
solved_values = {array}(i16, {positions})
SOLVED_UTILITIES = table({type}, ({utilities},))


def solved_number() -> i32:
    """The number that the table gives to the state; -1: it does not have it."""
{pack}
    h: i64 = solved_key_hash()
    tag = i32(h) & {tags}
    at = i32(((h >> 32) & 4294967295) * {slots} >> 32)
    while solved_slots[{index}(at)] != 0:
        number = (solved_slots[{index}(at)] ^ tag) - 1
        if number >= 0 and number < {states}:
            if solved_is(number):
                return number
        at += 1
        if at == {slots}:
            at = 0
    return -1


def solved_is(number: i32) -> i32:
    """Whether the key is that of the state with this number."""
    for k in range(solved_KEY):
        if solved_keys[{index}(number) * solved_KEY + k] != solved_key[k]:
            return 0
    return 1


def solved_end() -> i32:
    """Whether the table has the state, whose utilities are written then."""
    number = solved_number()
    if number < 0:
        return 0
    place = solved_values[{position}]
    if place < 0 or place >= {count}:
        return 0
    util[{maximiser}] = SOLVED_UTILITIES[place]
{other}    return 1


def status() -> i32:
    """That by the rules; 3 where the table has the state."""
    kind = rules_status()
    if kind == 0 and solved_end():
        kind = 3
    return kind


def status_after(last: i32) -> i32:
    """That by the rules; 3 where the table has the state."""
    kind = rules_status_after(last)
    if kind == 0 and solved_end():
        kind = 3
    return kind
'''
_FOLD = """    solved_fold()
    copy(s, 0, solved_unfolded, 0, STATE)"""


def kernel(
    *,
    words: int,
    states: int,
    positions: int,
    slots: int,
    mask: int,
    utilities: Sequence[int],
    total: int | None,
    maximiser: int,
    wide: bool,
    folds: bool,
    turned: bool | None,
) -> str:
    """What looks at a table of so many states, each with a key of so many `words`, for a game whose own functions are
    called `rules_status` and `rules_status_after`, and with the table's packing, all of whose names begin `solved_`.

    `mask`: the bits of a slot that hold a number; `utilities`: MAX's, over the game's denominator; `total`: what they
    sum to, None with one player; `wide`: whether utilities have 64 bits; `folds`: whether symmetric positions are one;
    `turned`: in which part MAX is where a state's first value holds, None where players keep their parts."""
    far = size(words, states, positions, slots) > NEAR_BYTES
    index = "i64" if far else "i32"
    turn = "" if turned is None else f" * 2 + (solved_exchanged[0] != {int(turned)})"
    other = "" if total is None else f"    util[{1 - maximiser}] = {total} - SOLVED_UTILITIES[place]\n"
    return _PROBE.format(
        array="vast" if far else "array", index=index, states=states, positions=positions, slots=slots,
        tags=-(mask + 1), type="i64" if wide else "i32", utilities=", ".join(map(str, utilities)),
        count=len(utilities), pack=_FOLD if folds else "    solved_pack()", position=f"{index}(number){turn}",
        maximiser=maximiser, other=other,
    )  # fmt: skip


def size(words: int, states: int, positions: int, slots: int) -> int:
    """The bytes of the table's arrays."""
    return 8 * words * states + 4 * slots + 2 * positions

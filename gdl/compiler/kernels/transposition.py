"""A transposition table in kernel Python: what a search knows of a position, kept under the position's exact key.

1. A position's hash picks a bucket, a few entries side by side. An entry holds the whole key and one word of
   information, so that nothing is ever mistaken for another position.
2. In a full bucket a new entry takes the place of the one that cost the least work.
3. A table that is half full doubles, up to its room: small searches stay in the cache of the machine.

Information: value (32 bits, signed), row + 1 (16), depth (7), work as a power of two (6), whether the value rests on
an estimate (1), and what it is to the position's value (2: lower, upper, exact).

Sources: Zobrist, A new hashing method with application for game playing, 1970; Breuker, Uiterwijk and van den Herik,
Replacement schemes for transposition tables, ICCA Journal 17, 1994 (their scheme Big, with buckets).
"""

from __future__ import annotations

FIRST = 1 << 10  # buckets of a new table
WAYS = 2  # entries of a bucket

_TABLE = '''
BUCKETS = const({buckets})
WAYS = const({ways})
ENTRY = const(KEY + 1)
LOWER = const(1)
UPPER = const(2)
EXACT = const(3)
table = array(i64, BUCKETS * WAYS * ENTRY)
table_mask = array(i32, 1)  # buckets in use, less one
table_kept = array(i64, 1)  # entries in use


def table_bucket() -> i32:
    """Where the entries of the position begin whose key lies in `key`."""
    return (i32(key_hash() >> 36) & table_mask[0]) * (WAYS * ENTRY)


def table_is(at: i32) -> i32:
    """Whether the entry is that of the key."""
    for k in range(KEY):
        if table[at + k] != key[k]:
            return 0
    return 1


def table_find() -> i64:
    """What is known of the position whose key lies in `key`; 0: nothing."""
    at = table_bucket()
    for way in range(WAYS):
        if table_is(at) and table[at + KEY] != 0:
            return table[at + KEY]
        at += ENTRY
    return 0


def table_keep(information: i64) -> None:
    """Note it of the position whose key lies in `key`."""
    at = table_bucket()
    worst = at
    least: i64 = 64
    for way in range(WAYS):
        found: i64 = table[at + KEY]
        if found == 0 or table_is(at):
            table_kept[0] += found == 0
            worst = at
            break
        work: i64 = (found >> 3) & 63
        if work < least:
            least = work
            worst = at
        at += ENTRY
    for k in range(KEY):
        table[worst + k] = key[k]
    table[worst + KEY] = information
    if table_mask[0] < BUCKETS - 1 and table_kept[0] * 2 > (table_mask[0] + 1) * WAYS:
        table_grow()


def table_grow() -> None:
    """Twice as many buckets: an entry stays in its own or moves to the new one that shares its hash."""
    old = table_mask[0] + 1
    table_mask[0] = 2 * old - 1
    for bucket in range(old):
        stay = bucket * WAYS * ENTRY
        go = stay + old * WAYS * ENTRY
        at = stay
        for way in range(WAYS):
            if table[at + KEY] != 0:
                copy(key, 0, table, at, KEY)
                to = go
                if table_bucket() == bucket * WAYS * ENTRY:
                    to = stay
                    stay += ENTRY
                else:
                    go += ENTRY
                information: i64 = table[at + KEY]
                table[at + KEY] = 0
                copy(table, to, key, 0, KEY)
                table[to + KEY] = information
            at += ENTRY


def table_clear() -> None:
    """Forget everything."""
    for at in range((table_mask[0] + 1) * WAYS):
        table[at * ENTRY + KEY] = 0
    table_mask[0] = {first} - 1
    table_kept[0] = 0
'''


def kernel(words: int, room: int) -> str:
    """The table for keys of so many words, of at most so many bytes (but no smaller than a new one)."""
    buckets = FIRST
    while 2 * buckets * WAYS * 8 * (words + 1) <= room:
        buckets *= 2
    return _TABLE.format(buckets=buckets, ways=WAYS, first=FIRST)

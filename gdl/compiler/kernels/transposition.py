"""A transposition table: the information of a search on positions, kept under the position's exact keys.

1. A position's hash picks a bucket, a few entries side by side. An entry holds the whole key and one word of
   information, so that nothing is ever mistaken for another position.
2. Beside the entries lie their tags, a few bits of the hash of each, so that most positions that are not there are
   told by a look at the tags, which stay in the cache of the machine where the entries do not.
3. In a full bucket a new entry takes the place of the one that cost the least work.
4. A table that is half full doubles, up to its room: small searches stay in the cache altogether.
5. A table for which the memory of a module, 4 GiB, is too small lies in a second one with addresses of 64 bits.
6. Where several threads work with the table (`SHARED`), it lies in a memory that they have in common. To read or write
   an entry a thread first takes it, by atomically swapping its tag for BUSY, and gives it its tag in the end; a thread
   that finds an entry taken goes on without it, as if nothing were known. So no two threads are ever at one entry,
   nothing is read that was half written, and what is proved stays proved. Tags, and the work of entries, are also read
   without that, but only to choose an entry.

Information, from the highest bits down: the value for the mover (32 bits, signed), row + 1 (16), depth + FURTHER (7),
work as a logarithm to base 2 (6), 1 if the value rests on an estimate (1), and its kind (2): LOWER, UPPER or EXACT.
0 is no information. (`proof_number` keeps other information, with the work at the same place.)

Sources: Zobrist, A new hashing method with application for game playing, 1970; Breuker, Uiterwijk and van den Herik,
Replacement schemes for transposition tables, ICCA Journal 17, 1994 (their scheme Big, with buckets).
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.team import *

FIRST = const(1024)  # set: buckets of a new table
BUCKETS = const(1024)  # set: buckets of a table that is full grown
SECOND = const(0)  # set: whether the entries lie in the second memory
WAYS = const(2)  # entries of a bucket
ENTRY = const(KEY + 1)  # words of an entry
LOWER = const(1)  # kinds of values: a lower bound, an upper bound, the value itself
UPPER = const(2)
EXACT = const(3)
BUSY = const(2)  # in the place of a tag: a thread has the entry; tags are odd
entries = vast(i64, BUCKETS * WAYS * ENTRY) if SECOND else array(i64, BUCKETS * WAYS * ENTRY)
table_tag = vast(u8, BUCKETS * WAYS) if SHARED else array(u8, BUCKETS * WAYS)  # by entry: its tag; 0: it is free
table_mask = vast(i32, 1) if SHARED else array(i32, 1)  # buckets in use, less one
table_kept = vast(i64, 1) if SHARED else array(i64, 1)  # entries in use, roughly where threads share the table
table_growing = vast(u8, 1) if SHARED else array(u8, 1)  # 1 if a thread makes the table grow


def table_bucket(h: i64) -> i32:
    """The number of the first entry in the bucket of this hash."""
    # Bucket and tag come from different bits of the hash: inside one bucket the tags must still tell positions apart.
    return (i32(h >> 36) & table_mask[0]) * WAYS


def tag_of(h: i64) -> i32:
    """The tag of a hash."""
    # Odd, so that no tag is 0 (free) or BUSY.
    return (i32(h >> 28) & 255) | 1


def table_word(entry: i32, k: i32) -> i64:
    """The k-th word of an entry: its key has KEY words, and word KEY is the information."""
    if SECOND:
        return entries[i64(entry) * ENTRY + k]
    return entries[entry * ENTRY + k]


def table_write(entry: i32, k: i32, word: i64) -> None:
    """Write the k-th word of the entry."""
    if SECOND:
        entries[i64(entry) * ENTRY + k] = word
    else:
        entries[entry * ENTRY + k] = word


def table_is(entry: i32) -> i32:
    """Return 1 if the entry is for the position whose key is in `key`."""
    for k in range(KEY):
        if table_word(entry, k) != key[k]:
            return 0
    return 1


def table_find() -> i64:
    """The table's information on the position whose key is in `key`; 0 if it has none."""
    h: i64 = key_hash()
    entry = table_bucket(h)
    for way in range(WAYS):
        if table_tag[entry] == tag_of(h):
            if SHARED:
                tag = table_take(entry)
                known: i64 = 0
                # Looked at again, since another thread may have changed the entry between the first look and the
                # taking.
                if tag == tag_of(h) and table_is(entry):
                    known = table_word(entry, KEY)
                # Given back as it was; where it was BUSY, another thread will give it its tag.
                if tag != BUSY:
                    swap(table_tag, entry, tag)
                if known != 0:
                    return known
            elif table_is(entry):
                return table_word(entry, KEY)
        entry += 1
    return 0


def table_take(entry: i32) -> i32:
    """Take an entry, so that other threads keep away. Returns its tag, which must be given back, or BUSY if another
    thread has it."""
    return swap(table_tag, entry, BUSY)


def table_keep(information: i64) -> None:
    """Put the information on the position whose key is in `key` into the table."""
    h: i64 = key_hash()
    entry = table_bucket(h)
    worst = entry
    # More than any work, which has six bits: so some entry is always the worst.
    least: i64 = 64
    for way in range(WAYS):
        # A free entry, or an older one of the same position, which never stands beside a new one.
        if table_tag[entry] == 0 or table_is(entry):
            table_kept[0] += table_tag[entry] == 0
            worst = entry
            break
        work: i64 = (table_word(entry, KEY) >> 3) & 63
        if work < least:
            least = work
            worst = entry
        entry += 1
    table_put(worst, h, information)
    if table_mask[0] < BUCKETS - 1 and table_kept[0] * 2 > (table_mask[0] + 1) * WAYS:
        if SHARED:
            # One thread grows the table. It asks again whether to, since another may just have done so.
            if swap(table_growing, 0, 1) == 0:
                if table_mask[0] < BUCKETS - 1 and table_kept[0] * 2 > (table_mask[0] + 1) * WAYS:
                    table_grow()
                swap(table_growing, 0, 0)
        else:
            table_grow()


def table_free(entry: i32) -> None:
    """Mark an entry as free."""
    if SHARED:
        swap(table_tag, entry, 0)
    else:
        table_tag[entry] = 0


def table_put(entry: i32, h: i64, information: i64) -> None:
    """Write the position whose key is in `key`, with this hash and information, into an entry. Nothing is written if
    another thread has taken it."""
    if SHARED:
        if table_take(entry) == BUSY:
            return
    else:
        table_tag[entry] = tag_of(h)
    for k in range(KEY):
        table_write(entry, k, key[k])
    table_write(entry, KEY, information)
    if SHARED:
        swap(table_tag, entry, tag_of(h))


def table_grow() -> None:
    """Double the number of buckets: each entry stays in its bucket or moves to the new one with the same hash.
    (Meanwhile other threads may miss entries that have not moved yet, and overwrite some that have.)"""
    old = table_mask[0] + 1
    table_mask[0] = 2 * old - 1
    for bucket in range(old):
        entry = bucket * WAYS
        stay = entry
        # The mask has one bit more now, so an entry can only stay, or move up by the old number of buckets.
        go = (old + bucket) * WAYS
        for way in range(WAYS):
            tag = table_take(entry) if SHARED else table_tag[entry]
            if SHARED and tag == 0:
                table_free(entry)
            elif tag != 0 and tag != BUSY:
                for k in range(KEY):
                    key[k] = table_word(entry, k)
                h: i64 = key_hash()
                information: i64 = table_word(entry, KEY)
                table_free(entry)
                if table_bucket(h) == bucket * WAYS:
                    table_put(stay, h, information)
                    stay += 1
                else:
                    table_put(go, h, information)
                    go += 1
            entry += 1


def table_clear() -> None:
    """Forget all entries, and begin with a table of FIRST buckets again."""
    for entry in range((table_mask[0] + 1) * WAYS):
        table_tag[entry] = 0
    table_mask[0] = FIRST - 1
    table_kept[0] = 0

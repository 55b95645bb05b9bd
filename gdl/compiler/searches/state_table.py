"""The sizes of an enumeration's table of states (gdl/compiler/kernels/enumerate.py), and of a transposition table."""

from __future__ import annotations

from collections.abc import Mapping

from gdl.compiler.joining import constants

# The size of a transposition table (gdl/compiler/kernels/transposition.py).

FIRST_BUCKETS = 1 << 10  # buckets of a new table
MAX_BUCKETS = 1 << 28  # a bucket's number has 28 bits of the hash
NEAR_BYTES = 1 << 29  # bytes of a table up to which it lies in a module's first memory
WAYS = constants("transposition")["WAYS"]


def positions(words: int, room: int, shared: bool = False) -> Mapping[str, int]:
    """The constants of a transposition table for keys of `words` words that takes at most `room` bytes (but is no
    smaller than a new one); with `shared`, for several threads."""
    buckets, entry = FIRST_BUCKETS, 8 * (words + 1)
    while 2 * buckets * WAYS * (entry + 1) <= room and buckets < MAX_BUCKETS:
        buckets *= 2
    second = shared or buckets * WAYS * entry > NEAR_BYTES
    return {"FIRST": FIRST_BUCKETS, "BUCKETS": buckets, "SECOND": int(second), **({"SHARED": 1} if shared else {})}


FIRST_SLOTS = constants("enumerate")["FIRST_SLOTS"]
FEWEST_SLOTS = 1 << 10
DIRECT_BITS = 24  # bits of a key, at most, for each key to have a slot of its own


def slots_for(most: int, direct: int = 0) -> int:
    """The number of slots of a table for at most `most` states. `direct`: the bits of a key, if each key has a slot of
    its own; else 0."""
    return FEWEST_SLOTS + (3 << direct) // 2 if direct else max(FIRST_SLOTS, most * 3 // 2 + (1 << 17))


def bytes_for(words: int, most: int, direct: int = 0) -> int:
    """The bytes for at most `most` states with keys of `words` words."""
    return 8 * words * most + 4 * slots_for(most, direct)


def most_in(memory: int, words: int, further: int, direct: int = 0) -> int:
    """The number of states that fit into `memory` bytes, with keys of `words` words and `further` bytes besides."""
    if direct:
        return min(1 << direct, (memory - bytes_for(words, 0, direct)) // (8 * words + further))
    each = bytes_for(words, 1 << 20) / (1 << 20) + further
    return min(int(memory / each), (1 << 29) // words)

"""How many states an enumeration has room for (gdl/compiler/kernels/enumerate.py)."""

from __future__ import annotations

from gdl.compiler.joining import constants

FIRST_SLOTS = constants("enumerate")["FIRST_SLOTS"]
FEWEST_SLOTS = 1 << 10
DIRECT_BITS = 24  # of keys that have places of their own


def slots_for(most: int, direct: int = 0) -> int:
    """The slots of a table of at most so many states; `direct`: the bits of a key, where each key has a place."""
    return FEWEST_SLOTS + (3 << direct) // 2 if direct else max(FIRST_SLOTS, most * 3 // 2 + (1 << 17))


def bytes_for(words: int, most: int, direct: int = 0) -> int:
    """The memory for at most so many states with keys of so many words."""
    return 8 * words * most + 4 * slots_for(most, direct)


def most_in(memory: int, words: int, further: int, direct: int = 0) -> int:
    """How many states, with keys of so many words and so many bytes for whatever else, have room in some memory."""
    if direct:
        return min(1 << direct, (memory - bytes_for(words, 0, direct)) // (8 * words + further))
    each = bytes_for(words, 1 << 20) / (1 << 20) + further
    return min(int(memory / each), (1 << 29) // words)

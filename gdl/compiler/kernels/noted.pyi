"""A game's module for one question about earlier positions: its memory, and what follows from the rules."""

from gdl.compiler.kernels.words import Array

NONE: int
past_key: Array[int]  # of each position on the stack: what is noted of it, the hash of its key,
past_hash: Array[int]
past_link: Array[int]  # and one more than the height of the one before it in its bucket
past_head: Array[int]  # the same of the last in each bucket
kept_key: Array[int]  # of each position that is kept: what is noted of it, and the hash of its key
kept_hash: Array[int]
asked: Array[int]  # the key of the position

def write_key() -> int: ...
def holds() -> int: ...
def find_past(at: int) -> None: ...

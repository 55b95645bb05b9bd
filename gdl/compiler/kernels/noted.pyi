"""The memory and functions of a game's module for one question about earlier positions."""

from gdl.compiler.kernels.words import Array

NONE: int  # the answer where there is none
past_key: Array[int]  # of each position on the stack: its notes, the hash of its key,
past_hash: Array[int]
past_link: Array[int]  # and 1 + the height of the position before it in its bucket; 0: none
past_head: Array[int]  # by bucket: 1 + the height of its last position; 0: none
kept_key: Array[int]  # of each position that is kept: its notes, and the hash of its key
kept_hash: Array[int]
asked: Array[int]  # the key of the present position, as write_key() writes it

def write_key() -> int: ...
def holds() -> int: ...
def find_past(at: int) -> None: ...

"""A state as the least of its images under the game's symmetries: the one with the least packed key."""

from gdl.compiler.kernels.game import KEY, STATE, key, pack, s, unpack
from gdl.compiler.kernels.images import *
from gdl.compiler.kernels.words import *

unfolded = array(i32, STATE)  # the state before it was folded
folded_key = array(i64, KEY)  # the least key of its images so far
exchanged = array(i32, 1)  # 1 if players have changed parts in the image made last


def keep_if_less() -> i32:
    """Keep the present key if it is less than the least image's so far. Returns 1 if it is."""
    for k in range(KEY):
        if key[k] != folded_key[k]:
            if key[k] > folded_key[k]:
                return 0
            copy(folded_key, 0, key, 0, KEY)
            return 1
    return 0


def fold() -> None:
    """Make the state the least of its images, and write its key."""
    pack()
    copy(unfolded, 0, s, 0, STATE)
    copy(folded_key, 0, key, 0, KEY)
    exchanged[0] = 0
    moved = try_images()
    copy(key, 0, folded_key, 0, KEY)
    if moved:
        unpack()
    else:
        copy(s, 0, unfolded, 0, STATE)

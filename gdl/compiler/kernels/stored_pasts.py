"""Earlier positions that are kept, for searches that come back to a state from anywhere.

A search that keeps states calls `keep_past()` for each: the content of the stack of earlier positions is kept, each
position with the digest of all up to it, by which it is found, and the digest of those before it. Where the stack does
not fit a state, it is rebuilt from the kept positions, above the part that both have in common.
"""

from gdl.compiler.kernels.game import s, w
from gdl.compiler.kernels.keeping import *
from gdl.compiler.kernels.words import *

MOST_KEPT = const(1)  # set: the most positions kept
KEPT_SLOTS = const(2)  # set: twice as many, a power of two
MOST_PAST = const(1)  # set: the most positions on the stack
PAST = const(0)  # set: the word of a state with the number of positions before it,
PAST_DIGEST = const(0)  # set: and the long word with their digest

kept_slot = array(i32, KEPT_SLOTS)  # 1 + the number of a kept position; 0: free
kept_sum = array(i64, MOST_KEPT)  # by kept position: the digest up to it, and before it
kept_before = array(i64, MOST_KEPT)
kept_count = array(i32, 1)  # positions kept
recalled = array(i32, MOST_PAST)  # by height on the stack: the kept position to be laid there


def kept_place(digest: i64) -> i32:
    """The slot of the kept position with this digest, or a free slot for it."""
    slot = i32(digest >> 20 & KEPT_SLOTS - 1)
    while kept_slot[slot] > 0 and kept_sum[kept_slot[slot] - 1] != digest:
        slot = slot + 1 & KEPT_SLOTS - 1
    return slot


def keep_past() -> i32:
    """Keep the positions before this one. Returns 0 if there is no room for them."""
    count = s[PAST]
    find_past(count)
    i = count
    while i > 0 and kept_slot[kept_place(past_sum[i])] == 0:
        i -= 1
    while i < count:
        n = kept_count[0]
        if n == MOST_KEPT:
            return 0
        keep_position(n, i)
        kept_before[n] = past_sum[i]
        i += 1
        slot = kept_place(past_sum[i])
        kept_sum[n] = past_sum[i]
        kept_slot[slot] = n + 1
        kept_count[0] = n + 1
    return 1


def recall_past(at: i32) -> None:
    """Make the stack hold the `at` positions before the present state: those that differ are taken from the kept
    ones."""
    i = at
    digest = w[PAST_DIGEST]
    while i > past_top[0] or past_sum[i] != digest:
        n = kept_slot[kept_place(digest)] - 1
        if n < 0 or i == 0:
            lost_past()
        i -= 1
        recalled[i] = n
        digest = kept_before[n]
    while past_top[0] > i:
        past_top[0] -= 1
        forget_past(past_top[0])
    while i < at:
        n = recalled[i]
        recall_position(n, i)
        i += 1
        past_sum[i] = kept_sum[n]
        past_top[0] = i

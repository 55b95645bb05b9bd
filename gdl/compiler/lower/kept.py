"""Earlier positions that are kept, for searches that come back to a state from anywhere.

A search that keeps states calls `keep_past()` for each: what the stack of earlier positions holds is remembered, each
position with the digest of all up to it, by which it is found, and that of those before it. Where the stack does not
fit a state, it is laid again from there, above what both have in common.
"""

from __future__ import annotations

from gdl.compiler.lower.past import BUCKETS, MOST_PAST, Keys
from gdl.compiler.lower.writer import INDENT

MOST_KEPT = 1 << 17  # positions

_NONE = '''

def keep_past() -> i32:
    """The rules ask for no earlier positions."""
    return 1
'''

_KEPT = '''

kept_slot = array(i32, {slots})
kept_sum = array(i64, {most})  # of each position kept: the digest up to it, and before it
kept_before = array(i64, {most})
kept_count = array(i32, 1)
recalled = array(i32, {past})
{arrays}


def kept_place(digest: i64) -> i32:
    """The slot of the position with this digest, or one where it can be noted."""
    slot = i32(digest >> 20 & {mask})
    while kept_slot[slot] > 0 and kept_sum[kept_slot[slot] - 1] != digest:
        slot = slot + 1 & {mask}
    return slot


def keep_past() -> i32:
    """Remember the positions before this one; 0 where there is no room for them."""
    count = s[{at}]
    find_past(count)
    i = count
    while i > 0 and kept_slot[kept_place(past_sum[i])] == 0:
        i -= 1
    while i < count:
        n = kept_count[0]
        if n == {most}:
            return 0
{keep}
        kept_before[n] = past_sum[i]
        i += 1
        slot = kept_place(past_sum[i])
        kept_sum[n] = past_sum[i]
        kept_slot[slot] = n + 1
        kept_count[0] = n + 1
    return 1


def recall_past(at: i32) -> None:
    """Lay the positions before the state on the stack, from where it does not fit."""
    i = at
    digest = w[{digest}]
    while i > past_top[0] or past_sum[i] != digest:
        n = kept_slot[kept_place(digest)] - 1
        if n < 0 or i == 0:
            trap({lost})
        i -= 1
        recalled[i] = n
        digest = kept_before[n]
    while past_top[0] > i:
        past_top[0] -= 1
        forget_past(past_top[0])
    while i < at:
        n = recalled[i]
{recall}
        i += 1
        past_sum[i] = kept_sum[n]
        past_top[0] = i
'''

_ARRAYS = """
kept_key_{site} = array(i64, {keys})
kept_hash_{site} = array(i64, {most})
"""

_KEEP = """
copy(kept_key_{site}, n * {width}, past_key_{site}, i * {width}, {width})
kept_hash_{site}[n] = past_hash_{site}[i]
"""

_RECALL = """
copy(past_key_{site}, i * {width}, kept_key_{site}, n * {width}, {width})
past_hash_{site}[i] = kept_hash_{site}[n]
bucket = i32(past_hash_{site}[i] & {buckets})
past_link_{site}[i] = past_head_{site}[bucket]
past_head_{site}[bucket] = i + 1
"""


def keeping(keys: Keys | None) -> str:
    """Kernel code for a search that keeps states."""
    if keys is None:
        return _NONE
    return _KEPT.format(
        slots=2 * MOST_KEPT, mask=2 * MOST_KEPT - 1, most=MOST_KEPT, past=MOST_PAST, at=keys.at,
        digest=keys.at // 2 + 1, lost=keys.lost,
        arrays=_for_each(keys, _ARRAYS, 0), keep=_for_each(keys, _KEEP, 2), recall=_for_each(keys, _RECALL, 2),
    )  # fmt: skip


def _for_each(keys: Keys, text: str, depth: int) -> str:
    """The lines for every question about earlier positions."""
    lines = []
    for site, noted in enumerate(keys.sites):
        width = noted.words
        names = {"site": site, "width": width, "keys": width * MOST_KEPT, "most": MOST_KEPT, "buckets": BUCKETS - 1}
        lines += text.format(**names).strip().splitlines()
    return "\n".join(INDENT * depth + line for line in lines)

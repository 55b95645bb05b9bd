"""A question about earlier positions: the notes of each position for it, and its answer. A game's module has these
functions once for each question; the notes lie on a stack, and buckets by the hash of their keys lead to a position.
(`keep` and `recall` are for searches that keep states: stored_pasts.py.)"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.noted import *

TIMES = const(0)  # kinds of questions: how often there was such a position,
SINCE = const(1)  # how many plies ago the last was,
ALWAYS = const(2)  # and whether a condition has held since then
KIND = const(0)  # set: one of these
KEYS = const(1)  # set: words of a key
NOTED = const(1)  # set: words of a position's notes: the key and, for ALWAYS, how long the condition had held by then
PAST = const(0)  # set: the word of a state with the number of positions before it
BUCKET = const(0)  # set: the mask of the bits of a hash that choose the bucket
FACTOR = const(1)  # set: the factor and the shift of hashes, as in gdl/compiler/lower/past.py
ROUND = const(1)  # set


def push(at: i32) -> i64:
    """Put the notes of the present position on the stack at height `at`. Returns its share of the digest."""
    digest: i64 = write_key()
    copy(past_key, at * NOTED, asked, 0, NOTED)
    past_hash[at] = digest
    bucket = i32(digest & BUCKET)
    past_link[at] = past_head[bucket]
    past_head[bucket] = at + 1
    if KIND == TIMES:
        return digest
    if KIND == SINCE:
        place = i64(2 * at)
    if KIND == ALWAYS:
        held = holds()
        unbroken: i64 = 0
        if held:
            unbroken = 1
            if at > 0:
                unbroken = past_key[at * NOTED - 1] + 1
        past_key[at * NOTED + KEYS] = unbroken
        place = i64(2 * at + held)
    digest = wrap64((digest ^ place) * FACTOR)
    digest = wrap64((digest ^ digest >> ROUND) * FACTOR)
    return digest ^ digest >> ROUND


def keep(n: i32, i: i32) -> None:
    """Keep the notes of position i of the stack under number n."""
    copy(kept_key, n * NOTED, past_key, i * NOTED, NOTED)
    kept_hash[n] = past_hash[i]


def recall(n: i32, i: i32) -> None:
    """Put the notes that were kept under number n back on the stack, as those of position i."""
    copy(past_key, i * NOTED, kept_key, n * NOTED, NOTED)
    past_hash[i] = kept_hash[n]
    bucket = i32(past_hash[i] & BUCKET)
    past_link[i] = past_head[bucket]
    past_head[bucket] = i + 1


def answer(count: i32) -> i32:
    """The answer to the question over the first `count` positions. `times`: how many have the present key; `since`: how
    many plies ago the last of them was; `always`: 1 if there is one and the condition has held since."""
    find_past(s[PAST])
    digest: i64 = write_key()
    found = 0 if KIND == TIMES else NONE
    i = past_head[i32(digest & BUCKET)]
    while i > 0:
        i -= 1
        if i < count and past_hash[i] == digest:
            if equal(past_key, i * NOTED, asked, 0, KEYS):
                if KIND == TIMES:
                    found += 1
                if KIND == SINCE:
                    return count - i
                if KIND == ALWAYS:
                    found = i
        i = past_link[i]
    if KIND == ALWAYS:
        if found == NONE:
            return 0
        if found < count - 1 and past_key[count * NOTED - 1] < count - 1 - found:
            return 0
        return holds()
    return found if KIND == TIMES else NONE

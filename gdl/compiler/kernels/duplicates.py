"""Equal results and equal names among the rows of a listing. Functions of a game's module, for games that need them."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.listing import *

TELLS = const(0)  # set: whether results have events
OUTCOMES = const(0)  # set: whether rows may be outcomes of chance
KEEPS = const(0)  # set: whether the states that tried rows lead to may be kept
TWO_RESULTS = const(0)  # set: the trap where two actions with different results have one name


def begin_results() -> None:
    """Forget all results."""
    # Slots of another stamp count as empty, so nothing has to be cleared.
    results_stamp[0] += 1
    results_end[0] = 0


def find_result(most: i32) -> i32:
    """The place of the result that equals the state, among the first `most`; a new result is put at place `most`,
    behind them."""
    digest = hash()
    at = i32(digest) & RESULT_SLOTS - 1
    begun = i32(result_slot[at] & RESULTS - 1) if result_slot[at] // RESULTS == results_stamp[0] else -1
    k = begun
    while k >= 0:
        # The digest only spares comparisons: equal digests are never taken for equal states.
        if result_hash[k] == digest and result_rank[k] == run_rank[0]:
            if equal(result, k * STATE, s, 0, STATE):
                return k
        k = result_link[k]
    if most == RESULTS:
        trap(1)
    result_slot[at] = results_stamp[0] * RESULTS + most
    result_link[most] = begun
    copy(result, most * STATE, s, 0, STATE)
    result_hash[most] = digest
    result_rank[most] = run_rank[0]
    return most


def is_new_result() -> i32:
    """Return 1 if the state equals no earlier result of this listing; it is a result from now on."""
    end = results_end[0]
    if find_result(end) < end:
        return 0
    results_end[0] = end + 1
    return 1


def seen_before(count: i32) -> i32:
    """Return 1 if an earlier run of this listing has come to a choice with the same state and the same `count` values
    in `held`. If none has, this run is noted."""
    digest = hash()
    for j in range(count):
        # An odd number with well-mixed bits: 2^64 divided by the golden ratio (Knuth's multiplicative hashing).
        digest = wrap64((digest ^ held[j]) * -7046029254386353131)
    at = i32(digest ^ digest >> 32) & RESULT_SLOTS - 1
    begun = i32(seen_slot[at] & RESULTS - 1) if seen_slot[at] // RESULTS == results_stamp[0] else -1
    k = begun
    while k >= 0:
        if seen_hash[k] == digest:
            same = 1
            for j in range(count):
                if seen_held[k * HELD + j] != held[j]:
                    same = 0
            if same and equal(seen, k * STATE, s, 0, STATE):
                return 1
        k = seen_link[k]
    # The first call of a listing begins a new list.
    k = seen_end[0] if seen_from[0] == results_stamp[0] else 0
    seen_from[0] = results_stamp[0]
    # Where the list is full, later runs are not noted: they are tried again, which is slower and not wrong.
    if k < RESULTS:
        seen_slot[at] = results_stamp[0] * RESULTS + k
        seen_link[k] = begun
        copy(seen, k * STATE, s, 0, STATE)
        copy(seen_held, k * HELD, held, 0, HELD)
        seen_hash[k] = digest
        seen_end[0] = k + 1
    return 0


def merge_outcomes(rows: i32) -> i32:
    """Merge outcomes that leave the same state into one, with the sum of their weights."""
    copy(listed, 0, s, 0, STATE)
    begin_results()
    kept = 0
    run_rank[0] = 0
    for i in range(rows):
        apply(i)
        k = find_result(kept)
        copy(s, 0, listed, 0, STATE)
        if k < kept:
            weight[k] += weight[i]
        else:
            keep_row(i, kept)
            weight[kept] = weight[i]
            kept += 1
    return kept


def keep_row(i: i32, kept: i32) -> None:
    """Move row `i` up to place `kept`, over the rows that were left out."""
    if i != kept:
        if KEEPS:
            # From here on rows and the states that were kept of them no longer stand at the same places.
            if keeps[0] > kept:
                keeps[0] = kept
        for j in range(WIDTH):
            move[kept * WIDTH + j] = move[i * WIDTH + j]


def begin_names(count: i32) -> None:
    """Forget all names, and make room for `count` of them, in no more slots than they need."""
    names_stamp[0] += 1
    # At most half of the slots are taken, so that few names meet.
    mask = 7
    while mask < 2 * count:
        mask = 2 * mask + 1
    name_mask[0] = mask


def distinct_rows(first: i32, rows: i32, weighed: i32) -> i32:
    """Keep only the first of several rows with one name; if they are `weighed`, with the sum of their weights."""
    begin_names(rows - first)
    kept = first
    for i in range(first, rows):
        j = twin(i, kept)
        if j < 0:
            keep_row(i, kept)
            name_of[kept] = name_of[i]
            if OUTCOMES and weighed:
                weight[kept] = weight[i]
            kept += 1
        elif OUTCOMES and weighed:
            weight[j] += weight[i]
    return kept


def twin(i: i32, kept: i32) -> i32:
    """The place of the row kept so far that has the name of row `i`; -1 if none has, and row `i` is to be kept. Traps
    if two rows of one name have different results."""
    at = i32(name_of[i] ^ name_of[i] >> 32) & name_mask[0]
    while name_slot[at] // NAME_SLOTS == names_stamp[0]:
        j = i32(name_slot[at] & NAME_SLOTS - 1)
        if name_of[j] == name_of[i] and MAY_SHARE[move[i * WIDTH] * RULES + move[j * WIDTH]]:
            if same_result(i, j) == 0:
                trap(TWO_RESULTS)
            return j
        at = at + 1 & name_mask[0]
    name_slot[at] = names_stamp[0] * NAME_SLOTS + kept
    return -1


def try_row(i: i32) -> None:
    """Do a row in the listed state, and forget the events before it."""
    copy(s, 0, listed, 0, STATE)
    # As when the body was tried: a turn that a body sets must be told from one that it leaves.
    s[0] = UNSET
    if TELLS:
        event[0] = 0
        event[1] = 0
    perform(i)


def same_result(i: i32, k: i32) -> i32:
    """1 if two rows leave the same state."""
    copy(listed, 0, s, 0, STATE)
    try_row(i)
    if TELLS:
        copy(one_event, 0, event, 0, EVENTS)
    copy(one_result, 0, s, 0, STATE)
    try_row(k)
    same = equal(one_result, 0, s, 0, STATE)
    if TELLS:
        for j in range(event[0] * 3 + 2):
            if one_event[j] != event[j]:
                same = 0
    copy(s, 0, listed, 0, STATE)
    return same

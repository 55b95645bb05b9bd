"""The values of states that have owners, carried back in waves from the ends to the states that lead there.

A process has the states of one owner, by their local numbers. Beside its value and rank a state has the number of
successors that it waits for. A wave takes in letters from all owners, one for each successor that was settled, and
writes letters to the parents of the states that it settles.

- `settle_from`: a state is settled when all its successors are. Where all states are settled so, play must end.
- `force_from`: utilities spread one by one, the best for MAX first, down to the price of endless play, then from the
  worst up to it; a state is settled when its mover can force that utility, or cannot avoid it.

Values and ranks are those of kernels/retrograde.py.
"""

from gdl.compiler.kernels.edges import *
from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.owners import *

LONGEST = const(32766)  # the greatest rank, in plies
PENDING = const(-1)  # in the place of a value or rank: the state is not settled
GAP = const(32768)  # parents of other states, at most, that are read along between those of two states of a stretch

waited = array(i32, MOST_STATES)  # by state: the number of successors that it waits for
begins = array(i32, MOST_STATES + 1)  # by state: where its parents begin in `pool`, and before that, counts
arriving = array(i32, INBOX)  # the parents of the states in `own_number`, or the letters to these
is_fresh = array(u8, MOST_STATES)  # by state: 1 if this wave has settled it
letter_to = array(i32, INBOX)  # letters, sorted by owners: the local number of the parent,
letter = array(i32, INBOX)  # and the place of the value in the upper half, the rank in the lower
told_value = array(i16, BLOCK)  # values and ranks of a block in the common order of all states
told_rank = array(i16, BLOCK)


def take_nodes(at: i32, count: i32) -> None:
    """Read the types of `count` states, from `at` on, from `sent_node`."""
    for k in range(count):
        n = at + k
        code = sent_node[k]
        if code < 0:
            who[n] = 2
            waited[n] = 0
            value[n] = place_of[-1 - code]
            rank[n] = 0
        else:
            who[n] = code & 1
            waited[n] = code >> 1
            value[n] = PENDING
            rank[n] = PENDING


def count_parents(count: i32) -> None:
    """Count one parent each for the `count` states in `own_number`."""
    for k in range(count):
        begins[own_number[k] + 1] += 1


def add_up() -> None:
    """Turn the counts of parents into where the parents of each state begin in `pool`."""
    for n in range(i32(enumerated[STATES])):
        begins[n + 1] += begins[n]


def put_parents(count: i32) -> None:
    """Put the `count` parents in `arriving` into `pool`, each among those of the state in `own_number`."""
    for k in range(count):
        n = own_number[k]
        pool[begins[n]] = arriving[k]
        begins[n] += 1


def put_back() -> None:
    """Shift the table `begins` back by one place, after filling it has moved each entry to the next state's."""
    states = i32(enumerated[STATES])
    for k in range(states):
        begins[states - k] = begins[states - k - 1]
    begins[0] = 0


def note_fresh(n: i32, far: i32) -> None:
    """Note that a state is settled, and its distance from the end."""
    rank[n] = far
    if far > LONGEST:
        solved[UNFIT] = 1
    is_fresh[n] = 1


def list_fresh() -> None:
    """List the states that the wave has settled in `fresh`, in the order of their numbers, and clear their marks."""
    count = 0
    for n in range(i32(enumerated[STATES])):
        # In the order of their numbers, so that nothing depends on the order in which letters arrive.
        if is_fresh[n]:
            is_fresh[n] = 0
            fresh[count] = n
            count += 1
    owned[FRESH] = count
    owned[TAKEN] = 0


def next_stretch() -> None:
    """Find the next stretch of settled states whose parents lie near one another: the states `fresh[TAKEN]` up to
    AHEAD, the parents from IN up to SENDING. A state with too many parents is taken alone, some of its parents at a
    time."""
    k = i32(owned[TAKEN])
    first = i32(owned[IN]) if owned[SPILLED] else begins[fresh[k]]
    end = begins[fresh[k] + 1]
    k += 1
    # Parents are read from a file in stretches: reading a gap along with them is cheaper than another read.
    while k < owned[FRESH] and begins[fresh[k]] - end <= GAP and begins[fresh[k] + 1] - first <= INBOX:
        end = begins[fresh[k] + 1]
        k += 1
    owned[AHEAD] = k
    owned[IN] = first
    owned[SENDING] = end if end - first <= INBOX else first + INBOX


def begin_with(place: i32) -> None:
    """Settle the ends with the utility at this place; all ends if it is -1."""
    for n in range(i32(enumerated[STATES])):
        if who[n] == 2 and (place < 0 or value[n] == place):
            note_fresh(n, 0)


def unsettle() -> None:
    """Unsettle all states; but for the ends they are worth the price of endless play, until something else is
    forced."""
    for n in range(i32(enumerated[STATES])):
        rank[n] = PENDING
        if who[n] != 2:
            value[n] = i32(solved[PRICE])


def settle_from(count: i32) -> None:
    """Take in `count` letters, each the value of a successor."""
    for k in range(count):
        n = own_number[k]
        # A letter is one word: the value's place in the upper half, the rank in the lower.
        take_in(n, arriving[k] >> 16, arriving[k] & 65535, 1 if who[n] == 1 else 0)
        waited[n] -= 1
        if waited[n] == 0:
            note_fresh(n, rank[n] + 1)


def force_from(count: i32, place: i32, far: i32) -> None:
    """Take in `count` letters; each says that a successor is worth the utility at this place."""
    forcing = 1 if place > solved[PRICE] else 0
    for k in range(count):
        n = own_number[k]
        if rank[n] < 0:
            waited[n] -= 1
            # Whoever wants this utility needs one way to it; the other comes to it only when no other way is left.
            if who[n] == forcing or waited[n] == 0:
                value[n] = place
                note_fresh(n, far)


def write_letters() -> None:
    """Write letters from the settled states of the stretch to their parents, which stand in `pool`, and move on to the
    next stretch."""
    first = i32(owned[IN])
    last = i32(owned[SENDING])
    for o in range(OWNERS + 1):
        sent_from[o] = 0
    for k in range(i32(owned[TAKEN]), i32(owned[AHEAD])):
        n = fresh[k]
        end = begins[n + 1] if begins[n + 1] < last else last
        for e in range(begins[n] if begins[n] > first else first, end):
            sent_from[pool[e - first] & OWNERS - 1] += 1
    # A counting sort by owner: from how many letters each gets to where the first of each stands.
    ahead = 0
    for o in range(OWNERS):
        ahead += sent_from[o]
        sent_from[o] = ahead - sent_from[o]
    for k in range(i32(owned[TAKEN]), i32(owned[AHEAD])):
        n = fresh[k]
        # All parents get the same letter, so it is made once for each state.
        word = value[n] << 16 | rank[n]
        end = begins[n + 1] if begins[n + 1] < last else last
        for e in range(begins[n] if begins[n] > first else first, end):
            o = pool[e - first] & OWNERS - 1
            at = sent_from[o]
            sent_from[o] = at + 1
            letter_to[at] = pool[e - first] >> OWNED
            letter[at] = word
    # Filling has moved each beginning to the next owner's; move them back.
    for i in range(OWNERS):
        sent_from[OWNERS - i] = sent_from[OWNERS - i - 1]
    sent_from[0] = 0
    owned[SPILLED] = begins[fresh[i32(owned[AHEAD]) - 1] + 1] > last
    if owned[SPILLED]:
        owned[IN] = last
    else:
        owned[TAKEN] = owned[AHEAD]


def tell_values(count: i32) -> None:
    """Write the values and ranks of the `count` states in `state_name` into `told_value` and `told_rank`; `sent_from`
    has the next local number of each owner."""
    for k in range(count):
        o = state_name[k] & OWNERS - 1
        n = sent_from[o]
        sent_from[o] = n + 1
        told_value[k] = value[n]
        told_rank[k] = rank[n]

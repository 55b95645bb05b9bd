"""States that have owners: the pieces of work on a table that several workers make together.

A state belongs to one of OWNERS by the first bits of its key's hash, and has a number among those of its owner:
`local * OWNERS + owner` names it. A piece is about a block of states of one level, or about the states of one owner:

1. `expand_run` makes the successors of a block, and `deal_out` puts them in order of their owners.
2. `admit_run` numbers those of one owner, block after block; the first of equal ones that were not met before is fresh.
3. `mark` and `collect` put the fresh successors of a block, of all owners, in the order of its edges: so they have the
   same numbers among all states as if a single process had met them all.
4. `put_in_slots` lays the states of an owner out in its part of the table of numbers, with the same result as putting
   all states in, in the order of their numbers; entries that do not fit go on to the next part.
"""

from gdl.compiler.kernels.edges import *
from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.game import *

OWNED = const(4)  # first bits of a hash, which tell the owner
OWNERS = const(16)
BLOCK = const(64)  # set: states of a block
SENT = const(BLOCK * MOVES)  # edges of a block, at most
INBOX = const(65536)  # set: keys or letters that are taken in at once
ROOM = const(MOST_STATES + SENT)  # for places of fresh keys, or states that a wave has settled
# Places in `owned` (waves.py uses some of them otherwise, see next_stretch):
SENDING = const(0)  # edges of the block so far
IN = const(1)  # keys in the inbox,
TAKEN = const(2)  # and how many of them were numbered
FRESH = const(3)  # the entries of `fresh`
SIZE = const(4)  # slots of the whole table of numbers
MASK = const(5)  # the bits of a slot that hold the number
FIRST_CELL = const(6)  # the first slot of the part,
CELLS = const(7)  # how many it has,
CARRIED = const(8)  # how many entries come from the part before,
SPILLED = const(9)  # and how many go on to the next
AHEAD = const(10)  # keys of the same block that were in the inbox before

owned = array(i64, 11)
state_name = array(i32, SENT)  # by state of the block: its name, local * OWNERS + owner
node = array(i32, BLOCK)  # by state of the block: 2 * successors + (MAX moves); an end: -1 - its utility's number
made_key = array(i64, SENT * KEY)  # keys of the successors, in the order of the edges,
made_owner = array(u8, SENT)  # and their owners
sent_key = array(i64, SENT * KEY)  # the successors' keys in the order of their owners,
sent_parent = array(i32, SENT)  # the names of their parents,
sent_edge = array(i32, SENT)  # and the numbers of the edges that lead to them
sent_node = array(i32, BLOCK)  # nodes in the order of their states' owners
sent_from = array(i32, OWNERS + 1)  # where the successors of each owner begin,
nodes_from = array(i32, OWNERS + 1)  # and the nodes
inbox = array(i64, INBOX * KEY)
own_number = array(i32, INBOX)  # by key in the inbox: the local number of its state
fresh = array(i32, ROOM)  # places among the block's keys to one owner of those that were new
winner = array(i32, SENT)  # by edge: 1 + the place in sent_key, if it is the first to lead to a new state; else 0
number_in_all = array(i32, MOST_STATES)  # by local number: the number among all states
carried = array(i32, INBOX)  # entries of the table from the part before,
spilled = array(i32, INBOX)  # and those for the next


def owner_of_key() -> i32:
    """The number of the owner of the present key."""
    return i32((key_hash() >> 60) & (OWNERS - 1))


def hand_over() -> i32:
    """Add the present key to the successors that are sent to their owners. Always returns 1: the batch has one more
    key."""
    e = i32(owned[SENDING])
    copy(made_key, e * KEY, key, 0, KEY)
    made_owner[e] = owner_of_key()
    owned[SENDING] = e + 1
    return 1


def expand_run(budget: i32) -> i32:
    """Expand `budget` states of the block. Returns 1 if some are left."""
    while budget > 0:
        n = i32(enumerated[EXPANDED])
        if n == enumerated[STATES]:
            return 0
        gather(n, i32(enumerated[STATES]))
        for k in range(i32(enumerated[GATHERED])):
            rows = batch_rows[k]
            node[n + k] = -1 - end_of[k] if rows < 0 else 2 * rows + (1 if turn_of[k] == MAX else 0)
            if rows < 0:
                enumerated[ENDS] += 1
        enumerated[EXPANDED] += enumerated[GATHERED]
        budget -= i32(enumerated[GATHERED])
    return 1


def deal_out() -> None:
    """Sort the edges of the block, and its nodes, by their owners."""
    states = i32(enumerated[STATES])
    for o in range(OWNERS + 1):
        sent_from[o] = 0
        nodes_from[o] = 0
    for e in range(i32(owned[SENDING])):
        sent_from[made_owner[e]] += 1
    for n in range(states):
        nodes_from[state_name[n] & OWNERS - 1] += 1
    ahead = 0
    before = 0
    for o in range(OWNERS):
        ahead += sent_from[o]
        before += nodes_from[o]
        sent_from[o] = ahead - sent_from[o]
        nodes_from[o] = before - nodes_from[o]
    e = 0
    for n in range(states):
        o = state_name[n] & OWNERS - 1
        sent_node[nodes_from[o]] = node[n]
        nodes_from[o] += 1
        rows = node[n] >> 1 if node[n] >= 0 else 0
        for i in range(rows):
            to = i32(made_owner[e])
            at = sent_from[to]
            sent_from[to] = at + 1
            copy(sent_key, at * KEY, made_key, e * KEY, KEY)
            sent_parent[at] = state_name[n]
            sent_edge[at] = e
            e += 1
    for i in range(OWNERS):
        o = OWNERS - i
        sent_from[o] = sent_from[o - 1]
        nodes_from[o] = nodes_from[o - 1]
    sent_from[0] = 0
    nodes_from[0] = 0


def admit_run(budget: i32) -> i32:
    """Number `budget` keys of the inbox. Returns 1 if some are left."""
    while budget > 0 and owned[TAKEN] < owned[IN]:
        grow()
        taken = i32(owned[TAKEN])
        waiting = 0
        while waiting < BATCH and taken + waiting < owned[IN]:
            copy(key, 0, inbox, (taken + waiting) * KEY, KEY)
            copy(batch_key, waiting * KEY, key, 0, KEY)
            put_hash(waiting)
            waiting += 1
        enumerated[WAITING] = waiting
        touch()
        for e in range(waiting):
            next = i32(enumerated[STATES])
            found = number_of(e)
            if found < 0:
                enumerated[MORE] = 1
                return 0
            own_number[taken + e] = found
            if found == next:
                fresh[i32(owned[FRESH])] = i32(owned[AHEAD]) + taken + e
                owned[FRESH] += 1
        owned[TAKEN] += waiting
        budget -= waiting
    return owned[TAKEN] < owned[IN]


def mark(at: i32, count: i32) -> None:
    """Mark the edges of the block that lead to new states of one owner, whose edges begin at `at`; `fresh` has `count`
    of them, counted from there."""
    for k in range(count):
        winner[sent_edge[at + fresh[k]]] = 1 + at + fresh[k]


def collect() -> None:
    """Put the fresh states in the order of the edges that lead to them, and name them. `sent_from` has the next local
    number of each owner, before and after."""
    count = 0
    for e in range(i32(owned[SENDING])):
        if winner[e] != 0:
            copy(key, 0, sent_key, (winner[e] - 1) * KEY, KEY)
            copy(made_key, count * KEY, key, 0, KEY)
            o = owner_of_key()
            state_name[count] = sent_from[o] * OWNERS + o
            sent_from[o] += 1
            winner[e] = 0
            count += 1
    owned[FRESH] = count


def count_owners(at: i32, end: i32) -> None:
    """Count in `nodes_from` how many of the states from `at` up to `end` each owner has."""
    for o in range(OWNERS):
        nodes_from[o] = 0
    for k in range(at, end):
        nodes_from[state_name[k] & OWNERS - 1] += 1


def note_numbers(o: i32, at: i32, count: i32) -> None:
    """The next `count` states have the numbers `at`, `at + 1`, … among all states. Record the numbers of those that
    belong to owner `o`."""
    for k in range(count):
        if (state_name[k] & OWNERS - 1) == o:
            number_in_all[state_name[k] >> OWNED] = at + k


def put_in_slots() -> None:
    """Put the owner's states into its part of the table, in the order of their numbers among all; the entries carried
    over from the part before are merged in."""
    i = 0
    j = 0
    states = i32(enumerated[STATES])
    mask = i32(owned[MASK])
    while i < states or j < owned[CARRIED]:
        at = 0
        if j < owned[CARRIED] and (i == states or (carried[j] & mask) <= number_in_all[i]):
            entry = carried[j]
            j += 1
        else:
            key_of(i)
            h = key_hash()
            at = i32((((h >> 32) & 4294967295) * owned[SIZE] >> 32) - owned[FIRST_CELL])
            entry = (i32(h) & ~mask) | (number_in_all[i] + 1)
            i += 1
        while at < owned[CELLS] and slots[at] != 0:
            at += 1
        if at < owned[CELLS]:
            slots[at] = entry
        else:
            if owned[SPILLED] == INBOX:
                trap(1)
            spilled[i32(owned[SPILLED])] = entry
            owned[SPILLED] += 1

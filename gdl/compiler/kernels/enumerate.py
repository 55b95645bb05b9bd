"""All reachable states, breadth first, each numbered in the order of its discovery.

1. The key of the first state gets number 0. A level is all states discovered
   while the level before it was expanded.
2. The next states of the level are expanded, some at a time: the keys of their successors wait in a batch.
3. Each key of the batch is looked up in a table of numbers; one that is new gets the next number.
4. Where all states of the level have been expanded, the next level follows.

Keys of few bits have places of their own in the table, and nothing needs to be searched. Else it is open addressing
with linear probing. Beside a number it keeps some bits of the key's hash, so that nearly every other key is passed over
without a look at it. When it is four fifths full it grows: all keys are put in again. The places that a batch will look
at are read one right after the other, before they are needed: the machine then waits for many of them at once. The
memory of a module is as large as the most states need, but only pages that have been written to are real.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.joint_moves import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.recorder import batch_choice, batch_end, record_edge, record_state

MOST_STATES = const(1024)  # set: the most states
MAX_SLOTS = const(1024)  # set: slots of the table of numbers, full grown
FIRST_SLOTS = const(524288)  # slots of the first table
QUICK_SLOTS = const(2097152)  # below that a table grows fourfold, at that twofold, beyond that by a quarter
MAX_LEVELS = const(1048576)  # of a search: a play can be so many plies long
BATCH = const(128)  # keys of a batch, and those of one more state
MOST_JOINT = const(65536)  # joint moves of a position
KEYS = const(BATCH + (MOST_JOINT if AT_ONCE else MOVES))
PLAIN = const(2147483647)  # the mask of numbers (NUMBERS) where slots hold nothing else, as with DIRECT
DIRECT = const(0)  # set: whether a key is itself the number of its slot
FOLDS = const(0)  # set: whether a state is replaced by the one of its symmetric images with the least key
EXCHANGES = const(0)  # set: whether players can change parts under the symmetries
RECORDS = const(0)  # set: whether findings are recorded (recorder.pyi)
# Places in `enumerated`:
STATES = const(0)  # states numbered
EXPANDED = const(1)  # states whose successors are numbered
EDGES = const(2)  # edges from these
ENDS = const(3)  # ends among these
SLOTS = const(4)  # of the table
FILLED = const(5)  # states beyond which the table has to grow
NUMBERS = const(6)  # the mask of the bits of a slot that hold the number
LEVELS = const(7)  # levels begun
LEVEL_END = const(8)  # the first state behind this level
LAYERED = const(9)  # 1 if every edge so far leads to the next level
KEPT_FROM = const(10)  # the first state whose edges are kept; those before it have edges to the next level only
MORE = const(11)  # 1 if there are more states than there is room for; 2 if a position has too many joint moves
GATHERED = const(12)  # states expanded into the batch,
WAITING = const(13)  # and its keys that wait for numbers
BACK = const(
    14
)  # whether an edge does not lead to the next level, noted at once: Ctrl-C may stop the numbering of a batch
keys = array(i64, MOST_STATES * KEY)
slots = array(i32, MAX_SLOTS)  # 1 + a state's number, and bits of its key's hash above (see NUMBERS); 0: free
levels = array(i32, MAX_LEVELS)  # the first state of each level
enumerated = array(i64, 15)
parent = array(i32, STATE)
batch_rows = array(i32, BATCH)  # of each state in the batch: how many successors; -1 at an end
batch_key = array(i64, KEYS * KEY)
batch_slot = array(i32, 2 * KEYS)  # by key: its first slot; from KEYS on: what is in that
batch_tag = array(i32, KEYS)  # by key: the bits of its hash that its slot holds
touched = array(i64, 1)  # of no meaning; see touch()
batch_exchanged = array(u8, KEYS)  # by key: 1 if players have changed parts in the successor
side = array(u8, MOST_STATES if EXCHANGES else 1)  # by state: 2 if they have in the play that found it, else 1
found_twice = array(i32, 1)  # 1 if a state was found by two plays, from both sides


def write_key() -> None:
    """Write the key of the present state. Where symmetric states are one, the state becomes the image that stands for
    them."""
    if FOLDS:
        fold()
    else:
        pack()


def key_of(n: i32) -> None:
    """Make the key of state n the present key."""
    copy(key, 0, keys, n * KEY, KEY)


def put_hash(e: i32) -> None:
    """Note for key `e` of the batch the slot and the tag of the present key's hash."""
    h = key_hash()
    # The upper half of the hash, as a fraction of the table: any size will do, not only powers of two.
    batch_slot[e] = i32(((h >> 32) & 4294967295) * enumerated[SLOTS] >> 32)
    # The bits of a slot that its number does not need hold bits of the hash.
    batch_tag[e] = i32(h) & ~i32(enumerated[NUMBERS])


def lay_out(size: i64) -> None:
    """Empty the table, give it `size` slots, and put the keys of all states in."""
    for i in range(i32(enumerated[SLOTS])):
        slots[i] = 0
    enumerated[SLOTS] = size
    enumerated[FILLED] = size // 5 * 4
    mask: i64 = 1
    while mask <= size:
        mask = mask * 2 + 1
    enumerated[NUMBERS] = mask
    n = 0
    while n < enumerated[STATES]:
        count = 0
        while count < BATCH and n + count < enumerated[STATES]:
            key_of(n + count)
            put_hash(count)
            count += 1
        sum = 0
        for e in range(count):
            sum = sum ^ slots[batch_slot[e]]
        touched[0] = sum
        for e in range(count):
            i = batch_slot[e]
            while slots[i] != 0:
                i += 1
                if i == size:
                    i = 0
            slots[i] = batch_tag[e] | (n + e + 1)
        n += count


def put_key(e: i32) -> None:
    """Note for key `e` of the batch the slot of the present key."""
    if DIRECT:
        batch_slot[e] = i32(key[0])
    else:
        put_hash(e)


def touch() -> None:
    """Read the slots where the keys of the batch will be looked for, and the keys of the states found there: so they
    are in the cache when they are needed."""
    if DIRECT:
        return
    mask = i32(enumerated[NUMBERS])
    waiting = i32(enumerated[WAITING])
    for e in range(waiting):
        batch_slot[KEYS + e] = slots[batch_slot[e]]
    # The sum is of no use. It makes the processor read all places now, many at a time, where one read would wait for
    # the last; `touched` keeps a compiler from leaving the reads out.
    sum: i64 = 0
    for e in range(waiting):
        entry = batch_slot[KEYS + e] ^ batch_tag[e]
        found = entry - 1 if entry > 0 and entry <= mask else 0
        sum = sum ^ keys[found * KEY]
    touched[0] = sum


def number_in_place(e: i32) -> i32:
    """The number of the state with key e of the batch, if each key has a place of its own in the table."""
    at = batch_slot[e]
    if slots[at] != 0:
        return slots[at] - 1
    n = i32(enumerated[STATES])
    # The caller sees -1, and says that there are more states than there is room for.
    if n == MOST_STATES:
        return -1
    slots[at] = n + 1
    keys[n] = batch_key[e]
    enumerated[STATES] = n + 1
    return n


def number_known(e: i32) -> i32:
    """The number of the state with key `e` of the batch; -1 if it has none, and `batch_slot` has a free slot for it."""
    mask = i32(enumerated[NUMBERS])
    i = batch_slot[e]
    tag = batch_tag[e]
    while slots[i] != 0:
        # The tag cancels out if it is the same; then what is left is a number alone.
        entry = slots[i] ^ tag
        if entry & ~mask == 0:
            if equal(keys, (entry - 1) * KEY, batch_key, e * KEY, KEY):
                return entry - 1
        i += 1
        if i == enumerated[SLOTS]:
            i = 0
    batch_slot[e] = i
    return -1


def number_of(e: i32) -> i32:
    """The number of the state with key `e` of the batch. A new key gets the next number; -1 if there is no room for
    it."""
    if DIRECT:
        return number_in_place(e)
    known = number_known(e)
    n = i32(enumerated[STATES])
    if known >= 0 or n == MOST_STATES:
        return known
    slots[batch_slot[e]] = batch_tag[e] | (n + 1)
    copy(keys, n * KEY, batch_key, e * KEY, KEY)
    enumerated[STATES] = n + 1
    return n


def grow() -> None:
    """Make the table larger if the next batch might fill it."""
    if DIRECT:
        return
    size = enumerated[SLOTS]
    if enumerated[STATES] + KEYS > enumerated[FILLED] and size < MAX_SLOTS:
        # A small table grows fast, to be laid out seldom; a large one by a quarter, to waste little memory.
        size = size * 4 if size < QUICK_SLOTS else size * 2 if size == QUICK_SLOTS else size // 4 * 5
        lay_out(MAX_SLOTS if size > MAX_SLOTS else size)


def put_all() -> None:
    """Make the first table, and put the keys of all states in."""
    if not DIRECT:
        lay_out(FIRST_SLOTS)
        return
    enumerated[SLOTS] = MAX_SLOTS
    enumerated[NUMBERS] = PLAIN
    for n in range(i32(enumerated[STATES])):
        slots[i32(keys[n])] = n + 1


def note_side(e: i32, after: i32) -> None:
    """Note for successor `after`, which has key `e` of the batch, from which side it was found: whether players have
    changed parts in the play that leads there."""
    before = side[i32(enumerated[EXPANDED])]
    here = 3 - before if batch_exchanged[e] else before
    if side[after] == 0:
        side[after] = here
    elif side[after] != here:
        found_twice[0] = 1


def gather(n: i32, end: i32) -> None:
    """Expand states from n on, before `end`, as many as fit; the keys of their successors become the batch."""
    waiting = 0
    states = 0
    # The last state may bring more keys than a batch has: the arrays have room for those beyond it.
    while n < end and states < BATCH and waiting < BATCH:
        enumerated[GATHERED] = states
        key_of(n)
        unpack()
        kind = status()
        rows = -1
        if kind == TERMINAL:
            if RECORDS:
                batch_end(states)
        else:
            copy(parent, 0, s, 0, STATE)
            rows = moves()
            if AT_ONCE and s[0] == -1:
                ways = joint_ways(PLAYERS)
                if ways == 0 or ways > MOST_JOINT:
                    enumerated[MORE] = 2
                    break
                rows = i32(ways)
            if RECORDS:
                batch_choice(states, rows)
            for i in range(rows):
                if i > 0:
                    copy(s, 0, parent, 0, STATE)
                if AT_ONCE and s[0] == -1:
                    take_joint(i)
                else:
                    apply(i)
                # Before the key is made: earlier positions that are asked for later are part of the state.
                keep_past()
                write_key()
                copy(batch_key, waiting * KEY, key, 0, KEY)
                if EXCHANGES:
                    batch_exchanged[waiting] = exchanged[0]
                put_key(waiting)
                waiting += 1
        batch_rows[states] = rows
        states += 1
        n += 1
    enumerated[GATHERED] = states
    enumerated[WAITING] = waiting
    touch()


def enumerate_start() -> None:
    """Begin an enumeration: the present state is the first, and memory is new."""
    enumerated[LAYERED] = 1
    enumerated[STATES] = 1
    write_key()
    copy(keys, 0, key, 0, KEY)
    if EXCHANGES:
        side[0] = 1
    put_all()


def next_level() -> i32:
    """Move on to the next level. Returns 0 if there is none."""
    if enumerated[LEVEL_END] == enumerated[STATES]:
        return 0
    if enumerated[LEVELS] == MAX_LEVELS:
        enumerated[MORE] = 1
        return 0
    levels[i32(enumerated[LEVELS])] = i32(enumerated[LEVEL_END])
    enumerated[LEVELS] += 1
    enumerated[LEVEL_END] = enumerated[STATES]
    return 1


def number_batch() -> i32:
    """Number the successors of the states in the batch. Returns 0 if there was no room for all."""
    e = 0
    for k in range(i32(enumerated[GATHERED])):
        rows = batch_rows[k]
        if RECORDS:
            record_state(k)
        for i in range(rows):
            after = number_of(e)
            if RECORDS:
                record_edge(i, after * 2 + batch_exchanged[e] if EXCHANGES else after)
            if EXCHANGES and after >= 0:
                note_side(e, after)
            # The edge leads to a state of this level or before it, or there was no room (-1).
            if after < enumerated[LEVEL_END]:
                if after < 0:
                    return 0
                enumerated[BACK] = 1
            e += 1
        enumerated[EXPANDED] += 1
        if rows < 0:
            enumerated[ENDS] += 1
        else:
            enumerated[EDGES] += rows
    if enumerated[BACK] and enumerated[LAYERED]:
        enumerated[LAYERED] = 0
        # From here on edges are kept. Those before lead to the next level each, and can be made again when they are
        # needed.
        enumerated[KEPT_FROM] = enumerated[EXPANDED]
    return 1


def enumerate_run(budget: i32) -> i32:
    """Expand up to `budget` states. Returns 1 if more are waiting."""
    while budget > 0:
        if enumerated[EXPANDED] == enumerated[LEVEL_END]:
            if next_level() == 0:
                return 0
        grow()
        gather(i32(enumerated[EXPANDED]), i32(enumerated[LEVEL_END]))
        if number_batch() == 0:
            enumerated[MORE] = 1
        if enumerated[MORE]:
            return 0
        budget -= i32(enumerated[GATHERED])
    return 1

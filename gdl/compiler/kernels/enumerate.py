"""All reachable states in kernel Python, breadth first, each numbered in the order of its discovery.

1. The key of the first state gets number 0. A level is all states discovered while the level before it was expanded.
2. The next states of the level are expanded, some at a time: the keys of their successors wait in a batch.
3. Each key of the batch is looked up in a table of numbers; one that is new gets the next number.
4. Where all states of the level have been expanded, the next level follows.

Keys of few bits have places of their own in the table, and nothing needs to be searched. Else it is open addressing
with linear probing. Beside a number it keeps some bits of the key's hash, so that nearly every other key is passed over
without a look at it. When it is four fifths full it grows: all keys are put in again. The places that a batch will look
at are read one right after the other, before they are needed: the machine then waits for many of them at once. The
memory of a module is as large as the most states need, but only pages that have been written to are real.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

# What `enumerated` holds: how many states, expanded ones, edges and ends; the table's slots, how many states fill it,
# and the mask of the numbers in it; how many levels, and the first state behind this one; whether every edge leads to
# the next level, and the first state expanded since one did not; whether there are more states than there is room for;
# the batch's states and keys; whether an edge does not lead to the next level, noted at once: Ctrl-C may stop the
# numbering of a batch, which then begins again.
FIELDS: Final = (
    "STATES EXPANDED EDGES ENDS SLOTS FILLED NUMBERS LEVELS LEVEL_END LAYERED KEPT_FROM MORE GATHERED WAITING "
    "BACK".split()
)
STATES, EXPANDED, EDGES, ENDS, SLOTS, FILLED, NUMBERS, LEVELS, LEVEL_END, LAYERED, KEPT_FROM, MORE, GATHERED = range(13)
MOST_LEVELS: Final = 1 << 20
FIRST_SLOTS: Final = 1 << 19
FEWEST_SLOTS: Final = 1 << 10
QUICK: Final = 1 << 21  # slots up to which a table grows four times its size, then twice, beyond that by a quarter
BATCH: Final = 128  # keys of a batch, or a few more
DIRECT: Final = 24  # bits of keys that have places of their own
PLAIN: Final = (1 << 31) - 1  # the mask where numbers stand alone, each in the place of its key

_SEARCH = '''
{constants}
PLAIN = const({plain})
keys = array(i64, {most} * KEY)
slots = array(i32, {slots})
levels = array(i32, {levels})  # the first state of each level
enumerated = array(i64, {fields})
parent = array(i32, STATE)
batch_rows = array(i32, BATCH)  # of each state in the batch: how many successors; -1 at an end
batch_key = array(i64, (BATCH + MOVES) * KEY)
batch_slot = array(i32, 2 * (BATCH + MOVES))  # where to look first, then what is there
batch_tag = array(i32, BATCH + MOVES)
touched = array(i64, 1)


def key_of(n: i32) -> None:
    """Take the key of a state."""
{take}


{table}def gather(n: i32, end: i32) -> None:
    """Expand states from there on, as many as fit; the keys of their successors are the batch."""
    waiting = 0
    states = 0
    while n < end and states < BATCH and waiting < BATCH:
        enumerated[GATHERED] = states
        key_of(n)
        unpack()
        kind = status()
        rows = -1
        if kind == 3:
            batch_end(states)
        else:
            copy(parent, 0, s, 0, STATE)
            rows = moves()
            batch_choice(states, rows)
            for i in range(rows):
                if i > 0:
                    copy(s, 0, parent, 0, STATE)
                apply(i)
                keep_past()
                {key}()
{keep}{note_exchanged}
                waiting += put_key(waiting)
        batch_rows[states] = rows
        states += 1
        n += 1
    enumerated[GATHERED] = states
    enumerated[WAITING] = waiting
    touch()


def enumerate_start() -> None:
    """The state is the first; memory is new."""
    enumerated[LAYERED] = 1
    enumerated[STATES] = 1
    {key}()
{first}{first_side}
    put_all()


def next_level() -> i32:
    """Go on to the next level; 0 where there is none."""
    if enumerated[LEVEL_END] == enumerated[STATES]:
        return 0
    if enumerated[LEVELS] == {levels}:
        enumerated[MORE] = 1
        return 0
    levels[i32(enumerated[LEVELS])] = i32(enumerated[LEVEL_END])
    enumerated[LEVELS] += 1
    enumerated[LEVEL_END] = enumerated[STATES]
    return 1


def number_batch() -> i32:
    """Number the successors of the states in the batch; whether there was room."""
    e = 0
    for k in range(i32(enumerated[GATHERED])):
        rows = batch_rows[k]
        record_state(k)
        for i in range(rows):
            after = number_of(e)
            record_edge(i, {edge}){note_side}
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
        enumerated[KEPT_FROM] = enumerated[EXPANDED]
    return 1


def enumerate_run(budget: i32) -> i32:
    """Go on for so many states; 1 where some are left."""
    while budget > 0:
        if enumerated[EXPANDED] == enumerated[LEVEL_END]:
            if next_level() == 0:
                return 0
        grow()
        gather(i32(enumerated[EXPANDED]), i32(enumerated[LEVEL_END]))
        if number_batch() == 0:
            enumerated[MORE] = 1
            return 0
        budget -= i32(enumerated[GATHERED])
    return 1
'''

_TABLE = '''def put_hash(e: i32) -> None:
    """Note where the key that is there is to be looked for."""
    h = key_hash()
    batch_slot[e] = i32(((h >> 32) & 4294967295) * enumerated[SLOTS] >> 32)
    batch_tag[e] = i32(h) & ~i32(enumerated[NUMBERS])


def lay_out(size: i64) -> None:
    """Make the table one of that size, and put all keys in."""
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


'''

PUT_KEY: Final = '''def put_key(e: i32) -> i32:
    """Note where the key that is there is to be looked for; how many keys the batch has more."""
    put_hash(e)
    return 1


'''

_SEARCHED = '''def touch() -> None:
    """Read the places where the keys of the batch will be looked for, and what is found there."""
    mask = i32(enumerated[NUMBERS])
    waiting = i32(enumerated[WAITING])
    for e in range(waiting):
        batch_slot[BATCH + MOVES + e] = slots[batch_slot[e]]
    sum: i64 = 0
    for e in range(waiting):
        entry = batch_slot[BATCH + MOVES + e] ^ batch_tag[e]
        found = entry - 1 if entry > 0 and entry <= mask else 0
        sum = sum ^ keys[{first_word}]
    touched[0] = sum


def number_of(e: i32) -> i32:
    """The number of a key of the batch; a new one gets the next, or -1 where there is no room."""
    mask = i32(enumerated[NUMBERS])
    i = batch_slot[e]
    tag = batch_tag[e]
    while slots[i] != 0:
        entry = slots[i] ^ tag
        if entry & ~mask == 0:
            found = entry - 1
            if {same}:
                return found
        i += 1
        if i == enumerated[SLOTS]:
            i = 0
    n = i32(enumerated[STATES])
    if n == {most}:
        return -1
    slots[i] = tag | (n + 1)
{put}
    enumerated[STATES] = n + 1
    return n


def grow() -> None:
    """Make room for a batch."""
    size = enumerated[SLOTS]
    if enumerated[STATES] + BATCH + MOVES > enumerated[FILLED] and size < {slots}:
        size = size * 4 if size < {quick} else size * 2 if size == {quick} else size // 4 * 5
        lay_out({slots} if size > {slots} else size)


def put_all() -> None:
    """Put all keys in the first table."""
    lay_out({first_slots})


'''

_DIRECT = '''def put_key(e: i32) -> i32:
    """Note the place of the key that is there."""
    batch_slot[e] = i32(key[0])
    return 1


def touch() -> None:
    """Nothing is gained by reading ahead."""
    return


def number_of(e: i32) -> i32:
    """The number of a key of the batch; a new one gets the next, or -1 where there is no room."""
    at = batch_slot[e]
    if slots[at] != 0:
        return slots[at] - 1
    n = i32(enumerated[STATES])
    if n == {most}:
        return -1
    slots[at] = n + 1
    keys[n] = batch_key[e]
    enumerated[STATES] = n + 1
    return n


def grow() -> None:
    """There is room for every key."""
    return


def put_all() -> None:
    """Put all keys in their places."""
    enumerated[SLOTS] = {slots}
    enumerated[NUMBERS] = PLAIN
    for n in range(i32(enumerated[STATES])):
        slots[i32(keys[n])] = n + 1


'''

NOTHING_KEPT = f'''
BATCH = const({BATCH})

def batch_end(k: i32) -> None:
    """A state of the batch is an end."""
    return


def batch_choice(k: i32, rows: i32) -> None:
    """In a state of the batch something can be done."""
    return


def record_state(k: i32) -> None:
    """A state of the batch is the next whose edges are known."""
    return


def record_edge(i: i32, after: i32) -> None:
    """Its next edge leads to that state; where players can change parts, it is twice that, and 1 if they do."""
    return
'''


_SIDES = '''

batch_exchanged = array(u8, BATCH + MOVES)  # whether players have changed parts in a successor
side = array(u8, {most})  # whether they have in the play that found the state: 1 no, 2 yes
joined = array(i32, 1)  # whether another play has found a state from the other side


def note_side(e: i32, after: i32) -> None:
    """A successor in the batch of the state that is being expanded has this number."""
    before = side[i32(enumerated[EXPANDED])]
    here = 3 - before if batch_exchanged[e] else before
    if side[after] == 0:
        side[after] = here
    elif side[after] != here:
        joined[0] = 1
'''
_NOTE_EXCHANGED = """
                batch_exchanged[waiting] = exchanged[0]"""
_NOTE_SIDE = """
            if after >= 0:
                note_side(e, after)"""
_FIRST_SIDE = """
    side[0] = 1"""


def slots_for(most: int, direct: int = 0) -> int:
    """The slots of a table of at most so many states; `direct`: the bits of a key, where each key has a place."""
    return FEWEST_SLOTS + (3 << direct) // 2 if direct else max(FIRST_SLOTS, most * 3 // 2 + (1 << 17))


def bytes_for(words: int, most: int, direct: int = 0) -> int:
    """The memory for at most so many states with keys of so many words."""
    return 8 * words * most + 4 * slots_for(most, direct)


def most_in(memory: int, words: int, further: int, direct: int = 0) -> int:
    """How many states, with keys of so many words and so many bytes for whatever else, have room in some memory."""
    if direct:
        return min(1 << direct, (memory - bytes_for(words, 0, direct)) // (8 * words + further))
    each = bytes_for(words, 1 << 20) / (1 << 20) + further
    return min(int(memory / each), (1 << 29) // words)


def place(words: int) -> Callable[[str, int], str]:
    """Where a word of a state's key is, by the state's name and the number of the word."""
    return lambda name, k: name if words == 1 else f"{name} * {words} + {k}"


def kernel(
    words: int,
    most: int,
    kept: str = NOTHING_KEPT,
    key: str = "pack",
    exchanges: bool = False,
    direct: int = 0,
    put_key: str = PUT_KEY,
) -> str:
    """The enumeration of at most so many states, whose keys have so many words. `kept`: the functions that note what
    is found on the way; `key`: the function that writes the key of a state, and may change it for one as good, and
    `exchanges`, whether players can change parts then; `direct`: the bits of a key, where each key has a place in the
    table; `put_key`: the function that puts a key into the batch."""

    at = place(words)

    def each(line: str, name: str = "", depth: int = 1) -> str:
        """The line for each word of a key."""
        return "\n".join("    " * depth + line.format(k=k, at=at(name, k), e=at("e", k)) for k in range(words))

    sides = _SIDES.format(most=most) if exchanges else ""
    slots = slots_for(most, direct)
    table = (_TABLE + (_DIRECT if direct else put_key + _SEARCHED)).format(
        most=most, slots=slots, first_slots=FIRST_SLOTS, quick=QUICK, put=each("keys[{at}] = batch_key[{e}]", "n"),
        same=" and ".join(f"keys[{at('found', k)}] == batch_key[{at('e', k)}]" for k in range(words)),
        first_word=at("found", 0),
    )  # fmt: skip
    return kept + _SEARCH.format(
        constants="\n".join(f"{name} = const({k})" for k, name in enumerate(FIELDS)), fields=len(FIELDS), plain=PLAIN,
        most=most, slots=slots, levels=MOST_LEVELS, table=table,
        take=each("key[{k}] = keys[{at}]", "n"), first=each("keys[{k}] = key[{k}]"),
        keep=each("batch_key[{at}] = key[{k}]", "waiting", 4), key=key,
        edge="after * 2 + batch_exchanged[e]" if exchanges else "after",
        note_exchanged=_NOTE_EXCHANGED if exchanges else "", note_side=_NOTE_SIDE if exchanges else "",
        first_side=_FIRST_SIDE if exchanges else "",
    ) + sides  # fmt: skip

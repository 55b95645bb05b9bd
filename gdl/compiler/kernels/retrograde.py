"""Retrograde analysis in kernel Python: what every state is worth without chance, and how far the end is.

It is joined with the enumeration (kernels/enumerate.py), which it has note the ends' utilities for MAX. Utilities are
told by their places in a list in order, the price of endless play among them.

- Where every edge leads to the next level, nothing else is kept: the levels are swept from the last to the first, each
  state's successors made once more and looked up.
- Else, from the first state on that such an edge has been seen at, all edges are kept while states are numbered; those
  of the states before it are made again. The edges are turned round, and the ends' utilities spread backwards from the
  best for MAX down to the price, then from the worst up to it (the steps are those of solvers/attractor.py).

A state's rank is the number of plies to the end when the one who forces it hurries and the other delays.

Where symmetric states are one, and players can change parts in them, a state stands for two positions: one in which MAX
plays the part that the state gives to MAX, and one in which MAX plays the other. They are numbered 2 * state and
2 * state + 1, and an edge says whether players change parts on it. Values and ranks are those of positions.
"""

from __future__ import annotations

from typing import Final

from gdl.compiler.kernels import chance, components
from gdl.compiler.kernels import enumerate as enumeration

# What `solved` holds: how many different utilities, whether they do not fit or their sums differ, and the sum;
# where the parts of `pool` begin behind each state's first edge: the edges, each
# state's first parent, the parents, the queue, the numbers of children that are waited for; the price's place; the next
# state, and the first and last of what is worked on; the utility that spreads.
FIELDS: Final = "UTILITIES UNFIT UNEVEN TOTAL EDGE PARENTS SOURCE QUEUE WAITED PRICE AT FIRST LAST SPREADING".split()
PLACE: Final = {name: k for k, name in enumerate(FIELDS)}
MOST_UTILITIES: Final = 1 << 15
MOST_RANK: Final = (1 << 15) - 2

_KEPT = '''

MAX = const({maximiser})
solved = array(i64, {fields})
utility = array(i64, {utilities})  # in the order of being met; of ends, for MAX
utility_slot = array(i32, 2 * {utilities})
place_of = array(i16, {utilities})  # where each stands among all, from the least up
place_of_other = array(i16, {utilities})  # and where the other player's does
end_of = array(i32, BATCH)  # of each state in the batch that is an end: which utility
turn_of = array(i32, BATCH)  # of each other state in the batch
who = array(u8, {most})  # MAX 1, MIN 0; 2 at an end, 3 chance
value = array(i16, {positions})
rank = array(i16, {positions})  # -1 where nobody forces an end
pool = array(i32, {pool})


def batch_end(k: i32) -> None:
    """Note the utility of a state of the batch that is an end."""
    u: i64 = util[MAX]
    total: i64 = 0
    for p in range(PLAYERS):
        total += util[p]
    if solved[UTILITIES] == 0:
        solved[TOTAL] = total
    elif total != solved[TOTAL]:
        solved[UNEVEN] = 1
    i = i32(wrap64(u * -7046029254386353131) >> 40 & {utilities} * 2 - 1)
    while utility_slot[i] != 0:
        if utility[utility_slot[i] - 1] == u:
            end_of[k] = utility_slot[i] - 1
            return
        i = i + 1 & {utilities} * 2 - 1
    n = i32(solved[UTILITIES])
    end_of[k] = 0
    if n == {utilities} - 1:
        solved[UNFIT] = 1
        return
    utility[n] = u
    utility_slot[i] = n + 1
    solved[UTILITIES] = n + 1
    end_of[k] = n


{choice}def record_state(k: i32) -> None:
    """Where edges are kept, keep what is known of the next state."""
    if {keeps}:
        keep_state(i32(enumerated[EXPANDED]), k, i32(enumerated[EDGES]))


def keep_state(n: i32, k: i32, edges: i32) -> None:
    """Keep who moves at a state, or how it ends, and where its edges begin."""
    pool[n] = edges
    who[n] = 1 if turn_of[k] == MAX else 0
{chance}    if batch_rows[k] < 0:
        who[n] = 2
        {value} = end_of[k]


def record_edge(i: i32, after: i32) -> None:
    """Where edges are kept, keep one."""
    if {keeps}:
        if solved[EDGE] + enumerated[EDGES] + i < {pool}:
            pool[i32(solved[EDGE] + enumerated[EDGES]) + i] = after
'''

_SOLVE = '''

def sweep_run(budget: i32) -> i32:
    """Settle so many states of the levels, from the last level to the first; 1 where some are left. Each batch is of
    one level, so what follows its states is settled."""
    while budget > 0:
        n = i32(solved[AT])
        if n == solved[LAST]:
            level = i32(solved[FIRST]) - 1
            if level < 0:
                return 0
            solved[FIRST] = level
            solved[LAST] = enumerated[STATES] if level + 1 == enumerated[LEVELS] else levels[level + 1]
            n = levels[level]
        gather(n, i32(solved[LAST]))
        e = 0
        for k in range(i32(enumerated[GATHERED])):
            if batch_rows[k] < 0:
                {settle_end}
            else:
                {settle}
                e += batch_rows[k]
            n += 1
        solved[AT] = n
        budget -= i32(enumerated[GATHERED])
    return 1


def settle(n: i32, mine: i32, e: i32, rows: i32) -> None:
    """The value and rank of a state whose successors have theirs."""
    best = -1
    far = 0
    for i in range(rows):
        after = {child}
        v = value[after]
        if best < 0 or (v > best if mine else v < best):
            best = v
            far = rank[after]
        elif v == best:
            if (best > solved[PRICE]) == mine:
                far = rank[after] if rank[after] < far else far
            else:
                far = rank[after] if rank[after] > far else far
    value[n] = best
    rank[n] = far + 1


def again_run(budget: i32) -> i32:
    """Make the edges of the first states once more, of so many; 1 where some are left."""
    while budget > 0:
        n = i32(solved[AT])
        if n == enumerated[KEPT_FROM]:
            return 0
        gather(n, i32(enumerated[KEPT_FROM]))
        e = 0
        edges = i32(solved[LAST])
        for k in range(i32(enumerated[GATHERED])):
            keep_state(n, k, edges)
            rows = batch_rows[k]
            for i in range(rows):
                pool[i32(solved[EDGE]) + edges] = {edge}
                edges += 1
                e += 1
            n += 1
        solved[LAST] = edges
        solved[AT] = n
        budget -= i32(enumerated[GATHERED])
    return 1


def turn_round() -> None:
    """Make the list of each state's parents: count them, add up, put each in its place."""
    n = i32(enumerated[STATES])
    edges = i32(enumerated[EDGES])
    edge = i32(solved[EDGE])
    parents = i32(solved[PARENTS])
    source = i32(solved[SOURCE])
    pool[n] = edges
    for k in range(n + 1):
        pool[parents + k] = 0
    for e in range(edges):
        pool[parents + {target} + 1] += 1
    for k in range(n):
        pool[parents + k + 1] += pool[parents + k]
    for k in range(n):
        for e in range(pool[k], pool[k + 1]):
            after = {target}
            pool[source + pool[parents + after]] = {back}
            pool[parents + after] += 1
    for k in range(n):
        pool[parents + n - k] = pool[parents + n - k - 1]
    pool[parents] = 0


def place_ends() -> None:
    """Ends are told by the places of their utilities from now on."""
    for n in range(i32(enumerated[STATES])):
        if who[n] == 2:
            {place_end}


def reset() -> None:
    """No state is settled: every child is waited for."""
    for n in range({all}):
        rank[n] = -1
        if who[{n}] != 2:
            value[n] = i32(solved[PRICE])
        pool[i32(solved[WAITED]) + n] = pool[{n} + 1] - pool[{n}]


def spread_from(place: i32) -> None:
    """Begin with the ends of one utility."""
    queue = i32(solved[QUEUE])
    last = 0
    for n in range({all}):
        if who[{n}] == 2 and value[n] == place:
            rank[n] = 0
            pool[queue + last] = n
            last += 1
    solved[SPREADING] = place
    solved[FIRST] = 0
    solved[LAST] = last


def spread_run(budget: i32) -> i32:
    """Take so many states from the queue; 1 where some are left."""
    queue = i32(solved[QUEUE])
    parents = i32(solved[PARENTS])
    source = i32(solved[SOURCE])
    waiting = i32(solved[WAITED])
    place = i32(solved[SPREADING])
    forcing = 1 if place > solved[PRICE] else 0
    first = i32(solved[FIRST])
    last = i32(solved[LAST])
    while budget > 0 and first < last:
        n = pool[queue + first]
        first += 1
        far = rank[n] + 1
        for e in range(pool[parents + {n}], pool[parents + {n} + 1]):
            k = pool[source + e]{turned}
            if rank[k] < 0:
                pool[waiting + k] -= 1
                if {mover} == forcing or pool[waiting + k] == 0:
                    value[k] = place
                    rank[k] = far
                    pool[queue + last] = k
                    last += 1
        if far > {most_rank}:
            solved[UNFIT] = 1
            first = last
        budget -= 1
    solved[FIRST] = first
    solved[LAST] = last
    return first < last


def ends_run(budget: i32) -> i32:
    """Whether play must end: take away states all of whose successors are taken away; 1 where some are left. `FIRST`
    of them are found in the end."""
    queue = i32(solved[QUEUE])
    parents = i32(solved[PARENTS])
    source = i32(solved[SOURCE])
    waiting = i32(solved[WAITED])
    first = i32(solved[FIRST])
    last = i32(solved[LAST])
    while budget > 0 and first < last:
        n = pool[queue + first]
        first += 1
        for e in range(pool[parents + {n}], pool[parents + {n} + 1]):
            k = pool[source + e]{turned}
            pool[waiting + k] -= 1
            if pool[waiting + k] == 0:
                pool[queue + last] = k
                last += 1
        budget -= 1
    solved[FIRST] = first
    solved[LAST] = last
    return first < last


def ends_start() -> None:
    """Begin with the ends."""
    reset()
    last = 0
    for n in range({all}):
        if who[{n}] == 2:
            pool[i32(solved[QUEUE]) + last] = n
            last += 1
    solved[FIRST] = 0
    solved[LAST] = last
'''

_STATES = {  # each is a position
    "all": "i32(enumerated[STATES])",
    "n": "n",
    "mover": "who[k]",
    "turned": "",
    "edge": "number_of(e)",
    "target": "pool[edge + e]",
    "back": "k",
    "child": "number_of(e + i)",
    "settle": "settle(n, turn_of[k] == MAX, e, batch_rows[k])",
    "settle_end": "value[n] = place_of[end_of[k]]\n                rank[n] = 0",
    "place_end": "value[n] = place_of[value[n]]",
}
_PAIRS = {  # each is two positions
    "all": "2 * i32(enumerated[STATES])",
    "n": "(n >> 1)",
    "mover": "who[k >> 1] ^ k & 1",
    "turned": " ^ n & 1",
    "edge": "number_of(e) * 2 + batch_exchanged[e]",
    "target": "(pool[edge + e] >> 1)",
    "back": "2 * k + (pool[edge + e] & 1)",
    "child": "batch_after[e + i] ^ n & 1",
    "settle": "settle_pair(n, turn_of[k] == MAX, e, batch_rows[k])",
    "settle_end": "end_pair(n, end_of[k])",
    "place_end": "end_pair(n, value[2 * n])",
}
_PAIR = '''

batch_after = array(i32, BATCH + MOVES)  # where the edges of the batch lead


def settle_pair(n: i32, mine: i32, e: i32, rows: i32) -> None:
    """The values and ranks of a state's two positions."""
    for i in range(e, e + rows):
        batch_after[i] = number_of(i) * 2 + batch_exchanged[i]
    settle(2 * n, mine, e, rows)
    settle(2 * n + 1, 1 - mine, e, rows)


def end_pair(n: i32, u: i32) -> None:
    """Those of an end with one of the utilities."""
    value[2 * n] = place_of[u]
    value[2 * n + 1] = place_of_other[u]
    rank[2 * n] = 0
    rank[2 * n + 1] = 0
'''

_FIND = '''

def find() -> i32:
    """The number of the state that is there; -1 where it has none."""
    {key}()
    if enumerated[NUMBERS] == PLAIN:
        return slots[i32(key[0])] - 1
    put_hash(0)
    i = batch_slot[0]
    while slots[i] != 0:
        entry = slots[i] ^ batch_tag[0]
        if entry & ~i32(enumerated[NUMBERS]) == 0:
            found = entry - 1
            if {same}:
                return found
        i += 1
        if i == enumerated[SLOTS]:
            i = 0
    return -1
'''
ENTRIES: Final = "sweep_run again_run turn_round place_ends reset spread_from spread_run ends_start ends_run".split()
ALWAYS: Final = ["find", "key_hash", "lay_out", "put_all"]

_CHOICE = '''
def batch_choice(k: i32, rows: i32) -> None:
    """Note who moves at a state of the batch."""
    turn_of[k] = s[0]


'''
_CHANCE_STATE = """    if turn_of[k] <= -3:
        who[n] = 3
        value[n] = pattern_of[k]
"""


def further_bytes(has_chance: bool, pairs: bool = False) -> int:
    """The memory for each state beside its key, its number and its edges; `pairs`: it stands for two positions."""
    return (89 if pairs else 65) if has_chance else 9 if pairs else 5


def kernel(
    words: int,
    most: int,
    maximiser: int,
    pool: int,
    has_chance: bool,
    key: str = "pack",
    direct: int = 0,
    pairs: bool = False,
) -> str:
    """The analysis of at most so many states, whose keys have so many words; `pool` numbers for the edges. `key` is
    the function that writes the key of a state; `direct` as in the enumeration; `pairs`: players can change parts."""
    places = PLACE | (components.PLACE if has_chance else {})
    names = "\n".join(f"{name} = const({k})" for name, k in places.items())
    names += "".join(f"\nR_{name} = const({k})" for k, name in enumerate(chance.REALS if has_chance else []))
    sizes = {"patterns": chance.MOST_PATTERNS, "weights": chance.MOST_WEIGHTS, "fields": len(components.FIELDS)}
    two_values = pairs and not has_chance
    kept = _KEPT.format(
        maximiser=maximiser, fields=len(FIELDS), utilities=MOST_UTILITIES, most=most, pool=pool,
        choice=chance.KEPT.format(**sizes) if has_chance else _CHOICE, chance=_CHANCE_STATE if has_chance else "",
        keeps="1" if has_chance else "enumerated[LAYERED] == 0",
        positions=2 * most if two_values else most, value="value[2 * n]" if two_values else "value[n]",
    )  # fmt: skip
    at = enumeration.place(words)
    same = " and ".join(f"keys[{at('found', k)}] == key[{k}]" for k in range(words))
    if has_chance:
        solve = chance.solve(most, pairs)
    else:
        solve = _SOLVE.format(most_rank=MOST_RANK, **(_PAIRS if pairs else _STATES)) + (_PAIR if pairs else "")
    search = enumeration.kernel(words, most, kept, key, exchanges=pairs, direct=direct)
    return f"BATCH = const({enumeration.BATCH})\n{names}{search}{solve}{_FIND.format(same=same, key=key)}"

"""Retrograde analysis without chance: the value of every state, and its distance to the end under best play.

It is joined with the enumeration (kernels/enumerate.py), and records the ends' utilities for MAX (kernels/edges.py).
Utilities are given by their places in the sorted list of all, the price of endless play among them.

- Where every edge leads to the next level, nothing else is kept: the levels are swept from the last to the first, each
  state's successors made once more and looked up.
- Else, from the first state on that such an edge has been seen at, all edges are kept while states are numbered; those
  of the states before it are made again. The edges are turned round, and the ends' utilities spread backwards from the
  best for MAX down to the price, then from the worst up to it (the steps are those of solvers/cyclic/attractor.py).

A state's rank is the number of plies to the end when the one who forces it hurries and the other delays.

Where symmetric states are one, and players can change parts in them, a state stands for two positions: one in which MAX
plays the part that the state gives to MAX, and one in which MAX plays the other. They are numbered 2 * state and
2 * state + 1, and an edge says whether players change parts on it. Values and ranks are those of positions.
"""

from gdl.compiler.kernels.edges import *
from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.game import *

MAX_RANK = const(32766)  # the greatest distance in plies
batch_after = array(i32, BATCH + MOVES)  # by key of the batch, where players can change parts: edge_of() it


def positions() -> i32:
    """The number of positions: two for each state if players can change parts."""
    return i32(enumerated[STATES]) << EXCHANGES


def edge_of(e: i32) -> i32:
    """The edge to key `e` of the batch: the state's number or, where players can change parts, twice that, plus 1 if
    they do."""
    return number_of(e) * 2 + batch_exchanged[e] if EXCHANGES else number_of(e)


def sweep_run(budget: i32) -> i32:
    """Settle up to `budget` states, level by level from the last to the first. Returns 1 if states are left. A batch
    has states of one level only, so that their successors are settled."""
    while budget > 0:
        n = i32(solved[AT])
        if n == solved[LAST]:
            level = i32(solved[FIRST]) - 1
            if level < 0:
                return 0
            solved[FIRST] = level
            solved[LAST] = enumerated[STATES] if level + 1 == enumerated[LEVELS] else levels[level + 1]
            n = levels[level]
        # Keeping the edges would take most of the memory; making them once more takes time alone.
        gather(n, i32(solved[LAST]))
        e = 0
        for k in range(i32(enumerated[GATHERED])):
            if batch_rows[k] < 0:
                settle_end(n, end_of[k])
            else:
                settle_state(n, turn_of[k] == MAX, e, batch_rows[k])
                e += batch_rows[k]
            n += 1
        solved[AT] = n
        budget -= i32(enumerated[GATHERED])
    return 1


def settle_state(n: i32, mine: i32, e: i32, rows: i32) -> None:
    """Settle the positions of state n, which has `rows` successors from `e` on in the batch. `mine`: 1 if MAX moves in
    it."""
    if EXCHANGES:
        for i in range(e, e + rows):
            batch_after[i] = edge_of(i)
        # In the second position of a state the parts are changed, and so is who wants the most.
        settle(2 * n, mine, e, rows)
        settle(2 * n + 1, 1 - mine, e, rows)
    else:
        settle(n, mine, e, rows)


def settle_end(n: i32, u: i32) -> None:
    """Settle the positions of end n, which pays the utility with number `u`."""
    value[n << EXCHANGES] = place_of[u]
    rank[n << EXCHANGES] = 0
    if EXCHANGES:
        value[2 * n + 1] = place_of_other[u]
        rank[2 * n + 1] = 0


def settle(n: i32, mine: i32, e: i32, rows: i32) -> None:
    """Settle position n, whose `rows` successors, from `e` on in the batch, are settled. `mine`: 1 if MAX moves in
    it."""
    # No value yet: the first successor is taken in any case.
    value[n] = -1
    for i in range(rows):
        # The last bits add up: parts changed in this position and on the edge are the parts as they were.
        after = batch_after[e + i] ^ n & 1 if EXCHANGES else number_of(e + i)
        take_in(n, value[after], rank[after], mine)
    rank[n] += 1


def again_run(budget: i32) -> i32:
    """Make the edges of the next `budget` of those states whose edges were not kept. Returns 1 if some are left."""
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
                pool[i32(solved[EDGE]) + edges] = edge_of(e)
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
    # One more entry, so that the edges of the last state end somewhere.
    pool[n] = edges
    for k in range(n + 1):
        pool[parents + k] = 0
    for e in range(edges):
        pool[parents + (pool[edge + e] >> EXCHANGES) + 1] += 1
    for k in range(n):
        pool[parents + k + 1] += pool[parents + k]
    for k in range(n):
        for e in range(pool[k], pool[k + 1]):
            after = pool[edge + e] >> EXCHANGES
            pool[source + pool[parents + after]] = (k << EXCHANGES) + (pool[edge + e] & EXCHANGES)
            # The list's beginnings serve as the places of the next entries, and end up one state too far; the last loop
            # moves them back.
            pool[parents + after] += 1
    for k in range(n):
        pool[parents + n - k] = pool[parents + n - k - 1]
    pool[parents] = 0


def place_ends() -> None:
    """Replace the utility of every end by its place in the list."""
    for n in range(i32(enumerated[STATES])):
        if who[n] == 2:
            settle_end(n, value[n << EXCHANGES])


def reset() -> None:
    """Unsettle all positions but the ends: each waits for all of its children."""
    for n in range(positions()):
        rank[n] = -1
        if who[n >> EXCHANGES] != 2:
            # Whatever is never reached by a spread is endless play, and worth its price.
            value[n] = i32(solved[PRICE])
        pool[i32(solved[WAITED]) + n] = pool[(n >> EXCHANGES) + 1] - pool[n >> EXCHANGES]


def spread_from(place: i32) -> None:
    """Put the ends with the utility at this place into the queue; all ends if the place is negative."""
    queue = i32(solved[QUEUE])
    last = 0
    for n in range(positions()):
        if who[n >> EXCHANGES] == 2 and (place < 0 or value[n] == place):
            rank[n] = 0
            pool[queue + last] = n
            last += 1
    solved[SPREADING] = place
    solved[FIRST] = 0
    solved[LAST] = last


def spread_run(budget: i32) -> i32:
    """Take up to `budget` states from the queue. Returns 1 if states are left. A spread that began with all ends is
    forced by nobody; it finds the states from which play must end, and `FIRST` counts them."""
    queue = i32(solved[QUEUE])
    parents = i32(solved[PARENTS])
    source = i32(solved[SOURCE])
    waiting = i32(solved[WAITED])
    place = i32(solved[SPREADING])
    forcing = 2 if place < 0 else 1 if place > solved[PRICE] else 0
    first = i32(solved[FIRST])
    last = i32(solved[LAST])
    while budget > 0 and first < last:
        n = pool[queue + first]
        first += 1
        # Where nobody forces, there is no distance.
        far = rank[n] + 1 if place >= 0 else 0
        for e in range(pool[parents + (n >> EXCHANGES)], pool[parents + (n >> EXCHANGES) + 1]):
            # The last bit says which part MAX plays. It changes on the edge if players change parts there.
            k = pool[source + e] ^ n & EXCHANGES
            if rank[k] < 0:
                pool[waiting + k] -= 1
                # The one who wants this utility needs one way to it; the other comes to it only when every way leads
                # there.
                if who[k >> EXCHANGES] ^ k & EXCHANGES == forcing or pool[waiting + k] == 0:
                    value[k] = place
                    rank[k] = far
                    pool[queue + last] = k
                    last += 1
        # The rank would not fit into 16 bits: the search ends, and says that plays are too long.
        if far > MAX_RANK:
            solved[UNFIT] = 1
            first = last
        budget -= 1
    solved[FIRST] = first
    solved[LAST] = last
    return first < last

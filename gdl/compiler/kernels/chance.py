"""Values of zero-sum games of chance in kernel Python: bounds from both sides, component by component.

It is joined with the enumeration and works on the edges kept there (kernels/retrograde.py).

1. Tarjan's components, those that lead nowhere else first.
2. A state that play never comes back to takes the best, or the average, of its successors.
3. In any other component: can the players make play stay there for ever? States are crossed off that chance may leave,
   and those whose mover can only go to such; play can stay where some are left.
4. If not, the values are the one solution of their equations. Sweeps of value iteration come close to it; then bounds a
   little below and above are swept until no upper bound is above, and no lower bound below, where it began: the proof
   that the values lie between. If that fails for good, or play could stay, the bounds begin where nothing in the
   component can pass them.
5. Bounds are swept until they meet, rounded outwards.

Sources: Tarjan 1972; Haddad and Monmege 2018 (bounds from both sides); Hartmanns and Kaminski, Optimistic value
iteration, CAV 2020 (bounds by guessing and proving).
"""

from __future__ import annotations

from typing import Final

MOST_PATTERNS: Final = 1 << 15
MOST_WEIGHTS: Final = 1 << 18
# What `play` holds: patterns and their weights; where the parts of `pool` begin (numbers by Tarjan, later places in the
# order of components; lowest number reached, next edge, how many states were open when one was met, path, open states,
# the order, first of each component, kinds, first edges and edges in that order); lengths of path and open states,
# states placed, components, the counter; the component that is worked on, its phase and sweeps; whether play could stay
# somewhere.
FIELDS: Final = (
    "PATTERNS WEIGHTS NUMBER LOW NEXT MET PATH STACK ORDER COMPONENT KIND FIRST AFTER DEPTH OPEN PLACED COMPONENTS "
    "COUNTER AT PHASE SWEEPS ENDLESS"
).split()
# What `reals` holds: the price of endless play, the greatest utility, how near bounds are to come; the rounding errors
# of a product of that size, and of one of size 1; how far around a guess bounds begin, and how
# little a guess may still change; how far apart the bounds are behind the component's edges; the last change of a
# guess, and what part that was of the one before.
REALS: Final = "PRICE SCALE TOLERANCE SLACK EPSILON AROUND ENOUGH GAP CHANGE RATE".split()
PLACE: Final = {f"P_{name}": k for k, name in enumerate(FIELDS)}
SWEEPS: Final = 100_000
TOLERANCE: Final = 1e-11  # a component is done when its bounds are as near, relative to the greatest utility
EPSILON: Final = 2.3e-16  # more than the rounding error of one operation
ENTRIES: Final = "components_start components_run arrange bounds_run".split()

KEPT: Final = '''
pattern_of = array(i32, BATCH)  # of each chance state in the batch
pattern_slot = array(i32, 2 * {patterns})
pattern_start = array(i32, {patterns} + 1)
pattern_weight = array(i64, {weights})
share = array(f64, {weights})  # the probabilities of each pattern
play = array(i64, {fields})
reals = array(f64, 10)  # by the names below


def batch_choice(k: i32, rows: i32) -> None:
    """Note who moves at a state of the batch; of a chance state, the probabilities."""
    turn_of[k] = s[0]
    if s[0] <= -3:
        pattern_of[k] = pattern(rows)


def pattern(rows: i32) -> i32:
    """The number of the weights that are listed."""
    h: i64 = rows
    total: i64 = 0
    for i in range(rows):
        h = wrap64((h ^ weight[i]) * -7046029254386353131)
        h = h ^ (h >> 29)
        total += weight[i]
    at = i32(h >> 20 & {patterns} * 2 - 1)
    while pattern_slot[at] != 0:
        n = pattern_slot[at] - 1
        first = pattern_start[n]
        if pattern_start[n + 1] - first == rows:
            same = 1
            for i in range(rows):
                if pattern_weight[first + i] != weight[i]:
                    same = 0
                    break
            if same:
                return n
        at = at + 1 & {patterns} * 2 - 1
    n = i32(play[P_PATTERNS])
    first = i32(play[P_WEIGHTS])
    if n == {patterns} - 1 or first + rows > {weights}:
        solved[UNFIT] = 1
        return 0
    for i in range(rows):
        pattern_weight[first + i] = weight[i]
        share[first + i] = f64(weight[i]) / f64(total)
    pattern_slot[at] = n + 1
    pattern_start[n + 1] = first + rows
    play[P_PATTERNS] = n + 1
    play[P_WEIGHTS] = first + rows
    return n
'''

SOLVE: Final = '''
MINIMUM = const(-1)  # kinds of states, else the first of a chance state's shares; MAXIMUM is one less
ENDED = const(-3)  # less the number of the utility
low = array(f64, {most})
high = array(f64, {most})
began = array(f64, {most})


def components_start() -> None:
    """Begin at the first state."""
    pool[i32(enumerated[STATES])] = i32(enumerated[EDGES])
    for n in range(i32(enumerated[STATES])):
        pool[i32(play[P_NUMBER]) + n] = 0
    for k in range(P_DEPTH, P_ENDLESS + 1):
        play[k] = 0
    meet(0)


def meet(n: i32) -> None:
    """Put a state that has not been met on the path."""
    counter = i32(play[P_COUNTER]) + 1
    play[P_COUNTER] = counter
    pool[i32(play[P_NUMBER]) + n] = counter
    pool[i32(play[P_LOW]) + n] = counter
    pool[i32(play[P_NEXT]) + n] = pool[n]
    pool[i32(play[P_PATH] + play[P_DEPTH])] = n
    pool[i32(play[P_MET]) + n] = i32(play[P_OPEN])
    play[P_DEPTH] += 1


def components_run(budget: i32) -> i32:
    """Go so many steps; 1 where the path is not at its end."""
    number = i32(play[P_NUMBER])
    lowest = i32(play[P_LOW])
    next = i32(play[P_NEXT])
    edge = i32(solved[EDGE])
    path = i32(play[P_PATH])
    while budget > 0:
        budget -= 1
        depth = i32(play[P_DEPTH])
        if depth == 0:
            return 0
        n = pool[path + depth - 1]
        e = pool[next + n]
        end = pool[n + 1]
        reached = pool[lowest + n]
        after = -1
        while e < end:
            to = pool[edge + e]
            e += 1
            if pool[number + to] == 0:
                after = to
                break
            if pool[number + to] < reached:
                reached = pool[number + to]
        pool[next + n] = e
        pool[lowest + n] = reached
        if after >= 0:
            meet(after)
        else:
            play[P_DEPTH] = depth - 1
            pool[i32(play[P_STACK] + play[P_OPEN])] = n
            play[P_OPEN] += 1
            if depth > 1:
                before = pool[path + depth - 2]
                if reached < pool[lowest + before]:
                    pool[lowest + before] = reached
            if reached == pool[number + n]:
                close(n)
    return 1


def close(n: i32) -> None:
    """A state and all that have been left since it was met, and are in no component, make one; each stands behind its
    successors, as far as that can be."""
    first = pool[i32(play[P_MET]) + n]
    placed = i32(play[P_PLACED])
    pool[i32(play[P_COMPONENT] + play[P_COMPONENTS])] = placed
    play[P_COMPONENTS] += 1
    for k in range(first, i32(play[P_OPEN])):
        taken = pool[i32(play[P_STACK]) + k]
        pool[i32(play[P_NUMBER]) + taken] = 2147483647
        pool[i32(play[P_ORDER]) + placed] = taken
        placed += 1
    play[P_PLACED] = placed
    play[P_OPEN] = first


def arrange() -> None:
    """From here on states stand in the order of their components: what each is, and its edges."""
    position = i32(play[P_NUMBER])
    size = i32(enumerated[STATES])
    pool[i32(play[P_COMPONENT] + play[P_COMPONENTS])] = size
    for k in range(size):
        pool[position + pool[i32(play[P_ORDER]) + k]] = k
    edges = 0
    for k in range(size):
        n = pool[i32(play[P_ORDER]) + k]
        kind = MINIMUM - i32(who[n] == 1)
        if who[n] == 2:
            kind = ENDED - value[n]
        elif who[n] == 3:
            kind = pattern_start[value[n]]
        pool[i32(play[P_KIND]) + k] = kind
        pool[i32(play[P_FIRST]) + k] = edges
        for e in range(pool[n], pool[n + 1]):
            pool[i32(play[P_AFTER]) + edges] = pool[position + pool[i32(solved[EDGE]) + e]]
            edges += 1
    pool[i32(play[P_FIRST]) + size] = edges


def update_low(k: i32) -> f64:
    """A lower bound of a state from those of its successors; rounded downwards."""
    first = pool[i32(play[P_FIRST]) + k] + i32(play[P_AFTER])
    last = pool[i32(play[P_FIRST]) + k + 1] + i32(play[P_AFTER])
    kind = pool[i32(play[P_KIND]) + k]
    best = low[pool[first]]
    if kind >= 0:
        start = kind - first
        best = share[kind] * best
        for e in range(first + 1, last):
            best += share[start + e] * low[pool[e]]
        return best - f64(last - first + 2) * reals[R_SLACK]
    if kind == MINIMUM:
        for e in range(first + 1, last):
            x = low[pool[e]]
            best = x if x < best else best
        return best
    for e in range(first + 1, last):
        x = low[pool[e]]
        best = x if x > best else best
    return best


def update_high(k: i32) -> f64:
    """An upper bound of a state from those of its successors; rounded upwards."""
    first = pool[i32(play[P_FIRST]) + k] + i32(play[P_AFTER])
    last = pool[i32(play[P_FIRST]) + k + 1] + i32(play[P_AFTER])
    kind = pool[i32(play[P_KIND]) + k]
    best = high[pool[first]]
    if kind >= 0:
        start = kind - first
        best = share[kind] * best
        for e in range(first + 1, last):
            best += share[start + e] * high[pool[e]]
        return best + f64(last - first + 2) * reals[R_SLACK]
    if kind == MINIMUM:
        for e in range(first + 1, last):
            x = high[pool[e]]
            best = x if x < best else best
        return best
    for e in range(first + 1, last):
        x = high[pool[e]]
        best = x if x > best else best
    return best


def single(k: i32) -> None:
    """A state that play never comes back to."""
    kind = pool[i32(play[P_KIND]) + k]
    if kind <= ENDED:
        u = f64(utility[ENDED - kind])
        slack = (u if u > 0.0 else 0.0 - u) * reals[R_EPSILON]
        low[k] = u - slack
        high[k] = u + slack
    else:
        low[k] = update_low(k)
        high[k] = update_high(k)


def can_stay(first: i32, last: i32) -> i32:
    """Whether the players could keep play in the component for ever. What is crossed off is marked in `began`."""
    after = i32(play[P_AFTER])
    for k in range(first, last):
        began[k] = 1.0
    left = last - first
    changed = 1
    while changed and left > 0:
        changed = 0
        for k in range(first, last):
            if began[k] > 0.0:
                begin = pool[i32(play[P_FIRST]) + k] + after
                end = pool[i32(play[P_FIRST]) + k + 1] + after
                inside = 0
                for e in range(begin, end):
                    to = pool[e]
                    if first <= to and to < last:
                        inside += began[to] > 0.0
                if inside == 0 or (pool[i32(play[P_KIND]) + k] >= 0 and inside < end - begin):
                    began[k] = 0.0
                    left -= 1
                    changed = 1
    return left > 0


def begin(first: i32, last: i32) -> None:
    """Bounds that nothing in the component can pass: the least and the greatest of the price and of what lies behind
    its edges."""
    after = i32(play[P_AFTER])
    least = reals[R_PRICE]
    most = reals[R_PRICE]
    gap = 0.0
    for e in range(pool[i32(play[P_FIRST]) + first] + after, pool[i32(play[P_FIRST]) + last] + after):
        to = pool[e]
        if to < first or to >= last:
            least = low[to] if low[to] < least else least
            most = high[to] if high[to] > most else most
            gap = high[to] - low[to] if high[to] - low[to] > gap else gap
    reals[R_GAP] = gap
    for k in range(first, last):
        low[k] = least
        high[k] = most


def sweep_low(first: i32, last: i32) -> f64:
    """Update lower bounds, whatever they become; the greatest change. Where the changes have become less at a steady
    rate, all go as far as they would at last (Aitken)."""
    change = 0.0
    for k in range(first, last):
        x = update_low(k)
        d = x - low[k] if x > low[k] else low[k] - x
        change = d if d > change else change
        began[k] = low[k]
        low[k] = x
    rate = change / reals[R_CHANGE]
    steady = rate - reals[R_RATE] if rate > reals[R_RATE] else reals[R_RATE] - rate
    reals[R_CHANGE] = change if change > 0.0 else 1.0
    reals[R_RATE] = rate
    if steady < 0.01 and rate < 0.95:
        further = rate / (1.0 - rate)
        for k in range(first, last):
            low[k] = low[k] + (low[k] - began[k]) * further
        reals[R_RATE] = 9.0
    return change


def sweep(first: i32, last: i32) -> f64:
    """Update both bounds, never backwards; the greatest distance between them, or 0 where nothing has come nearer."""
    apart = 0.0
    nearer = 0
    for k in range(first, last):
        x = update_low(k)
        if x > low[k]:
            low[k] = x
            nearer = 1
        x = update_high(k)
        if x < high[k]:
            high[k] = x
            nearer = 1
        d = high[k] - low[k]
        apart = d if d > apart else apart
    return apart if nearer else 0.0


def prove(first: i32, last: i32) -> i32:
    """Sweep bounds a little below and above the values: whether none has passed where it began."""
    for k in range(first, last):
        high[k] = low[k] + reals[R_AROUND] + reals[R_GAP]
        low[k] = low[k] - reals[R_AROUND]
        began[k] = low[k]
    apart = reals[R_GAP] + 2.0 * reals[R_AROUND]
    for sweeps in range(8):
        passed = 0
        for k in range(first, last):
            low[k] = update_low(k)
            high[k] = update_high(k)
            if low[k] < began[k] or high[k] > began[k] + apart:
                passed = 1
        if passed == 0:
            return 1
    return 0


def guess_again(first: i32, last: i32) -> None:
    """The bounds were too near to be proved: sweep on between them, or give up guessing."""
    reals[R_ENOUGH] = reals[R_ENOUGH] * 0.125
    if reals[R_ENOUGH] < reals[R_AROUND] * 0.0001:
        begin(first, last)
        play[P_PHASE] = 2
        return
    for k in range(first, last):
        low[k] = (low[k] + high[k]) * 0.5


def bounds_run(budget: i32) -> i32:
    """Work on components for so many updates; 1 where some are left."""
    while budget > 0:
        at = i32(play[P_AT])
        if at == play[P_COMPONENTS]:
            return 0
        first = pool[i32(play[P_COMPONENT]) + at]
        last = pool[i32(play[P_COMPONENT]) + at + 1]
        size = last - first
        if size == 1 and leads_to_itself(first) == 0:
            single(first)
            play[P_AT] = at + 1
        elif play[P_PHASE] == 0:
            begin(first, last)
            play[P_SWEEPS] = 0
            play[P_PHASE] = 1
            reals[R_CHANGE] = 1.0
            reals[R_RATE] = 9.0
            reals[R_ENOUGH] = reals[R_AROUND] * 0.25
            if can_stay(first, last):
                play[P_ENDLESS] = 1
                play[P_PHASE] = 2
            budget -= 2 * size
        elif play[P_PHASE] == 1:
            budget -= size
            if sweep_low(first, last) <= reals[R_ENOUGH]:
                if prove(first, last):
                    play[P_PHASE] = 0
                    play[P_AT] = at + 1
                else:
                    guess_again(first, last)
        else:
            budget -= 2 * size
            play[P_SWEEPS] += 1
            if sweep(first, last) <= reals[R_TOLERANCE] or play[P_SWEEPS] == {sweeps}:
                play[P_PHASE] = 0
                play[P_AT] = at + 1
        budget -= 1
    return 1


def leads_to_itself(k: i32) -> i32:
    """Whether a state follows itself."""
    after = i32(play[P_AFTER])
    for e in range(pool[i32(play[P_FIRST]) + k] + after, pool[i32(play[P_FIRST]) + k + 1] + after):
        if pool[e] == k:
            return 1
    return 0
'''

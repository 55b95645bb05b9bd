"""Values of zero-sum games of chance: bounds from both sides, component by component.

It is joined with the enumeration and works on the edges kept there (kernels/edges.py).

1. Strong components, those that lead nowhere else first (kernels/components.py). A chance state that is reached in one
   way only is part of the state before it: the action that leads there is worth the average of what chance makes of it.
2. A state that play never comes back to takes the best, or the average, of its successors.
3. In any other component: can the players make play stay there for ever? States are crossed off all of whose actions
   may leave for what has been crossed off, or for another component; play can stay where some are left.
4. If not, the values are the one solution of their equations. Sweeps of value iteration come close to it, sped up by
   what the last two have in common; then bounds a little below and above are swept until no upper bound is above, and
   no lower bound below, where it began: the proof that the values lie between. If that fails for good, or play could
   stay, the bounds begin where nothing in the component can pass them.
5. Bounds are swept until they meet, rounded outwards. Where play could stay, they may stand still: who wants to stay
   sees no loss in it. Who profits from play that ends must get to an end, on a way that is as wide as its worst action:
   so after some sweeps no upper bound need lie above the widest way that MIN cannot close, and the price; nor a lower
   bound below the same for MAX. This brings both sides to the values, whatever end components there are. Now and then
   upper bounds are set close to the lower ones, and proved: none moves upwards, though each step below the price costs
   a little, so that play can't go on there for ever.

Where symmetric states are one, and players can change parts in them, a state is worth the opposite to who has changed
parts: its bounds have the other sign and change sides. This holds where utilities always sum to zero and endless play
is worth 0.

Sources: Haddad and Monmege 2018 (bounds from both sides); Hartmanns and Kaminski, Optimistic value iteration, CAV 2020
(bounds by guessing and proving); Anderson, Iterative procedures for nonlinear integral equations, Journal of the ACM
12, 1965 (how sweeps are sped up); Phalakarn, Takisaka, Haas and Hasuo, Widest paths and global propagation in bounded
value iteration for stochastic games, CAV 2020; Phalakarn, Tsai and Hasuo, Widest path games and maximality inheritance
in bounded value iteration for stochastic games, 2025 (bounds where play could stay).
"""

from gdl.compiler.kernels.components import *
from gdl.compiler.kernels.edges import *
from gdl.compiler.kernels.enumerate import *
from gdl.compiler.kernels.patterns import *
from gdl.compiler.kernels.words import *

ACCELERATED = const(100)  # sweeps of a guess that are accelerated
MAX_SWEEPS = const(100000)  # of bounds; then they stay as far apart as they are
PROOF_SWEEPS = const(64)  # of upper bounds set close to the lower ones
PLAIN_SWEEPS = const(16)  # of bounds, between two searches for the widest ways
FARTHEST = const(100000000)  # the square of the greatest factor of acceleration
LOW = const(0)  # where in `bound` the lower bounds begin,
HIGH = const(MOST_STATES)  # the upper ones,
MIDDLE = const(2 * MOST_STATES)  # and the guesses, later the middles of both
# Bounds by place; from TURNED on the same for the positions in which players have changed parts.
bound = array(f64, (6 if EXCHANGES else 3) * MOST_STATES)
began = array(f64, MOST_STATES)  # by place in the component: bounds before a sweep; before all sweeps, marks
moved = array(f64, MOST_STATES)  # by place in the component: how far a bound has moved in the last sweep
asked = array(i32, MOST_STATES)  # P_ASKED places, whose bounds a sweep reads before it updates them
moved_before = array(f64, MOST_STATES)  # by index in `asked`: how far they moved in the sweep before,
before = array(f64, MOST_STATES)  # and where that left them
told = array(f64, 2)  # the lower and upper bound by bounds_of()


def sweep(first: i32, last: i32, side: i32, other: i32, slack: f64, widths: f64) -> f64:
    """Compute one side's bounds of the component anew from those of the successors, each less `slack`. Returns the
    greatest change. `side` is LOW, HIGH or MIDDLE, `other` the side that it becomes where players have changed
    parts. With `widths` (1 for upper bounds, -1 for lower ones; else 0) `other` gets how wide the ways from each state
    are on this side, as far as they have grown."""
    change = 0.0
    start = i32(play[P_START]) - first
    end = i32(play[P_ROWS])
    for k in range(first, last):
        e = end + 1
        maximum = pool[end] == MAXIMUM
        end = pool[start + k + 1]
        best = -1e300 if maximum else 1e300
        while e < end:
            to = pool[e]
            begun = e if to >= 0 else e + 1
            e += 1
            x = 0.0
            if to >= 0:
                x = bound[side + to]
            else:
                part = pattern_start[-1 - to]
                outcomes = pattern_start[0 - to] - part
                after = e + outcomes
                if pattern_even[-1 - to]:
                    x = sum_of_bounds(side, e, after) * share[part]
                    e = after
                else:
                    while e < after:
                        x += share[part] * bound[side + pool[e]]
                        part += 1
                        e += 1
                # A sum of n products is rounded at most n + 2 times, each time by at most the slack: moved outwards by
                # all of that, a bound stays a bound.
                x -= f64(outcomes + 2) * slack
            if widths != 0.0:
                # A way is as wide as its narrowest action.
                x = width_of_way(x, begun, e, first, last, side, other, widths)
            if maximum:
                best = x if x > best else best
            else:
                best = x if x < best else best
        if widths != 0.0:
            if (best - bound[other + k]) * widths > 0.0:
                bound[other + k] = best
                change = 1.0
            continue
        x = best - bound[side + k]
        bound[side + k] = best
        if EXCHANGES:
            # Where players have changed parts the sign changes, and so a lower bound of one position is an upper bound
            # of the other.
            bound[TURNED + other + k] = 0.0 - best
        moved[k - first] = x
        x = x if x > 0.0 else 0.0 - x
        change = x if x > change else change
    return change


def sum_of_bounds(side: i32, e: i32, end: i32) -> f64:
    """The sum of one side's bounds of the states that `pool` names from `e` to `end`."""
    x = 0.0
    while e + 6 <= end:  # as many as most dice have
        # Two sums of three, so that the second need not wait for the first.
        y = bound[side + pool[e + 3]] + bound[side + pool[e + 4]] + bound[side + pool[e + 5]]
        x += bound[side + pool[e]] + bound[side + pool[e + 1]] + bound[side + pool[e + 2]] + y
        e += 6
    while e < end:
        x += bound[side + pool[e]]
        e += 1
    return x


def width_of_way(worth: f64, begun: i32, end: i32, first: i32, last: i32, side: i32, other: i32, widths: f64) -> f64:
    """The width of the widest way on from the outcomes in `pool` from `begun` to `end`, which chance may take, but not
    wider than the action that leads to them is worth."""
    widest = -1e300 * widths
    for e in range(begun, end):
        x = bound[(other if pool[e] >= first and pool[e] < last else side) + pool[e]]
        widest = x if (x - widest) * widths > 0.0 else widest
    return widest if (worth - widest) * widths > 0.0 else worth


def set_single_bounds(k: i32) -> None:
    """Set the bounds of a state that play never comes back to."""
    kind = pool[i32(play[P_ROWS])]
    if kind <= ENDED:
        u = f64(utility[ENDED - kind])
        slack = (u if u > 0.0 else 0.0 - u) * reals[R_EPSILON]
        bound[LOW + k] = u - slack
        bound[HIGH + k] = u + slack
        turn(k, k + 1)
    else:
        sweep_both(k, k + 1)
    settle(k, k + 1)


def settle(first: i32, last: i32) -> None:
    """Take the component's bounds as final: note their middle, and end its work."""
    for k in range(first, last):
        x = (bound[LOW + k] + bound[HIGH + k]) * 0.5
        bound[MIDDLE + k] = x
        if EXCHANGES:
            bound[TURNED + MIDDLE + k] = 0.0 - x
    play[P_PHASE] = 0


def sweep_both(first: i32, last: i32) -> None:
    """Update lower bounds, then upper ones, rounded outwards."""
    sweep(first, last, LOW, HIGH, reals[R_SLACK], 0.0)
    sweep(first, last, HIGH, LOW, 0.0 - reals[R_SLACK], 0.0)


def turn(first: i32, last: i32) -> None:
    """Set the bounds of the positions in which players have changed parts: the other side's with the opposite sign."""
    if EXCHANGES:
        for k in range(first, last):
            bound[TURNED + LOW + k] = 0.0 - bound[HIGH + k]
            bound[TURNED + HIGH + k] = 0.0 - bound[LOW + k]


def place_of_code(to: i32) -> i32:
    """The place that an entry of a row stands for, without the mark that players have changed parts."""
    return to - TURNED if to >= TURNED else to


def can_stay(first: i32, last: i32) -> i32:
    """1 if the players could keep play in the component for ever. States that are crossed off are marked in `began`."""
    for k in range(first, last):
        # The greatest set of states that play need not leave: begin with all, and cross off while something changes.
        began[k - first] = 1.0
    left = last - first
    changed = 1
    while changed and left > 0:
        changed = 0
        for k in range(first, last):
            if began[k - first] > 0.0 and can_stay_in(k, first, last) == 0:
                began[k - first] = 0.0
                left -= 1
                changed = 1
    return left > 0


def can_stay_in(k: i32, first: i32, last: i32) -> i32:
    """Return 1 if an action of state `k` leads only to states of the component that are not crossed off."""
    e = pool[i32(play[P_START]) + k - first] + 1
    end = pool[i32(play[P_START]) + k - first + 1]
    while e < end:
        to = pool[e]
        outcomes = 1
        if to < 0:
            outcomes = pattern_start[0 - to] - pattern_start[-1 - to]
            e += 1
        inside = 1
        for i in range(outcomes):
            to = place_of_code(pool[e + i])
            if to < first or to >= last or began[to - first] == 0.0:
                inside = 0
                break
        if inside:
            return 1
        e += outcomes
    return 0


def begin(first: i32, last: i32) -> None:
    """Begin to guess: look at the bounds of the states that the component's edges lead out to, and start all guesses at
    their average. Note the states whose values a sweep reads before it updates them: only of these does a sweep use
    values of the sweep before."""
    start = i32(play[P_START]) - first
    least = reals[R_PRICE] - reals[R_SLACK]
    most = reals[R_PRICE] + reals[R_SLACK]
    gap = 0.0
    sum = 0.0
    count = 0
    for k in range(last - first):
        began[k] = 0.0
    for k in range(first, last):
        for e in range(pool[start + k] + 1, pool[start + k + 1]):
            to = place_of_code(pool[e])
            if to >= first and to < last:
                if to >= k:
                    began[to - first] = 1.0
            elif to >= 0:
                x = bound[LOW + pool[e]]
                y = bound[HIGH + pool[e]]
                least = x if x < least else least
                most = y if y > most else most
                gap = y - x if y - x > gap else gap
                sum += x
                count += 1
    if EXCHANGES:  # what is true of one position is, with its sign changed, of the other
        least = least if least < 0.0 - most else 0.0 - most
        most = 0.0 - least
    reals[R_LEAST] = least
    reals[R_MOST] = most
    reals[R_GAP] = gap
    known = 0
    for k in range(first, last):
        bound[MIDDLE + k] = sum / f64(count) if count > 0 else reals[R_PRICE]
        if EXCHANGES:
            bound[TURNED + MIDDLE + k] = 0.0 - bound[MIDDLE + k]
        if began[k - first] > 0.0:
            asked[known] = k
            known += 1
    play[P_ASKED] = known


def begin_apart(first: i32, last: i32) -> None:
    """Set the component's bounds so far apart that no value can lie outside: to the least and the greatest of the price
    of endless play and of the bounds behind the component's edges."""
    for k in range(first, last):
        bound[LOW + k] = reals[R_LEAST]
        bound[HIGH + k] = reals[R_MOST]
    turn(first, last)
    play[P_STILL] = 0
    play[P_PHASE] = 3


def guess(first: i32, last: i32) -> f64:
    """Sweep the guessed values once. Returns the greatest change. Then move those values that a sweep reads before it
    updates them to where this sweep and the one before, taken together, would change them least (Anderson's
    acceleration, of depth one)."""
    change = sweep(first, last, MIDDLE, MIDDLE, 0.0, 0.0)
    product = 0.0
    square = 0.0
    for i in range(i32(play[P_ASKED])):
        x = moved[asked[i] - first]
        y = x - moved_before[i]
        moved_before[i] = x
        product += x * y
        square += y * y
    play[P_SWEEPS] += 1
    back = product / square if square > 0.0 else 0.0
    # A plain sweep at first, as nothing is known of the one before; for good after ACCELERATED, as plain sweeps
    # converge for certain; and where two sweeps differ so little that the quotient is noise.
    if play[P_SWEEPS] == 1 or play[P_SWEEPS] > ACCELERATED or back * back > FARTHEST:
        back = 0.0
    for i in range(i32(play[P_ASKED])):
        x = bound[MIDDLE + asked[i]]
        y = x - back * (x - before[i])
        before[i] = x
        bound[MIDDLE + asked[i]] = y
        if EXCHANGES:
            bound[TURNED + MIDDLE + asked[i]] = 0.0 - y
    return change


def tighten(first: i32, last: i32) -> None:
    """Sweep both bounds. Settle where they are near, or have stood still for long; after some sweeps look for the
    widest ways."""
    reals[R_ENOUGH] = keep_nearer(first, last, LOW, 1.0)
    turn(first, last)
    nearer = reals[R_ENOUGH] + keep_nearer(first, last, HIGH, -1.0)
    turn(first, last)
    apart = 0.0
    for k in range(first, last):
        x = bound[HIGH + k] - bound[LOW + k]
        apart = x if x > apart else apart
    play[P_SWEEPS] += 1
    play[P_STILL] = 0 if nearer > 0.0 else play[P_STILL] + 1
    near = apart <= 2.0 * (reals[R_GAP] + reals[R_TOLERANCE])
    if near or play[P_STILL] > 2 * PLAIN_SWEEPS or play[P_SWEEPS] == MAX_SWEEPS:
        settle(first, last)
    elif play[P_SWEEPS] % PLAIN_SWEEPS == 0 and not EXCHANGES:
        begin_widths(first, last, 4)


def keep_nearer(first: i32, last: i32, side: i32, sign: f64) -> f64:
    """Sweep the bounds of one side, of which none moves outwards (by its sign). Returns how far one has moved at
    most."""
    for k in range(first, last):
        began[k - first] = bound[side + k]
    sweep(first, last, side, LOW + HIGH - side, sign * reals[R_SLACK], 0.0)
    nearer = 0.0
    for k in range(first, last):
        x = sign * (bound[side + k] - began[k - first])
        if x > 0.0:
            nearer = x if x > nearer else nearer
        else:
            # A sweep that is rounded outwards can move a bound back once there is nothing to gain: keep the better one.
            bound[side + k] = began[k - first]
    return nearer


def prove(first: i32, last: i32) -> i32:
    """Return 1 if bounds set closely around the guessed values prove to hold; they are the component's bounds then."""
    # Bounds inside the component cannot be nearer to each other than those of the values that they depend on.
    around = reals[R_GAP] * 0.5 + reals[R_AROUND]
    for k in range(first, last):
        bound[LOW + k] = bound[MIDDLE + k] - around
        bound[HIGH + k] = bound[MIDDLE + k] + around
    turn(first, last)
    for sweeps in range(8):
        sweep_both(first, last)
        # Sweeps keep order: where bounds end inside those that they began with, further sweeps only narrow them, so the
        # one solution lies between (Hartmanns and Kaminski). A bound may be outside for some sweeps, until its
        # successors' have moved; after eight the guess was too poor.
        held = 0
        for k in range(first, last):
            x = bound[MIDDLE + k]
            if bound[LOW + k] >= x - around and bound[HIGH + k] <= x + around:
                held += 1
        if held == last - first:
            return 1
    return 0


def guess_again(first: i32, last: i32) -> None:
    """Go on after a proof that failed: guess more precisely, or begin with bounds that are far apart."""
    # The guess changes little in a sweep and yet is far from the solution: ask for smaller changes before the next
    # proof.
    reals[R_ENOUGH] = reals[R_ENOUGH] * 0.125
    if reals[R_ENOUGH] < reals[R_AROUND] * 0.0001:
        begin_apart(first, last)
        return
    settle(first, last)
    play[P_PHASE] = 2


def begin_widths(first: i32, last: i32, phase: i32) -> None:
    """Begin to look for the widest ways on one side (phase 4: upper bounds, 5: lower ones): by now no way is wider than
    what endless play is worth."""
    for k in range(first, last):
        bound[MIDDLE + k] = reals[R_PRICE] + (reals[R_SLACK] if phase == 4 else 0.0 - reals[R_SLACK])
    play[P_PHASE] = phase


def narrow_bounds(first: i32, last: i32) -> None:
    """Sweep the widths of one side. Where none grows any more, move the bounds to them that are farther out."""
    side = HIGH if play[P_PHASE] == 4 else LOW
    sign = 1.0 if play[P_PHASE] == 4 else -1.0
    if sweep(first, last, side, MIDDLE, 0.0 - sign * reals[R_SLACK], sign) > 0.0:
        return
    for k in range(first, last):
        if sign * (bound[side + k] - bound[MIDDLE + k]) > 0.0:
            bound[side + k] = bound[MIDDLE + k]
            play[P_STILL] = 0
    if play[P_PHASE] == 4:
        begin_widths(first, last, 5)
    else:
        # Now and then, where lower bounds seem to have come to the values.
        play[P_PHASE] = 6 if reals[R_ENOUGH] < 0.1 * reals[R_TOLERANCE] and play[P_SWEEPS] % PROOF_SWEEPS == 0 else 3


def prove_near(first: i32, last: i32) -> None:
    """Set the upper bounds near to the lower ones, and sweep them. If in a sweep none moves upwards, they are proved;
    else, after some sweeps, they become what they were."""
    outwards = 0
    for k in range(first, last):
        if play[P_PROOFS] == 0:
            bound[MIDDLE + k] = bound[HIGH + k]
            bound[HIGH + k] = bound[LOW + k] + reals[R_GAP] + 16.0 * reals[R_TOLERANCE]
    sweep(first, last, HIGH, LOW, 0.0 - reals[R_SLACK], 0.0)
    for k in range(first, last):
        # Below the price each step costs a little: play without end, which is worth more, must not look that bad.
        x = (reals[R_PRICE] - bound[HIGH + k]) * reals[R_TOLERANCE] * 0.001
        bound[HIGH + k] += x if x > 0.0 else 0.0
        outwards |= moved[k - first] > (0.0 - x if x > 0.0 else 0.0)
    play[P_PROOFS] = (play[P_PROOFS] + 1) % PROOF_SWEEPS if outwards else 0
    if play[P_PROOFS] == 0:
        for k in range(first, last):
            if outwards or bound[HIGH + k] > bound[MIDDLE + k]:
                bound[HIGH + k] = bound[MIDDLE + k]
        play[P_PHASE] = 3


def work(first: i32, last: i32) -> None:
    """Do the next piece of work on a component, by its phase (P_PHASE): 1 begin, 2 guess and prove, 3 tighten bounds, 4
    and 5 find the widest ways of upper and lower ones, 6 and 7 prove bounds of one side close to the other's."""
    if play[P_PHASE] == 1:
        begin(first, last)
        play[P_SWEEPS] = 0
        play[P_PHASE] = 2
        reals[R_ENOUGH] = reals[R_AROUND] * 0.25
        if can_stay(first, last):
            # Play could stay for ever: the equations then have several solutions, and a guess between them proves
            # nothing.
            play[P_ENDLESS] = 1
            begin_apart(first, last)
    elif play[P_PHASE] == 2:
        if guess(first, last) <= reals[R_ENOUGH]:
            if prove(first, last):
                settle(first, last)
            else:
                guess_again(first, last)
    elif play[P_PHASE] == 3:
        tighten(first, last)
    elif play[P_PHASE] < 6:
        narrow_bounds(first, last)
    else:
        prove_near(first, last)


def bounds_run(budget: i32) -> i32:
    """Take up to `budget` steps of the walk, or update as many bounds. Returns 1 if work is left."""
    while budget > 0:
        if play[P_PHASE] > 0:
            work(i32(play[P_FIRST]), i32(play[P_LAST]))
            budget -= i32(play[P_LAST] - play[P_FIRST])
        elif play[P_DEPTH] > 0:
            walk()
            budget -= 1
        else:
            return 0
    return 1


def leads_to_itself(k: i32) -> i32:
    """Return 1 if state `k`, which is a component by itself, has an edge to itself."""
    for e in range(i32(play[P_ROWS]), pool[i32(play[P_START]) + 1]):
        if place_of_code(pool[e]) == k:
            return 1
    return 0


def bounds_of(n: i32) -> None:
    """Write the lower and the upper bound of state n into `told`."""
    number = i32(play[P_NUMBER])
    if pool[number + n] != FOLDED:
        told[0] = bound[LOW + CLOSED - pool[number + n]]
        told[1] = bound[HIGH + CLOSED - pool[number + n]]
        return
    told[0] = 0.0
    told[1] = 0.0
    # A folded chance state has no place of its own: its bounds are the averages of its successors', as in a sweep.
    outcomes = pool[n + 1] - pool[n]
    for i in range(outcomes):
        to = pool[i32(solved[EDGE]) + pool[n] + i]
        after = CLOSED - pool[number + (to >> EXCHANGES)] + (to & EXCHANGES) * TURNED
        told[0] = told[0] + share[pattern_start[value[n]] + i] * bound[LOW + after]
        told[1] = told[1] + share[pattern_start[value[n]] + i] * bound[HIGH + after]
    told[0] = told[0] - f64(outcomes + 2) * reals[R_SLACK]
    told[1] = told[1] + f64(outcomes + 2) * reals[R_SLACK]


def place_folded() -> None:
    """Give the folded states places behind all others, and compute their bounds. Then `pool` has, from P_OPEN on, the
    place of every state."""
    placed = i32(play[P_PLACED])
    for n in range(i32(enumerated[STATES])):
        at = CLOSED - pool[i32(play[P_NUMBER]) + n]
        if at < 0:
            at = placed
            placed += 1
            bounds_of(n)
            bound[LOW + at] = told[0]
            bound[HIGH + at] = told[1]
        pool[i32(play[P_OPEN]) + n] = at

"""UCT in kernel Python: selection, expansion, simulation, backup and proof as in `solvers.mcts`, which tells them.

A node is a number; the children of a node lie side by side, and room for all of them is taken when the first joins the
tree. States are kept of as many nodes as there is memory for; from the last one on the path the moves are made again.
A simulation can be left after any ply of its random play and gone on with later.
"""

from __future__ import annotations

from typing import NamedTuple

from gdl.compiler.kernels import playouts

SIMULATIONS, WANTED, NODES, MOST_NODES, USED, STATES, BEGUN = range(7)  # of `uct_count`
PLIES, PATIENCE, LEAST, DEPTH, PLAYING, KIND = range(6)  # of `uct_now`
LINK, FIRST, ROWS, WHOSE, PROVEN = 8, 0, 1, 3, 4  # of `uct_link`
DONE, OUT_OF_NODES, ENDLESS = 0, -2, -3  # what `uct_run` says at its end


class Sizes(NamedTuple):
    """What the tree has room for: nodes, states, and plies of a simulation."""

    nodes: int
    states: int
    depth: int


_SERIES = "\n".join(f"    series = series * square + {1.0 / n!r}" for n in range(21, 0, -2))

_TREE = f'''

RECORD = const(PLAYERS + 1)
uct_sum = array(i64, NODES * RECORD)  # of each node: the visits N (negative where a brother is proven to be better),
# and the totals W
LINK = const(8)  # words of what else there is to know of a node, six of them in use:
FIRST = const(0)  # the first child
ROWS = const(1)  # how many children there is room for; 0: none
TRIED = const(2)  # how many decisions have been tried
WHOSE = const(3)  # 0 nobody was there yet, 1 chance, 2 an end, else 3 and the player
PROVEN = const(4)  # whether the mean is the value for certain
KEPT = const(5)  # 1 and the place of its state; 0: it is not kept
uct_link = array(i32, NODES * LINK)
uct_state = array(i32, STATES * STATE)
uct_path = array(i32, DEPTH)
uct_count = array(i64, 7)  # simulations, and how many are wanted; nodes met, and at most (-1: any number); nodes of the
# tree; states kept; the random numbers' state when this simulation's random play began
uct_now = array(i32, 7)  # plies of this simulation, at most, and of the most at least; last of the path; whether it
# has left the tree; the kind of its state; the plies just played
uct_low = array(i64, PLAYERS)  # the least and the greatest utility met
uct_high = array(i64, PLAYERS)
uct_gain = array(i64, PLAYERS)  # of this simulation
uct_greatest = array(i64, PLAYERS)  # what no utility exceeds,
uct_is_known = array(u8, PLAYERS)  # if that is known
uct_price = array(i64, PLAYERS)  # of endless play,
uct_rule = array(i32, 3)  # if that has one; and the most patience; and how many ends make it so
uct_score = array(f64, NODES * 2)  # of each node: the mean of the parent's mover on the scale 0..1, and 1 / sqrt(N)
uct_c = array(f64, 1)
uct_logs = array(f64, 4096)  # logarithms of small numbers


def uct_log(number: i64) -> f64:
    """The natural logarithm."""
    e = 64 - clz(number)
    m = f64(number) / f64(bit(e))
    if m < {0.5**0.5!r}:
        m = m * 2.0
        e -= 1
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    series = 0.0
{_SERIES}
    return f64(e) * 0.6931471805599453 + 2.0 * s * series


def uct_enter(last: i32) -> None:
    """Make the state of a node of the path."""
    d = last
    while uct_link[uct_path[d] * LINK + KEPT] == 0:
        d -= 1
    copy(s, 0, uct_state, (uct_link[uct_path[d] * LINK + KEPT] - 1) * STATE, STATE)
    while d < last:
        uct_ways(uct_path[d])
        uct_take(uct_path[d], uct_path[d + 1] - uct_link[uct_path[d] * LINK + FIRST])
        d += 1


def uct_look(node: i32, kind: i32) -> i32:
    """Note what a new node is; the state is there."""
    if kind == 3:
        uct_link[node * LINK + WHOSE] = 2
        uct_link[node * LINK + PROVEN] = 1
        return kind
    uct_link[node * LINK + WHOSE] = 1 if kind == 1 else 3 + s[0]
    if uct_count[5] < STATES and keep_past():
        place = i32(uct_count[5])
        uct_count[5] += 1
        uct_link[node * LINK + KEPT] = place + 1
        copy(uct_state, place * STATE, s, 0, STATE)
    return kind


def uct_open(node: i32, last: i32) -> i32:
    """Take room for the node's children; 0 where none is left. Its state is made, and its ways are listed."""
    uct_enter(last)
    rows = uct_ways(node)
    if uct_count[4] + rows > NODES:
        return 0
    uct_link[node * LINK + FIRST] = i32(uct_count[4])
    uct_link[node * LINK + ROWS] = rows
    uct_count[4] += rows
{{weights}}    return 1


def uct_note(node: i32, parent: i32) -> None:
    """What the parent's mover makes of a node: its mean on the scale 0..1, and how little it was tried."""
    player = uct_link[parent * LINK + WHOSE] - 3
    visits: i64 = uct_sum[node * RECORD]
    if player < 0 or visits == 0:
        return
    if visits < 0:
        uct_score[node * 2] = -1.0e300
        return
    low: i64 = uct_low[player]
    spread: i64 = uct_high[player] - low
    mean = 0.0
    if spread > 0:
        mean = f64(uct_sum[node * RECORD + 1 + player] - low * visits) / f64(spread * visits)
    uct_score[node * 2] = mean
    uct_score[node * 2 + 1] = 1.0 / sqrt(f64(visits))


def uct_best(node: i32) -> i32:
    """The child with the greatest upper confidence bound, the first of equals."""
    log = uct_logs[i32(uct_sum[node * RECORD] & 4095)]
    if uct_sum[node * RECORD] >= 4096:
        log = uct_log(uct_sum[node * RECORD])
    curious = uct_c[0] * sqrt(log)
    best = uct_link[node * LINK + FIRST]
    greatest = uct_score[best * 2] + curious * uct_score[best * 2 + 1]
    for child in range(best + 1, best + uct_link[node * LINK + ROWS]):
        bound = uct_score[child * 2] + curious * uct_score[child * 2 + 1]
        if bound > greatest:
            best = child
            greatest = bound
    return best


def uct_select() -> i32:
    """From the root to a node that is new, or proven, or has no room for children; 1 where all is well."""
    node = 0
    d = 0
    uct_path[0] = 0
    uct_now[3] = 0
    uct_now[0] = 0
    while uct_link[node * LINK + PROVEN] == 0:
        here = 0
        if uct_link[node * LINK + ROWS] == 0:
            if uct_open(node, d) == 0:
                break
            here = 1
        if d >= uct_now[1]:
            return 3
        child = uct_link[node * LINK + FIRST]
{{choose}}        d += 1
        uct_path[d] = child
        uct_now[3] = d
        uct_now[0] = d
        if uct_link[child * LINK + WHOSE] == 0:
            if uct_count[2] == uct_count[3]:
                return 2
            if here == 0:
                uct_enter(d - 1)
                uct_ways(node)
            last = s[1]
            uct_take(node, child - uct_link[node * LINK + FIRST])
            uct_count[2] += 1
            uct_now[5] = uct_look(child, status_after(last))
            uct_link[node * LINK + TRIED] += 1
            if uct_link[child * LINK + PROVEN]:
                for p in range(PLAYERS):
                    uct_gain[p] = util[p]
            else:
                uct_now[4] = 1
            return 1
        node = child
    if uct_link[node * LINK + PROVEN]:
        visits: i64 = uct_sum[node * RECORD]
        for p in range(PLAYERS):
            uct_gain[p] = uct_sum[node * RECORD + 1 + p] // visits
    else:
        uct_now[4] = 1
        uct_enter(d)
        uct_now[5] = {{kind}}
    return 1


def uct_back_up() -> None:
    """The gain is added to every node of the path."""
    wider = 0
    for p in range(PLAYERS):
        gain: i64 = uct_gain[p]
        if uct_count[0] == 0:
            uct_low[p] = gain
            uct_high[p] = gain
        if gain < uct_low[p]:
            uct_low[p] = gain
            wider = 1
        if gain > uct_high[p]:
            uct_high[p] = gain
            wider = 1
    parent = 0
    for d in range(uct_now[3] + 1):
        node = uct_path[d]
        uct_sum[node * RECORD] += 1
        for p in range(PLAYERS):
            uct_sum[node * RECORD + 1 + p] += uct_gain[p]
        if d > 0:
            uct_note(node, parent)
        parent = node
    if wider:
        for node in range(i32(uct_count[4])):
            for k in range(uct_link[node * LINK + ROWS]):
                uct_note(uct_link[node * LINK + FIRST] + k, node)


def uct_value(node: i32, player: i32) -> i64:
    """What a proven node is worth to a player."""
    visits: i64 = uct_sum[node * RECORD]
    if visits < 0:
        visits = -visits
    return uct_sum[node * RECORD + 1 + player] // visits


def uct_settle(node: i32) -> None:
    """The value of a node, if those of its children prove it."""
    player = uct_link[node * LINK + WHOSE] - 3
    first_child = uct_link[node * LINK + FIRST]
    best = -1
    proven = 1
    for child in range(first_child, first_child + uct_link[node * LINK + ROWS]):
        if uct_link[child * LINK + PROVEN] == 0:
            proven = 0
        elif best < 0 or (player >= 0 and uct_value(child, player) > uct_value(best, player)):
            best = child
    if player >= 0:
        for child in range(first_child, first_child + uct_link[node * LINK + ROWS]):
            if uct_link[child * LINK + PROVEN] and uct_value(child, player) < uct_value(best, player):
                if uct_sum[child * RECORD] > 0:
                    uct_sum[child * RECORD] = -uct_sum[child * RECORD]
                    uct_note(child, node)
        if proven == 0 and uct_is_known[player] and uct_value(best, player) >= uct_greatest[player]:
            proven = 1
    elif proven:
        for child in range(first_child, first_child + uct_link[node * LINK + ROWS]):
            for p in range(PLAYERS):
                if uct_value(child, p) != uct_value(first_child, p):
                    proven = 0
    if proven:
        visits: i64 = uct_sum[node * RECORD]
        for p in range(PLAYERS):
            uct_sum[node * RECORD + 1 + p] = visits * uct_value(best, p)
        uct_link[node * LINK + PROVEN] = 1


def uct_finish() -> None:
    """The end of a simulation."""
    uct_back_up()
    d = uct_now[3]
    while d > 0 and uct_link[uct_path[d] * LINK + PROVEN]:
        d -= 1
        uct_settle(uct_path[d])
        if d > 0:
            uct_note(uct_path[d], uct_path[d - 1])
    uct_count[0] += 1
    uct_now[4] = 0


def uct_ended() -> None:
    """A simulation came to its end: how much patience that gives."""
    if uct_rule[0]:
        enough: i64 = uct_now[0]
        enough = enough * uct_rule[2]
        enough = enough if enough < uct_rule[1] else uct_rule[1]
        if enough > uct_now[2]:
            uct_now[2] = i32(enough)
        if uct_now[2] > uct_now[1]:
            uct_now[1] = uct_now[2]
    uct_finish()


def uct_cut_off() -> i32:
    """A simulation went on for too long; 0 where that has no price."""
    if uct_rule[0] == 0:
        return 0
    for p in range(PLAYERS):
        uct_gain[p] = uct_price[p]
    half = uct_now[1] // 2
    uct_now[1] = half if half > uct_now[2] else uct_now[2]
    uct_finish()
    return 1


def uct_begin() -> None:
    """The root joins the tree; the state is there."""
    for n in range(1, 4096):
        uct_logs[n] = uct_log(n)
    uct_count[4] = 1
    uct_count[2] = 1
    uct_look(0, status())
    if uct_link[PROVEN]:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]


def uct_play_out(budget: i32) -> i32:
    """So many plies of random play, or fewer to the end of the simulation; what uct_run is to say."""
    steps: i64 = uct_now[1] - uct_now[0]
    steps = steps if steps < budget else i64(budget)
    if uct_count[3] >= 0:
        rest: i64 = uct_count[3] - uct_count[2]
        steps = steps if steps < rest else rest
    kind = uct_now[5]
    left = steps
    while kind != 3 and left > 0:
        last = s[1]
        playout_step(kind)
        kind = status_after(last)
        left -= 1
    uct_now[5] = kind
    uct_now[6] = i32(steps - left)
    uct_now[0] += i32(steps - left)
    uct_count[2] += steps - left
    if kind == 3:
        for p in range(PLAYERS):
            uct_gain[p] = util[p]
        uct_ended()
    elif uct_now[0] >= uct_now[1]:
        if uct_cut_off() == 0:
            return -3
    elif uct_count[2] == uct_count[3]:
        return -2
    return 1


def uct_run(budget: i32) -> i32:
    """Go on for so many plies of random play; 1 go on, 0 all is done, -2 no nodes are left, -3 there is no end."""
    while budget > 0:
        budget -= 1
        if uct_now[4] == 0:
            if uct_count[0] == uct_count[1] or (uct_link[PROVEN] and uct_sum[0] > 0):
                return 0
            uct_count[6] = played[2]
            if uct_link[WHOSE] == 2:
                uct_path[0] = 0
                uct_finish()
                continue
            found = uct_select()
            if found == 2:
                return -2
            if found == 3:
                if uct_cut_off() == 0:
                    return -3
            elif uct_now[4] == 0:
                uct_ended()
            else:
                uct_count[6] = played[2]
        else:
            found = uct_play_out(budget)
            budget -= uct_now[6]
            if found < 0:
                return found
    return 1
'''

_WAYS = '''

def uct_ways(node: i32) -> i32:
    """In how many ways the state of the node can go on."""
    return ways()


def uct_take(node: i32, way: i32) -> None:
    """Go one of them."""
    take(way)
'''

_WEIGHED_WAYS = '''

uct_weight = array(i64, NODES)  # of an outcome


def uct_ways(node: i32) -> i32:
    """In how many ways the state of the node can go on; for outcomes, with their weights."""
    if uct_link[node * LINK + WHOSE] == 1:
        return moves()
    return ways()


def uct_take(node: i32, way: i32) -> None:
    """Go one of them."""
    if uct_link[node * LINK + WHOSE] == 1:
        apply(way)
        return
    take(way)
'''

_CHOOSE = """{chance} uct_link[node * LINK + TRIED] < uct_link[node * LINK + ROWS]:
            child += uct_link[node * LINK + TRIED]
        else:
            child = uct_best(node)
"""

_ALIKE = """        if uct_link[node * LINK + WHOSE] == 1:
            child += i32(playout_below(uct_link[node * LINK + ROWS]))
        elif"""

_WEIGHED = """        if uct_link[node * LINK + WHOSE] == 1:
            total: i64 = 0
            for k in range(uct_link[node * LINK + ROWS]):
                total += uct_weight[child + k]
            ticket: i64 = playout_below(total)
            while ticket >= uct_weight[child]:
                ticket -= uct_weight[child]
                child += 1
        elif"""

_WEIGHTS = """    if uct_link[node * LINK + WHOSE] == 1:
        for k in range(rows):
            uct_weight[uct_link[node * LINK + FIRST] + k] = weight[k]
"""


def kernel(chance: bool, weighs: bool, sizes: Sizes) -> str:
    """The search in a game with chance or without, whose outcomes have weights or are all alike; nobody moves at once
    with others."""
    head = "".join(f"{name.upper()} = const({size})\n" for name, size in sizes._asdict().items())
    tree = _TREE.format(
        weights=_WEIGHTS if weighs else "",
        choose=_CHOOSE.format(chance=_WEIGHED if weighs else _ALIKE if chance else "        if"),
        kind="1 if uct_link[node * LINK + WHOSE] == 1 else 0" if chance else "0",
    )
    walk = _WEIGHED_WAYS if weighs else _WAYS
    return f"{head}{playouts.step(weighs, at_once=False)}\n\n{playouts.MEMORY}{playouts.GENERATOR}{walk}{tree}"

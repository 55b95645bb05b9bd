"""Games that tree search plays against itself, and how its play at random learns from them to lean toward actions.

1. Each move is searched for by UCT with so many simulations, whose play at random leans as it was learned before this
   game. The first moves of a game are drawn by how often they were visited, later ones are the most visited.
2. What is remembered of a position: of each action the numbers that its weight is made of, and which was found best.
3. After the game comes softmax regression: the best action's share of the weights is to be great. Each number goes
   along the gradient of its logarithm, by a rate that falls with the squares of the gradients that it met (Duchi, Hazan
   and Singer, Adaptive subgradient methods for online learning and stochastic optimization, JMLR 12, 2011). The
   positions of a game are gone through several times.

In a match nothing is learned: the play at random of one seat's search leans, that of the others does not.
"""

from gdl.compiler.kernels.exponent import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.leaning import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.series import *
from gdl.compiler.kernels.tree import *

LEANT_LONGEST = const(1)  # set: plies of a game at most,
LEANT_ROWS = const(1)  # set: and actions of all its positions that are remembered
LEANT_KINDS = const(4)  # numbers of a cell
LEANT_EACH = const(1 + LEANT_KINDS * LEAN_NAMED)  # numbers that a weight is made of, -1: none
LEANT_SIMULATIONS = const(0)  # of leant_count: for a move,
LEANT_DRAWN = const(1)  # moves that are drawn by visits,
LEANT_TIMES = const(2)  # how often a position is learned from,
LEANT_HELD = const(3)  # positions of this game that are remembered
LEANT_SEARCHED = const(4)  # and simulations of this move
LEANT_RATE = const(0)  # of leant_rate: how far a step goes,
LEANT_OWN = const(1)  # and that of a number for one player and one way alone
LEANT_LITTLE = const(0.01)  # what squares of gradients begin with
leant_here = array(i32, STATE)
leant_count = array(i64, 5)
leant_rate = array(f64, 2)
leant_start = array(i32, LEANT_LONGEST + 2)  # of each position: its first action
leant_best = array(i32, LEANT_LONGEST + 1)  # and the one that was found best
leant_worth = array(f64, LEANT_LONGEST + 1)  # how much more often it was visited than the average, as a share
leant_part = array(i32, LEANT_ROWS * LEANT_EACH)
leant_guess = array(f64, MOVES)
leant_size = array(f64, LEAN_NUMBERS)  # of each number: the squares of its gradients


def leant_search() -> i32:
    """Grow a tree from the state, which is there afterwards; the number of the best action, -1 where play has no end
    there."""
    copy(leant_here, 0, s, 0, STATE)
    last = lean_last[0]
    for k in range(NOW_PLAYED + 1):
        uct_now[k] = 0
    uct_now[NOW_PATIENCE] = uct_rule[RULE_PATIENCE]
    tree_count[TREE_WANTED] = leant_count[LEANT_SIMULATIONS]
    tree_count[TREE_MOST] = -1
    uct_begin()
    found = uct_run(2147483647)
    while found > 0:
        found = uct_run(2147483647)
    leant_count[LEANT_SEARCHED] = tree_count[TREE_SIMULATIONS]
    copy(s, 0, leant_here, 0, STATE)
    lean_go_to(last - 1)
    return leant_found() if found == RUN_DONE else -1


def leant_found() -> i32:
    """The most visited child of the root; if the root's value is proven, a child that has this value."""
    player = tree_link[LINK_WHOSE] - WHOSE_PLAYER
    first_child = tree_link[LINK_FIRST]
    best = -1
    most: i64 = 0
    for k in range(tree_link[LINK_ROWS]):
        visits: i64 = uct_sum[(first_child + k) * RECORD]
        fits = visits > most
        if tree_link[LINK_PROVEN] and fits:
            fits = tree_link[(first_child + k) * LINK + LINK_PROVEN] != 0
            if fits:
                fits = tree_pays(first_child + k, player) == tree_pays(0, player)
        if fits:
            best = k
            most = visits
    return best


def leant_visits(k: i32) -> i64:
    """How often a child of the root was visited beyond the first time."""
    visits: i64 = uct_sum[(tree_link[LINK_FIRST] + k) * RECORD]
    return visits - 1 if visits > 1 else i64(0)


def leant_drawn(best: i32) -> i32:
    """A child of the root, by its visits."""
    total: i64 = 0
    for k in range(tree_link[LINK_ROWS]):
        total += leant_visits(k)
    if total == 0 or tree_link[LINK_PROVEN]:
        return best
    ticket = playout_below(total)
    for k in range(tree_link[LINK_ROWS]):
        ticket -= leant_visits(k)
        if ticket < 0:
            return k
    return best


def leant_remember(rows: i32, best: i32) -> None:
    """The actions of the position, which are listed, and what the search made of them."""
    held = i32(leant_count[LEANT_HELD])
    begin = leant_start[held]
    if begin + rows > LEANT_ROWS or rows != tree_link[LINK_ROWS]:
        return
    lean_look()
    for k in range(rows):
        leant_write(k, (begin + k) * LEANT_EACH)
    leant_best[held] = begin + best
    leant_worth[held] = 1.0
    if tree_link[LINK_PROVEN] == 0:
        total: i64 = 0
        for k in range(rows):
            total += leant_visits(k)
        share = f64(leant_visits(best)) / f64(total) if total > 0 else 0.0
        leant_worth[held] = share - 1.0 / f64(rows)
    leant_start[held + 1] = begin + rows
    leant_count[LEANT_HELD] += 1


def leant_write(row: i32, at: i32) -> None:
    """Note the features of which the weight of an action's row is the sum."""
    rule = move[row * WIDTH]
    player = s[0]
    leant_part[at] = LEAN_BY_RULE + player * LEAN_RULES + rule
    for k in range(LEAN_NAMED):
        part = at + 1 + k * LEANT_KINDS
        for kind in range(LEANT_KINDS):
            leant_part[part + kind] = -1
        word = lean_word[rule * LEAN_NAMED + k]
        if word > 0:
            cell = move[row * WIDTH + word]
            base = lean_slot[rule * LEAN_NAMED + k] * LEAN_EACH
            what = lean_at[cell] % LEAN_NEAR
            leant_part[part] = base + lean_key(player, what)
            leant_part[part + 1] = LEAN_PLUS + base + lean_plain(player, what)
            leant_part[part + 2] = LEAN_OWN + player * LEAN_PART + base + what
            if lean_at[cell] >= LEAN_NEAR:
                leant_part[part + 3] = LEAN_NEXT + base + lean_plain(player, what)


def leant_sum(row: i32) -> f64:
    """The logarithm of a weight."""
    total = 0.0
    for k in range(LEANT_EACH):
        if leant_part[row * LEANT_EACH + k] >= 0:
            total += lean_number[leant_part[row * LEANT_EACH + k]]
    return total


def leant_learn(held: i32) -> None:
    """Take one learning step by one position."""
    begin = leant_start[held]
    rows = leant_start[held + 1] - begin
    greatest = 0.0
    for k in range(rows):
        leant_guess[k] = leant_sum(begin + k)
        greatest = leant_guess[k] if k == 0 or leant_guess[k] > greatest else greatest
    total = 0.0
    for k in range(rows):
        leant_guess[k] = power_of_e(leant_guess[k] - greatest)
        total += leant_guess[k]
    for row in range(begin, begin + rows):
        error = leant_worth[held] * (leant_guess[row - begin] / total - f64(row == leant_best[held]))
        for k in range(LEANT_EACH):
            part = leant_part[row * LEANT_EACH + k]
            if part >= 0:
                leant_size[part] += error * error
                rate = leant_rate[LEANT_OWN] if part >= LEAN_OWN and part < LEAN_BY_RULE else leant_rate[LEANT_RATE]
                lean_number[part] -= rate * error / sqrt(LEANT_LITTLE + leant_size[part])


def leant_lesson() -> None:
    """Learn from the game, which is over."""
    for time in range(i32(leant_count[LEANT_TIMES])):
        held = i32(leant_count[LEANT_HELD]) - 1
        while held >= 0:
            leant_learn(held)
            held -= 1
    lean_forget()


def leant_begin() -> None:
    """Begin the next game."""
    series_next()
    lean_go_to(-1)
    leant_count[LEANT_HELD] = 0


def leant_move() -> i32:
    """One decision; 0 where play has no end."""
    leant_count[LEANT_SEARCHED] = 0
    rows = moves()
    if series_count[SERIES_LEFT] > 0:
        series_count[SERIES_LEFT] -= 1
        drawn = playout_pick(rows)
        lean_note(drawn)
        apply(drawn)
        return 1
    drawn = 0
    if rows > 1:
        seat = series_count[SERIES_SEAT]
        lean_on[0] = seat < 0 or seat == s[0]
        best = leant_search()
        if best < 0:
            return 0
        rows = moves()
        drawn = best
        if seat < 0:
            leant_remember(rows, best)
            if series_count[SERIES_PLIES] < leant_count[LEANT_DRAWN]:
                drawn = leant_drawn(best)
    lean_note(drawn)
    apply(drawn)
    return 1


def leant_end(cut: i32) -> None:
    """The game is over, or is cut off."""
    if series_teaches(cut):
        leant_lesson()


def series_run(budget: i32) -> i32:
    """Make up to `budget` simulations. Returns 1 if games are left."""
    while budget > 0:
        budget -= 1
        if series_count[SERIES_PLAYING] == 0:
            if series_count[SERIES_PLAYED] >= series_count[SERIES_WANTED]:
                return 0
            leant_begin()
        kind = status()
        if kind == TERMINAL:
            leant_end(0)
        elif series_count[SERIES_PLIES] >= LEANT_LONGEST:
            leant_end(1)
        elif kind != DECISION:
            playout_step(kind)
            series_count[SERIES_PLIES] += 1
        else:
            if leant_move() == 0:
                leant_end(1)
            series_count[SERIES_PLIES] += 1
            budget -= i32(leant_count[LEANT_SEARCHED])
    return 1

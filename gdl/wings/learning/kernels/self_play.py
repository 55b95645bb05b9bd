"""Games that a net plays against itself, led by PUCT, and learns from; and games against others.

1. Three of four games begin with random plies, at most three quarters of the length of a random game: so the net is
   taught positions of which good play alone would show it few.
2. Each move is chosen by a search of a fixed number of simulations, spent by sequential halving; in the first moves of
   a game with Gumbel's noise.
3. What is remembered of a position is the improved policy, and the mean of what the game paid in the end and what the
   search thought it worth (that alone, where it was proven).
4. When new positions, each counted SELF_TIMES times, fill SELF_STEP steps, the net learns from the window in as many.

In a match nothing is learned: one seat plays by the first net, the others by the second, by the game's own evaluation,
or at random; the first moves are drawn at random.

Sources: Silver et al., Mastering the game of Go without human knowledge, Nature 550, 2017; Danihelka et al., Policy
improvement by planning with Gumbel, ICLR 2022; random openings: Wu, Accelerating self-play learning in Go, 2019.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.logarithm import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_descent import *
from gdl.compiler.kernels.tree_values import *
from gdl.wings.learning.kernels.cells import estimate_cell, estimate_cells
from gdl.wings.learning.kernels.gumbel import *
from gdl.wings.learning.kernels.halving import *
from gdl.wings.learning.kernels.lessons import *
from gdl.wings.learning.kernels.network import *
from gdl.wings.learning.kernels.one_ply import *
from gdl.wings.learning.kernels.series import *

SELF_LONGEST = const(1)  # set: decisions of a game at most
SELF_RIVAL = const(0)  # set: whether the game has an evaluation of its own, for a match
SELF_OPENED = const(100)  # decisions, at most, of the random game by which an opening's length is drawn
SELF_STEP = const(4)  # steps of learning that are made at once, at least: a net that changed is rounded anew
SELF_SHARE = const(1048576)  # a share of 1 in `lesson_held`, where visits stand
SELF_OTHERS = const(0)  # places in self_count: 1 if the others of a match play by the second net
SELF_RANDOM = const(1)  # 1 if everyone plays at random
SELF_DRAWN = const(2)  # decisions from the start of a game that are searched with noise
SELF_SIMULATIONS = const(3)  # simulations for a move
SELF_TIMES = const(4)  # how often each position is learned from
SELF_OWED = const(5)  # positions that are still to be learned from
SELF_STEPS = const(6)  # simulations and positions since the last slice began
SELF_RECORDED = const(7)  # positions of this game in the window
SELF_MOVES = const(8)  # plies of this game, chance included

self_here = array(i32, STATE)  # the state that is searched
self_count = array(i64, 9)
self_certain = array(u8, SELF_LONGEST)  # by position of this game in the window: 1 if its worth is proven


def payoff_estimate(player: i32) -> f64:
    """The player's estimate of the state."""
    if status() == TERMINAL:
        return f64(util[player]) / f64(DENOMINATOR)
    if SELF_RIVAL:
        evaluate()
        return f64(util[player]) / f64(EVALUATION_DENOMINATOR)
    return 0.0


def self_search() -> None:
    """Grow a tree from the present state, which is still the present one afterwards."""
    copy(self_here, 0, s, 0, STATE)
    uct_begin()
    tree_count[TREE_WANTED] = self_count[SELF_SIMULATIONS]
    gumbel_search(series_count[SERIES_SEAT] < 0 and series_count[SERIES_PLIES] <= self_count[SELF_DRAWN])
    self_count[SELF_STEPS] += tree_count[TREE_SIMULATIONS]
    copy(s, 0, self_here, 0, STATE)


def self_hold_steps(base: i32, rows: i32) -> i32:
    """Write the actions' rows of weights into the window. Returns 0 if there is not room for all."""
    used = 0
    for k in range(rows):
        many = net_steps(k)
        for j in range(many if used + many <= LESSON_ROOM else 0):
            lesson_held[base + LESSON_PLACES + used + j] = action_step[j] + (NET_SLOTS if j < many - 1 else 0)
        used += many
    return used <= LESSON_ROOM


def self_hold() -> i32:
    """Write the present position into the window, as the next of this game. Returns its place."""
    place = i32((lesson_count[LESSON_HELD] + self_count[SELF_RECORDED]) % WINDOW)
    base = place * LESSON_SIZE
    rows = moves()
    lesson_held[base + LESSON_SIDE] = s[0]
    estimate_cells()
    copy(lesson_held, base + LESSON_CELLS, estimate_cell, 0, NET_CELLS)
    lesson_held[base + LESSON_ROWS] = rows if rows <= LISTED and self_hold_steps(base, rows) else 0
    self_count[SELF_RECORDED] += 1
    return place


def self_remember(chosen: i32) -> None:
    """Write the present position into the window, with the policy and the values that the search has found; `chosen` is
    the action to be played."""
    certain = i32(self_count[SELF_RECORDED])
    place = self_hold()
    visited = place * LESSON_SIZE + LESSON_VISITS
    proven = tree_link[LINK_PROVEN]
    gumbel_policy()
    for k in range(lesson_held[place * LESSON_SIZE + LESSON_ROWS]):
        share = i32(net_share[k] * f64(SELF_SHARE) + 0.5)
        lesson_held[visited + k] = i32(k == chosen) if proven else share
    for p in range(PLAYERS):
        lesson_goal[place * PLAYERS + p] = led_total[p] / f64(uct_sum[0]) if proven else led_gain[p]
    self_certain[certain] = proven


def self_move() -> None:
    """Play one decision of a game of self-play."""
    series_count[SERIES_PLIES] += 1
    if series_count[SERIES_LEFT] > 0:
        series_count[SERIES_LEFT] -= 1
        playout_step(DECISION)
        return
    net_copy[0] = 0
    if series_count[SERIES_SEAT] >= 0 and series_count[SERIES_SEAT] != s[0]:
        if self_count[SELF_OTHERS] == 0:
            if SELF_RIVAL:
                greedy_move()
            else:
                playout_step(DECISION)
            return
        net_copy[0] = NET_COPIES - 1
    rows = ways()
    if rows == 1:
        take(0)
        return
    self_search()
    chosen = gumbel_choice()
    if series_count[SERIES_SEAT] < 0:
        self_remember(chosen)
    ways()
    take(chosen)


def self_opening() -> i32:
    """The number of random plies that the next game begins with: none in one of four games, else at most three quarters
    of the decisions of a random game, which is played here."""
    if playout_below(4) == 0:
        return 0
    plies = 0
    moves_made = 0
    kind = status()
    while kind != TERMINAL and plies < SELF_OPENED and moves_made < 4 * SELF_OPENED:
        plies += kind == DECISION
        moves_made += 1
        playout_step(kind)
        kind = status()
    return i32(playout_below(plies * 3 // 4 + 1))


def self_begin() -> None:
    """Begin the next game, with its random plies."""
    series_next()
    if self_count[SELF_RANDOM]:
        series_count[SERIES_LEFT] = SELF_LONGEST
    if series_count[SERIES_SEAT] < 0:
        plies = self_opening()
        series_next()  # the same random numbers once more
        playout_below(4)
        series_count[SERIES_LEFT] = plies
    self_count[SELF_RECORDED] = 0
    self_count[SELF_MOVES] = 0


def self_learn() -> None:
    """Learn from the game, which is over: complete the values of its positions, which join the window, and take the
    steps that are due."""
    for k in range(i32(self_count[SELF_RECORDED])):
        place = i32((lesson_count[LESSON_HELD] + k) % WINDOW)
        if self_certain[k] == 0:
            for p in range(PLAYERS):
                at = place * PLAYERS + p
                paid = (series_gain[p] - net_scale[NET_MIDDLE]) / net_scale[NET_HALF]
                lesson_goal[at] = (lesson_goal[at] + paid) * 0.5
    lesson_count[LESSON_HELD] += self_count[SELF_RECORDED]
    self_count[SELF_OWED] += self_count[SELF_RECORDED] * self_count[SELF_TIMES]
    if self_count[SELF_OWED] >= SELF_STEP * LESSON_BATCH:
        self_steps(2147483647)


def self_steps(budget: i32) -> i32:
    """Take the learning steps that the new positions have earned, for up to `budget` positions. Returns 1 if steps
    remain."""
    net_copy[0] = 0
    while self_count[SELF_OWED] >= LESSON_BATCH:
        if budget <= 0:
            return 1
        budget -= LESSON_BATCH
        self_count[SELF_OWED] -= LESSON_BATCH
        self_count[SELF_STEPS] += LESSON_BATCH
        lesson_step(LESSON_BATCH)
    return 0


def self_game() -> None:
    """Play one game from beginning to end, and keep the positions that it teaches."""
    self_begin()
    kind = status()
    while kind != TERMINAL and series_count[SERIES_PLIES] < SELF_LONGEST and self_count[SELF_MOVES] < 4 * SELF_LONGEST:
        if kind == DECISION:
            self_move()
        else:
            playout_step(kind)
        self_count[SELF_MOVES] += 1
        self_count[SELF_STEPS] += 1
        kind = status()
    if series_teaches(1 if kind != TERMINAL else 0):
        self_learn()


def series_run(budget: i32) -> i32:
    """Play whole games until `budget` simulations and learning positions are done. Returns 1 if games are left."""
    self_count[SELF_STEPS] = 0
    while self_count[SELF_STEPS] < budget:
        if series_count[SERIES_PLAYED] >= series_count[SERIES_WANTED]:
            return 0
        self_game()
    return 1

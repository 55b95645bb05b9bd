"""Tables of patterns that learn from the self-play of players who look one move ahead.

1. A game begins with some random moves. Then each player makes the move after which their own evaluation is the best
   (an end counts by its utility), of equally good ones any; with some probability a random move instead.
2. At the end, from the last position back to the first, each is to be worth the mean G of what followed: with G the
   utilities at first, V(s) moves toward G, and then G := (1 - lambda) V(s) + lambda G, which makes the lambda-return of
   the position before (Sutton, Learning to predict by the methods of temporal differences, 1988). A random move says
   nothing of the position before it: G := V(s) there, and this V is left as it is.
3. Each number of the tables has a rate of its own, |N| / A, with the sum N of its errors and the sum A of their sizes:
   it falls where errors only change their sign (Beal and Smith, Temporal coherence and prediction decay in TD learning,
   IJCAI 1999; for patterns: Bagheri, Thill, Koch and Konen, Online adaptable learning rates for the game Connect-4,
   2016).

In a match nothing is learned: one seat plays like that, the others by the game's own evaluation, or at random.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.wings.learning.kernels.cells import estimate_cell, estimate_cells
from gdl.wings.learning.kernels.estimates import *
from gdl.wings.learning.kernels.series import *

WAITING = const(128)  # states that are made from one listing
TD_LONGEST = const(1)  # set: plies of a game at most
TD_RIVAL = const(0)  # set: whether the others of a match play by the game's own evaluation, not at random
TD_TOTAL = const(0)  # set: whether both players' utilities have a known sum
TD_RANDOM_MOVE = const(0)  # places in td_rate: the probability of a random move,
TD_DECAY = const(1)  # lambda,
TD_BOTH = const(2)  # and that sum

greedy_here = array(i32, STATE)  # the state before the move,
greedy_best = array(i32, STATE)  # the best one after it so far,
greedy_child = array(i32, WAITING * STATE)  # and those made from the last listing
td_line = array(i32, TD_LONGEST * STATE)  # by ply of this game: the position,
td_random = array(u8, TD_LONGEST)  # and 1 if the move there was made at random
td_goal = array(f64, PLAYERS)  # by player: G
td_error = array(f64, ESTIMATE_ENTRIES)  # by number of the tables: the sum N of errors,
td_size = array(f64, ESTIMATE_ENTRIES)  # and the sum A of their sizes
td_rate = array(f64, 3)


def td_value(player: i32) -> f64:
    """The value of the state to a player, by the tables."""
    estimate_cells()
    if TD_TOTAL:
        value = estimate_worth(estimate_sum(estimate_side(), 0))
        return value if player == 0 else td_rate[TD_BOTH] - value
    return estimate_worth(estimate_sum(estimate_side(), player))


def payoff_estimate(player: i32) -> f64:
    """The player's estimate of the state."""
    if status() == TERMINAL:
        return f64(util[player]) / f64(DENOMINATOR)
    if TD_RIVAL:
        if series_count[SERIES_SEAT] >= 0 and series_count[SERIES_SEAT] != player:
            evaluate()
            return f64(util[player]) / f64(EVALUATION_DENOMINATOR)
    return td_value(player)


def greedy_move() -> None:
    """Play the move after which the mover's estimate is the greatest, of equals one at random."""
    player = s[0]
    copy(greedy_here, 0, s, 0, STATE)
    rows = moves()
    done = 0
    greatest = 0.0
    equal = 0
    while done < rows:
        made = 0
        while made < WAITING and done < rows:
            apply(done)
            copy(greedy_child, made * STATE, s, 0, STATE)
            copy(s, 0, greedy_here, 0, STATE)
            made += 1
            done += 1
        for child in range(made):
            copy(s, 0, greedy_child, child * STATE, STATE)
            value = payoff_estimate(player)
            if equal > 0 and value == greatest:
                equal += 1
            if equal == 0 or value > greatest:
                equal = 1
                greatest = value
                copy(greedy_best, 0, greedy_child, child * STATE, STATE)
            elif value == greatest and playout_below(equal) == 0:
                copy(greedy_best, 0, greedy_child, child * STATE, STATE)
        if done < rows:
            copy(s, 0, greedy_here, 0, STATE)
            moves()
    copy(s, 0, greedy_best, 0, STATE)


def td_step(kind: i32) -> i32:
    """Play one move of self-play. Returns 1 if a player made it at random."""
    if kind != DECISION:
        playout_step(kind)
        return 0
    series_count[SERIES_LEFT] -= 1
    random = series_count[SERIES_LEFT] >= 0
    if series_count[SERIES_SEAT] < 0:
        random = random or f64(playout_random()) < td_rate[TD_RANDOM_MOVE] * 2147483648.0
    elif not TD_RIVAL:
        random = random or series_count[SERIES_SEAT] != s[0]
    if random:
        playout_step(kind)
    else:
        greedy_move()
    return random


def td_correct(side: i32, output: i32, error: f64) -> None:
    """Move every number in the state's sum, by the tables of `side` and `output`, so that the error becomes smaller."""
    row = output * ESTIMATE_SIDES + side
    slot = row * ESTIMATE_PATTERNS
    at = row * ESTIMATE_MEMBERS
    share = error / f64(ESTIMATE_PATTERNS)
    size = error if error > 0.0 else 0.0 - error
    k = 0
    for pattern in range(ESTIMATE_PATTERNS):
        end = estimate_start[pattern + 1]
        place = estimate_base[slot + pattern]
        while k < end:
            place += estimate_step[estimate_where[at + k] + estimate_cell[estimate_member[k]]]
            k += 1
        rate = 1.0
        if td_size[place] > 0.0:
            rate = td_error[place] / td_size[place]
            rate = rate if rate > 0.0 else 0.0 - rate
        sign = f64(estimate_sign[slot + pattern])
        estimate_table[place] += sign * rate * share
        td_error[place] += sign * error
        td_size[place] += size


def td_learn() -> None:
    """Learn from the game, which is over: from its last position back to the first, correct the numbers."""
    copy(td_goal, 0, series_gain, 0, PLAYERS)
    ply = i32(series_count[SERIES_PLIES]) - 1
    while ply >= 0:
        copy(s, 0, td_line, ply * STATE, STATE)
        estimate_cells()
        side = estimate_side()
        for output in range(ESTIMATE_OUTPUTS):
            value = estimate_worth(estimate_sum(side, output))
            if td_random[ply]:
                td_goal[output] = value
            else:
                error = (td_goal[output] - value) / estimate_scale[SCALE_HALF]
                td_correct(side, output, error)
                td_goal[output] = value + td_rate[TD_DECAY] * (td_goal[output] - value)
        ply -= 1


def td_end(cut: i32) -> None:
    """Finish a game, and learn from it if it teaches; `cut`: 1 if it was cut off as too long."""
    if series_teaches(cut):
        td_learn()


def series_run(budget: i32) -> i32:
    """Play up to `budget` moves of self-play. Returns 1 if games are left."""
    while budget > 0:
        budget -= 1
        if series_count[SERIES_PLAYING] == 0:
            if series_count[SERIES_PLAYED] >= series_count[SERIES_WANTED]:
                return 0
            series_next()
        kind = status()
        ply = i32(series_count[SERIES_PLIES])
        if kind == TERMINAL:
            td_end(0)
        elif ply >= TD_LONGEST:
            td_end(1)
        else:
            copy(td_line, ply * STATE, s, 0, STATE)
            td_random[ply] = td_step(kind)
            series_count[SERIES_PLIES] += 1
    return 1

"""Self-play of players who look one move ahead, and what it teaches.

1. A game begins with some random moves. Then each player makes the move after which their own evaluation is the best
   (an end counts by its utility), of equally good ones any; with some probability a random move instead.
2. At the end, from the last position back to the first, each is to be worth the mean G of what followed: with G the
   utilities at first, V(s) moves toward G, and then G := (1 - lambda) V(s) + lambda G, which makes the lambda-return of
   the position before (Sutton, Learning to predict by the methods of temporal differences, 1988). A random move says
   nothing of the position before it: G := V(s) there, and this V is left as it is.

In a match nothing is learned: one seat plays like that, the others by the game's own evaluation, or at random.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.wings.learning.kernels.one_ply import *
from gdl.wings.learning.kernels.series import *
from gdl.wings.learning.kernels.taught import td_learn, td_value

TD_LONGEST = const(1)  # set: plies of a game at most
TD_RIVAL = const(0)  # set: whether the others of a match play by the game's own evaluation, not at random
TD_RANDOM_MOVE = const(0)  # places in td_rate: the probability of a random move,
TD_DECAY = const(1)  # and lambda

td_line = array(i32, TD_LONGEST * STATE)  # by ply of this game: the position,
td_random = array(u8, TD_LONGEST)  # and 1 if the move there was made at random
td_goal = array(f64, PLAYERS)  # by player: G
td_tried = array(i32, 1)  # 1 if the last move was made at random
td_rate = array(f64, 2)


def payoff_estimate(player: i32) -> f64:
    """The player's estimate of the state."""
    if status() == TERMINAL:
        return f64(util[player]) / f64(DENOMINATOR)
    if TD_RIVAL:
        if series_count[SERIES_SEAT] >= 0 and series_count[SERIES_SEAT] != player:
            evaluate()
            return f64(util[player]) / f64(EVALUATION_DENOMINATOR)
    return td_value(player)


def td_step(kind: i32) -> None:
    """Play one move of self-play."""
    td_tried[0] = 0
    if kind != DECISION:
        playout_step(kind)
        return
    series_count[SERIES_LEFT] -= 1
    random = series_count[SERIES_LEFT] >= 0
    if series_count[SERIES_SEAT] < 0:
        random = random or f64(playout_random()) < td_rate[TD_RANDOM_MOVE] * 2147483648.0
    elif not TD_RIVAL:
        random = random or series_count[SERIES_SEAT] != s[0]
    if random:
        td_tried[0] = 1
        playout_step(kind)
    else:
        greedy_move()


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
            td_step(kind)
            td_random[ply] = td_tried[0]
            series_count[SERIES_PLIES] += 1
    return 1

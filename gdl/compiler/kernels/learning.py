"""Games of players who look one move ahead by weighted features, and what such games teach.

1. A game begins with some random moves. Then each player makes the move after which their own evaluation is the best
   (an end counts by its utility), of equally good ones any; with some probability a random move instead.
2. Games come in groups with one opening: in game i of a group player i has the first weights, all others the second. (A
   lone player has the first weights in one game and the second in the other.)
3. For each player the features x along the game are added up for the least-squares temporal differences LSTD(lambda)
   (Boyan, "Technical update: least-squares temporal difference learning", Machine Learning 49, 2002): with the trace
   z := lambda z + x, the matrix A grows by z (x - x') at each step to the next features x' (0 at the end), and the
   vector b by z times the utility at the end. The weights w with A w = b predict the utility from each position.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.one_ply import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.series import *

FEATURES = const(1)  # set: features of each player
LEARN_LONGEST = const(1)  # set: plies of a game at most
NOW_KNOWN = const(0)  # places in learn_now: 1 if the features of an earlier position of this game are known,
NOW_TEACHES = const(1)  # 1 if it is learned from
RATE_RANDOM_MOVE = const(0)  # places in learn_rate: the probability of a random move,
RATE_DECAY = const(1)  # lambda,
RATE_GREATEST = const(2)  # and the greatest evaluation met, in size

learn_weight = array(f64, 2 * FEATURES)  # the first weights, then the second
learn_x = array(f64, PLAYERS * FEATURES)  # features of the position before,
learn_z = array(f64, PLAYERS * FEATURES)  # and their trace
learn_a = array(f64, FEATURES * FEATURES)  # the matrix A, by rows
learn_b = array(f64, FEATURES)  # the vector b
learn_rate = array(f64, 3)
learn_now = array(i32, 2)


def learn_value(player: i32) -> f64:
    """The player's weighted sum of the present position's features, which are in `feature`."""
    base = 0
    if player != series_count[SERIES_SEAT]:
        base = FEATURES
    value = 0.0
    for k in range(FEATURES):
        value += learn_weight[base + k] * feature[player * FEATURES + k]
    return value


def payoff_estimate(player: i32) -> f64:
    """The player's estimate of the state."""
    if status() == TERMINAL:
        return f64(util[player]) / f64(DENOMINATOR)
    features()
    value = learn_value(player)
    size = value if value > 0.0 else 0.0 - value
    if size > learn_rate[RATE_GREATEST]:
        learn_rate[RATE_GREATEST] = size
    return value


def learn_step(kind: i32) -> None:
    """Play one move of the opening, of the player's own choice, or of chance, by the state's `kind`."""
    if (
        kind == 0
        and series_count[SERIES_LEFT] <= 0
        and f64(playout_random()) >= learn_rate[RATE_RANDOM_MOVE] * 2147483648.0
    ):
        greedy_move()
    else:
        playout_step(kind)
    if kind == DECISION:
        series_count[SERIES_LEFT] -= 1
    series_count[SERIES_PLIES] += 1


def learn_from(over: i32) -> None:
    """Add the temporal differences between the position before and this one (`over`: the end) to A and b; then this
    position is the one before."""
    if over == 0:
        features()
    for p in range(PLAYERS):
        at = p * FEATURES
        if learn_now[NOW_KNOWN]:
            gain = 0.0
            if over:
                gain = series_gain[p]
            for i in range(FEATURES):
                trace = learn_z[at + i]
                learn_b[i] += trace * gain
                for k in range(FEATURES):
                    after = 0.0
                    if over == 0:
                        after = feature[at + k]
                    learn_a[i * FEATURES + k] += trace * (learn_x[at + k] - after)
        if over == 0:
            for i in range(FEATURES):
                trace = 0.0
                if learn_now[NOW_KNOWN]:
                    trace = learn_rate[RATE_DECAY] * learn_z[at + i]
                learn_z[at + i] = trace + feature[at + i]
                learn_x[at + i] = feature[at + i]
    learn_now[NOW_KNOWN] = 1


def learn_end(cut: i32) -> None:
    """Finish a game, and learn from its end, if it counts; `cut`: 1 if it was cut off as too long."""
    counts = series_end(cut)
    if learn_now[NOW_TEACHES] and counts:
        learn_from(1)
    series_keep(counts)
    series_count[SERIES_PLAYED] += 1


def series_run(budget: i32) -> i32:
    """Play up to `budget` moves. Returns 1 if games are left."""
    while budget > 0:
        budget -= 1
        if series_count[SERIES_PLAYING] == 0:
            if series_count[SERIES_PLAYED] == series_count[SERIES_WANTED]:
                return 0
            series_next()
            learn_now[NOW_KNOWN] = 0
        kind = status()
        if kind == TERMINAL:
            learn_end(0)
        elif series_count[SERIES_PLIES] >= LEARN_LONGEST:
            learn_end(1)
        else:
            if learn_now[NOW_TEACHES]:
                learn_from(0)
            learn_step(kind)
    return 1

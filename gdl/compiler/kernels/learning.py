"""Games of players who look one move ahead by weighted features,; and what such games teach.

1. A game begins with some random moves. Then each player makes the move after which the own evaluation is the best (an
   end counts by its utility), of equally good ones any; with some probability a random move instead.
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
from gdl.compiler.kernels.words import *

FEATURES = const(1)  # set: that are weighed
SEATS = const(1)  # set: games of a group
LEARN_RESULTS = const(1)  # set: games that are remembered
LEARN_GAMES = const(0)  # games played
LEARN_WANTED = const(1)  # and wanted
LEARN_PLIES = const(2)  # plies of this game
LEARN_LONGEST = const(3)  # and at most
LEARN_OPENING = const(4)  # random plies of an opening at most
LEARN_LEFT = const(5)  # and left of this one
LEARN_SEAT = const(6)  # who has the first weights
LEARN_SEED = const(7)  # the group's random numbers
NOW_PLAYING = const(0)  # whether a game is under way
NOW_KNOWN = const(1)  # whether features of it are known
NOW_TEACHES = const(2)  # whether it teaches
NOW_PRICED = const(3)  # whether endless play has a price
RATE_RANDOM_MOVE = const(0)  # the probability of a random move
RATE_DECAY = const(1)  # lambda
RATE_GREATEST = const(2)  # the greatest evaluation met

learn_weight = array(f64, 2 * FEATURES)  # the first weights, then the second
learn_x = array(f64, PLAYERS * FEATURES)  # features of the position before,
learn_z = array(f64, PLAYERS * FEATURES)  # and their trace
learn_a = array(f64, FEATURES * FEATURES)
learn_b = array(f64, FEATURES)
learn_start = array(i32, STATE)
learn_count = array(i64, 8)
learn_rate = array(f64, 3)
learn_now = array(i32, 4)
learn_price = array(f64, PLAYERS)
learn_gain = array(f64, PLAYERS)  # the utilities of this game
learn_result = array(f64, LEARN_RESULTS * PLAYERS)  # the utilities of the last games
learn_cut = array(u8, LEARN_RESULTS)  # whether they do not count


def learn_value(player: i32) -> f64:
    """What the player thinks of the position, whose features are known."""
    base = 0
    if player != learn_count[LEARN_SEAT]:
        base = FEATURES
    value = 0.0
    for k in range(FEATURES):
        value += learn_weight[base + k] * feature[player * FEATURES + k]
    return value


def opinion(player: i32) -> f64:
    """What the player thinks of the state."""
    if status() == TERMINAL:
        return f64(util[player]) / f64(DENOMINATOR)
    features()
    value = learn_value(player)
    size = value if value > 0.0 else 0.0 - value
    if size > learn_rate[RATE_GREATEST]:
        learn_rate[RATE_GREATEST] = size
    return value


def learn_step(kind: i32) -> None:
    """One move."""
    if (
        kind == 0
        and learn_count[LEARN_LEFT] <= 0
        and f64(playout_random()) >= learn_rate[RATE_RANDOM_MOVE] * 2147483648.0
    ):
        greedy_move()
    else:
        playout_step(kind)
    if kind == DECISION:
        learn_count[LEARN_LEFT] -= 1
    learn_count[LEARN_PLIES] += 1


def learn_from(over: i32) -> None:
    """The differences between this position (or the end) and the one before; this position is the next to be left."""
    if over == 0:
        features()
    for p in range(PLAYERS):
        at = p * FEATURES
        if learn_now[NOW_KNOWN]:
            gain = 0.0
            if over:
                gain = learn_gain[p]
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


def learn_begin() -> None:
    """The next game of the group, or the first of the next group."""
    copy(s, 0, learn_start, 0, STATE)
    learn_count[LEARN_SEAT] = learn_count[LEARN_GAMES] % SEATS
    if learn_count[LEARN_SEAT] == 0:
        learn_count[LEARN_SEED] = wrap64(learn_count[LEARN_SEED] - 3335678366873096555)
    playout_seed(learn_count[LEARN_SEED])
    learn_count[LEARN_LEFT] = playout_below(learn_count[LEARN_OPENING] + 1)
    learn_count[LEARN_PLIES] = 0
    learn_now[NOW_PLAYING] = 1
    learn_now[NOW_KNOWN] = 0


def learn_end(cut: i32) -> None:
    """The game is over, or is cut off: then it pays the price of endless play, or, if that has none, does not count."""
    for p in range(PLAYERS):
        learn_gain[p] = learn_price[p] if cut else f64(util[p]) / f64(DENOMINATOR)
    counts = 1
    if cut and learn_now[NOW_PRICED] == 0:
        counts = 0
    if learn_now[NOW_TEACHES] and counts:
        learn_from(1)
    game = i32(learn_count[LEARN_GAMES])
    for p in range(PLAYERS):
        learn_result[game * PLAYERS + p] = learn_gain[p]
    learn_cut[game] = 1 - counts
    learn_count[LEARN_GAMES] += 1
    learn_now[NOW_PLAYING] = 0


def learn_run(budget: i32) -> i32:
    """Go on for so many moves; 1 where games are left."""
    while budget > 0:
        budget -= 1
        if learn_now[NOW_PLAYING] == 0:
            if learn_count[LEARN_GAMES] == learn_count[LEARN_WANTED]:
                return 0
            learn_begin()
        kind = status()
        if kind == TERMINAL:
            learn_end(0)
        elif learn_count[LEARN_PLIES] >= learn_count[LEARN_LONGEST]:
            learn_end(1)
        else:
            if learn_now[NOW_TEACHES]:
                learn_from(0)
            learn_step(kind)
    return 1

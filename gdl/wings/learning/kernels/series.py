"""A series of games: how each begins, and what it pays."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *

SEATS = const(1)  # set: games of a group, which begin alike: one for each player, and at least two
SERIES_KEPT = const(1)  # set: games whose results are stored
SERIES_PLAYED = const(0)  # places in series_count: games played,
SERIES_WANTED = const(1)  # and wanted
SERIES_PLIES = const(2)  # plies of this game
SERIES_OPENING = const(3)  # random moves of an opening, at most,
SERIES_LEFT = const(4)  # and those left of this game's opening
SERIES_SEAT = const(5)  # who plays differently from all others, -1: nobody
SERIES_SEED = const(6)  # the seed of all games
SERIES_PLAYING = const(7)  # 1 if a game is under way
SERIES_PRICED = const(8)  # 1 if endless play has a price
series_count = array(i64, 9)
series_start = array(i32, STATE)  # the first state of games
series_price = array(f64, PLAYERS)  # what endless play pays
series_gain = array(f64, PLAYERS)  # by player: what this game has paid
series_result = array(f64, SERIES_KEPT * PLAYERS)  # by game and player: what games have paid,
series_cut = array(u8, SERIES_KEPT)  # and 1 if a game does not count


def series_next() -> None:
    """Begin the next game from the first state. The games of a group begin alike, and in each of them another seat
    plays differently from all others."""
    game = series_count[SERIES_PLAYED]
    if series_count[SERIES_SEAT] >= 0:
        series_count[SERIES_SEAT] = game % SEATS
        game = game // SEATS
    copy(s, 0, series_start, 0, STATE)
    playout_seed(wrap64(series_count[SERIES_SEED] + wrap64(game * -3335678366873096555)))
    series_count[SERIES_LEFT] = playout_below(series_count[SERIES_OPENING] + 1)
    series_count[SERIES_PLIES] = 0
    series_count[SERIES_PLAYING] = 1


def series_teaches(cut: i32) -> i32:
    """Count a game that is over or, if `cut`, was cut off, which pays the price of endless play, and does not count if
    that has none; the result of a match game is stored. Returns 1 if the game is to be learned from."""
    for p in range(PLAYERS):
        series_gain[p] = series_price[p] if cut else f64(util[p]) / f64(DENOMINATOR)
    series_count[SERIES_PLAYING] = 0
    counts = cut == 0 or series_count[SERIES_PRICED] != 0
    if series_count[SERIES_SEAT] >= 0:
        game = i32(series_count[SERIES_PLAYED])
        copy(series_result, game * PLAYERS, series_gain, 0, PLAYERS)
        series_cut[game] = 1 - counts
    series_count[SERIES_PLAYED] += 1
    return counts and series_count[SERIES_SEAT] < 0

"""Tables of patterns that learn from self-play, as `temporal_differences` plays it.

Each number has a rate of its own, |N| / A, with the sum N of its errors and the sum A of their sizes: it falls where
errors only change their sign (Beal and Smith, Temporal coherence and prediction decay in TD learning, IJCAI 1999; for
patterns: Bagheri, Thill, Koch and Konen, Online adaptable learning rates for the game Connect-4, 2016).
"""

from gdl.compiler.kernels.game import *
from gdl.wings.learning.kernels.cells import estimate_cell, estimate_cells
from gdl.wings.learning.kernels.estimates import *
from gdl.wings.learning.kernels.series import *
from gdl.wings.learning.kernels.temporal_differences import *

TD_TOTAL = const(0)  # set: whether both players' utilities have a known sum
TD_PACE = const(0)  # places in td_table: the factor of all rates,
TD_BOTH = const(1)  # and that sum

td_error = array(f64, ESTIMATE_ENTRIES)  # by number of the tables: the sum N of errors,
td_size = array(f64, ESTIMATE_ENTRIES)  # and the sum A of their sizes
td_table = array(f64, 2)


def td_value(player: i32) -> f64:
    """The value of the state to a player, by the tables."""
    estimate_cells()
    if TD_TOTAL:
        value = estimate_worth(estimate_sum(estimate_side(), 0))
        return value if player == 0 else td_table[TD_BOTH] - value
    return estimate_worth(estimate_sum(estimate_side(), player))


def td_correct(side: i32, output: i32, error: f64) -> None:
    """Move every number in the state's sum, by the tables of `side` and `output`, so that the error becomes smaller."""
    row = output * ESTIMATE_SIDES + side
    slot = row * ESTIMATE_PATTERNS
    at = row * ESTIMATE_MEMBERS
    share = td_table[TD_PACE] * error / f64(ESTIMATE_PATTERNS)
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

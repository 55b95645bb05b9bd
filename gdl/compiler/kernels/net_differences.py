"""A net that learns from self-play, as `temporal_differences` plays it.

1. After a game its positions join the window, each with what it is to be worth to every player; then come as many
   steps as there are new positions for.
2. The net that is written down is a mean of all that there were: every few steps it moves toward the one that learns by
   a share that falls with time, so that two thirds of it are what the last fifth of the steps made (Polyak and
   Juditsky, Acceleration of stochastic approximation by averaging, 1992).

Source: Tesauro, Temporal difference learning and TD-Gammon, Communications of the ACM 38, 1995.
"""

from gdl.compiler.kernels.cells import estimate_cell
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.lessons import *
from gdl.compiler.kernels.network import *
from gdl.compiler.kernels.series import *
from gdl.compiler.kernels.temporal_differences import *

TD_OWED = const(0)  # places in td_count: positions that are still to be learned from,
TD_STEPS = const(1)  # and steps that were made
TD_FIRST = const(16)  # positions that the first step takes,
TD_SLOWLY = const(8)  # and steps until it is one more
TD_TICK = const(4)  # steps between two moves of the mean
TD_RECENT = const(5.0)  # how much farther the mean moves than a mean of all alike would

td_count = array(i64, 2)


def td_value(player: i32) -> f64:
    """The value of the state to a player, by the net."""
    net_look(s[0] if s[0] >= 0 else s[1])
    return net_scale[NET_MIDDLE] + net_scale[NET_HALF] * net_worth[player]


def td_hold() -> None:
    """Put the present position, at which the net has looked, into the window, with the goal values in `td_goal`."""
    place = i32(lesson_count[LESSON_HELD] % WINDOW)
    base = place * LESSON_SIZE
    lesson_held[base + LESSON_SIDE] = s[0] if s[0] >= 0 else s[1]
    copy(lesson_held, base + LESSON_CELLS, estimate_cell, 0, NET_CELLS)
    copy(lesson_goal, place * PLAYERS, td_goal, 0, PLAYERS)
    lesson_count[LESSON_HELD] += 1
    td_count[TD_OWED] += 1


def td_learn() -> None:
    """Learn from the game, which is over: its positions join the window, and the steps that are due are taken."""
    for p in range(PLAYERS):
        td_goal[p] = (series_gain[p] - net_scale[NET_MIDDLE]) / net_scale[NET_HALF]
    ply = i32(series_count[SERIES_PLIES]) - 1
    while ply >= 0:
        copy(s, 0, td_line, ply * STATE, STATE)
        net_look(s[0] if s[0] >= 0 else s[1])
        if td_random[ply] == 0:
            td_hold()
        for p in range(PLAYERS):
            more = 0.0 if td_random[ply] else td_rate[TD_DECAY] * (td_goal[p] - net_worth[p])
            td_goal[p] = net_worth[p] + more
        ply -= 1
    batch = td_batch()
    while td_count[TD_OWED] >= batch:
        td_count[TD_OWED] -= batch
        lesson_step(batch)
        td_count[TD_STEPS] += 1
        batch = td_batch()
        if td_count[TD_STEPS] % TD_TICK == 0:
            td_average()


def td_batch() -> i32:
    """The number of positions of the next step: more as learning goes on, as what is left to learn gets finer."""
    batch = TD_FIRST + i32(td_count[TD_STEPS] // TD_SLOWLY)
    return batch if batch < LESSON_BATCH else LESSON_BATCH


def td_average() -> None:
    """Move the mean of all nets toward the net that learns."""
    share = TD_RECENT / (TD_RECENT - 1.0 + f64(td_count[TD_STEPS] // TD_TICK))
    mean = NET_ROWS * NET_UNITS
    for at in range(mean):
        net_weight[mean + at] += share * (net_weight[at] - net_weight[mean + at])
    net_known[1] = 0

"""Lessons of a net from positions that were played: descent along the gradient, by Adam.

1. The window holds the last positions: the classes of their cells, how often the search visited each action, and what
   they turned out to be worth.
2. A step takes some of them at random, each as one of its symmetric images. Its loss is the square of the error of each
   value, and the cross entropy between the shares of the visits and those of the net; the gradient goes back through
   the layers.
3. Adam moves the rows that had a part in it, and leaves all others as they are (Kingma and Ba, Adam: a method for
   stochastic optimization, 2015).

Here the net computes with the weights in double precision as they are learned, where search has them rounded.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.wings.learning.kernels.cells import estimate_cell
from gdl.wings.learning.kernels.network import *

WINDOW = const(1)  # set: positions held
LISTED = const(1)  # set: actions of a position whose visits are held, at most
LESSON_BATCH = const(1)  # set: positions of a step
LESSON_SIDE = const(0)  # words of a position in lesson_held: whose turn it is,
LESSON_ROWS = const(1)  # how many actions are held (0: none, as there are too many),
LESSON_CELLS = const(2)  # the classes of the cells, then the actions' rows of weights (net_steps), and their visits
LESSON_PLACES = const(LESSON_CELLS + NET_CELLS)
LESSON_ROOM = const(1)  # set: rows of weights of all actions of a position that are held, at most
LESSON_VISITS = const(LESSON_PLACES + LESSON_ROOM)
LESSON_SIZE = const(LESSON_VISITS + LISTED)
LESSON_RATE = const(0)  # places in lesson_rule: the rate of learning,
LESSON_FIRST = const(1)  # Adam's decay of the mean (beta 1),
LESSON_SECOND = const(2)  # and of the mean square (beta 2),
LESSON_VALUE = const(3)  # the weight of the errors of values,
LESSON_POWER = const(4)  # and both decays to the power of the number of steps so far
LESSON_POWER_2 = const(5)
LESSON_HELD = const(0)  # places in lesson_count: positions that were ever held,
LESSON_TOUCHED = const(1)  # and rows that have a part in this step

lesson_held = array(i32, WINDOW * LESSON_SIZE)  # the window: positions one after the other, the oldest overwritten
lesson_goal = array(f64, WINDOW * PLAYERS)  # by position: its worth to each player, on the scale of the net
lesson_slope = array(f64, NET_ROWS * NET_UNITS)  # the gradient,
lesson_mean = array(f64, NET_ROWS * NET_UNITS)  # Adam's mean of it,
lesson_square = array(f64, NET_ROWS * NET_UNITS)  # and of its squares
lesson_mark = array(u8, NET_ROWS)  # 1 if a row of weights has a part in this step
lesson_row = array(i32, NET_ROWS)  # the rows that have
layer_first = array(f64, NET_UNITS)  # the layers
layer_second = array(f64, NET_UNITS)
layer_rows = array(i32, NET_UNITS + 3)  # where the rows of weights begin that are added to a layer,
layer_factor = array(f64, NET_PARTS + NET_UNITS + 3)  # and the factor of each
lesson_first = array(f64, NET_UNITS)  # the gradient at the layers
lesson_second = array(f64, NET_UNITS)
lesson_rule = array(f64, 6)
lesson_count = array(i64, 2)
lesson_ways = array(i32, PLAYERS + 1)  # by player: where the views of their turn begin in lesson_way
lesson_way = array(i32, NET_VIEWS * PLAYERS)


def layers(view: i32, player: i32) -> i32:
    """Compute both layers and the values for the classes in `estimate_cell`. Rows are added by fours; where there are
    fewer, rows times 0 fill up. Returns how many places of `net_rows` have rows that were added to the first."""
    copy(layer_first, 0, net_weight, net_part[view * PLAYERS + player] * NET_UNITS, NET_UNITS)
    many = net_gather(view)
    for k in range(many + 3):
        net_rows[k] = net_rows[k] if k < many else 0
        layer_factor[k] = f64(k < many)
    for k in range(0, many, 4):
        add_rows(layer_first, 0, net_weight, net_rows, layer_factor, k, NET_UNITS)
    layer_first[NET_UNITS - 1] = 1.0
    positive(layer_first, 0, NET_UNITS)
    active = 0
    for i in range(NET_UNITS):
        layer_second[i] = 0.0
        layer_rows[active] = (NET_SECOND + i) * NET_UNITS
        layer_factor[active] = layer_first[i]
        active += layer_first[i] > 0.0
    for k in range(active, active + 3):
        layer_rows[k] = 0
        layer_factor[k] = 0.0
    for k in range(0, active, 4):
        add_rows(layer_second, 0, net_weight, layer_rows, layer_factor, k, NET_UNITS)
    positive(layer_second, 0, NET_UNITS)
    layer_second[NET_UNITS - 1] = 1.0
    for output in range(NET_OUTPUTS):
        net_output[output] = dot(layer_second, 0, net_weight, (NET_VALUES + output) * NET_UNITS, NET_UNITS)
    return many


def lesson_row_of(place: i32, view: i32) -> i32:
    """The row of weights for a step of an action, at a place of the window. Where more steps of that action follow,
    NET_SLOTS is added to its number."""
    return NET_ACTIONS + net_slot[view * NET_SLOTS + lesson_held[place] % NET_SLOTS]


def lesson_shares(base: i32, view: i32, rows: i32) -> None:
    """Compute the shares that the net gives now to the actions of a stored position."""
    greatest = 0.0
    place = base + LESSON_PLACES
    for k in range(rows):
        net_share[k] = 0.0
        more = 1
        while more:
            more = lesson_held[place] >= NET_SLOTS
            row = lesson_row_of(place, view)
            net_share[k] += dot(layer_second, 0, net_weight, row * NET_UNITS, NET_UNITS)
            place += 1
        greatest = net_share[k] if k == 0 or net_share[k] > greatest else greatest
    total = 0.0
    for k in range(rows):
        net_share[k] = power_of_e(net_share[k] - greatest)
        total += net_share[k]
    for k in range(rows):
        net_share[k] = net_share[k] / total


def lesson_add(row: i32, times: f64) -> None:
    """Add the second layer, `times` a number, to the gradient of a row."""
    lesson_touch(row)
    add_times(lesson_slope, row * NET_UNITS, layer_second, 0, NET_UNITS, times)


def lesson_touch(row: i32) -> None:
    """Note that a row has a part in this step."""
    if lesson_mark[row] == 0:
        lesson_mark[row] = 1
        lesson_row[i32(lesson_count[LESSON_TOUCHED])] = row
        lesson_count[LESSON_TOUCHED] += 1


def lesson_back(row: i32, times: f64) -> None:
    """Carry the error `times` of the product of a row with the second layer back to both."""
    add_times(lesson_second, 0, net_weight, row * NET_UNITS, NET_UNITS, times)
    lesson_add(row, times)


def lesson_of_values(at: i32, view: i32) -> None:
    """Carry back the errors of the values of the position at place `at` of the window."""
    for p in range(PLAYERS):
        part = net_part[view * PLAYERS + p]
        if part < NET_OUTPUTS:
            x = net_output[part]
            slope = 1.0
            if NET_BOUNDED:
                root = sqrt(1.0 + x * x)
                slope = 1.0 / (root * root * root)
            error = net_bounded(x) - lesson_goal[at * PLAYERS + p]
            lesson_back(NET_VALUES + part, lesson_rule[LESSON_VALUE] * error * slope)


def lesson_of_actions(base: i32, view: i32) -> None:
    """Carry back the errors of the shares of the position that begins at `base` in the window."""
    rows = lesson_held[base + LESSON_ROWS]
    visits = 0
    for k in range(rows):
        visits += lesson_held[base + LESSON_VISITS + k]
    if rows == 0 or visits == 0:
        return
    lesson_shares(base, view, rows)
    place = base + LESSON_PLACES
    for k in range(rows):
        error = net_share[k] - f64(lesson_held[base + LESSON_VISITS + k]) / f64(visits)
        more = 1
        while more:
            more = lesson_held[place] >= NET_SLOTS
            lesson_back(lesson_row_of(place, view), error)
            place += 1


def lesson_look(at: i32) -> None:
    """Add the gradient of one stored position to the sum."""
    base = at * LESSON_SIZE
    player = lesson_held[base + LESSON_SIDE]
    first_way = lesson_ways[player]
    view = lesson_way[first_way + i32(playout_below(lesson_ways[player + 1] - first_way))]
    copy(estimate_cell, 0, lesson_held, base + LESSON_CELLS, NET_CELLS)
    many = layers(view, player)
    for i in range(NET_UNITS):
        lesson_second[i] = 0.0
    lesson_of_values(at, view)
    lesson_of_actions(base, view)
    for i in range(NET_UNITS):
        if layer_second[i] <= 0.0:
            lesson_second[i] = 0.0
    lesson_second[NET_UNITS - 1] = 0.0
    for i in range(NET_UNITS):
        lesson_first[i] = 0.0
        if layer_first[i] > 0.0:
            row = NET_SECOND + i
            lesson_first[i] = dot(lesson_second, 0, net_weight, row * NET_UNITS, NET_UNITS)
            lesson_touch(row)
            add_times(lesson_slope, row * NET_UNITS, lesson_second, 0, NET_UNITS, layer_first[i])
    lesson_first[NET_UNITS - 1] = 0.0
    lesson_into(net_part[view * PLAYERS + player])
    for k in range(many):
        lesson_into(net_rows[k] // NET_UNITS)


def lesson_into(row: i32) -> None:
    """Add the first layer's gradient to that of a row that was added to this layer."""
    lesson_touch(row)
    add_times(lesson_slope, row * NET_UNITS, lesson_first, 0, NET_UNITS, 1.0)


def lesson_step(batch: i32) -> None:
    """Draw `batch` stored positions at random, and make one learning step with them."""
    held = lesson_count[LESSON_HELD]
    held = held if held < WINDOW else i64(WINDOW)
    lesson_count[LESSON_TOUCHED] = 0
    for k in range(batch):
        lesson_look(i32(playout_below(held)))
    lesson_rule[LESSON_POWER] = lesson_rule[LESSON_POWER] * lesson_rule[LESSON_FIRST]
    lesson_rule[LESSON_POWER_2] = lesson_rule[LESSON_POWER_2] * lesson_rule[LESSON_SECOND]
    rate = lesson_rule[LESSON_RATE] * sqrt(1.0 - lesson_rule[LESSON_POWER_2]) / (1.0 - lesson_rule[LESSON_POWER])
    for k in range(i32(lesson_count[LESSON_TOUCHED])):
        lesson_move(lesson_row[k], rate, 1.0 / f64(batch))
    net_known[0] = 0


def lesson_move(row: i32, rate: f64, part: f64) -> None:
    """Move a row of weights against its gradient, divided among the positions, and clear the gradient."""
    lesson_mark[row] = 0
    keep = lesson_rule[LESSON_FIRST]
    keep_2 = lesson_rule[LESSON_SECOND]
    for at in range(row * NET_UNITS, row * NET_UNITS + NET_UNITS):
        slope = lesson_slope[at] * part
        lesson_slope[at] = 0.0
        lesson_mean[at] = keep * lesson_mean[at] + (1.0 - keep) * slope
        lesson_square[at] = keep_2 * lesson_square[at] + (1.0 - keep_2) * slope * slope
        net_weight[at] = net_weight[at] - rate * lesson_mean[at] / (sqrt(lesson_square[at]) + 1.0e-8)

"""A net of two hidden layers over what stands in a state: what that is worth, and how good each action looks.

1. The first layer is the sum of a row for whose turn it is and of one for each cell whose class is not its first;
   numbers below 0 count as 0, here and in the second layer, which is the sum of the rows of the first one's numbers.
2. The last number of a layer is 1 always, so its row is what is added in any case.
3. The value of a player is the second layer times a row of theirs. An action has a row by its number; its product with
   the layer, less the greatest of all legal ones, is the logarithm of its share.
4. A view renames classes, actions and players by a symmetry of the rules: who moves is always the same player, where
   the rules allow that.

The reference is `gdl.model.network`; sums have the same order there.
"""

from gdl.compiler.kernels.action_numbers import *
from gdl.compiler.kernels.cells import estimate_cell, estimate_cells
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.words import *

NET_UNITS = const(4)  # set: numbers of a layer
NET_CELLS = const(1)  # set
NET_CLASSES = const(1)  # set: of all cells together
NET_INPUTS = const(1)  # set: rows of the first layer
NET_OUTPUTS = const(1)  # set: players who are evaluated
NET_SLOTS = const(1)  # set: rows of actions, the last for those that have no number
NET_TOTAL = const(1)  # set: numbers of actions
NET_VIEWS = const(1)  # set
NET_COPIES = const(1)  # set: nets that are held
NET_BOUNDED = const(1)  # set: whether utilities are known to have bounds
NET_SECOND = const(NET_INPUTS)  # where the rows of the second layer begin, those of values and of actions
NET_VALUES = const(NET_SECOND + NET_UNITS)
NET_ACTIONS = const(NET_VALUES + NET_OUTPUTS)
NET_ROWS = const(NET_ACTIONS + NET_SLOTS)
NET_MIDDLE = const(0)  # what net_scale holds
NET_HALF = const(1)
NET_MOST = const(2)  # the greatest evaluation
net_weight = array(f64, NET_COPIES * NET_ROWS * NET_UNITS)
net_offset = array(i32, NET_CELLS)  # of each cell: its first class among all
net_row = array(i32, NET_VIEWS * NET_CLASSES)  # of each class: its row; -1: none
net_slot = array(i32, NET_VIEWS * NET_SLOTS)  # of each action: its row
net_part = array(i32, NET_VIEWS * PLAYERS)  # who each player is
net_view = array(i32, PLAYERS)  # whose turn it is -> the view
net_copy = array(i32, 1)  # which of the nets is asked
net_rows = array(i32, NET_CELLS + NET_UNITS + 3)  # where the rows begin that are to be added to a layer,
net_factor = array(f64, NET_CELLS + NET_UNITS + 3)  # each so many times
net_first = array(f64, NET_UNITS)  # the layers
net_second = array(f64, NET_UNITS)
net_output = array(f64, NET_OUTPUTS)  # the values before they are brought between their bounds
net_worth = array(f64, PLAYERS)  # and of each player afterwards: -1 to 1
net_share = array(f64, MOVES)  # of each action
net_scale = array(f64, 3)


def net_exp(x: f64) -> f64:
    """e to a number that is not above 0."""
    if x < -40.0:
        return 0.0
    k = i32(0.5 - x * 1.4426950408889634)
    r = x + f64(k) * 0.6931471805599453
    series = 1.6059043836821613e-10 * r + 2.08767569878681e-09
    series = series * r + 2.505210838544172e-08
    series = series * r + 2.755731922398589e-07
    series = series * r + 2.7557319223985893e-06
    series = series * r + 2.48015873015873e-05
    series = series * r + 0.0001984126984126984
    series = series * r + 0.001388888888888889
    series = series * r + 0.008333333333333333
    series = series * r + 0.041666666666666664
    series = series * r + 0.16666666666666666
    series = series * r + 0.5
    series = series * r + 1.0
    series = series * r + 1.0
    return series / f64(bit(k))


def net_gather(view: i32, player: i32) -> i32:
    """The first layer begins with the row of whose turn it is. Those of what stands in the cells are to be added: how
    many they are."""
    base = net_copy[0] * NET_ROWS
    copy(net_first, 0, net_weight, (base + net_part[view * PLAYERS + player]) * NET_UNITS, NET_UNITS)
    many = 0
    for cell in range(NET_CELLS):
        row = net_row[view * NET_CLASSES + net_offset[cell] + estimate_cell[cell]]
        net_rows[many] = (base + row) * NET_UNITS
        net_factor[many] = 1.0
        many += row >= 0
    return many


def net_fill(many: i32) -> None:
    """Rows are added by fours: nothing of a row makes the last four full."""
    for k in range(many, many + 3):
        net_rows[k] = 0
        net_factor[k] = 0.0


def net_layers(many: i32) -> None:
    """The first layer from the rows that are to be added, the second from the first, and the values."""
    base = net_copy[0] * NET_ROWS
    net_fill(many)
    for k in range(0, many, 4):
        add_rows(net_first, 0, net_weight, net_rows, net_factor, k, NET_UNITS)
    net_first[NET_UNITS - 1] = 1.0
    positive(net_first, 0, NET_UNITS)
    active = 0
    for i in range(NET_UNITS):
        net_second[i] = 0.0
        net_rows[active] = (base + NET_SECOND + i) * NET_UNITS
        net_factor[active] = net_first[i]
        active += net_first[i] > 0.0
    net_fill(active)
    for k in range(0, active, 4):
        add_rows(net_second, 0, net_weight, net_rows, net_factor, k, NET_UNITS)
    positive(net_second, 0, NET_UNITS)
    net_second[NET_UNITS - 1] = 1.0
    for output in range(NET_OUTPUTS):
        net_output[output] = dot(net_second, 0, net_weight, (base + NET_VALUES + output) * NET_UNITS, NET_UNITS)


def net_bounded(x: f64) -> f64:
    """A value between its bounds."""
    return x / sqrt(1.0 + x * x) if NET_BOUNDED else x


def net_values(view: i32) -> None:
    """What the state is worth to each player."""
    for p in range(PLAYERS):
        part = net_part[view * PLAYERS + p]
        if NET_OUTPUTS == PLAYERS:
            net_worth[p] = net_bounded(net_output[part])
        else:
            value = net_bounded(net_output[0])
            net_worth[p] = value if part == 0 else 0.0 - value


def net_look(player: i32) -> None:
    """What the net says of the state, in which it is this player's turn."""
    view = net_view[player]
    estimate_cells()
    net_layers(net_gather(view, player))
    net_values(view)


def net_place(row: i32) -> i32:
    """The place of the action in a row of the listing among the rows of actions."""
    number = action_number(row)
    if number < 0 or number >= NET_TOTAL:
        return NET_SLOTS - 1
    if NET_TOTAL < NET_SLOTS:
        return i32(number)
    return i32(((wrap64(number * -7046029254386353131) >> 33) & 2147483647) % (NET_SLOTS - 1))


def net_logit(view: i32, place: i32) -> f64:
    """The logarithm of an action's share, before the greatest is taken off."""
    row = net_copy[0] * NET_ROWS + NET_ACTIONS + net_slot[view * NET_SLOTS + place]
    return dot(net_second, 0, net_weight, row * NET_UNITS, NET_UNITS)


def net_shares(rows: i32) -> None:
    """The shares, of which the logarithms are there."""
    greatest = net_share[0]
    for k in range(1, rows):
        if net_share[k] > greatest:
            greatest = net_share[k]
    total = 0.0
    for k in range(rows):
        net_share[k] = net_exp(net_share[k] - greatest)
        total += net_share[k]
    for k in range(rows):
        net_share[k] = net_share[k] / total


def net_actions(player: i32, rows: i32) -> None:
    """How good the actions look that are listed; the state has been looked at."""
    for k in range(rows):
        net_share[k] = net_logit(net_view[player], net_place(k))
    net_shares(rows)


def net_utility(paid: i64, player: i32) -> f64:
    """A utility on the scale of the net."""
    return (f64(paid) / f64(DENOMINATOR) - net_scale[NET_MIDDLE]) / net_scale[NET_HALF]

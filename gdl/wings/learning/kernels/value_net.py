"""The evaluation of a game by a net: `evaluate()` as every game's module has it, by the steps of
`gdl.wings.learning.value_net`, the reference."""

from gdl.compiler.kernels.game import PLAYERS, s, util
from gdl.compiler.kernels.words import *
from gdl.wings.learning.kernels.cells import estimate_cell, estimate_cells

NET_UNITS = const(8)  # set: numbers of a layer, a multiple of 8
NET_CELLS = const(1)  # set: cells that the net reads
NET_CLASSES = const(1)  # set: classes of all cells together
NET_INPUTS = const(1)  # set: rows of weights of the first layer
NET_OUTPUTS = const(1)  # set: players with values of their own: all, or of two the first
NET_BOUNDED = const(1)  # set: whether utilities are known to have bounds
NET_GROUP = const(8)  # set: numbers of the second layer that are computed at once
NET_OVER = const(1)  # set: the denominator of evaluations
NET_WHOLE = const(0)  # set: the sum of both players' evaluations, as a numerator
NET_SHIFT = const(0)  # set: by how many bits sums of the second layer are shifted down,
NET_ONE = const(1)  # set: and the whole number that stands for 1 in the first layer,
NET_ONE_2 = const(1)  # set: and in the second
NET_SECOND = const(NET_INPUTS * NET_UNITS)  # where in net_words the rows of the second layer begin, those of values,
NET_VALUES = const(NET_SECOND + NET_UNITS * NET_UNITS)
NET_NOTHING = const(NET_VALUES + NET_OUTPUTS * NET_UNITS)  # and a row of zeros
NET_MIDDLE = const(0)  # places in net_scale: the utility of value 0,
NET_HALF = const(1)  # how much more utility value 1 is,
NET_MOST = const(2)  # the greatest evaluation, in size,
NET_UNIT = const(3)  # and the unit of a product with the second layer
net_words = array(i16, NET_NOTHING + NET_UNITS)  # the rows of weights, as whole numbers
net_offset = array(i32, NET_CELLS)  # by cell: the number of its first class among all classes
net_row = array(i32, PLAYERS * NET_CLASSES)  # by view and class: the row of weights; -1: none
net_part = array(i32, PLAYERS * PLAYERS)  # by view and player: the player in the view
net_rows = array(i32, NET_CELLS + 3)  # where the rows begin that are to be added to the first layer
net_first = array(i16, NET_UNITS)  # the layers
net_second = array(i16, NET_UNITS)
net_output = array(f64, NET_OUTPUTS)  # what the rows of values give
net_scale = array(f64, 4)


def net_gather(view: i32) -> i32:
    """List in `net_rows` the rows that the contents of the cells add to the first layer, in a view. Returns how many
    they are."""
    many = 0
    for cell in range(NET_CELLS):
        row = net_row[view * NET_CLASSES + net_offset[cell] + estimate_cell[cell]]
        net_rows[many] = row * NET_UNITS
        many += row >= 0
    return many


def net_layers(player: i32) -> None:
    """Compute both layers and the outputs for the classes in `estimate_cell`, at a player's turn."""
    many = net_gather(player)
    for k in range(many, many + 3):
        net_rows[k] = NET_NOTHING
    copy(net_first, 0, net_words, net_part[player * PLAYERS + player] * NET_UNITS, NET_UNITS)
    for k in range(0, many, 4):
        add_words(net_first, 0, net_words, 0, net_rows, k, NET_UNITS)
    positive(net_first, 0, NET_UNITS)
    net_first[NET_UNITS - 1] = NET_ONE
    for group in range(NET_UNITS // NET_GROUP):
        at = NET_SECOND + group * NET_GROUP * NET_UNITS
        dense(net_second, group * NET_GROUP, net_words, at, net_first, 0, NET_GROUP, NET_UNITS, NET_SHIFT)
    net_second[NET_UNITS - 1] = NET_ONE_2
    for output in range(NET_OUTPUTS):
        product = dot_words(net_second, 0, net_words, NET_VALUES + output * NET_UNITS, NET_UNITS)
        net_output[output] = net_bounded(f64(product) * net_scale[NET_UNIT])


def net_bounded(x: f64) -> f64:
    """The output x as a value: bent smoothly into -1 to 1 if utilities have bounds, else x itself."""
    return x / sqrt(1.0 + x * x) if NET_BOUNDED else x


def net_spread(value: f64) -> f64:
    """The utility that corresponds to a value of the net."""
    worth = net_scale[NET_MIDDLE] + net_scale[NET_HALF] * value
    if NET_BOUNDED:
        return worth
    most = net_scale[NET_MOST]
    if worth > most:
        return most
    return worth if worth > 0.0 - most else 0.0 - most


def net_value(view: i32, player: i32) -> f64:
    """The value of the state to a player, in a view."""
    part = net_part[view * PLAYERS + player]
    if NET_OUTPUTS == PLAYERS:
        return net_output[part]
    return net_output[0] if part == 0 else 0.0 - net_output[0]


def evaluate() -> None:
    """Write the evaluation of the present state into `util`, as numerators over EVALUATION_DENOMINATOR. Before chance
    the net takes it to be the turn of the mover."""
    view = s[0] if s[0] >= 0 else s[1]
    estimate_cells()
    net_layers(view)
    for player in range(NET_OUTPUTS):
        util[player] = i32(net_spread(net_value(view, player)) * f64(NET_OVER))
    if NET_OUTPUTS < PLAYERS:
        util[PLAYERS - 1] = NET_WHOLE - util[0]

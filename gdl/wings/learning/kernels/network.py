"""A net of two hidden layers that reads the cells of a state: the value to each player, and a share for each action.

1. The first layer is the sum of a row for whose turn it is, of one for each cell whose class is not its first, and of
   one for each run of cells whose content, their classes as digits of a number, is not 0; numbers below 0 count as 0,
   here and in the second layer, which is the sum of the rows of the first one's numbers.
2. The last number of a layer is 1 always, so its row is what is added in any case.
3. The value of a player is the second layer times a row of theirs. An action has a row by its number, or a row for
   each of its steps; its products with the layer together, less the greatest of all legal ones, are the logarithm of
   its share.
4. A view renames classes, actions and players by a symmetry of the rules: who moves is always the same player, where
   the rules allow that.
5. All this is computed in whole numbers of 16 bits: each of the three kinds of rows times a power of two, the greatest
   up to 2^12 by which no sum can overflow, whatever stands in the cells. So sums are the same in every order.

The reference is `gdl.wings.learning.network`. Source of whole numbers for nets in search: Nasu, Efficiently updatable
neural-network-based evaluation functions for computer shogi, 2018.
"""

from gdl.compiler.kernels.game import *
from gdl.wings.learning.kernels.cells import estimate_cell, estimate_cells
from gdl.wings.learning.kernels.exponent import *
from gdl.wings.programs.kernels.action_numbers import *

NET_UNITS = const(4)  # set: numbers of a layer, a multiple of 4
NET_CELLS = const(1)  # set: cells that the net reads
NET_RUNS = const(0)  # set: runs of cells that the net reads,
NET_RUN = const(0)  # cells of one, at most,
NET_KINDS = const(0)  # and kinds of runs, which share rows
NET_PARTS = const(NET_CELLS + NET_RUNS)
NET_CLASSES = const(1)  # set: classes of all cells and runs together
NET_INPUTS = const(1)  # set: rows of weights of the first layer
NET_OUTPUTS = const(1)  # set: players with values of their own: all, or of two the first
NET_SLOTS = const(1)  # set: rows of weights for actions, the last for those without a number
NET_TOTAL = const(1)  # set: numbers of actions
NET_VIEWS = const(1)  # set: views
NET_COPIES = const(1)  # set: nets that are held
NET_BOUNDED = const(1)  # set: whether utilities are known to have bounds
NET_SECOND = const(NET_INPUTS)  # where the rows of the second layer begin, those of values and of actions
NET_VALUES = const(NET_SECOND + NET_UNITS)
NET_ACTIONS = const(NET_VALUES + NET_OUTPUTS)
NET_ROWS = const(NET_ACTIONS + NET_SLOTS)
NET_MIDDLE = const(0)  # places in net_scale: the utility of value 0,
NET_HALF = const(1)  # how much more utility value 1 is,
NET_MOST = const(2)  # and the greatest evaluation, in size
NET_GROUP = const(4)  # set: numbers of the second layer that are computed at once
NET_NOTHING = const(NET_COPIES * NET_ROWS * NET_UNITS)  # where in net_words a row of zeros begins
NET_LIMIT = const(32767.0)  # the greatest number of a layer
NET_MOST_POWER = const(12)  # the greatest power of two that weights are multiplied with
NET_POINT = const(10)  # binary digits behind the point in the second layer, at most
NET_SHIFT = const(0)  # places in net_fixed: by how many bits sums of the second layer are shifted down,
NET_ONE = const(1)  # and the whole number that stands for 1 in the first layer,
NET_ONE_2 = const(2)  # and in the second
NET_FIXED = const(3)
net_weight = array(f64, NET_COPIES * NET_ROWS * NET_UNITS)  # the weights as they were learned,
net_words = array(i16, NET_COPIES * NET_ROWS * NET_UNITS + NET_UNITS)  # and rounded to 16 bits (net_settle)
net_known = array(i32, NET_COPIES)  # by net: 1 if its words are made of its present weights
net_fixed = array(i32, NET_COPIES * NET_FIXED)  # of each net
net_unit = array(f64, NET_COPIES)  # by net: the unit of a product with the second layer
net_offset = array(i32, NET_PARTS)  # by cell, then by run: the number of its first class among all classes
net_member = array(i32, NET_RUNS * NET_RUN)  # by run: its cells,
net_step = array(i32, NET_RUNS * NET_RUN)  # and how much the class of each counts in the content
net_kind = array(i32, NET_KINDS * 3)  # by kind of runs: its first row, how many rows it has, and how many runs
net_row = array(i32, NET_VIEWS * NET_CLASSES)  # by view and class: the row of weights; -1: none
net_slot = array(i32, NET_VIEWS * NET_SLOTS)  # by view and action: the row of weights
net_part = array(i32, NET_VIEWS * PLAYERS)  # by view and player: the player in the view
net_view = array(i32, PLAYERS)  # by player whose turn it is: the view
net_copy = array(i32, 1)  # the net in use
net_rows = array(i32, NET_PARTS + 3)  # where the rows begin that are to be added to the first layer
net_first = array(i16, NET_UNITS)  # the layers
net_second = array(i16, NET_UNITS)
net_output = array(f64, NET_OUTPUTS)  # the values before net_bounded()
net_worth = array(f64, PLAYERS)  # the value of the state to each player, -1 to 1 where utilities have bounds
net_score = array(f64, MOVES)  # by row of the listing: its action's product with the second layer, whole
net_share = array(f64, MOVES)  # and its share, a probability
net_product = array(i32, NET_SLOTS if ACTION_STEPS else 1)  # by row of an action: its product with the layer,
net_looked = array(i32, NET_SLOTS + 1 if ACTION_STEPS else 2)  # if this is the number of looks, the last number here
net_scale = array(f64, 3)
net_sum = array(f64, NET_UNITS)  # of each number of the first layer: how great it can be,
net_shared = array(f64, NET_UNITS)  # the part of all runs in that,
net_great = array(f64, NET_UNITS)  # and that of one cell, or of a kind of runs
net_small = array(f64, 106)  # e to -k / 1024 for k < 32, then to -k / 32, then to -k


def net_power(k: i32) -> f64:
    """Two to the power k."""
    power = 1.0
    for j in range(k):
        power = power * 2.0
    for j in range(0 - k):
        power = power * 0.5
    return power


def net_exponent(most: f64, terms: i32) -> i32:
    """The greatest power of two, up to a limit, by which the weights can be multiplied and rounded without overflow.
    `most` bounds the sum of the `terms`."""
    k = NET_MOST_POWER
    power = net_power(k)
    while most * power + f64(terms) > NET_LIMIT:
        k -= 1
        power = power * 0.5
    return k


def net_size(at: i32) -> f64:
    """The absolute value of the weight at a place."""
    return net_weight[at] if net_weight[at] > 0.0 else 0.0 - net_weight[at]


def net_greatest_first(base: i32) -> f64:
    """The greatest number that the first layer can hold, whatever the cells hold and whoever is to move."""
    most = 0.0
    for j in range(NET_UNITS):
        net_shared[j] = 0.0
    for kind in range(0, NET_KINDS * 3, 3):
        for j in range(NET_UNITS):
            net_great[j] = 0.0
        for row in range(base + net_kind[kind], base + net_kind[kind] + net_kind[kind + 1]):
            for j in range(NET_UNITS):
                size = net_size(row * NET_UNITS + j)
                net_great[j] = size if size > net_great[j] else net_great[j]
        for j in range(NET_UNITS):
            net_shared[j] += f64(net_kind[kind + 2]) * net_great[j]
    for p in range(PLAYERS):
        view = net_view[p]
        for j in range(NET_UNITS):
            net_sum[j] = net_shared[j] + net_size((base + net_part[view * PLAYERS + p]) * NET_UNITS + j)
        for cell in range(NET_CELLS):
            end = NET_CLASSES if cell == NET_PARTS - 1 else net_offset[cell + 1]
            for j in range(NET_UNITS):
                net_great[j] = 0.0
            for of in range(net_offset[cell], end):
                row = net_row[view * NET_CLASSES + of]
                if row >= 0:
                    for j in range(NET_UNITS):
                        size = net_size((base + row) * NET_UNITS + j)
                        net_great[j] = size if size > net_great[j] else net_great[j]
            for j in range(NET_UNITS):
                net_sum[j] += net_great[j]
        for j in range(NET_UNITS):
            most = net_sum[j] if net_sum[j] > most else most
    return most


def net_greatest(first: i32, rows: i32, each: i32, step: i32) -> f64:
    """The greatest sum of absolute numbers in one of `rows` rows, or columns, of a layer: the first begins at `first`,
    each `each` further on, and its numbers are `step` apart."""
    most = 0.0
    for row in range(rows):
        total = 0.0
        for k in range(NET_UNITS):
            total += net_size(first + row * each + k * step)
        most = total if total > most else most
    return most


def net_round(first: i32, rows: i32, power: f64) -> None:
    """Round the weights of `rows` rows, from `first` on, to words of 16 bits."""
    for at in range(first * NET_UNITS, (first + rows) * NET_UNITS):
        net_words[at] = i32(net_weight[at] * power + 32768.5) - 32768


def net_settle() -> None:
    """Round the weights of the net in use to 16 bits, and note by which powers of two. The second layer's are put in
    the order that `dense` reads."""
    base = net_copy[0] * NET_ROWS
    second = (base + NET_SECOND) * NET_UNITS
    a = net_exponent(net_greatest_first(base), NET_PARTS + 1)
    b = net_exponent(net_greatest(second, NET_UNITS, 1, NET_UNITS), NET_UNITS)
    values = (base + NET_VALUES) * NET_UNITS
    c = net_exponent(net_greatest(values, NET_OUTPUTS + NET_SLOTS, NET_UNITS, 1), NET_UNITS)
    d = NET_POINT if a + b > NET_POINT else a + b
    net_round(base, NET_INPUTS, net_power(a))
    net_round(base + NET_VALUES, NET_OUTPUTS + NET_SLOTS, net_power(c))
    power = net_power(b)
    for i in range(NET_UNITS):
        for j in range(NET_UNITS):
            place = (j // NET_GROUP * NET_UNITS + i // 2 * 2) * NET_GROUP + j % NET_GROUP * 2 + i % 2
            net_words[second + place] = i32(net_weight[second + i * NET_UNITS + j] * power + 32768.5) - 32768
    fixed = net_copy[0] * NET_FIXED
    net_fixed[fixed + NET_SHIFT] = a + b - d
    net_fixed[fixed + NET_ONE] = i32(net_power(a))
    net_fixed[fixed + NET_ONE_2] = i32(net_power(d))
    net_unit[net_copy[0]] = net_power(0 - c - d)
    for k in range(41):
        net_small[64 + k] = power_of_e(0.0 - f64(k))
        if k < 32:
            net_small[k] = power_of_e(0.0 - f64(k) / 1024.0)
            net_small[32 + k] = power_of_e(0.0 - f64(k) / 32.0)
    net_known[net_copy[0]] = 1


def net_gather(view: i32) -> i32:
    """List in `net_rows` the rows that the contents of the cells and runs add to the first layer, in a view. Returns
    how many they are."""
    classes = view * NET_CLASSES
    base = net_copy[0] * NET_ROWS
    many = 0
    for group in range(NET_CELLS // 4):
        for k in range(4):
            cell = group * 4 + k
            row = net_row[classes + net_offset[cell] + estimate_cell[cell]]
            net_rows[many] = (base + row) * NET_UNITS
            many += row >= 0
    for cell in range(NET_CELLS // 4 * 4, NET_CELLS):
        row = net_row[classes + net_offset[cell] + estimate_cell[cell]]
        net_rows[many] = (base + row) * NET_UNITS
        many += row >= 0
    for run in range(NET_RUNS):
        of = classes + net_offset[NET_CELLS + run]
        for k in range(run * NET_RUN, run * NET_RUN + NET_RUN):
            of += net_step[k] * estimate_cell[net_member[k]]
        row = net_row[of]
        net_rows[many] = (base + row) * NET_UNITS
        many += row >= 0
    return many


def net_layers(view: i32, player: i32) -> None:
    """Compute both layers and the values for the classes in `estimate_cell`, in a view, where `player` is to move."""
    base = net_copy[0] * NET_ROWS
    fixed = net_copy[0] * NET_FIXED
    many = net_gather(view)
    for k in range(many, many + 3):
        net_rows[k] = NET_NOTHING
    copy(net_first, 0, net_words, (base + net_part[view * PLAYERS + player]) * NET_UNITS, NET_UNITS)
    for k in range(0, many, 4):
        add_words(net_first, 0, net_words, 0, net_rows, k, NET_UNITS)
    positive(net_first, 0, NET_UNITS)
    net_first[NET_UNITS - 1] = net_fixed[fixed + NET_ONE]
    shift = net_fixed[fixed + NET_SHIFT]
    for group in range(NET_UNITS // NET_GROUP):
        at = (base + NET_SECOND + group * NET_GROUP) * NET_UNITS
        dense(net_second, group * NET_GROUP, net_words, at, net_first, 0, NET_GROUP, NET_UNITS, shift)
    net_second[NET_UNITS - 1] = net_fixed[fixed + NET_ONE_2]
    for output in range(NET_OUTPUTS):
        product = dot_words(net_second, 0, net_words, (base + NET_VALUES + output) * NET_UNITS, NET_UNITS)
        net_output[output] = f64(product) * net_unit[net_copy[0]]


def net_bounded(x: f64) -> f64:
    """The output x as a value: bent smoothly into -1 to 1 if utilities have bounds, else x itself."""
    return x / sqrt(1.0 + x * x) if NET_BOUNDED else x


def net_values(view: i32) -> None:
    """Write the value of the present state to each player into `net_worth`."""
    for p in range(PLAYERS):
        part = net_part[view * PLAYERS + p]
        if NET_OUTPUTS == PLAYERS:
            net_worth[p] = net_bounded(net_output[part])
        else:
            value = net_bounded(net_output[0])
            net_worth[p] = value if part == 0 else 0.0 - value


def net_look(player: i32) -> None:
    """Run the net on the state, in which it is this player's turn."""
    if net_known[net_copy[0]] == 0:
        net_settle()
    estimate_cells()
    net_layers(net_view[player], player)
    net_values(net_view[player])


def net_place(row: i32) -> i32:
    """The number of the row of weights for the action in a row of the listing; the last one for all without a
    number."""
    number = action_number(row)
    return NET_SLOTS - 1 if number < 0 or number >= NET_TOTAL else i32(number)


def net_steps(row: i32) -> i32:
    """List in `action_step` the numbers of the rows of weights for the action in a row of the listing. Returns how many
    they are."""
    if ACTION_STEPS:
        return action_steps(row, NET_SLOTS)
    action_step[0] = net_place(row)
    return 1


def net_sum_of_steps(row: i32, slots: i32) -> f64:
    """The sum of the products of an action's steps with the second layer; each is computed once in a look."""
    total = 0.0
    for k in range(action_steps(row, NET_SLOTS)):
        step = action_step[k]
        if net_looked[step] != net_looked[NET_SLOTS]:
            net_looked[step] = net_looked[NET_SLOTS]
            at = (net_copy[0] * NET_ROWS + NET_ACTIONS + net_slot[slots + step]) * NET_UNITS
            net_product[step] = dot_words(net_second, 0, net_words, at, NET_UNITS)
        total += f64(net_product[step])
    return total


def net_fraction(less: f64) -> f64:
    """The power of e with the exponent -`less` / 1024, `less` rounded down to a whole number."""
    if less >= 40960.0:
        return 0.0
    k = i32(less)
    return net_small[64 + (k >> 10)] * (net_small[32 + (k >> 5 & 31)] * net_small[k & 31])


def net_actions(player: i32, rows: i32) -> None:
    """Compute the net's score and share of each listed action. The net must have read the state before."""
    base = net_copy[0] * NET_ROWS + NET_ACTIONS
    slots = net_view[player] * NET_SLOTS
    if ACTION_STEPS:
        net_looked[NET_SLOTS] += 1
    greatest = -1.0e300
    for k in range(rows):
        if ACTION_STEPS:
            net_score[k] = net_sum_of_steps(k, slots)
        else:
            at = (base + net_slot[slots + net_place(k)]) * NET_UNITS
            net_score[k] = f64(dot_words(net_second, 0, net_words, at, NET_UNITS))
        greatest = net_score[k] if net_score[k] > greatest else greatest
    unit = net_unit[net_copy[0]] * 1024.0
    total = 0.0
    for k in range(rows):
        net_share[k] = net_fraction((greatest - net_score[k]) * unit)
        total += net_share[k]
    part = 1.0 / total
    for k in range(rows):
        net_share[k] = net_share[k] * part


def net_utility(paid: i64, player: i32) -> f64:
    """A utility, given times DENOMINATOR, on the scale of the net."""
    return (f64(paid) / f64(DENOMINATOR) - net_scale[NET_MIDDLE]) / net_scale[NET_HALF]

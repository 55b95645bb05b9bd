"""The order of moves before they are searched: how good each was in random play.

Source: Brügmann, Monte Carlo Go, 1993.
"""

from gdl.compiler.kernels.children import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.identities import *
from gdl.compiler.kernels.selective import *

LONGEST = const(1000)  # plies of a random play
prior = array(i32, 2 * IDENTITIES)  # how good a move was for its mover in random play, -10,000 to 10,000
gained = array(i64, 2 * IDENTITIES)  # what random plays with the move were worth to the first player, in sum
played = array(i64, 2 * IDENTITIES)  # and the number of these plays
line = array(i32, LONGEST)  # the places in these arrays of the moves of a random play
random = array(i64, 1)  # the state of a generator
most_worth = array(i64, 1)  # the greatest size of what a play was worth


def order_learn(plies: i32) -> i32:
    """Play `plies` plies at random from the state, and note how good each move was in all plays so far. Returns the
    number of plies left: below 0 if the last play came to its end beyond them."""
    copy(child, 0, s, 0, STATE)
    if most_worth[0] == 0:
        most_worth[0] = 1
    while plies > 0:
        copy(s, 0, child, 0, STATE)
        length = 0
        while length < LONGEST and status() == 0:
            rows: i64 = moves()
            random[0] = wrap64(random[0] * 6364136223846793005 + 1442695040888963407)
            row = i32((((random[0] >> 33) & 2147483647) * rows) >> 31)
            line[length] = identity(row) + (IDENTITIES if s[0] == 0 else 0)
            length += 1
            if SELECTIVE:
                before: i64 = quiet()
                static = estimate()
            apply(row)
            if SELECTIVE:
                note_gain(before, static)
        plies -= length + 1
        if length < LONGEST:
            value = util[0]
            if value > most_worth[0] or -value > most_worth[0]:
                most_worth[0] = value if value > 0 else -value
            for k in range(length):
                gained[line[k]] += value
                played[line[k]] += 1
    for at in range(2 * IDENTITIES):
        mean = i32(gained[at] * 10000 // ((played[at] + 1) * most_worth[0]))
        prior[at] = mean if at >= IDENTITIES else -mean
    copy(s, 0, child, 0, STATE)
    return plies

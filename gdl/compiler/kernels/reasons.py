"""The reasons for which a search cannot go on, as `refused` holds them; 0: it can go on."""

from gdl.compiler.kernels.words import *

TOO_DEEP = const(1)  # play is longer than the path that a search holds
TOO_WIDE = const(2)  # a position has more actions than a search lists
TOO_GREAT = const(3)  # a number has too many bits
NOT_CONSTANT = const(4)  # utilities do not sum to the same at all ends
NO_DECISION = const(5)  # chance, moves at once, or an evaluation that the game has not
BEYOND = const(6)  # a utility or an evaluation lies outside the bounds that were promised
FULL = const(7)  # the table of positions is full
COMES_AGAIN = const(8)  # a position comes again on its own path
refused = array(i32, 1)

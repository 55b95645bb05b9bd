"""An identity for each action, by which moves in different positions are known as the same."""

from gdl.compiler.kernels.game import *

CHOOSES = const(0)  # set: whether rows have paths
IDENTITIES = const(8192)  # numbers of moves; in arrays the second player's moves come first, then the first's


def identity(row: i32) -> i32:
    """A hash below IDENTITIES of the action in a row of the last listing: nearly always no other action has it."""
    at = row * WIDTH
    rule = move[at]
    h = 0
    for k in range(at, at + ROW_HEAD[rule]):
        h = (h * 67 + move[k]) & 8191
    if CHOOSES:
        if ROW_CHOOSES[rule]:
            start = move[at + ROW_HEAD[rule]]
            for k in range(start, start + move[at + ROW_HEAD[rule] + 1]):
                h = (h * 67 + i32(path[k] & 8191)) & 8191
    return h

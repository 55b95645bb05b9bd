"""Search for the state from which an enumeration has discovered another one, since it does not note that.

It is needed where a fault is met: the play that leads there is found state by state, backwards from the faulty one.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *

FOLDS = const(0)  # set: whether a state is taken for one of its images
CANDIDATES = const(512)  # candidates that are looked at in one call
candidate = array(i64, CANDIDATES * KEY)  # their keys,
wanted = array(i64, KEY)  # and the key of the discovered state
candidate_state = array(i32, STATE)


def discoverer(count: i32) -> i32:
    """The first of `count` candidates from which a move leads to the wanted state; -1 if there is none."""
    for n in range(count):
        copy(key, 0, candidate, n * KEY, KEY)
        unpack()
        if status() != TERMINAL:
            copy(candidate_state, 0, s, 0, STATE)
            rows = moves()
            for i in range(rows):
                if i > 0:
                    copy(s, 0, candidate_state, 0, STATE)
                apply(i)
                if FOLDS:
                    fold()
                else:
                    pack()
                if equal(key, 0, wanted, 0, KEY):
                    return n
    return -1

"""A player who looks one move ahead."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.wings.learning.kernels.opinion import payoff_estimate

WAITING = const(128)  # states that are made from one listing

greedy_here = array(i32, STATE)  # the state before the move,
greedy_best = array(i32, STATE)  # the best one after it so far,
greedy_child = array(i32, WAITING * STATE)  # and those made from the last listing


def greedy_move() -> None:
    """Play the move after which the mover's estimate is the greatest, of equals one at random."""
    player = s[0]
    copy(greedy_here, 0, s, 0, STATE)
    rows = moves()
    done = 0
    greatest = 0.0
    equal = 0
    while done < rows:
        made = 0
        while made < WAITING and done < rows:
            apply(done)
            copy(greedy_child, made * STATE, s, 0, STATE)
            copy(s, 0, greedy_here, 0, STATE)
            made += 1
            done += 1
        for child in range(made):
            copy(s, 0, greedy_child, child * STATE, STATE)
            value = payoff_estimate(player)
            if equal > 0 and value == greatest:
                equal += 1
            if equal == 0 or value > greatest:
                equal = 1
                greatest = value
                copy(greedy_best, 0, greedy_child, child * STATE, STATE)
            elif value == greatest and playout_below(equal) == 0:
                copy(greedy_best, 0, greedy_child, child * STATE, STATE)
        if done < rows:
            copy(s, 0, greedy_here, 0, STATE)
            moves()
    copy(s, 0, greedy_best, 0, STATE)

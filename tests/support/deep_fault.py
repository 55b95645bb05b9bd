"""A game with a fault deep in its rules, and whether the play of a fault leads to it."""

import pytest

from gdl.errors import GameError

DEEP = """players Ann, Bob

state
    n: 0..40
    x: 0..99
    y: 0..99

action go(k: 1..3)
    n := n + 1
    x := (x * 3 + k) mod 97
    y := if n = 14 and x = 17 then 50 div (x - 17) else (x * y + k) mod 3

terminal
    n = 16 -> if y > 1 then 1 else -1

evaluate
    y - x
"""


def leads_there(game, fault):
    """True if the play of a fault leads to it."""
    *before, last = fault.problems[0].play
    state = game.initial()
    for action in before:
        state = game.successor(state, action)
    with pytest.raises(GameError) as again:
        game.node(game.successor(state, last))
    return again.value.problems[0].message == fault.problems[0].message

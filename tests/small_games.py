"""Small games for the tests of solvers, each written as rules in a few lines of Python."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from handmade import HandMade

from gdl.game import Decision, Node, Terminal, Traits

UNDECIDED = Traits(2, *[None] * 7)


class Countdown(HandMade):
    """Take one to three from a heap, or none where `least` is 0; who takes the last wins, the other gets `prize`.
    Analysis has decided nothing of it."""

    name = "countdown"
    players = ("Ann", "Bob")
    traits = UNDECIDED

    def __init__(self, start: int, least: int = 1, prize: int = -1):
        self.start, self.least, self.prize = start, least, prize

    def initial(self) -> tuple[int, int]:
        return self.start, 0

    def node(self, state: tuple[int, int]) -> Node:
        left, mover = state
        if left == 0:
            return Terminal((self.prize, 1) if mover == 0 else (1, -1))
        return Decision(mover, tuple(str(k) for k in range(self.least, min(3, left) + 1)))

    def successor(self, state: tuple[int, int], action: Any) -> tuple[int, int]:
        return state[0] - int(action), 1 - state[1]


class EstimatedCountdown(Countdown):
    """The same, with an evaluation: whoever meets a small heap is likely to win it."""

    def evaluate(self, state: tuple[int, int]) -> tuple[Any, ...]:
        left, mover = state
        hope = Fraction(1 if left < 4 else -1, left + 1)
        return (hope, -hope) if mover == 0 else (-hope, hope)

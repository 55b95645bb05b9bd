"""Small games for the tests of solvers, each written as rules in a few lines of Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from handmade import HandMade

from gdl.game import Chance, Decision, Node, Promises, Terminal, Traits

UNDECIDED = Traits(2, *[None] * 7)


class Countdown(HandMade):
    """Take one to three from a heap (or none, if `least` is 0); whoever takes the last wins, and the other gets
    `prize`. Analysis has decided no traits of the game."""

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
    """Countdown with an evaluation: a player to move at a small heap is likely to win it."""

    def evaluate(self, state: tuple[int, int]) -> tuple[Any, ...]:
        left, mover = state
        hope = Fraction(1 if left < 4 else -1, left + 1)
        return (hope, -hope) if mover == 0 else (-hope, hope)


class Pig(HandMade):
    """In a turn roll as often as you like; 1 ends the turn with nothing, the other sides are added up; hold to keep
    the sum. First to the goal wins 1, the other 0. With `piglet` a coin: heads is 1, tails ends the turn.

    A state is (points of the mover, points of the other, sum of the turn, mover, whether the die rolls).
    """

    name = "pig"
    players = ("Ann", "Bob")
    traits = UNDECIDED

    def __init__(self, goal: int, piglet: bool = False, hold_at_once: bool = False):
        self.goal, self.piglet, self.hold_at_once = goal, piglet, hold_at_once

    def initial(self) -> Any:
        return (0, 0, 0, 0, False)

    def node(self, state: Any) -> Node:
        _, yours, turn, mover, rolling = state
        if yours >= self.goal:
            return Terminal((1, 0) if mover == 1 else (0, 1))
        if rolling:
            sides = ("tails", "heads") if self.piglet else tuple("123456")
            return Chance(tuple((side, Fraction(1, len(sides))) for side in sides))
        return Decision(mover, ("roll", "hold") if turn or self.hold_at_once else ("roll",))

    def successor(self, state: Any, action: Any) -> Any:
        mine, yours, turn, mover, _ = state
        if action == "roll":
            return (mine, yours, turn, mover, True)
        if action == "hold":
            return (yours, min(self.goal, mine + turn), 0, 1 - mover, False)
        if action in ("1", "tails"):
            return (yours, mine, 0, 1 - mover, False)
        gain = 1 if action == "heads" else int(action)
        return (mine, yours, min(turn + gain, self.goal - mine), mover, False)


class Ruin(HandMade):
    """A gambler with some coins bets one of them at a time until none is left, or the goal is reached (1). With
    `bold`, up to all of them, as many as are needed at most."""

    name = "ruin"
    players = ("Gambler",)
    traits = Traits(1, *[None] * 7)

    def __init__(self, coins: int, goal: int, chance: Fraction, bold: bool = False):
        self.coins, self.goal, self.chance, self.bold = coins, goal, chance, bold

    def initial(self) -> tuple[int, int]:
        return self.coins, 0

    def node(self, state: tuple[int, int]) -> Node:
        coins, bet = state
        if coins in (0, self.goal):
            return Terminal((int(coins == self.goal),))
        if bet:
            return Chance((("win", self.chance), ("lose", 1 - self.chance)))
        most = min(coins, self.goal - coins) if self.bold else 1
        return Decision(0, tuple(str(k) for k in range(1, most + 1)))

    def successor(self, state: tuple[int, int], action: Any) -> tuple[int, int]:
        coins, bet = state
        if action in ("win", "lose"):
            return (coins + bet if action == "win" else coins - bet), 0
        return coins, int(action)


class BlockedLoses(HandMade, ABC):
    """Two players in turn move one of their men; a player who cannot move loses. A state is (own men, others' men,
    mover)."""

    traits = UNDECIDED
    start: tuple[tuple[int, ...], tuple[int, ...]]

    @abstractmethod
    def moves(self, mine: tuple[int, ...], yours: tuple[int, ...]) -> list[tuple[int, int]]:
        """Pairs of places from and to which the mover can move a man."""

    def initial(self) -> Any:
        return (*self.start, 0)

    def node(self, state: Any) -> Node:
        mine, yours, mover = state
        moves = self.moves(mine, yours)
        if not moves:
            return Terminal((1, -1) if mover else (-1, 1))
        return Decision(mover, tuple(f"{a}-{b}" for a, b in moves))

    def successor(self, state: Any, action: Any) -> Any:
        mine, yours, mover = state
        a, b = map(int, action.split("-"))
        return yours, tuple(sorted({*mine, b} - {a})), 1 - mover


class PongHauKi(BlockedLoses):
    name = "pong hau k'i"
    start = ((0, 1), (3, 4))
    lines = ((0, 2), (0, 3), (1, 2), (1, 4), (2, 3), (2, 4), (3, 4))

    def moves(self, mine: tuple[int, ...], yours: tuple[int, ...]) -> list[tuple[int, int]]:
        (empty,) = {0, 1, 2, 3, 4} - {*mine, *yours}
        return [(man, empty) for man in mine if tuple(sorted((man, empty))) in self.lines]


class MuTorere(BlockedLoses):
    """Eight places on a ring and one (8) in the centre, which may be entered from beside an enemy only."""

    name = "mu torere"
    start = ((0, 1, 2, 3), (4, 5, 6, 7))

    def moves(self, mine: tuple[int, ...], yours: tuple[int, ...]) -> list[tuple[int, int]]:
        (empty,) = set(range(9)) - {*mine, *yours}
        return [(man, empty) for man in mine if self._may(man, empty, yours)]

    def _may(self, man: int, empty: int, yours: tuple[int, ...]) -> bool:
        beside = {(man - 1) % 8, (man + 1) % 8}
        return man == 8 or bool(beside & {*yours}) if empty == 8 else man == 8 or empty in beside


class Dodgem(HandMade):
    """Two cars each on a board of 3 by 3; who first gets both across wins, who blocks the other loses.
    A state is (cars of the first, cars of the second, mover); the first goes up, the second to the right."""

    name = "dodgem"
    traits = UNDECIDED
    steps = (((-1, 0), (0, -1), (0, 1)), ((0, 1), (-1, 0), (1, 0)))

    def initial(self) -> Any:
        return ((2, 1), (2, 2)), ((0, 0), (1, 0)), 0

    def moves(self, state: Any) -> dict[str, Any]:
        cars, mover = state[:2], state[2]
        found = {}
        for row, column in cars[mover]:
            for down, right in self.steps[mover]:
                r, c = row + down, column + right
                gone = r < 0 if mover == 0 else c > 2
                if not gone and not (0 <= r < 3 and 0 <= c < 3 and (r, c) not in (*cars[0], *cars[1])):
                    continue
                rest = [car for car in cars[mover] if car != (row, column)]
                found[f"{row}{column}>{r}{c}"] = tuple(sorted(rest if gone else [*rest, (r, c)]))
        return found

    def node(self, state: Any) -> Node:
        mover = state[2]
        wins = ((1, -1), (-1, 1))
        if not state[1 - mover]:
            return Terminal(wins[1 - mover])
        moves = self.moves(state)
        return Decision(mover, tuple(moves)) if moves else Terminal(wins[mover])

    def successor(self, state: Any, action: Any) -> Any:
        cars = [state[0], state[1]]
        cars[state[2]] = self.moves(state)[action]
        return *cars, 1 - state[2]


class Network(HandMade):
    """A game given state by state: `nodes` has the node of each state and `children` its successors, in the order of
    its actions."""

    name = "network"
    traits = UNDECIDED

    def __init__(self, nodes: list[Node], children: list[list[int]], forever: tuple[Any, Any] | None = None):
        self.nodes, self.children, self.promises = nodes, children, Promises(forever=forever)

    def initial(self) -> int:
        return 0

    def node(self, state: int) -> Node:
        return self.nodes[state]

    def successor(self, state: int, action: Any) -> int:
        return self.children[state][int(action)]

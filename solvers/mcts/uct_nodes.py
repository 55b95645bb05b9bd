"""Nodes of tree search, the bound by which it chooses among children, and the length of a simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gdl.errors.shares import SIMULATION_SHARE
from gdl.game import Action, Chance, Decision, Game, Node, Number, Terminal, actions, exact, require_number
from gdl.solution import Path, Simulation
from gdl.solvers.budget import Budget, promised_bounds

LONGEST = 10_000  # plies of a simulation, where the file has no price for endless play
_LOG_2 = math.log(2)
_SERIES = tuple(1.0 / n for n in range(21, 0, -2))  # of the logarithm, the last term first


def ln(number: float) -> float:
    """The natural logarithm, by the same steps as in kernel code, so that both give the same bits.

    A number is m * 2^e with m near 1, and ln m is twice the area tangent of (m - 1) / (m + 1).
    """
    m, e = math.frexp(number)
    if m < math.sqrt(0.5):
        m, e = m * 2.0, e - 1
    s = (m - 1.0) / (m + 1.0)
    square, series = s * s, 0.0
    for term in _SERIES:
        series = series * square + term
    return e * _LOG_2 + 2.0 * s * series


def ucb1(mean: float, visits: int, log: float, c: float) -> float:
    """The upper confidence bound mean + c sqrt(log / visits); `log` is ln of the parent's visits."""
    return mean + c * math.sqrt(log) * (1.0 / math.sqrt(visits))


class PlayoutPlyLimit:
    """The number of plies after which a simulation is cut off and gets the price of endless play: at first MOST, and
    half as many after each cut, but not below LEAST nor below four times the longest simulation that ended. So a game
    in which hardly any simulation ends costs little."""

    MOST, LEAST, FACTOR = 1000, 100, 4

    def __init__(self, priced: bool):
        self.priced = priced
        self.plies = self.MOST if priced else LONGEST
        self.least = self.LEAST

    def record_length(self, plies: int) -> None:
        if self.priced:
            self.least = max(self.least, min(self.MOST, self.FACTOR * plies))
            self.plies = max(self.plies, self.least)

    def cut_off(self) -> None:
        self.plies = max(self.plies // 2, self.least)


class Haste:
    """The haste of a search whose simulations take too long for its time: they are cut off after as many `plies` as one
    had when this was noticed (0: it was not), and get the price of endless play, else the middle of what everybody can
    get. There is no haste where the rules do not bound that."""

    def __init__(self, game: Game[Any], budget: Budget):
        self.budget, self.plies, self.ended = budget, 0, 0
        self.begun = self.since = budget.seconds_left or 0.0  # the seconds left at first, and when the last one ended
        bounds = promised_bounds(game)
        middle = [exact(Fraction(low + high) / 2) for low, high in bounds if low is not None and high is not None]
        self.price = game.promises.forever or (tuple(middle) if len(middle) == len(bounds) else ())

    def begins_now(self, simulations: int, plies: int) -> bool:
        """True, once, if the simulation that goes on has taken SIMULATION_SHARE of all the time, and come to so many
        plies. So many `simulations` have ended."""
        left = self.budget.seconds_left
        if left is None or self.plies or not self.price:
            return False
        # Where one has ended since the last look, the next began just now, however long the machine stood still.
        self.ended, self.since = simulations, self.since if simulations == self.ended else left
        self.plies = plies if self.since - left > SIMULATION_SHARE * self.begun else 0
        return self.plies > 0

    def cuts_text(self, cuts: int) -> str:
        """A note on how many simulations were cut off; "" if none was for haste."""
        return f", {cuts:,} of them cut off after {self.plies:,} plies" if cuts and self.plies else ""


class Results:
    """The utilities that simulations have met: the least and the greatest of each player, and how they are spread."""

    KINDS = 3  # of results: win, draw and loss

    def __init__(self, players: int):
        self.low: list[Number] = []  # least and greatest utility, by player; [] before any was met
        self.high: list[Number] = []
        self.share = [1.0] * players  # share of the spread low..high in which results of random play lie
        self._kinds: list[set[Number]] = [set() for _ in range(players)]  # different results: KINDS + 1 at most
        self._moved = [Fraction(0)] * players  # sum of differences between consecutive results
        self._last: tuple[Number, ...] = ()
        self._count = 0  # results in that sum

    def meet(self, utilities: tuple[Number, ...]) -> None:
        """Note that these utilities were met: the extremes may become wider."""
        self.low = list(map(min, self.low or utilities, utilities))
        self.high = list(map(max, self.high or utilities, utilities))

    def differ(self, utilities: tuple[Number, ...]) -> None:
        """Note a result of random play. If a player's results are not only wins, draws and losses, their share of the
        spread is twice the mean difference between consecutive results."""
        self._count += 1
        for player, (utility, last) in enumerate(zip(utilities, self._last or utilities, strict=True)):
            kinds = self._kinds[player]
            self._moved[player] += abs(Fraction(utility) - Fraction(last))
            if len(kinds) <= self.KINDS:
                kinds.add(utility)
            if len(kinds) > self.KINDS:
                spread = self.high[player] - self.low[player]
                self.share[player] = min(1.0, float(2 * self._moved[player] / (self._count * spread)))
        self._last = utilities


class ReferenceUctNode:
    """A node of the search tree: visits N, total utilities W, and the children by the number of their action."""

    __slots__ = ("N", "W", "children", "inferior", "later", "node", "proven", "state")

    def __init__(self, state: Any, node: Node, players: int):
        self.state = state
        self.node = node
        self.N = 0
        self.W: list[Number] = [0] * players
        self.children: list[ReferenceUctNode | None] = []
        self.proven: tuple[Number, ...] | None = None  # the value, where it is certain
        self.inferior = False  # True if proven to be lost, or worse than a sibling
        # Of each child: how many simulations brought its cell to the mover, and what they brought; [] where unknown.
        self.later: list[tuple[int, Number]] = []
        if isinstance(node, Terminal):
            self.proven = tuple(map(require_number, node.utilities))


def action_at(node: Node, number: int) -> Action:
    """An action or outcome by its number."""
    return node.outcomes[number][0] if isinstance(node, Chance) else actions(node)[number]


def is_lost(utility: Number, least: Number | None) -> bool:
    """True if the utility is the least that there can be; False if that is unknown (None)."""
    return least is not None and utility <= least


def prove_value(
    parent: Any, greatest: Sequence[Number | None], least: Sequence[Number | None] = ()
) -> tuple[Number, ...] | None:  # fmt: skip
    """The value of a node, if the proven values of its children prove it; else None. Marks proven children as inferior
    if they are worse than another, or have the least possible value. `greatest` and `least` are bounds of each player's
    utility."""
    children = [child for child in parent.children if child and child.proven]
    values: list[tuple[Number, ...]] = [child.proven for child in children]
    complete = len(values) == len(parent.children)
    if isinstance(parent.node, Chance):
        return values[0] if complete and all(value == values[0] for value in values) else None
    assert isinstance(parent.node, Decision)
    player = parent.node.player
    best = max(values, key=lambda value: value[player])
    for child, value in zip(children, values, strict=True):
        child.inferior = value[player] < best[player] or is_lost(value[player], least[player] if least else None)
    most = greatest[player]
    return best if complete or (most is not None and best[player] >= most) else None


# What the first simulations of a tree search did, for people who want to step through them.

RECORDED = 500  # simulations


class SimulationRecord:
    """The record of the simulations so far, and of the present one."""

    def __init__(self) -> None:
        self.simulations: list[Simulation] = []
        self.begin()

    def begin(self) -> None:
        """Begin the record of the next simulation."""
        self._numbers: list[int] = []  # of the children on the path of the present simulation
        self._bounds: list[tuple[float, ...]] = []  # the upper confidence bounds by which each was chosen
        self._passed: list[tuple[Path, tuple[Number, ...]]] = []  # paths to children passed by, with their utilities

    def step(self, number: int, bounds: Sequence[float] = ()) -> int:
        """Record that the simulation goes to a child, with the bounds by which it was chosen. Returns the child's
        number."""
        self._numbers.append(number)
        self._bounds.append(tuple(bounds))
        return number

    def pass_by(self, utilities: tuple[Number, ...]) -> None:
        """Record that the child last stepped to is passed by, with its utilities; the simulation is at the parent
        again."""
        self._passed.append((tuple(self._numbers), utilities))
        self._numbers.pop()
        self._bounds.pop()

    def end(
        self,
        path: Sequence[ReferenceUctNode],
        plays: Sequence[Action],
        utilities: tuple[Number, ...],
        open_before: Sequence[int],
    ) -> None:
        """Record the end of the simulation. `open_before` are the places on the path of nodes that were not proven
        before it."""
        if len(self.simulations) < RECORDED:
            proven = tuple((at, value) for at in open_before if (value := path[at].proven) is not None)
            played = tuple(plays[len(path) - 1 :])
            what = (tuple(self._numbers), path[-1].N == 1, tuple(self._bounds), played, utilities, proven)
            self.simulations.append(Simulation(*what, tuple(self._passed)))

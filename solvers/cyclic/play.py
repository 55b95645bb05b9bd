"""Best play of both sides where positions come again, whatever method has found it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from gdl.game import Action, Decision, Node, Number

RETURNS = "best play need not end: the line stops where a position comes again"


class Play(ABC):
    """Best play of both sides at a given price of endless play; positions are given by their numbers."""

    endless: bool  # whether play could go on for ever, so that the price may matter

    @abstractmethod
    def value(self, number: int) -> Number | float:
        """The value of the position to MAX; a float if it is not exact."""

    def error(self, number: int) -> float:
        """The greatest error of the value; 0 if the value is exact."""
        return 0.0

    def rank(self, number: int) -> int | None:
        """The distance to the end in plies; None if it is not known, or no end is forced."""
        return None

    @abstractmethod
    def choose(self, number: int) -> int:
        """The place among the position's children of the one to move to."""


class Bounded(Play):
    """Play by lower and upper bounds on the value of each position, in floating point."""

    @abstractmethod
    def bounds(self, number: int) -> tuple[float, float]:
        """The lower and the upper bound of the position's value to MAX."""

    def value(self, number: int) -> float:
        """The middle of the bounds."""
        return float(sum(self.bounds(number))) / 2

    def error(self, number: int) -> float:
        low, high = self.bounds(number)
        return float(high - low) / 2

    def best(self, children: Sequence[int], maximises: bool) -> int:
        """The place among the children of the one with the best bound for the mover, the first of equals: the greatest
        lower bound for MAX, the least upper bound for MIN."""
        found = [self.bounds(child) for child in children]
        if maximises:
            return max(range(len(found)), key=lambda k: found[k][0])
        return min(range(len(found)), key=lambda k: found[k][1])


def line_of_play(
    node: Callable[[int], Node], children: Callable[[int], Sequence[int]], choose: Callable[[int, int], int]
) -> tuple[tuple[Action, ...], bool]:
    """The line of actions until play ends, chance moves or a position comes again; and True if one did come again.
    `choose` takes the player and the number of a position, and gives the place of the child to move to."""
    line: list[Action] = []
    number, met = 0, {0}
    while isinstance(here := node(number), Decision):
        position = choose(here.player, number)
        line.append(here.actions[position])
        number = children(number)[position]
        if number in met:
            return tuple(line), True
        met.add(number)
    return tuple(line), False

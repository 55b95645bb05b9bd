"""Draws from mixtures of actions, each with its exact probability."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate
from random import Random

from gdl.game import Action, Number

TICKET = 1 << 64  # numbers on a ticket


def draw_action(mixture: dict[Action, Number], random: Random) -> Action:
    """An action drawn from a mixture with exact probabilities, which sum to one. A random number marks a short interval
    between 0 and 1; as long as two actions share the interval, another number cuts it further."""
    actions, ends = list(mixture), list(accumulate(mixture.values()))
    low, width = Fraction(0), Fraction(1)
    while True:
        width /= TICKET
        low += random.randrange(TICKET) * width
        place = bisect_right(ends, low)
        if place >= len(ends) - 1 or low + width <= ends[place]:
            return actions[min(place, len(ends) - 1)]

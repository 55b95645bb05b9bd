"""Draws of actions from exact mixtures, and the texts that seed them in the course of a play."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate
from random import Random

from gdl.game import Action, Number

TICKET = 1 << 64  # numbers on a ticket
LONG = 5_000  # characters of a seed that is a text; a longer one would take long to begin


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


def seed_after(seed: str, action: str) -> str:
    """The text that seeds the choice after an action. `seed` seeded the choice before it: a head with `/` at its end,
    then the actions until then; their digest once they are long."""
    if len(seed) > LONG:
        from hashlib import sha256  # which takes longer to begin than a small game to be solved

        seed = sha256(seed.encode()).hexdigest()
    return seed + action if seed.endswith("/") else f"{seed}/{action}"

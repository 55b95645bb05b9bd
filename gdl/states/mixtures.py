"""Draws from mixtures of actions, each with its exact probability."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from gdl.game import Action, Number


def weighted(mixture: dict[Action, Number], random: Random) -> Action:
    """One of the actions, each with its exact probability; the probabilities sum to one."""
    scale = 1 << 64
    ticket = Fraction(random.randrange(scale), scale)
    for action, probability in mixture.items():
        ticket -= probability
        if ticket < 0:
            return action
    return next(reversed(mixture))

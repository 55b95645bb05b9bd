"""Outcomes of chance, drawn by their probabilities as kernel code draws them, so that every engine plays the same.

A wheel of fortune has a sector for each outcome, as wide as it is probable, and is turned by a whole number. To measure
the sectors of very many outcomes takes long, so the last such wheels are kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from itertools import accumulate
from math import lcm
from typing import Any

from gdl.game import Chance, Number
from gdl.states.random_numbers import Generator

KEPT_OUTCOMES = 100  # outcomes of a wheel that is kept
KEPT = 4  # wheels


class ExactChanceSampler:
    """Draws outcomes of chance with their exact probabilities, and keeps the sectors that it has computed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[Any, list[int]]] = OrderedDict()  # by the identity of the outcomes

    def draw(self, node: Chance, generator: Generator) -> int:
        """The number of an outcome of the node, drawn with its exact probability."""
        ends = self._ends(node.outcomes)
        return bisect_right(ends, generator.below(ends[-1]))

    def _ends(self, outcomes: tuple[tuple[str, Number], ...]) -> list[int]:
        if len(outcomes) < KEPT_OUTCOMES:
            return _sector_ends(outcomes)
        known = self._kept.get(id(outcomes))
        if known is None:
            known = self._kept[id(outcomes)] = outcomes, _sector_ends(outcomes)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return known[1]


def _sector_ends(outcomes: tuple[tuple[str, Number], ...]) -> list[int]:
    """The ends of the sectors of the outcomes, in units of one over the common denominator."""
    whole = lcm(*(probability.denominator for _, probability in outcomes))
    return list(accumulate(probability.numerator * (whole // probability.denominator) for _, probability in outcomes))

"""Means of the payoffs of many plays, with their standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple


class PayoffMeans(NamedTuple):
    """The mean payoff of each player over a number of plays, with its standard error."""

    plays: int
    means: tuple[float, ...]
    errors: tuple[float, ...]


def means_from_sums(plays: int, sums: Sequence[float], squares: Sequence[float]) -> PayoffMeans:
    """The means from the sums of the payoffs of all plays, and the sums of their squares."""
    if not plays:
        return PayoffMeans(0, (), ())
    means = tuple(total / plays for total in sums)
    spread = (max(0.0, square / plays - mean * mean) for square, mean in zip(squares, means, strict=True))
    return PayoffMeans(plays, means, tuple(sqrt(one / plays) for one in spread))

"""What many plays paid: means, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple


class PayoffMeans(NamedTuple):
    """What so many plays paid each player on average, and the standard errors of that."""

    plays: int
    means: tuple[float, ...]
    errors: tuple[float, ...]


def means_from_sums(plays: int, sums: Sequence[float], squares: Sequence[float]) -> PayoffMeans:
    """The same, from what all plays paid together, and the sums of its squares."""
    if not plays:
        return PayoffMeans(0, (), ())
    means = tuple(total / plays for total in sums)
    spread = (max(0.0, square / plays - mean * mean) for square, mean in zip(squares, means, strict=True))
    return PayoffMeans(plays, means, tuple(sqrt(one / plays) for one in spread))

"""Claimed numbers beside actual ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gdl.game import Number

CLOSE = 1e-9  # how near a rounded number is to the one that it stands for


def same(claimed: Number | float, actual: Number | float) -> bool:
    """Whether the claimed number is the actual one; a float need only be close."""
    if isinstance(claimed, float):
        return math.isclose(claimed, actual, rel_tol=CLOSE, abs_tol=CLOSE)
    return claimed == actual


def same_all(claimed: Sequence[Number | float], actual: Sequence[Number | float]) -> bool:
    return len(claimed) == len(actual) and all(map(same, claimed, actual))


def is_rounded(claimed: Sequence[Number | float], actual: Sequence[Number | float]) -> bool:
    """Whether one of the claimed numbers is only near the actual one."""
    return any(one != other for one, other in zip(claimed, actual, strict=True))


def amounts(players: Sequence[str], numbers: Sequence[Number | float]) -> str:
    """`Ann 1, Bob -1`."""
    return ", ".join(f"{player} {number}" for player, number in zip(players, numbers, strict=True))

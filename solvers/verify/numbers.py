"""Claimed numbers beside actual ones, and beside those between which the game promises them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gdl.errors import GameError
from gdl.game import Bounds, Game, Number, exact, greatest_at, least_at, tightest

CLOSE = 1e-9  # how near a rounded number is to the one that it stands for


def same(claimed: Number | float, actual: Number | float) -> bool:
    """True if the claimed number is the actual one; a float need only be within CLOSE of it."""
    if isinstance(claimed, float):
        return math.isclose(claimed, actual, rel_tol=CLOSE, abs_tol=CLOSE)
    return claimed == actual


def same_all(claimed: Sequence[Number | float], actual: Sequence[Number | float]) -> bool:
    return len(claimed) == len(actual) and all(map(same, claimed, actual))


def amounts(players: Sequence[str], numbers: Sequence[Number | float]) -> str:
    """The numbers with the players' names, such as `Ann 1, Bob -1`."""
    return ", ".join(f"{player} {number}" for player, number in zip(players, numbers, strict=True))


def promised_bounds(game: Game[Any]) -> Bounds:
    """For each player the bounds of the value, by what is promised or proved of all ends, by the price of endless play,
    and, of two opponents, by what the other can get."""
    start = game.initial()
    try:
        bounds = tuple(zip(least_at(game, start), greatest_at(game, start), strict=True))
    except GameError:  # a promise that cannot be computed
        return ((None, None),) * len(game.players)
    total = game.traits.constant_sum
    if len(bounds) == 2 and total is not None:
        rest = [tuple(None if end is None else exact(total - end) for end in reversed(pair)) for pair in bounds]
        bounds = tightest(bounds, tuple(reversed(rest)))  # type: ignore[arg-type]  # each has two ends
    return bounds

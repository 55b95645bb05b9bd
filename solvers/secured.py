"""Bounds of the values of a tree or a matrix, by one pass over the payoffs that its file lists.

1. Whatever is played, everybody gets between the least and the most that an end pays.
2. Where coalitions share what they win, each player's share is at least his least payoff, and at most what the greatest
   sum leaves if all others have no more than theirs.
3. In a matrix each action secures its least payoff; the best of these is the player's security level in pure actions.
   All actions with equal chances secure their least average.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from gdl.game import Bounds, Game, Number, Simultaneous, Unknown, exact


def listed_payoffs(game: Game[Any]) -> list[tuple[Any, ...]]:
    """The payoffs of the listed ends; empty where they are not listed, or hold open numbers."""
    paid: list[tuple[Any, ...]] = list(game.promises.listed().values())
    return [] if any(isinstance(number, Unknown) for vector in paid for number in vector) else paid


def bounds_of_ends(game: Game[Any]) -> Bounds:
    """The least and the most that the listed ends pay each player; None twice where nothing is listed."""
    paid = listed_payoffs(game)
    own = ([vector[player] for vector in paid] for player in range(len(game.players)))
    return tuple((min(numbers, default=None), max(numbers, default=None)) for numbers in own)


def bounds_of_shares(game: Game[Any]) -> Bounds:
    """Bounds of what each player can have where coalitions share what they win."""
    least = [low for low, _ in bounds_of_ends(game)]
    spare = max(map(sum, listed_payoffs(game)), default=0) - sum(low or 0 for low in least)
    return tuple((low, None if low is None else low + spare) for low in least)


def security_levels(game: Game[Any]) -> tuple[tuple[Number, str], ...]:
    """The most that each player secures by one action, with that action, or by all with equal chances, with "", if that
    is more; empty where the game is no matrix without open numbers."""
    start = game.node(game.initial()) if listed_payoffs(game) else None  # rules list none, and may take seconds a node
    if not isinstance(start, Simultaneous):
        return ()
    least: list[dict[str, Any]] = [{} for _ in game.players]
    sums: list[defaultdict[Any, Any]] = [defaultdict(int) for _ in game.players]  # by the others' actions
    for joint, vector in game.promises.listed().items():
        for player, (own, action, number) in enumerate(zip(least, joint, vector, strict=True)):
            own[action] = min(own.get(action, number), number)
            sums[player][joint[:player] + joint[player + 1 :]] += number
    best = [max(names, key=own.__getitem__) for own, names in zip(least, start.actions, strict=True)]
    even = [exact(Fraction(min(own.values()), len(names))) for own, names in zip(sums, start.actions, strict=True)]
    pure = [own[action] for own, action in zip(least, best, strict=True)]
    return tuple(max((one, action), (mixed, "")) for one, action, mixed in zip(pure, best, even, strict=True))

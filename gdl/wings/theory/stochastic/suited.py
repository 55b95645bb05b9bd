"""When `auto` tries a solver of stochastic games."""

from __future__ import annotations

from typing import Any

from gdl.game import Game, Traits
from gdl.solvers.needs import may_be_opposed
from gdl.wings import Situation


def suits_shapley(situation: Situation, game: Game[Any], traits: Traits) -> bool:
    """True for two players who are, or may be, opponents, and move at once, or know the position all the same."""
    returning = situation == "positions return" and traits.simultaneous is True
    return (returning or situation == "all know the position") and may_be_opposed(traits)


def suits_stationary(situation: Situation, game: Game[Any], traits: Traits) -> bool:
    """True for rewards on the way, if moves are at once or the players more than two."""
    several = traits.simultaneous or traits.players > 2
    return bool(situation == "positions return" and several and (traits.rewards or not traits.simultaneous))


def suits_markov_perfect(situation: Situation, game: Game[Any], traits: Traits) -> bool:
    """True for moves at once without rewards on the way; and for players with aims of their own, if what they remember
    does not tell positions apart."""
    if situation == "positions return to several players":
        return game.promises.without_memory is not None
    return bool(situation == "positions return" and traits.simultaneous and not traits.rewards)

"""When `auto` tries samples of play."""

from __future__ import annotations

from typing import Any

from gdl.game import Game, Traits
from gdl.wings import Situation


def suits_samples(situation: Situation, game: Game[Any], traits: Traits) -> bool:
    """True where the plans may be too many to list them, of a game that the solver takes."""
    if situation != "too large to list":
        return False
    from gdl.wings.hidden.mccfr import MCCFR

    return MCCFR.takes(game, traits)

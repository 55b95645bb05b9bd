"""When `auto` tries players who are alike."""

from __future__ import annotations

from typing import Any

from gdl.game import Game, Traits
from gdl.states.game_wrapper import innermost_game
from gdl.wings import Situation
from gdl.wings.theory.action_graphs.action_graph_game import ActionGraphGame


def suits_symmetric(situation: Situation, game: Game[Any], traits: Traits) -> bool:
    """True where the joint moves are too many to look at, and the file itself says that the players are alike."""
    inner = innermost_game(game, game.initial())[0]
    return situation == "too many joint moves" and isinstance(inner, ActionGraphGame) and inner.graph.are_alike

"""A game with another engine than its own, which gives solvers its compiled searches."""

from __future__ import annotations

from typing import Any

from gdl.game import Engine, Game
from gdl.states.game_wrapper import GameWrapper


class GameWithEngine(GameWrapper):
    """A game played with another engine than its own."""

    def __init__(self, game: Game[Any], engine: Engine):
        super().__init__(game)
        self.engine = engine
        self.promises = game.promises

"""A game with another engine than its own: what solvers may have of it compiled."""

from __future__ import annotations

from typing import Any

from gdl.game import Engine, Game, Traits


class Offered:
    """The same game with another engine: a Game around a Game."""

    def __init__(self, game: Game[Any], engine: Engine):
        self.game = game
        self.engine = engine
        self.name, self.players, self.promises = game.name, game.players, game.promises
        self.initial, self.node, self.successor = game.initial, game.node, game.successor
        self.information_set, self.describe = game.information_set, game.describe
        self.evaluate, self.label, self.show = game.evaluate, game.label, game.show

    @property
    def traits(self) -> Traits:
        return self.game.traits

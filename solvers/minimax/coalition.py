"""One player against all others: a game of many seen by somebody who expects the worst, as a Game around a Game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import Any

from gdl.game import Bounds, Decision, Game, Node, Number, Promises, Terminal, Traits, require_number
from gdl.solvers.stopped import rest_bounds
from gdl.states.game_wrapper import GameWrapper


class Coalition(GameWrapper):
    """The game in which everybody but one player is one opponent, who wants that player's utility to be least."""

    def __init__(self, game: Game[Any], player: int):
        super().__init__(game)
        self.player = player
        self.players = (game.players[player], "the others")
        inner = game.promises
        self.promises = Promises(
            bounds=lambda state: self._sides(inner.bounds(state)) or None,
            proved=lambda: self._sides(inner.proved()),
            proved_of_estimates=lambda: self._sides(inner.proved_of_estimates()),
        )

    @cached_property
    def traits(self) -> Traits:
        return replace(self.game.traits, players=2, zero_sum=True, constant_sum=0)

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Terminal):
            own = require_number(node.utilities[self.player])
            return Terminal((own, -own))
        if isinstance(node, Decision):
            return Decision(int(node.player != self.player), node.actions)
        return node

    def information_set(self, state: Any, player: int) -> Hashable:
        return self.game.information_set(state, self._mover(state))

    def describe(self, state: Any, player: int) -> str:
        return self.game.describe(state, self._mover(state))

    def _mover(self, state: Any) -> int:
        node = self.game.node(state)
        return node.player if isinstance(node, Decision) else self.player

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        found = self.game.evaluate(state)
        return None if found is None else (found[self.player], -found[self.player])

    def _sides(self, bounds: Bounds | None) -> Bounds:
        """The bounds of both sides, from those of all players."""
        return (bounds[self.player], rest_bounds(bounds[self.player], 0)) if bounds else ()

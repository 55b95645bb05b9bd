"""Searches along a path whose numbers are fractions, never rounded: what they have in common."""

from __future__ import annotations

from gdl.compiler.searches.paths import PathSearch
from gdl.errors import Refusal, clean
from gdl.interpreter.rules import RulesGame, State


class ExactPaths(PathSearch):
    """A search of games in which one moves at a time, and whose rules do not ask for earlier positions."""

    def __init__(self, game: RulesGame, start: State, engine: str):
        """Raises Refusal where the game is not for such a search."""
        super().__init__(game, start, engine)
        if self.at_once:
            raise Refusal("this search is for games in which one moves at a time")
        if self.lowered.keys is not None:
            raise Refusal(f"{clean(game.name)} asks for earlier positions, and this search does not tell them apart")

    @property
    def cut_off(self) -> int:
        """Leaves that were estimated."""
        return int(self.module["cut_off"][0])

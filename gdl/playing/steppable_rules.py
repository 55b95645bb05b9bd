"""Rules that are loaded: games as the interpreter plays them, which also give environments of themselves."""

from __future__ import annotations

from typing import Any

from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame
from gdl.playing.steppable import Steppable, SteppableModel
from gdl.states.game_wrapper import innermost_game


class SteppableRules(SteppableModel, RulesGame):
    """A game by rules."""


class SteppableContinuation(Steppable, Continuation):
    """A game from a later position on."""

    @property
    def model(self) -> Any:
        """The model of the game, which begins at its first position and not at this one."""
        return innermost_game(self, self._start)[0].model

"""Rules that a program loads to walk them: games with packed states, which also give environments of themselves."""

from __future__ import annotations

import warnings
from typing import Any

from gdl.compiler.packed_game import PackedGame, why_unpacked
from gdl.errors import INTERPRETED
from gdl.interpreter.position import Continuation
from gdl.playing.steppable import SteppableModel


class SteppablePacked(SteppableModel, PackedGame):
    """A game by rules whose states are packed."""

    @property
    def model(self) -> Any:
        """The checked rules."""
        return self.game.model

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)


def with_packed_states(game: Any) -> Any:
    """The loaded game with packed states. If it cannot have any, a warning says why, and the game is as it was."""
    whole: Any = game.game if isinstance(game, Continuation) else game
    if why := why_unpacked(whole):
        warnings.warn(f"{why}; {INTERPRETED}", stacklevel=3)
        return game
    made = SteppablePacked(whole)
    return type(game)(made, made.pack_state(game.initial()), game.played) if isinstance(game, Continuation) else made

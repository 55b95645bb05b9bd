"""Rules that are loaded: games as the interpreter plays them, which also give environments of themselves."""

from __future__ import annotations

from gdl.interpreter.rules_game import RulesGame
from gdl.playing.stepping.steppable import SteppableModel


class SteppableRules(SteppableModel, RulesGame):
    """A game by rules."""

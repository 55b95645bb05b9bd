"""Rules that are loaded: games as the interpreter plays them, which also give environments of themselves."""

from __future__ import annotations

from gdl.interpreter.rules_game import RulesGame
from gdl.playing.stepping.steppable import Steppable


class SteppableRules(Steppable, RulesGame):
    """A game by rules."""

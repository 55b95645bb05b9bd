"""Rules that are loaded: games as the interpreter plays them, which also give environments of themselves."""

from __future__ import annotations

from gdl.environments.steppable import Steppable
from gdl.interpreter.rules import RulesGame


class SteppableRules(Steppable, RulesGame):
    """A game by rules."""

"""Rules -> the game that is played. Where the rules can keep totals of rewards in a variable, they do."""

from __future__ import annotations

from gdl.interpreter.reward_totals import can_keep, keeping_totals
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel


def playable(model: RulesModel, kind: type[RulesGame] = RulesGame) -> RulesGame:
    """The game of these rules, of the class `kind`. The rules keep totals of rewards themselves, unless play can come
    back to a position: a total would make that a different position."""
    if can_keep(model) and not RulesGame(model, totals=False).traits.cyclic:
        return kind(keeping_totals(model))
    return kind(model)

"""Games of clauses that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from typing import Any

from gdl.errors import GameError, Refusal
from gdl.interpreter.clauses_game import ClausesGame
from gdl.interpreter.taking_turns import TurnsGame, turns_of
from gdl.model.clauses import ClausesModel
from gdl.playing.stepping.steppable import SteppableModel


class SteppableClauses(SteppableModel, ClausesGame):
    """A game in Stanford's Game Description Language."""


class SteppableTurns(SteppableModel, TurnsGame):
    """A game of clauses whose players take turns: a game by rules, which the compiled engine takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.clauses, self.model, self.facts)


def playable_clauses(model: ClausesModel) -> SteppableClauses | SteppableTurns:
    """The game of some clauses: by rules where that can be."""
    clauses = SteppableClauses(model)
    try:
        made = turns_of(clauses, SteppableTurns)
    except Refusal as reason:
        clauses.reason = str(reason)
        return clauses
    except GameError:  # which whoever plays will meet
        return clauses
    assert isinstance(made, SteppableTurns)
    return made

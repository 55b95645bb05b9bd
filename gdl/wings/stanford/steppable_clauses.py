"""Games of clauses that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from typing import Any

from gdl.errors import GameError, Refusal
from gdl.playing.steppable import SteppableModel
from gdl.wings.stanford.clauses_game import ClausesGame
from gdl.wings.stanford.clauses_model import ClausesModel
from gdl.wings.stanford.clauses_on_demand import on_demand
from gdl.wings.stanford.datalog import FACTS, TooMuchFollows
from gdl.wings.stanford.grounded_game import GroundedGame, grounded_game
from gdl.wings.stanford.grounding import MOST_GROUND_CLAUSES, MOST_ON_DEMAND

AT_FIRST = 50_000  # facts that follow in the first position, beyond which relations are computed on demand


class SteppableClauses(SteppableModel, ClausesGame):
    """A game in Stanford's Game Description Language."""


class SteppableGrounded(SteppableModel, GroundedGame):
    """A game of clauses whose players take turns: a game by rules, which the compiled engine takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.clauses, self.model, self.facts)


def playable_clauses(model: ClausesModel) -> SteppableClauses | SteppableGrounded:
    """The game of some clauses: a game by rules if its clauses can be written so."""
    most = MOST_GROUND_CLAUSES
    try:
        clauses = SteppableClauses(model)
        clauses.most_facts = AT_FIRST
        clauses.node(clauses.initial())
        clauses.most_facts = FACTS
    except TooMuchFollows:
        clauses, most = SteppableClauses(on_demand(model)), MOST_ON_DEMAND
    except GameError:  # which whoever plays will meet
        return SteppableClauses(model)
    try:
        made = grounded_game(clauses, SteppableGrounded, most)
    except Refusal as reason:
        clauses.reason = str(reason)
        return clauses
    except GameError:  # which whoever plays will meet
        return clauses
    assert isinstance(made, SteppableGrounded)
    return made

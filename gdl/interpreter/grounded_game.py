"""Games of clauses that are played by rules of our own language, so that the compiled engine takes them too.

With chance or `sees`, and where the clauses are too many, the interpreter of clauses (gdl/interpreter/clauses_game.py)
has the game.
"""

from __future__ import annotations

from functools import partial

from gdl.errors import GameError, Refusal
from gdl.game import Decision, Node
from gdl.interpreter.clauses_game import ClausesGame
from gdl.interpreter.clauses_game import ClausesState as Position
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.ground_rules import GroundRules
from gdl.interpreter.grounding import ground
from gdl.interpreter.rules_game import RulesGame
from gdl.interpreter.state import State
from gdl.interpreter.taking_turns import choose_at_once, rules_in_turns
from gdl.model.clauses import Atom
from gdl.model.games import RulesModel
from gdl.states.explore import choosers


def grounded_game(clauses: ClausesGame, kind: type[GroundedGame]) -> GroundedGame:
    """The game of these clauses by rules. Raises Refusal with the reason where they have none, and GameError where the
    clauses are at fault."""
    model = clauses.model
    if model.has_secrets:
        raise Refusal("players learn by 'sees'")
    if model.has_chance:
        raise Refusal("the role 'random' moves")
    begun = clauses.node(clauses.initial())
    if len(both := choosers(begun)) > 1:  # seen before the clauses are grounded, which takes far longer
        raise choose_at_once(*(model.players[player] for player in both[:2]))
    span = clauses.place("role")
    assert span is not None  # somebody plays
    given = GroundRules(model, ground(model, clauses.always), span)
    rules = rules_in_turns(given, begun.player if isinstance(begun, Decision) else 0)
    return kind(clauses, rules, tuple(given.places))


class GroundedGame(RulesGame):
    """A game of clauses played by rules. `clauses` is the same game by its clauses; it shows
    positions and reports what is wrong in them."""

    def __init__(self, clauses: ClausesGame, rules: RulesModel, facts: tuple[Atom, ...]):
        super().__init__(rules)
        self.clauses, self.facts = clauses, facts
        self._afresh = partial(type(self), clauses, rules, facts)

    def node(self, state: State) -> Node:
        try:
            return super().node(state)
        except GameError:
            self.clauses.node(by_clauses(self, state))
            raise

    def describe(self, state: State, player: int) -> str:
        return self.clauses.describe(by_clauses(self, state), player)

    def show(self, state: State) -> str:
        return self.clauses.show(by_clauses(self, state))

    def show_to(self, state: State, player: int) -> str:
        return self.show(state)


def by_clauses(game: GroundedGame, state: State) -> Position:
    """The state as the clauses have it."""
    cells = zip(game.facts, state.cells[FIRST_CELL:], strict=True)
    return game.clauses.position(fact for (_, fact), holds in cells if holds)

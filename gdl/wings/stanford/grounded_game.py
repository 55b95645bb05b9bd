"""Games of clauses that are played by rules of gdl's own language, so that the compiled engine takes them too.

With chance or `sees`, and where the clauses are too many, the interpreter of clauses (clauses_game.py)
plays the game.
"""

from __future__ import annotations

from functools import partial

from gdl.errors import GameError, Refusal
from gdl.game import Node
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.plies import State
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel
from gdl.wings.stanford.at_once import rules_at_once
from gdl.wings.stanford.clauses_game import ClausesGame
from gdl.wings.stanford.clauses_game import ClausesState as Position
from gdl.wings.stanford.clauses_model import Atom
from gdl.wings.stanford.ground_rules import GroundRules
from gdl.wings.stanford.grounding import MOST_GROUND_CLAUSES, TOO_LARGE, ground
from gdl.wings.stanford.taking_turns import NotInTurns, rules_in_turns


def grounded_game(clauses: ClausesGame, kind: type[GroundedGame], most: int = MOST_GROUND_CLAUSES) -> GroundedGame:
    """The game of these clauses as a game by rules, of the class `kind`. Raises Refusal with the reason where they
    cannot be written as rules (`most`: see `ground`), and GameError where the clauses are at fault."""
    model = clauses.model
    if model.has_secrets:
        raise Refusal("players learn by 'sees'")
    if model.has_chance:
        raise Refusal("the role 'random' moves")
    span = clauses.place("role")
    assert span is not None  # somebody plays
    try:
        grounded = ground(model, clauses.always, most)
    except GameError:  # more follows from what might ever be true than in any position: no fault of the clauses
        raise Refusal(TOO_LARGE) from None
    start = clauses.initial()
    begun = clauses.node(start)
    given = GroundRules(model, grounded, span)
    try:
        rules = rules_in_turns(given, begun)
    except NotInTurns:
        rules = rules_at_once(given, begun, clauses.legal_moves(start))
    return kind(clauses, rules, tuple(given.places))


class GroundedGame(RulesGame):
    """A game of clauses played by rules. `clauses` is the same game played by its clauses, which shows positions and
    reports mistakes."""

    def __init__(self, clauses: ClausesGame, rules: RulesModel, facts: tuple[Atom, ...]):
        super().__init__(rules)
        self._remembers = False  # everybody sees every position and every move, those made at once too
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
    """The state of `game.clauses` in which the same facts are true."""
    cells = zip(game.facts, state.cells[FIRST_CELL : FIRST_CELL + len(game.facts)], strict=True)
    return game.clauses.position(fact for (_, fact), holds in cells if holds)

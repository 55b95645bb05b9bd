"""Clauses of a game whose players may choose at once, as rules of gdl's own language.

1. Beside the facts, the state holds each player's legal moves, the move that each has chosen, none before, and whether
   several have a choice. An action is the choice of a move.
2. When all have chosen, one step gives those without a choice their only move, computes what is true next from the
   position and the moves, writes it, and finds who can do what then. Where one player alone has a choice, the action
   takes the step itself; else `resolve` does.
3. Where somebody has no move, nobody has one then: a fault, which the interpreter of clauses reports.

Where players take turns, the rules of taking_turns.py are faster: each move has a body of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gdl.game import Decision, Node
from gdl.interpreter.closures import FIRST_CELL
from gdl.model import core
from gdl.model.core import Parameter
from gdl.model.domains import TRUTH, Named, Optional, SetType, Type
from gdl.model.games import Callable, Rule, RulesModel, Variable, Visibility
from gdl.wings.stanford.clauses_model import IDLE, Atom, term_text
from gdl.wings.stanford.ground_rules import SMALL, GroundRules
from gdl.wings.stanford.ground_truths import Truth, form_of, size_of, truth_of

NONE, ONE = core.Const(None), core.Const(1)


def rules_at_once(given: GroundRules, begun: Node, legal: Mapping[str, Collection[str]]) -> RulesModel:
    """The rules of a game that starts with the node `begun`, where each player's legal moves are those of `legal`.
    Raises Refusal where a step is too large."""
    return _StepRules(given, begun, legal).model()


class _StepRules:
    """Builds the rules: an action for each player's choice of a move, and the step done when all have chosen. Lists are
    in the order of the players."""

    def __init__(self, given: GroundRules, begun: Node, legal: Mapping[str, Collection[str]]):
        self.given, self.span, self.players = given, given.span, given.clauses.players
        self.alone = core.Turn("player", core.Const(begun.player)) if isinstance(begun, Decision) else None
        moves = given.moves.items()
        self.moves = [Named(player, tuple(term_text(move[2]) for move in own)) for player, own in moves]
        members = [sum(1 << own.members.index(move) for move in legal[own.name]) for own in self.moves]
        self._place = FIRST_CELL + len(given.places)
        self.legal = [self._variable(SetType(own), held) for own, held in zip(self.moves, members, strict=True)]
        self.chosen = [self._variable(Optional(own), None) for own in self.moves]
        self.together = self._variable(TRUTH, self.alone is None)

    def model(self) -> RulesModel:
        """The finished model."""
        body, frame = self._step()
        step = Callable(name="step", parameters=0, frame=frame, result=None, body=body, span=self.span)
        call = core.CallProcedure(0, (), self.span)
        resolve = Rule("resolve", (), (), None, None, False, (call,), 0, True, self.span)
        actions = [self._action(player, call) for player in range(len(self.players))]
        return self.given.model(actions, self.alone or core.Turn("everyone"), (step,), resolve)

    def _variable(self, type: Type, initial: Any) -> int:
        """Add a variable to the state, and return its number. Its name is one that no fact of a file can have."""
        number = len(self.given.variables)
        self.given.variables.append(Variable(
            name=f"({number})", indices=(), type=type, place=self._place, initial=(initial,), visibility=Visibility(),
            span=self.span,
        ))  # fmt: skip
        self._place += 1
        return number

    def _read(self, variable: int) -> core.Expression:
        return core.Cell(self.given.variables[variable].place)

    def _write(self, variable: int, value: core.Expression) -> core.Statement:
        return core.Assign(variable, (), value, self.span)

    def _action(self, player: int, step: core.Statement) -> Rule:
        """The action by which a player chooses a move; a player who alone has a choice also takes the step."""
        own = core.Comparison("=", core.Mover(), core.Const(player), self.span)
        together, move = self._read(self.together), core.Local(0)
        free = core.Some((core.Not(together), self._has_choice(player)))
        choose = self._write(self.chosen[player], move)
        legal = Parameter(0, self.moves[player], core.Members(self._read(self.legal[player])), ())
        return Rule(
            name="move", parameters=(legal,),
            guards=(own, free), weight=None, template=core.Template(((move, self.moves[player]),)), merge=False,
            body=(choose, core.Conditional(together, (), (step,))), frame=1, simple=True, span=self.span, settled=True,
        )  # fmt: skip

    def _has_choice(self, player: int) -> core.Expression:
        return core.Comparison(">", core.Size(self._read(self.legal[player]), True), ONE, self.span)

    # ---- The step ---------------------------------------------------------------------------------------------

    def _step(self) -> tuple[tuple[core.Statement, ...], int]:
        """The body of the step, and how many slots it needs for values computed once."""
        lets, values = self._effects_of_moves()
        changed, writes, _ = self.given.changes(values, {}, len(lets))
        lets += changed
        forced = [self._forced_move(player, len(lets)) for player in range(len(self.players))]
        return (*forced, *lets, *writes, *self._next_moves(), *self._next_turn()), len(lets) + 1

    def _forced_move(self, player: int, slot: int) -> core.Statement:
        """Choose the only move for a player without a choice."""
        legal = core.Members(self._read(self.legal[player]))
        only = core.Quantifier("first", slot, legal, None, core.Const(True), self.span)
        none = core.Comparison("=", self._read(self.chosen[player]), NONE, self.span)
        return core.Conditional(none, (self._write(self.chosen[player], only),), ())

    def _effects_of_moves(self) -> tuple[list[core.Statement], dict[Atom, Truth]]:
        """The values of all atoms that depend on the moves, after the statements that compute large values asked for
        more than once into local slots."""
        given, lets, values = self.given, list[core.Statement](), dict[Atom, Truth]()
        for player, name in enumerate(self.players):
            chosen = self._read(self.chosen[player])
            for number, move in enumerate(given.moves[name]):
                values["does", *move[1:]] = core.Comparison("=", chosen, core.Const(number), self.span)
        for atom in given.order:
            if atom in given.after:
                truth = truth_of(given.ground.bodies[atom], values, given.truths)
                if not isinstance(truth, bool) and len(given.asked_by.get(atom, ())) > 1 and size_of(truth) > SMALL:
                    given.count(truth)
                    lets.append(core.Let(len(lets), truth))
                    truth = core.Local(len(lets) - 1)
                values[atom] = truth
        return lets, values

    def _next_moves(self) -> list[core.Statement]:
        """The statements that clear the moves chosen and compute the moves that are legal next."""
        body: list[core.Statement] = []
        for player, name in enumerate(self.players):
            legal = self.legal[player]
            body += [self._write(self.chosen[player], NONE), self._write(legal, core.SetOf((), self.span))]
            for number, move in enumerate(self.given.moves[name]):
                one = core.SetOf((core.Const(number),), self.span)
                more = self._write(legal, core.SetOperation("+", self._read(legal), one))
                body.append(core.Conditional(form_of(self.given.truths[move]), (more,), ()))
        return body

    def _next_turn(self) -> list[core.Statement]:
        """The statements that set the turn: everyone's where several players have a choice; else that of the one who
        has a choice, or who has a move other than to wait, or of the first player."""
        mover: core.Expression = core.Const(0)
        for player, own in reversed(list(enumerate(self.moves))):
            waits = (
                core.Contains(core.Const(own.members.index(IDLE)), self._read(self.legal[player]), True)
                if IDLE in own.members
                else core.Const(False)
            )
            mover = core.If(waits, mover, core.Const(player))
        many = [self._has_choice(player) for player in range(len(self.players))]
        for player, has in reversed(list(enumerate(many))):
            mover = core.If(has, core.Const(player), mover)
        empty = core.SetOf((), self.span)
        stuck = core.Some(tuple(core.Comparison("=", self._read(legal), empty, self.span) for legal in self.legal))
        count = core.join_operands("+", [core.If(has, ONE, core.Const(0)) for has in many], self.span)
        several = core.Some((stuck, core.Comparison(">", count, ONE, self.span)))
        none = [self._write(legal, empty) for legal in self.legal]
        return [
            self._write(self.together, several),
            core.Conditional(stuck, tuple(none), ()),
            core.Conditional(
                self._read(self.together),
                (core.Next(core.Turn("everyone")),), (core.Next(core.Turn("player", mover)),),
            ),
        ]  # fmt: skip

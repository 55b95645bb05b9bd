"""A game given by rules: its sections, checked in the order in which they need each other -> RulesModel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gdl import syntax
from gdl.analysis.kept_values import DECIDING
from gdl.checker import declarations, ends
from gdl.checker.callables import check_definition, check_procedure, takes_sequences
from gdl.checker.explicit import states_costs
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.legal_positions import check_position_rules
from gdl.checker.looks import check_looks
from gdl.checker.notation import begin_at, check_notation, check_positions
from gdl.checker.phases import TYPE, follow_up
from gdl.checker.remarks import check_remarks
from gdl.checker.scope import Constant, Declared, LocalFrame, Scope
from gdl.checker.sequence_effects import see_all
from gdl.checker.setup import apply_setup
from gdl.checker.statements import Statements
from gdl.checker.teams import declare_teams, settle_teams
from gdl.checker.turn_start import note_turn_starts
from gdl.errors import GameError
from gdl.interpreter.legal_positions import keep_legal
from gdl.model import core
from gdl.model.domains import ANYTHING, Named
from gdl.model.games import Callable, Look, Notation, Rule, RulesModel
from gdl.model.notation import read
from gdl.model.walk import inside

Kind = TypeVar("Kind", bound=syntax.Syntax)


@dataclass
class Sections:
    """The sections of a game by kind."""

    all: list[syntax.Section] = field(default_factory=list)

    def of_kind(self, kind: type[Kind]) -> list[Kind]:
        """All sections of exactly this kind, in the order of the file."""
        return [section for section in self.all if type(section) is kind]

    def last_of_kind(self, kind: type[Kind]) -> Kind | None:
        found = self.of_kind(kind)
        return found[-1] if found else None


def check_rules(scope: Scope, sections: Sections, settings: Mapping[str, Any]) -> RulesModel:
    """The model of a game by rules. Every problem is noted in the scope."""
    scope.coming = frozenset(
        variable.name.name for state in sections.of_kind(syntax.State) for variable in state.variables
    )
    scope.changed = bool(settings) or bool(sections.of_kind(syntax.Setting))
    parameters = _declare(scope, sections, settings)
    scope.cost = states_costs(sections, scope.problems, ("cost", "average"))
    scope.phases = scope.types.get(TYPE) if sections.of_kind(syntax.Phase) else None
    for definition in sections.of_kind(syntax.Definition):
        _declare_callable(scope, definition, scope.definitions)
    for procedure in sections.of_kind(syntax.Procedure):
        _declare_callable(scope, procedure, scope.procedures)
    _declare_rules(scope, sections)
    declarations.declare_variables(scope, sections.of_kind(syntax.State))
    for setup in sections.of_kind(syntax.Setup):
        apply_setup(scope, setup)
    for declared in list(scope.definitions.values()):
        if declared.checked is None:
            check_definition(ExpressionChecker(scope, LocalFrame()), declared)
    for declared in list(scope.procedures.values()):
        if declared.checked is None:
            check_procedure(Statements(scope, LocalFrame()), declared)
    for state in sections.of_kind(syntax.State):
        for variable in state.variables:
            if variable.name.name in scope.variables:
                declarations.with_visibility(scope, variable, scope.variables[variable.name.name])
    model = _model(scope, sections, parameters)
    if scope.has_draws:
        from gdl.checker.draws import expand_draws

        ending = sections.last_of_kind(syntax.TerminalTest)
        model = expand_draws(model, scope, ending is not None and ending.after_actions is not None)
    model = settle_teams(note_turn_starts(model, scope), scope)
    positions = check_positions(scope, model, sections.of_kind(syntax.Position))
    return _with_legal_start(scope, sections, model.copy_with(positions=positions))


def _with_legal_start(scope: Scope, sections: Sections, model: RulesModel) -> RulesModel:
    """The model whose first position, where a text says it, is one of the game."""
    for text in [start.text for start in sections.of_kind(syntax.Start) if start.text]:
        if model.notation is not None and model.legality and not any(not p.warning for p in scope.problems):
            try:
                model, warnings = keep_legal(model, read(model.notation, text), text)
                scope.problems += warnings
            except GameError as wrong:
                scope.problems += wrong.problems
    return model


def _declare_callable(scope: Scope, written: syntax.Definition | syntax.Procedure, table: dict[str, Declared]) -> None:
    name = written.name
    if not scope.declare(name, "definition"):
        return
    table[name.name] = declared = Declared(written, len(table))
    if takes_sequences(written):  # copies of it are checked, for the sequences given
        result = core.Const(None) if isinstance(written, syntax.Definition) else None
        declared.checked, declared.result = Callable(name.name, 0, 0, result, (), name.span), ANYTHING
    for parameter in written.parameters or ():
        if isinstance(parameter.type, syntax.SequenceOf) and parameter.type.most is not None:
            told = "a parameter stands for a sequence of any length"
            scope.problem(told, parameter.type.most.span, help="leave out 'up to' and the number")


def _declare(scope: Scope, sections: Sections, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Declare types, parameters, players and boards. Types come first, because parameters may have them; a type that
    needs a parameter fails quietly at first, and is tried again."""
    game = sections.last_of_kind(syntax.Game)
    listed = syntax.Ordered | syntax.Unordered
    enumerations = [t for t in sections.of_kind(syntax.TypeDefinition) if isinstance(t.definition, listed)]
    for definition in enumerations:
        declarations.declare_type(scope, definition)
    chosen = {
        binding.name.name: binding.value for setting in sections.of_kind(syntax.Setting) for binding in setting.settings
    } | dict(settings)
    parameters = declarations.declare_parameters(scope, (game.parameters or ()) if game else (), chosen)
    _declare_players(scope, sections)
    boards = sections.of_kind(syntax.Board)
    scope.graphs = sum(board.shape.text == "graph" for board in boards)
    scope.directed_boards = len(boards) - scope.graphs
    for section in sections.all:
        if isinstance(section, syntax.TypeDefinition) and section not in enumerations:
            declarations.declare_type(scope, section)
        elif isinstance(section, syntax.Board):
            declarations.declare_board(scope, section)
    return parameters


def _declare_players(scope: Scope, sections: Sections) -> None:
    written = sections.last_of_kind(syntax.Players) or sections.last_of_kind(syntax.Seats)
    names = declarations.declare_players(scope, written)
    if not names:
        scope.problem(f"{scope.game} has no players", None, help="write a line such as: players Ann, Bob")
        names = ("nobody",)
    scope.players = Named("Player", names)
    scope.types["Player"] = scope.players
    if isinstance(written, syntax.Players):
        for word in written.names:
            scope.declare(word, "player")
        declare_teams(scope, written)
    for position, name in enumerate(names):
        scope.constants[name] = Constant(position, scope.players, None, "player")


def _declare_rules(scope: Scope, sections: Sections) -> None:
    """Declare the names of actions and chance steps."""
    for position, step in enumerate(sections.of_kind(syntax.Chance)):
        if scope.declare(step.name, "chance step"):
            scope.chances[step.name.name] = position
    for position, action in enumerate(sections.of_kind(syntax.Action)):
        if scope.declare(action.name, "action"):
            scope.actions[action.name.name] = position


def _model(scope: Scope, sections: Sections, parameters: dict[str, Any]) -> RulesModel:
    """The actions, the chance steps and the end of the game, checked when all names are declared, as the model."""
    actions = tuple(Statements(scope, LocalFrame()).rule(action) for action in sections.of_kind(syntax.Action))
    chances = tuple(Statements(scope, LocalFrame()).rule(step) for step in sections.of_kind(syntax.Chance))
    resolve = _effects(scope, "resolve", sections.last_of_kind(syntax.Resolve))
    discounted = sections.last_of_kind(syntax.Discount)
    discount = ends.check_discount(scope, discounted)
    ending = sections.last_of_kind(syntax.TerminalTest)
    average = ends.check_average(scope, sections.of_kind(syntax.Measure), discounted, ending)
    clauses, forever = ends.check_terminal(scope, ending, discount < 1 or average)
    features, quiet, unit = ends.check_evaluation(scope, sections.last_of_kind(syntax.Evaluation))
    notation = check_notation(scope, sections.last_of_kind(syntax.Notation))
    start = _start(scope, sections, notation)
    opening = _effects(scope, "start", sections.last_of_kind(syntax.Opening))
    if not actions and not chances:
        scope.problem(f"{scope.game} has no actions", None, help="write what a player can do: action NAME(parameters)")
    return RulesModel(
        scope.game,
        scope.players.members,
        parameters,
        see_all(scope.variables),
        _checked_callables(scope.definitions),
        _checked_callables(scope.procedures),
        actions,
        (*chances, *scope.steps_of_words),
        resolve,
        start,
        opening,
        clauses,
        forever,
        features,
        quiet,
        tuple(scope.times),
        _looks(scope),
        ends.check_promise(scope, sections.last_of_kind(syntax.Utility), clauses, bool(sections.of_kind(syntax.Claim))),
        notation=notation,
        legality=check_position_rules(
            scope, [s for s in sections.all if isinstance(s, syntax.PositionRequires | syntax.PositionKeeps)], notation
        ),
        rewards=scope.rewards,
        cost=scope.cost,
        discount=discount,
        discount_span=discounted.span if discounted else None,
        average=average,
        unit=unit,
        forever_span=next(
            (c.span for c in (ending.clauses if ending else ()) if type(c.condition) is syntax.Word), None
        ),
        appearance=check_looks(scope, sections.of_kind(syntax.Look)).copy_with(
            sentences=check_remarks(scope, sections.of_kind(syntax.Action), actions)
        ),
        follow_up=follow_up(scope, sections.of_kind(syntax.Phase), sections.of_kind(syntax.Action)),
    )


def _checked_callables(declared: dict[str, Declared]) -> tuple[Callable, ...]:
    return tuple(d.checked for d in declared.values() if d.checked is not None)


def _looks(scope: Scope) -> tuple[Look, ...]:
    places = {name: index for index, name in enumerate(scope.variables)}
    return tuple(Look(tuple(places[name] for name in names), symbols) for names, symbols in scope.looks)


def _effects(scope: Scope, name: str, written: syntax.Resolve | syntax.Opening | None) -> Rule | None:
    """The statements of a section in which nobody chooses, as a rule: before play (`start`) or after a joint move
    (`resolve`). None where the file has no such section."""
    if written is None:
        return None
    check = Statements(scope, LocalFrame())
    check.expressions.has_mover = name == "start"
    body = check.block(written.body)
    if name == "start" and check.does(body, core.Reward):
        message = "a reward is for a move, and nobody has moved before the first position"
        scope.problem(message, written.span, help="give it in an action or a chance step")
    for call in _asking_for_mover(body, scope) if name == "resolve" else ():
        scope.problem("this asks for the mover, and here all have moved", call.span, help="give it the player")
    if check.does(body, *DECIDING):
        told = f"'{name}' has only effects: nobody chooses, and nothing can fail there"
        scope.problem(told, written.span, help="end it with 'next' and an action or a chance step")
    return Rule(name, (), (), None, None, False, body, check.frame.size, True, written.span)


def _asking_for_mover(body: tuple[core.Statement, ...], scope: Scope) -> Iterator[Any]:
    """The calls in a body of definitions or procedures that read the mover, directly or through others that they
    call."""
    for call in inside(body):
        if isinstance(call, core.CallDefinition | core.CallProcedure):
            forms = scope.inside_with_calls(call.copy_with(arguments=()))
            if any(isinstance(form, core.Mover) for form in forms):
                yield call


def _start(scope: Scope, sections: Sections, notation: Notation | None) -> core.Turn:
    """Whose turn it is first: a player's or a chance step's. Where `start` has a position's text, the first values of
    the variables are set from it too."""
    starts = sections.of_kind(syntax.Start)
    first = core.Turn("player", core.Const(0))
    for placing in [start.text for start in starts if start.text]:
        first = begin_at(scope, notation, placing, sections.of_kind(syntax.Setup))
    for start in [start for start in starts if not start.text]:
        first = Statements(scope, LocalFrame()).turn(start.turn) or first
    return first

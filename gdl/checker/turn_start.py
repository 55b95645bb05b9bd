"""The position as it was when the turn began: `side[s] at turn start`.

A turn begins when it becomes another player's move who is not asked in the middle of a body; in a game of one player,
with each ply. Of every variable that is asked for like this there is a copy, written then by the rule that follows a
ply. Engines see variables alone.
"""

from __future__ import annotations

from typing import Any

from gdl import syntax
from gdl.analysis.traits import everyone_moves
from gdl.checker.kept_movers import DUE
from gdl.checker.scope import Checks, Scope, Typed
from gdl.model import core
from gdl.model.domains import Optional, members
from gdl.model.games import Rule, RulesModel, Variable
from gdl.model.rewriting import add_variable, first_span

ENDING = " at turn start"  # of the names of copies; no name of a file has a blank
WHOSE = "turn.whose"  # the variable for the player whose turn was noted last


def check_at_turn_start(check: Checks, e: syntax.AtTurnStart) -> Typed:
    """Check a variable, or one of its elements, as it was at the start of the turn."""
    scope, of = check.scope, e.operand
    variable = scope.variables.get(of.word.text) if isinstance(of, syntax.Name | syntax.Element) else None
    if not isinstance(of, syntax.Name | syntax.Element) or variable is None or variable.places:
        told = "only a variable that is no sequence, or an element of it, has a value at turn start"
        return scope.wrong(told, e.span, help="write, for example: side[s] at turn start")
    name = variable.name + ENDING
    if name not in scope.variables:
        end = max(scope.variables.values(), key=lambda each: each.place)
        scope.variables[name] = variable.copy_with(name=name, place=end.place + len(end.initial))
        scope.used |= {variable.name, name}
        scope.assigned.add(name)
        scope.turn_starts.append((e.span, variable.name))
    return check.check(of.copy_with(word=of.word.copy_with(text=name)))


def note_turn_starts(model: RulesModel, scope: Scope) -> RulesModel:
    """The model with a rule that writes the copies of variables when a turn begins; as it is without such copies."""
    if not scope.turn_starts:
        return model
    if everyone_moves(model):
        told = "no turn begins where all players choose at once"
        scope.problem(told, scope.turn_starts[0][0], help="keep the earlier value in a variable of its own")
    span, number = first_span(model), {variable.name: n for n, variable in enumerate(model.variables)}
    body: tuple[Any, ...] = ()
    frame = model.follow_up.frame if model.follow_up else 0
    kept = list(model.variables)
    for _, name in scope.turn_starts:
        of, copy = (model.variables[number[each]] for each in (name, name + ENDING))
        kept[number[copy.name]] = copy.copy_with(visibility=of.visibility)
        body += _write_copy(of, number[name], number[copy.name], frame, span)
        frame += len(of.indices)
    model = model.copy_with(variables=tuple(kept))
    if len(model.players) > 1:
        model, whose = add_variable(model, WHOSE, (), Optional(scope.players), (None,), span)
        other = core.Comparison("!=", core.Cell(model.variables[whose].place), core.Mover(), span)
        asked = (core.Comparison("=", core.Cell(v.place), core.Const(0), span) for v in kept if v.name == DUE)
        body = (
            core.Conditional(core.All((other, *asked)), (*body, core.Assign(whose, (), core.Mover(), span)), (), span),
        )
    look = model.appearance
    copies = tuple(name + ENDING for _, name in scope.turn_starts)
    follow = model.follow_up or Rule("turn", (), (), None, None, False, (), 0, True, span)
    return model.copy_with(
        follow_up=follow.copy_with(body=(*body, *follow.body), frame=frame),
        appearance=look.copy_with(hidden=(*look.hidden, *copies)),
    )


def _write_copy(of: Variable, number: int, copy: int, slot: int, span: Any) -> tuple[Any, ...]:
    """The statements that write a variable's values into its copy, with local names from a slot on."""
    place = tuple(core.Local(slot + n) for n in range(len(of.indices)))
    value = core.Element(number, place, False, span) if place else core.Cell(of.place)
    body: tuple[Any, ...] = (core.Assign(copy, place, value, span),)
    for local, index in reversed(list(zip(place, of.indices, strict=True))):
        body = (core.For(local.slot, core.Const(tuple(members(index))), None, body, span),)
    return body

"""Assignments to variables of the state, and to names that a body has made: syntax -> core."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.elements import check_indices
from gdl.checker.expressions import Expressions
from gdl.checker.types import fits, numeric, plain, told
from gdl.errors import clean
from gdl.model import core
from gdl.model.domains import ANYTHING, SetType, described


def assignment(check: Expressions, s: syntax.Assign) -> core.Statement | None:
    """The assignment; None if something is wrong with it."""
    name, scope = s.target.name.text, check.scope
    if name in scope.faulty:
        return None
    local = check.frame.find(name) is not None
    if local or name not in scope.variables:
        if not local:
            scope.unknown(name, s.target.span, "variable", list(scope.variables))
            return None
        return _to_local(check, s)
    scope.assigned.add(name)
    variable = scope.variables[name]
    index = list(scope.variables).index(name)
    indices: tuple[core.Expression, ...] = ()
    if variable.indices:
        if s.target.arguments is None:
            scope.problem(f"{name} has elements", s.target.span, help=f"write {name}[…] := …")
            return None
        found = check_indices(check, variable, s.target.arguments, s.target.span)
        if found is None:
            return None
        indices = tuple(typed.core for typed in found)
    elif s.target.arguments is not None:
        scope.problem(f"{name} has no elements", s.target.span, help=f"write {name} := …")
        return None
    typed = check.checked_as(s.value, variable.type)
    converted = check.converted(typed, variable.type)
    if converted is None:
        message = f"{name} holds {described(variable.type)}, and this is {told(typed, variable.type)}"
        slip = scope.changed and numeric(typed.type) and numeric(plain(variable.type))  # play may never come here
        scope.problem(message, s.value.span, help="assign a value of its type, or widen the type", warning=slip)
        if not slip:
            return None
        converted = typed.core
    return core.Assign(index, indices, converted, s.span)


def _to_local(check: Expressions, s: syntax.Assign) -> core.Statement | None:
    found = check.frame.find(s.target.name.text)
    assert found is not None
    slot, wanted = found
    if slot not in check.frame.lets:
        help = "only state variables and 'let' names change"
        check.scope.problem(f"'{clean(s.target.name.text)}' is chosen and cannot change", s.target.span, help)
        return None
    typed = check.checked_as(s.value, wanted)
    if not fits(typed.type, wanted):
        check.scope.problem(
            f"{s.target.name.text} holds {described(wanted)}, and this is {described(typed.type)}", s.value.span,
            help="assign a value of the kind that it began with",
        )  # fmt: skip
    elif wanted == SetType(ANYTHING):  # it began as {}
        check.frame.learn(s.target.name.text, typed.type)
    return core.Let(slot, typed.core)

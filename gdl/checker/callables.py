"""Definitions and procedures: checked when first needed, since the first use tells what a definition's value is."""

from __future__ import annotations

from typing import Any

from gdl import limits, syntax
from gdl.checker.checks import Checks, ChecksBodies
from gdl.checker.constants import reads_state
from gdl.checker.scope import Declared, Scope
from gdl.checker.types import fits
from gdl.model import core
from gdl.model.domains import ANYTHING, described
from gdl.model.games import Callable
from gdl.model.walk import inside, parts


def signature(check: Checks, name: str) -> Declared:
    """A definition with the types of its parameters and its value; a value's type is found by checking its body,
    unless the definition is in the middle of that (it is recursive) and must then declare it."""
    declared = check.scope.definitions[name]
    if declared.checked is None and not declared.busy:
        check_definition(check.apart(), declared)
    elif declared.busy and declared.result is None:
        declared.result = ANYTHING
    return declared


def check_definition(check: Checks, declared: Declared) -> None:
    """Fill in the parameters, the type of the value and the core form; `check` has a fresh frame."""
    written = declared.written
    assert isinstance(written, syntax.Definition)
    declared.busy = True
    bind_parameters(declared, check)
    if written.type is not None:
        declared.result = check.type_of(written.type)
    typed = check.check(written.result)
    if declared.result not in (None, ANYTHING):
        assert declared.result is not None
        if not fits(typed.type, declared.result):
            check.scope.problem(
                f"{written.name.name} gives {described(declared.result)}, and this is {described(typed.type)}",
                written.result.span, help="write another value, or another type before '='",
            )  # fmt: skip
    else:
        declared.result = typed.type
    declared.checked = Callable(
        written.name.name, len(declared.parameters), check.frame.size, typed.core, (), written.name.span,
        fixed=not reads_state(typed.core, check.scope, declared.index), recursive=_calls_back(typed.core, check.scope),
        type=None if declared.result == ANYTHING else declared.result, types=declared.parameters,
    )  # fmt: skip
    _measure(declared, check.scope, typed.core)
    declared.busy = False


def _measure(declared: Declared, scope: Scope, *roots: Any) -> None:
    """Note how deep its operations are, and complain if they are too deep to be played."""
    definitions, procedures = list(scope.definitions.values()), list(scope.procedures.values())
    work = [(root, 1) for root in roots]
    while work:
        form, depth = work.pop()
        if isinstance(form, core.CallDefinition | core.CallProcedure):
            if isinstance(form, core.CallDefinition):
                called = definitions[form.definition]
            else:
                called = procedures[form.procedure]
            depth += called.depth
            declared.calls += 1 + called.calls
        declared.depth = max(declared.depth, depth)
        work += [(part, depth + 1) for part in parts(form)]
    if declared.depth > limits.DEPTH:
        scope.too_deep(declared.written.name.span)
    if declared.calls > limits.CALLS_AT_ONCE:
        name = declared.written.name
        message = f"{name.name} makes more than {limits.CALLS_AT_ONCE:,} calls, through all that it calls"
        scope.problem(message, name.span, help="compute a value once, with 'let', and use it often")
        declared.calls = 0


def _calls_back(expression: core.Expression, scope: Scope) -> bool:
    """Whether it calls a definition that is still being checked, and so, perhaps through others, itself."""
    definitions = list(scope.definitions.values())
    return any(isinstance(f, core.CallDefinition) and definitions[f.definition].busy for f in inside(expression))


def check_procedure(check: ChecksBodies, declared: Declared) -> None:
    """The same for a procedure, whose body is a block of statements."""
    written = declared.written
    assert isinstance(written, syntax.Procedure)
    declared.busy = True
    bind_parameters(declared, check)
    body = check.block(written.body)
    _measure(declared, check.scope, *body)
    declared.busy = False
    name = written.name
    declared.checked = Callable(name.name, len(declared.parameters), check.frame.size, None, body, name.span)


def bind_parameters(declared: Declared, check: Checks) -> None:
    """The parameters take the first slots of the frame, in order."""
    found = []
    for parameter in declared.written.parameters or ():
        type = check.type_of(parameter.type)
        check.bind(parameter.name, type)
        found.append(type)
    declared.parameters = tuple(found)

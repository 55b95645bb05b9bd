"""Values that do not depend on the state: bounds of ranges, sizes of boards, first values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.checker.scope import Scope
from gdl.errors import GameError
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.walk import READS, bound_slots, inside


def constant_value(expression: core.Expression, scope: Scope) -> tuple[bool, Any]:
    """(True, the value) of an expression; (False, None) if it reads the state or a local name, or if it is faulty,
    which is then noted as a problem."""
    function = constant_function(expression, scope)
    if function is None:
        return False, None
    try:
        return True, function(())
    except GameError as faulty:
        scope.problems += faulty.problems
        return False, None


def constant_function(
    expression: core.Expression, scope: Scope, given: int = 0
) -> Callable[[tuple[Any, ...]], Any] | None:
    """The value of an expression as a function of the first `given` local names of its frame; None if it depends on
    other local names or on the state. The function raises GameError where the expression is faulty, for example by a
    division by zero."""
    forms = list(inside(expression))
    bound = {slot for form in forms for slot in bound_slots(form)}
    free = {form.slot for form in forms if isinstance(form, core.Local)} - bound - set(range(given))
    if free or reads_state(expression, scope):
        return None
    definitions = [d.checked for d in scope.definitions.values()]
    value = Evaluator((), definitions).value(expression)  # type: ignore[arg-type]  # those that are called are checked
    rest = [None] * max(bound, default=0)
    return lambda locals: value([None] * FIRST_CELL, [*locals, None, *rest])


def reads_state(expression: core.Expression, scope: Scope, itself: int | None = None) -> bool:
    """True if the value of the expression may change during play. A definition that is still being checked counts as
    changing, except the one with the number `itself`, to which the expression belongs."""
    definitions = list(scope.definitions.values())
    for form in inside(expression):
        if READS.get(type(form)) in ("state", "mover"):
            return True
        if isinstance(form, core.CallDefinition) and form.definition != itself:
            called = definitions[form.definition].checked
            if called is None or not called.fixed:
                return True
    return False

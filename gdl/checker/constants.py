"""Values that do not depend on the state: bounds of ranges, sizes of boards, first values."""

from __future__ import annotations

from typing import Any

from gdl import core
from gdl.checker.scope import Scope
from gdl.checker.walk import inside
from gdl.evaluator import Evaluator

_OF_STATE = (core.Cell, core.Element, core.Whole, core.Mover, core.NoActions, core.Times)


def constant_value(expression: core.Expression, scope: Scope, frame: list[Any] | None = None) -> tuple[bool, Any]:
    """(True, value), or (False, None) if the expression reads the state or, without a frame, a local name."""
    if reads_state(expression, scope):
        return False, None
    definitions = [d.checked for d in scope.definitions.values()]
    evaluator = Evaluator((), definitions)  # type: ignore[arg-type]  # those that are called have been checked
    return True, evaluator.value(expression)([None] * 3, frame if frame is not None else [None] * 64)


def reads_state(expression: core.Expression, scope: Scope, itself: int | None = None) -> bool:
    """Whether the value may change during play. A definition that is still being checked is taken to, save the one
    whose value this is (`itself`)."""
    definitions = list(scope.definitions.values())
    for form in inside(expression):
        if isinstance(form, _OF_STATE):
            return True
        if isinstance(form, core.CallDefinition) and form.definition != itself:
            called = definitions[form.definition].checked
            if called is None or not called.fixed:
                return True
    return False

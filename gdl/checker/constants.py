"""Values that do not depend on the state: bounds of ranges, sizes of boards, first values."""

from __future__ import annotations

from typing import Any

from gdl import core
from gdl.checker.scope import Scope
from gdl.checker.walk import parts
from gdl.evaluator import Evaluator

_OF_STATE = (core.Cell, core.Element, core.Whole, core.Mover, core.NoActions, core.Times)


def constant_value(expression: core.Expression, scope: Scope, frame: list[Any] | None = None) -> tuple[bool, Any]:
    """(True, value), or (False, None) if the expression reads the state or, without a frame, a local name."""
    definitions = [d.checked for d in scope.definitions.values()]
    work: list[Any] = [expression]
    seen: set[int] = set()
    while work:
        part = work.pop()
        if isinstance(part, _OF_STATE):
            return False, None
        if isinstance(part, core.CallDefinition) and part.definition not in seen:
            seen.add(part.definition)
            definition = definitions[part.definition]
            if definition is None:
                return False, None
            work.append(definition.result)
        work += parts(part)
    evaluator = Evaluator((), definitions)  # type: ignore[arg-type]  # those that are called have been checked
    return True, evaluator.value(expression)([None] * 3, frame if frame is not None else [None] * 64)

"""Requirements under conditions at the beginning of a body become requirements without: `if c: require r` asks for
`if c then r else true`. So they are asked while the head is filled, and the body, if nothing else in it can fail, is
not run to find out whether an action is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from gdl.analysis.dependence import all_inside
from gdl.analysis.kept_values import DECIDING, opening
from gdl.model import core
from gdl.model.games import Rule, RulesModel


def require_at_once(model: RulesModel) -> RulesModel:
    """The model in which the opening of a body has no requirement inside an `if`."""

    def change(rule: Rule) -> Rule:
        asked = tuple(takewhile(lambda found: found is not None, map(_requirement, rule.body)))
        if asked == rule.body[: len(asked)]:
            return rule
        body: tuple[Any, ...] = (*asked, *rule.body[len(asked) :])
        decides = any(isinstance(form, DECIDING) for form in all_inside(model, body[opening(body) :]))
        return rule.copy_with(body=body, simple=not rule.merge and not decides)

    return model.copy_with(actions=tuple(map(change, model.actions)), chances=tuple(map(change, model.chances)))


def _requirement(statement: core.Statement) -> core.Statement | None:
    """A statement that only names a value or asks a condition, as such; None of others."""
    if isinstance(statement, core.Let | core.Require):
        return statement
    if not isinstance(statement, core.Conditional):
        return None
    then, otherwise = _condition_of_block(statement.then), _condition_of_block(statement.otherwise)
    if then is None or otherwise is None:
        return None
    return core.Require(core.If(statement.condition, then, otherwise), statement.span)


def _condition_of_block(block: Sequence[core.Statement]) -> core.Expression | None:
    """The condition that a block asks, if it does nothing else."""
    asked = [_requirement(statement) for statement in block]
    conditions = tuple(one.condition for one in asked if isinstance(one, core.Require))
    if len(conditions) < len(block):
        return None
    return conditions[0] if len(conditions) == 1 else core.All(conditions) if conditions else core.Const(True)

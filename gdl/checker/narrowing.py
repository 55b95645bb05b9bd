"""After a condition that excludes none, a value that may be none is one that is not: what conditions exclude, and which
truths that could be none are then true or false."""

from __future__ import annotations

from gdl.checker.scope import Checks, LocalFrame, Typed
from gdl.errors import Span
from gdl.model import core
from gdl.model.domains import TRUTH, Optional
from gdl.model.rewriting import replace_forms

_SIGNS = {True: "!=", False: "="}


def exclude_none(check: Checks, condition: core.Expression, holds: bool = True) -> None:
    """Note for what follows in the block which values are not none, as a condition holds, or does not."""
    if isinstance(condition, core.All if holds else core.Some):
        for part in condition.parts:
            exclude_none(check, part, holds)
    elif isinstance(condition, core.Not):
        exclude_none(check, condition.operand, not holds)
    elif isinstance(condition, core.Comparison) and condition.relation == _SIGNS[holds]:
        for value, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if other == core.Const(None):
                check.frame.present |= {_without_place(value)}


def narrow_value(check: Checks, typed: Typed, span: Span) -> Typed:
    """The value as one that is not none, if what is known here excludes that; a truth then as a condition."""
    if not isinstance(typed.type, Optional) or not _is_present(check, typed.core):
        return typed
    truth = core.Comparison("=", typed.core, core.Const(True), span) if typed.type.item == TRUTH else typed.core
    return Typed(truth, typed.type.item)


def keep_lasting(frame: LocalFrame) -> None:
    """Forget what is known of values that an effect may have changed: all but names that the body never assigns."""
    named = ((slot, name) for scope in frame.scopes for name, (slot, _) in scope.items())
    lasting = {core.Local(slot) for slot, name in named if name not in (frame.changing or ())}
    frame.present &= lasting


def _is_present(check: Checks, value: core.Expression) -> bool:
    """True if a value is surely not none, where the names have the values that are known of them."""
    if _without_place(value) in check.frame.present:
        return True
    match value:
        case core.Const():
            return value.value is not None
        case core.Mover():
            return True
        case core.Local():
            types = [type for scope in check.frame.scopes for slot, type in scope.values() if slot == value.slot]
            return bool(types) and not isinstance(types[-1], Optional)
        case core.Cell():
            return any(
                v.place == value.place and not isinstance(v.type, Optional) for v in check.scope.variables.values()
            )
        case core.Element():
            variable = list(check.scope.variables.values())[value.variable]
            return not isinstance(variable.type, Optional) and all(_is_present(check, each) for each in value.indices)
    return False


def _without_place(value: core.Expression) -> core.Expression:
    """The expression without its place in the text, so that it equals others of the same value."""
    bare = value.copy_with(span=None) if "span" in value.__dict__ else value
    placeless: core.Expression = replace_forms(bare, lambda part: (_without_place(part),))
    return placeless

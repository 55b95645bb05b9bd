"""Hoisting: expressions that depend on the state alone are evaluated once in a position, not once in each turn of a
loop.

    for a: …; for b: free(b) and near(a, b)  →  let t = those b: free(b); for a: …; for b: b in t and near(a, b)

A condition on a parameter alone, whose loop stands inside of others, is asked of all its values before all loops: those
that fit are a set, and where it is empty no loop is begun. A condition that may be a fault of the rules stays where it
is.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

from gdl.analysis.dependence import Dependence
from gdl.analysis.faultless import Faultless, values_of_type
from gdl.errors import Span
from gdl.model import core
from gdl.model.games import Callable as Procedure
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import value_from_guard

Head = TypeVar("Head", Rule, core.Choose)
Owner = TypeVar("Owner", Rule, Procedure)
BLOCKS = core.Repeat | core.For | core.Attempt | core.Try | core.Conditional
MOST_VALUES = 1024  # the values of a domain lie below this; others get no set


def hoist_sets(model: RulesModel) -> RulesModel:
    """The model in which conditions on a single parameter are asked once, before the parameters: the values that pass
    are a set with a name."""
    dependence = Dependence(model)
    faultless = Faultless(model, dependence)

    def name_sets(head: Head, frame: SlotCounter) -> Head:
        known = {p.slot: values_of_type(p.type) for p in head.parameters}
        before, parameters = list(head.before), [head.parameters[0]]

        def is_alone(guard: core.Expression, slot: int) -> bool:
            facts = dependence.facts_of(guard)
            return facts.state and facts.slots & known.keys() == {slot} and faultless.proves(guard, known)

        for p in head.parameters[1:]:
            alone = tuple(guard for guard in p.guards if is_alone(guard, p.slot))
            if alone and p.span is not None and value_from_guard(p) is None and _goes_up(p.domain):
                name = core.Local(frame.take())
                before += _name_set(name, p, alone, p.span)
                p = _choose_from_set(name, p, alone)
            parameters.append(p)
        return head.copy_with(before=tuple(before), parameters=tuple(parameters))

    return change_heads(model, name_sets)


def _name_set(
    name: core.Local, p: core.Parameter, guards: tuple[core.Expression, ...], span: Span
) -> tuple[core.Let, core.Require]:
    """Statements that name the set of a parameter's values that pass these guards, and require that it is not empty."""
    body = core.All(guards) if len(guards) > 1 else guards[0]
    those = core.Quantifier("those", p.slot, p.domain, None, body, span)
    return core.Let(name.slot, those), core.Require(core.Comparison("!=", name, core.SetOf((), span), span))


def _choose_from_set(name: core.Local, p: core.Parameter, guards: tuple[core.Expression, ...]) -> core.Parameter:
    """The parameter with membership in the named set in place of these guards."""
    others = [guard for guard in p.guards if guard not in guards]
    return p.copy_with(guards=(core.Contains(core.Local(p.slot), name, True), *others))


def _goes_up(domain: core.Expression) -> bool:
    """True if the values of a domain are known before play and ascend from 0 or above, so that a set keeps their
    order."""
    match domain:
        case core.Interval(core.Const(low), core.Const(high)):
            return bool(0 <= low <= high < MOST_VALUES)
        case core.Const(range() | tuple() as values):
            numbers = all(isinstance(value, int) and 0 <= value < MOST_VALUES for value in values)
            return numbers and all(a < b for a, b in pairwise(values))
    return False


# The heads of rules, and the choices in their bodies, which are heads too. A head goes through the values of its
# parameters, each in a loop inside that of the parameter before it.


class SlotCounter:
    """The number of slots in a frame, which a pass may raise."""

    def __init__(self, slots: int):
        self.slots = slots

    def take(self, count: int = 1) -> int:
        """Add `count` slots; gives the number of the first."""
        self.slots += count
        return self.slots - count


def change_heads(model: RulesModel, change: Callable[[Any, SlotCounter], Any]) -> RulesModel:
    """The model with `change` applied to every head of at least two parameters of which none is a draw."""

    def change_parts(form: Any, frame: SlotCounter) -> Any:
        if isinstance(form, tuple):
            return tuple(change_parts(part, frame) for part in form)
        if isinstance(form, BLOCKS):
            blocks = {name: value for name, value in form.__dict__.items() if isinstance(value, tuple)}
            return form.copy_with(**{name: change_parts(block, frame) for name, block in blocks.items()})
        if not isinstance(form, Rule | core.Choose) or len(form.parameters) < 2:
            return form
        return form if any(p.count is not None for p in form.parameters) else change(form, frame)

    def change_body(owner: Owner) -> Owner:
        frame = SlotCounter(owner.frame)
        made = change_parts(owner.copy_with(body=change_parts(owner.body, frame)), frame)
        return made.copy_with(frame=frame.slots)  # type: ignore[no-any-return]

    kinds = ("actions", "chances", "procedures")
    return model.copy_with(**{kind: tuple(map(change_body, getattr(model, kind))) for kind in kinds})

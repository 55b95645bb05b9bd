"""Conditions that exclude values stand before the loops that go through further ones.

    for b: open(b); for c: c != b and fits(b)  →  for b: open(b) and fits(b); for c: c != b

1. A call of a definition that joins conditions by `and` is replaced by these.
2. A condition is asked as soon as the parameters of which it asks have their values.

A condition that may be a fault of the rules stays where it is, since only play that comes to it must meet the fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdl.analysis.dependence import Dependence, instantiate_form
from gdl.analysis.faultless import Faultless, values_of_type
from gdl.compiler.passes.heads import Head, SlotCounter, change_heads
from gdl.model import core
from gdl.model.games import RulesModel


def ask_guards_early(model: RulesModel) -> RulesModel:
    """The model with each guard at the first parameter where it can be asked."""
    dependence = Dependence(model)
    faultless = Faultless(model, dependence)

    def ask_early(head: Head, frame: SlotCounter) -> Head:
        known = {p.slot: values_of_type(p.type) for p in head.parameters}
        slots = list(known)
        asked: list[list[core.Expression]] = [[] for _ in slots]
        for k, parameter in enumerate(head.parameters):
            for guard in _conjuncts(model, parameter.guards, frame):
                last = max((slots.index(slot) for slot in dependence.of(guard).slots if slot in slots), default=k)
                asked[last if last < k and faultless.proves(guard, known) else k].append(guard)
        parameters = zip(head.parameters, asked, strict=True)
        return head.copy_with(parameters=tuple(p.copy_with(guards=tuple(guards)) for p, guards in parameters))

    return change_heads(model, ask_early)


def _conjuncts(
    model: RulesModel, conditions: Sequence[core.Expression], frame: SlotCounter
) -> Iterator[core.Expression]:
    """The conditions, each that joins others by `and` replaced by these; so is a call of a definition that does."""
    for condition in conditions:
        if isinstance(condition, core.All):
            yield from _conjuncts(model, condition.parts, frame)
            continue
        if isinstance(condition, core.CallDefinition):
            definition = model.definitions[condition.definition]
            result: Any = definition.result
            while isinstance(result, core.Scope) and not result.lets:
                result = result.result
            plain = all(isinstance(a, core.Local | core.Const | core.Mover) for a in condition.arguments)
            if isinstance(result, core.All) and plain and not definition.recursive:
                made = instantiate_form(result, dict(enumerate(condition.arguments)), frame.take(definition.frame))
                yield from _conjuncts(model, made.parts, frame)
                continue
        yield condition

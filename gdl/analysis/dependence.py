"""Dependence of a core expression on the state, the mover and local names; and its size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from gdl.errors.deadline import check_deadline
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import READS, bound_slots, inside, inside_with_calls, parts


class DependenceFacts(NamedTuple):
    """The dependence of a form: True if it reads the state, True if it reads the mover, the slots of local names that
    it reads and that are bound outside of it, and its size in forms, with those of the definitions that it calls."""

    state: bool
    mover: bool
    slots: frozenset[int]
    size: int


class Dependence:
    """Finds the dependence of the forms of one model; each form is looked at once."""

    def __init__(self, model: RulesModel):
        self.model = model
        self._known: dict[
            int, tuple[Any, DependenceFacts]
        ] = {}  # by identity; the form is kept so that its id stays its own
        self._definitions: dict[int, DependenceFacts] = {}

    def facts_of(self, form: Any) -> DependenceFacts:
        known = self._known.get(id(form))
        if known is None:
            known = self._known[id(form)] = (form, self._compute_facts(form))
        return known[1]

    def definition(self, index: int) -> DependenceFacts:
        """The dependence of a definition's value. Calls of a definition to itself are left out of it."""
        if index not in self._definitions:
            self._definitions[index] = DependenceFacts(False, False, frozenset(), 1)
            result = self.model.definitions[index].result
            calls = (form for form in inside_with_calls(self.model, result) if isinstance(form, core.CallDefinition))
            if any(form.definition == index for form in calls):  # what its parts are is known once its own facts are
                apart = Dependence(self.model)
                apart._definitions = dict(self._definitions)
                self._definitions[index] = apart.facts_of(result)
            self._definitions[index] = self.facts_of(result)
        return self._definitions[index]

    def fixes_name(self, rule: Rule) -> bool:
        """True if the name of a rule's action follows from the values in its head and from who acts."""
        parts = () if rule.template is None else rule.template.parts
        return not any(self.facts_of(part[0]).state for part in parts if not isinstance(part, str))

    def _compute_facts(self, form: Any) -> DependenceFacts:
        check_deadline()
        inner = [self.facts_of(part) for part in parts(form)]
        if isinstance(form, core.CallDefinition):
            inner.append(self.definition(form.definition)._replace(slots=frozenset()))
        reads = READS.get(type(form), "nothing")
        slots = frozenset[int]().union(*(facts.slots for facts in inner)) - frozenset(bound_slots(form))
        if isinstance(form, core.Local):
            slots |= {form.slot}
        return DependenceFacts(
            state=reads == "state" or any(facts.state for facts in inner),
            mover=reads == "mover" or any(facts.mover for facts in inner),
            slots=slots,
            size=1 + sum(facts.size for facts in inner),
        )


def assigned_slots(body: tuple[core.Statement, ...]) -> frozenset[int]:
    """The slots of the local names to which a body gives a value."""
    return frozenset(form.slot for form in inside(body) if isinstance(form, core.Let))


def assigned_anew(body: tuple[core.Statement, ...]) -> frozenset[int]:
    """The slots of the local names to which a body gives a value more than once."""
    slots = [form.slot for form in inside(body) if isinstance(form, core.Let)]
    return frozenset(slot for slot in slots if slots.count(slot) > 1)


def all_inside(model: RulesModel, body: tuple[core.Statement, ...]) -> Iterator[Any]:
    """Every form of a body, and of the procedures that it calls."""
    for form in inside(body):
        yield form
        if isinstance(form, core.CallProcedure):
            yield from all_inside(model, model.procedures[form.procedure].body)

"""Walks over core forms: their parts, and every form of a rule or a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from gdl.model import core
from gdl.model.games import Callable, Rule, RulesModel

_FORMS = frozenset(v for v in vars(core).values() if isinstance(v, type) and v.__module__ == core.__name__)

_BEYOND = core.Local | core.Let | core.Parameter  # their names stand outside of them, or for all that follows

# What the value of each expression depends on by itself, besides its parts (and a definition that it calls).
READS: Mapping[type, Literal["state", "mover", "name", "nothing"]] = {
    core.Const: "nothing",
    core.Local: "name",
    core.Mover: "mover",
    core.Cell: "state",
    core.Element: "state",
    core.Whole: "state",
    core.Arithmetic: "nothing",
    core.SetOperation: "nothing",
    core.Comparison: "nothing",
    core.Contains: "nothing",
    core.Not: "nothing",
    core.All: "nothing",
    core.Some: "nothing",
    core.If: "nothing",
    core.Interval: "nothing",
    core.Members: "nothing",
    core.Until: "nothing",
    core.Items: "nothing",
    core.SetOf: "nothing",
    core.Size: "nothing",
    core.Quantifier: "nothing",
    core.Reach: "nothing",
    core.Lookup: "nothing",
    core.CallDefinition: "nothing",
    core.Scope: "nothing",
    core.NoActions: "state",
    core.Able: "state",
    core.Times: "state",
    core.Since: "state",
    core.Always: "state",
}


def parts(form: Any) -> list[Any]:
    """The core forms directly inside a form, in order."""
    if isinstance(form, core.Const):
        return []
    if isinstance(form, core.Lookup):
        return list(form.arguments)
    if isinstance(form, core.Reach):
        return [form.start] if form.where is None else [form.start, form.where]
    found: list[Any] = []
    for value in form.__dict__.values():
        if type(value) in _FORMS:
            found.append(value)
        elif isinstance(value, tuple):
            found += _forms(value)
    return found


def _forms(value: Any) -> list[Any]:
    if type(value) in _FORMS:
        return [value]
    if isinstance(value, tuple):
        return [form for item in value for form in _forms(item)]
    return []


def inside(*roots: Any) -> Iterator[Any]:
    """Every core form in the given ones, these included, each before its parts."""
    work = [form for root in reversed(roots) for form in reversed(_forms(root))]
    while work:
        form = work.pop()
        yield form
        work += reversed(parts(form))


def bound_slots(form: Any) -> tuple[int, ...]:
    """The slots of the local names that a form binds itself, for its parts: those that it has a field for."""
    if isinstance(form, core.Scope):
        return tuple(slot for slot, _ in form.lets)
    if isinstance(form, _BEYOND) or (isinstance(form, core.Turn) and form.where is None):
        return ()
    slots = form.__dict__.get("slot"), form.__dict__.get("source")
    return tuple(slot for slot in slots if slot is not None)


def of_rule(rule: Rule) -> Iterator[Any]:
    """Every core form in an action or a chance step."""
    heard = rule.hearers and rule.hearers.condition
    return inside(rule.parameters, rule.guards, rule.before, rule.weight, rule.template, rule.body, heard)


def of_callable(callable: Callable) -> Iterator[Any]:
    """Every core form in a definition or a procedure."""
    return inside(callable.result, callable.body)


def everything(model: RulesModel) -> Iterator[Any]:
    """Every core form of the model."""
    for rule in (*model.actions, *model.chances, *model.effects):
        yield from of_rule(rule)
    for callable in (*model.definitions, *model.procedures):
        yield from of_callable(callable)
    yield from inside(
        tuple(clause.condition for clause in model.clauses),
        tuple(u for clause in model.clauses for u in clause.utilities),
        tuple(value for feature in model.features for value in feature.values),
        () if model.quiet is None else model.quiet.value,
        tuple((site.key, site.condition) for site in model.times),
        tuple(v.visibility.condition for v in model.variables if v.visibility.condition is not None),
        model.start,
    )


def value_from_guard(parameter: core.Parameter) -> tuple[core.Expression, Sequence[Any]] | None:
    """The expression E and the values of the domain, if the first guard of a parameter t is `t = E`, E does not use t,
    and the domain is known before play; otherwise None. The parameter then has one value at most, and its domain need
    not be run through."""
    first = parameter.guards[0] if parameter.guards else None
    if not isinstance(first, core.Comparison) or first.relation != "=" or parameter.count is not None:
        return None
    if not isinstance(parameter.domain, core.Const) or not parameter.domain.value:
        return None
    for own, other in ((first.left, first.right), (first.right, first.left)):
        if own == core.Local(parameter.slot) and own not in inside(other):
            return other, parameter.domain.value
    return None

"""Walks over core forms: their parts, and every form of a rule or a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from gdl.model import core
from gdl.model.games import Callable, Rule, RulesModel
from gdl.record import Record

_FORMS = frozenset(v for v in vars(core).values() if isinstance(v, type) and v.__module__ == core.__name__)

BLOCKS = ("body", "then", "otherwise", "refused")  # the fields of statements that hold statements
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


_PLAIN = re.compile(r"(tuple|Literal|int|str|bool|Any|Span|Type|None|'\w+'|[][|., ])*")  # types without forms in them


@cache
def _holding(kind: type[Record]) -> tuple[str, ...]:
    """The fields of a kind of form that may have forms in them."""
    return tuple(field for field in kind.fields if not _PLAIN.fullmatch(kind.__annotations__[field]))


def parts(form: Any) -> list[Any]:
    """The core forms directly inside a form, in order."""
    found: list[Any] = []
    values = form.__dict__
    for field in _holding(form.__class__):
        value = values[field]
        if value.__class__ is tuple:
            found += _forms(value)
        elif type(value) in _FORMS:
            found.append(value)
    return found


def _forms(value: Any) -> list[Any]:
    """The forms in a tuple, in tuples inside it too; a form by itself."""
    if value.__class__ is not tuple:
        return [value] if type(value) in _FORMS else []
    found = []
    for item in value:
        if type(item) in _FORMS:
            found.append(item)
        elif item.__class__ is tuple:
            found += _forms(item)
    return found


def inside(*roots: Any) -> Iterator[Any]:
    """Every core form in the given ones, these included, each before its parts."""
    work = [form for root in reversed(roots) for form in reversed(_forms(root))]
    while work:
        form = work.pop()
        yield form
        inner = parts(form)
        if inner:
            inner.reverse()
            work += inner


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


class Callables(NamedTuple):
    """The definitions and the procedures of a game that is being checked; None for one that is not checked yet."""

    definitions: Sequence[Callable | None]
    procedures: Sequence[Callable | None]


def inside_with_calls(model: RulesModel | Callables, *roots: Any) -> Iterator[Any]:
    """Every core form in the given ones, and once each in the definitions and procedures that these call."""
    work, met = [inside(*roots)], set[int]()
    while work:
        for form in work.pop(0):
            yield form
            called: Callable | None = None
            if isinstance(form, core.CallDefinition):
                called = model.definitions[form.definition]
            elif isinstance(form, core.CallProcedure):
                called = model.procedures[form.procedure]
            if called is not None and id(called) not in met:
                met.add(id(called))
                work.append(of_callable(called))


_last: list[tuple[RulesModel, list[Any]]] = []  # one pair, replaced as a whole, so that threads never mix two models


def everything(model: RulesModel) -> list[Any]:
    """Every core form of the model. Those of the last model are kept, for a dozen checks ask for them in turn."""
    for known, forms in _last:
        if known is model:
            return forms
    forms = list(_in_model(model))
    _last[:] = [(model, forms)]
    return forms


def _in_model(model: RulesModel) -> Iterator[Any]:
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

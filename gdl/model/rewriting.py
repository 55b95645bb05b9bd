"""Rules made from rules: forms put in the place of others, variables that a file does not have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import is_
from typing import Any

from gdl.model import core
from gdl.model.domains import Type
from gdl.model.games import Rule, RulesModel, Variable, Visibility
from gdl.record import Record

Change = Callable[[Any], Iterable[Any] | None]
FIRST_PLACE = 3  # of variables, among the cells of a state


def replace_forms(form: Any, change: Change) -> Any:
    """A form, or a tuple of forms, with parts replaced. `change` gives the forms that replace a form (in a tuple any
    number), or None to keep it; replacements are not looked through again."""
    if isinstance(form, tuple):
        parts: list[Any] = []
        for item in form:
            others = change(item) if isinstance(item, Record) else None
            parts += [replace_forms(item, change)] if others is None else others
        make = getattr(form, "_make", tuple)  # a named tuple stays one
        return form if len(parts) == len(form) and all(map(is_, parts, form)) else make(parts)
    if isinstance(form, core.Lookup):  # whose table holds values, not forms
        arguments = replace_forms(form.arguments, change)
        return form if arguments is form.arguments else form.copy_with(arguments=arguments)
    if isinstance(form, Record) and not isinstance(form, core.Const):
        changed: dict[str, Any] = {}
        for field, value in form.__dict__.items():
            others = change(value) if isinstance(value, Record) else None
            changed[field] = replace_forms(value, change) if others is None else next(iter(others))
        return form if all(map(is_, changed.values(), form.__dict__.values())) else form.copy_with(**changed)
    return form


def substitute_form(form: Any, old: Any, new: Any) -> Any:
    """A form with every part that equals `old` replaced by `new`."""
    return replace_forms((form,), lambda part: (new,) if part == old else None)[0]


def change_bodies(model: RulesModel, change: Callable[[tuple[core.Statement, ...]], Any]) -> RulesModel:
    """The model with the bodies of its rules and procedures changed."""

    def change_rule(rule: Any) -> Any:
        return rule.copy_with(body=change(rule.body))

    return model.copy_with(
        actions=tuple(map(change_rule, model.actions)),
        chances=tuple(map(change_rule, model.chances)),
        procedures=tuple(map(change_rule, model.procedures)),
        resolve=None if model.resolve is None else change_rule(model.resolve),
    )


def add_variable(
    model: RulesModel, name: str, indices: tuple[Type, ...], type: Type, first: tuple[Any, ...], span: Any
) -> tuple[RulesModel, int]:
    """The model with one more variable, and its number. All players see the variable if they see all others; else
    nobody does."""
    while any(variable.name == name for variable in model.variables):
        name += "_"
    place = max((v.place + len(v.initial) for v in model.variables), default=FIRST_PLACE)
    everybody = all(variable.visibility.kind == "all" for variable in model.variables)
    visible = Visibility("all" if everybody else "none")
    variable = Variable(name, indices, type, place, first, visible, span)
    return model.copy_with(variables=(*model.variables, variable)), len(model.variables)


def first_span(model: RulesModel) -> Any:
    """The first place in the file, for forms that are derived from it."""
    rules: tuple[Rule, ...] = (*model.actions, *model.chances)
    return rules[0].span

"""Variables whose values no longer matter where somebody is to choose, such as what the last guess hit.

Every action gives them a new value before it reads them. Positions in which somebody is to choose, and which differ in
such variables alone, are the same: what chance, ends and effects read is always the new value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside_with_calls


def overwritten_variables(model: RulesModel) -> frozenset[int]:
    """The numbers of the variables without elements that every action assigns, whatever it chooses, before it reads
    them; none where who sees a variable, or what is remembered of earlier positions, hangs on it."""
    seen = [variable.visibility.condition for variable in model.variables if variable.visibility.condition is not None]
    elsewhere = _variables_read(model, tuple(seen), tuple((site.key, site.condition) for site in model.times))
    return frozenset(
        number
        for number, variable in enumerate(model.variables)
        if not variable.indices and number not in elsewhere
        if all(_is_overwritten(model, rule, number) for rule in model.actions)
    )


def _is_overwritten(model: RulesModel, rule: Rule, variable: int) -> bool:
    """True if the action always assigns the variable before it reads it."""
    head = rule.parameters, rule.guards, rule.before, rule.template, rule.hearers and rule.hearers.condition
    for k, statement in enumerate(rule.body):
        if isinstance(statement, core.Assign) and statement.variable == variable and not statement.indices:
            before = *head, rule.body[:k], statement.value
            stops = any(isinstance(form, core.Stop) for form in inside_with_calls(model, before))
            return not stops and variable not in _variables_read(model, before)
    return False


def _variables_read(model: RulesModel, *roots: Iterable[Any]) -> set[int]:
    """The variables that forms read, and the definitions and procedures that they call."""
    numbers = {variable.place: number for number, variable in enumerate(model.variables)}
    found = set()
    for form in inside_with_calls(model, *roots):
        if isinstance(form, core.Element | core.Whole):
            found.add(form.variable)
        elif isinstance(form, core.Cell) and form.place in numbers:
            found.add(numbers[form.place])
    return found

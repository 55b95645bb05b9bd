"""Traits read off the model of a game by rules; what the model does not settle, its reachable states do."""

from __future__ import annotations

from gdl.analysis.measures import always_progresses
from gdl.game import Number
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import everything, inside_with_calls


def accumulates(model: RulesModel) -> bool:
    """True if players gain more than the clauses of the end pay: rewards on the way, or a discount."""
    return model.rewards or model.discount != 1


def constant_sum(model: RulesModel) -> Number | None:
    """The sum of the utilities of every clause, and of play without end, if it is known to be one number; else None."""
    if accumulates(model):
        return None
    sums = {clause.sum for clause in model.clauses}
    if model.forever is not None and sums != {total := sum(model.forever)} and not always_progresses(model):
        sums.add(total)
    return sums.pop() if len(sums) == 1 else None


def shows_everything(model: RulesModel) -> bool:
    """True if every player always sees the whole state: nothing hidden, no unseen choices, no private event."""
    private = any(isinstance(form, core.Say) and form.hearer is not None for form in everything(model))
    rules = (*model.actions, *model.chances)
    private = private or any(rule.hearers is not None and rule.hearers.condition is not None for rule in rules)
    return shows_positions(model) and not private and not everyone_moves(model)


def shows_positions(model: RulesModel) -> bool:
    """True if everybody always sees every variable, whatever else they hear."""
    return all(variable.visibility.kind == "all" for variable in model.variables)


def all_at_once(model: RulesModel) -> bool:
    """True if the rules have a turn in which all players choose at once."""
    return any(isinstance(form, core.Turn) and form.kind == "everyone" for form in everything(model))


def everyone_moves(model: RulesModel) -> bool:
    """True if the rules may let several players choose at once."""
    return len(model.players) > 1 and all_at_once(model)


def tells_actor(model: RulesModel, rule: Rule) -> bool:
    """True if who acts by a rule that others hear of hears of it too, and so learns something: that an attempt was not
    refused, or that a condition on what not all see holds."""
    if rule.hearers is None:
        return False
    hidden = [number for number, variable in enumerate(model.variables) if variable.visibility.kind != "all"]
    places = [model.variables[number].place for number in hidden]
    for form in inside_with_calls(model, rule.hearers.condition):
        if (isinstance(form, core.Element | core.Whole) and form.variable in hidden) or (
            isinstance(form, core.Cell) and form.place in places
        ):
            return True
    return any(isinstance(form, core.Attempt) for form in inside_with_calls(model, rule.body))


def forgets(model: RulesModel) -> bool:
    """True if the rules may empty memories."""
    return any(isinstance(form, core.Forget) for form in everything(model))

"""Traits read off the model of a game by rules; what the model does not settle, its reachable states do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from gdl import core
from gdl.checker.walk import inside, of_rule
from gdl.domains import NOTHING, Optional, Range, Type
from gdl.explore import reachable_traits
from gdl.game import Game, Number, Traits
from gdl.model import Rule, RulesModel

LOOKED_AT = 2_000  # states that are walked for a trait which the model leaves open


def traits(model: RulesModel, game: Game[Any]) -> Traits:
    """The traits of a game: proved from its rules where that is possible, else found among its reachable states."""
    total = constant_sum(model)
    perfect = shows_everything(model)
    cyclic = False if always_progresses(model) else None
    found = Traits(
        players=len(model.players),
        zero_sum=None if total is None else total == 0,
        constant_sum=total,
        chance=_happens(bool(model.chances), model.start.kind == "chance"),
        simultaneous=_happens(_everyone_moves(model), model.start.kind == "everyone"),
        perfect_information=perfect or None,
        perfect_recall=None if _forgets(model) else True,
        cyclic=cyclic,
    )
    looked_for = (
        found.zero_sum, found.chance, found.simultaneous, found.perfect_information, found.perfect_recall, found.cyclic,
    )  # fmt: skip
    if None not in looked_for:
        return found
    seen = reachable_traits(game, LOOKED_AT)
    merged = {f.name: _settled(getattr(found, f.name), getattr(seen, f.name)) for f in fields(Traits)}
    if merged["perfect_information"] is None:
        merged["perfect_information"] = False  # hidden data, and too many states to see that it hides nothing
    return Traits(**merged)


def _settled(proved: Any, seen: Any) -> Any:
    return seen if proved is None else proved


def _happens(may: bool, begins: bool) -> bool | None:
    """Whether what the rules allow for comes up in play: surely not, surely at the start, or undecided."""
    return (True if begins else None) if may else False


def constant_sum(model: RulesModel) -> Number | None:
    """What the utilities of every clause are known to sum to, if it is one number."""
    sums = {clause.sum for clause in model.clauses}
    return sums.pop() if len(sums) == 1 else None


def shows_everything(model: RulesModel) -> bool:
    """Whether every player always sees the whole state: nothing hidden, no unseen choices, no private event."""
    private = any(isinstance(form, core.Say) and form.hearer is not None for form in _moving(model))
    hidden = any(variable.visibility.kind != "all" for variable in model.variables)
    return not (private or hidden or _everyone_moves(model))


def _moving(model: RulesModel) -> Iterator[Any]:
    """Every core form in what moves: actions, chance, procedures, resolve, the start."""
    for rule in _rules(model):
        yield from of_rule(rule)
    for procedure in model.procedures:
        yield from inside(procedure.body)
    if model.opening is not None:
        yield from of_rule(model.opening)
    yield from inside(model.start)


def _rules(model: RulesModel) -> tuple[Rule, ...]:
    return (*model.actions, *model.chances, *((model.resolve,) if model.resolve else ()))


def _everyone_moves(model: RulesModel) -> bool:
    return len(model.players) > 1 and any(isinstance(f, core.Turn) and f.kind == "everyone" for f in _moving(model))


def _forgets(model: RulesModel) -> bool:
    return any(isinstance(form, core.Forget) for form in _moving(model))


# ---- Progress ---------------------------------------------------------------------------------------------------


def always_progresses(model: RulesModel) -> bool:
    """Whether some variable proves that no state can come again.

    A variable is such a measure if every assignment to it moves it one way, and every action makes one of them
    whatever else it does: an empty cell is filled for good, or a number goes only up, or only down. Then a play
    that came back to a state would have filled or counted nothing in between, and so made no action. Chance steps
    may not follow one another.
    """
    chained = any(isinstance(f, core.Turn) and f.kind == "chance" for step in model.chances for f in of_rule(step))
    if chained or model.procedures:
        return False
    return any(_measures(model, index) for index in range(len(model.variables)))


def _measures(model: RulesModel, index: int) -> bool:
    for proves in (_fills, _raises, _lowers):
        rules = [
            (rule, [f for f in of_rule(rule) if isinstance(f, core.Assign) and f.variable == index])
            for rule in _rules(model)
        ]
        if all(proves(model, rule, a) for rule, assignments in rules for a in assignments) and all(
            any(s in assignments for s in rule.body) for rule, assignments in rules if rule in model.actions
        ):
            return True
    return False


def _fills(model: RulesModel, rule: Rule, assign: core.Assign) -> bool:
    """The cell was none, by the rule's own condition, and is something now."""
    variable = model.variables[assign.variable]
    if not isinstance(variable.type, Optional) or not _is_something(assign.value, rule):
        return False
    conditions = [*rule.guards, *(guard for p in rule.parameters for guard in p.guards)]
    return any(_says_empty(condition, assign) for condition in conditions)


def _says_empty(condition: core.Expression, assign: core.Assign) -> bool:
    if not (isinstance(condition, core.Comparison) and condition.relation == "="):
        return False
    read = condition.left
    same = isinstance(read, core.Element) and (read.variable, read.indices) == (assign.variable, assign.indices)
    return same and condition.right == core.Const(None)


def _is_something(value: core.Expression, rule: Rule) -> bool:
    if isinstance(value, core.Local):
        return any(p.slot == value.slot and _never_none(p.type) for p in rule.parameters)
    return isinstance(value, core.Mover) or (isinstance(value, core.Const) and value.value is not None)


def _never_none(type: Type) -> bool:
    return not isinstance(type, Optional) and type != NOTHING


def _raises(model: RulesModel, rule: Rule, assign: core.Assign) -> bool:
    return _moves_by(model, rule, assign, "+")


def _lowers(model: RulesModel, rule: Rule, assign: core.Assign) -> bool:
    return _moves_by(model, rule, assign, "-")


def _moves_by(model: RulesModel, rule: Rule, assign: core.Assign, operator: str) -> bool:
    """`v := v + n` (or -) with n at least 1."""
    value = assign.value
    if not (isinstance(value, core.Arithmetic) and value.operator == operator):
        return False
    variable = model.variables[assign.variable]
    read = value.left
    if isinstance(read, core.Cell):
        same = not variable.indices and read.place == variable.place
    else:
        same = isinstance(read, core.Element) and (read.variable, read.indices) == (assign.variable, assign.indices)
    return same and _at_least_one(value.right, rule)


def _at_least_one(amount: core.Expression, rule: Rule) -> bool:
    if isinstance(amount, core.Const):
        return isinstance(amount.value, int) and amount.value >= 1
    for parameter in rule.parameters:
        if isinstance(amount, core.Local) and parameter.slot == amount.slot:
            if isinstance(parameter.domain, core.Interval):
                low = parameter.domain.low
                return isinstance(low, core.Const) and low.value >= 1
            return isinstance(parameter.type, Range) and parameter.type.low >= 1
    return False

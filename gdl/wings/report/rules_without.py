"""The rules without an action for one player: what is a move worth to whoever may make it?

Restricted play (Jaffe, Miller, Andersen, Liu, Karlin and Popović, "Evaluating competitive game balance with restricted
play", 2012): one seat may not do a certain thing, everybody knows that, and what it loses is what the thing is worth.
Here it is the rules that change, so that every search, compiled or not, plays the game that is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.errors import clean, listing, suggestion
from gdl.model import core
from gdl.model.domains import members, size, text_of
from gdl.model.games import Rule, RulesModel

MOST_VALUES = 10_000  # of a parameter, that a word is compared with
_HEAD = re.compile(r"\s*([^\s(),]+)\s*(?:\((.*)\))?\s*\Z", re.DOTALL)


class NoSuchAction(Exception):
    """Raised for a text that names no action of the rules; `help` says which it has."""

    def __init__(self, message: str, help: str):
        super().__init__(message)
        self.help = help


def rules_without_action(model: RulesModel, action: str, player: int) -> RulesModel:
    """The rules in which the player may not take an action: every action of a head (`drop`), or the one with certain
    values in its parameters (`drop(4)`), in the order of the head. Raises NoSuchAction."""
    name, values = _read(action)
    if not any(rule.name == name for rule in model.actions):
        known = list(dict.fromkeys(rule.name for rule in model.actions))
        help = suggestion(name, known, f"its actions are {listing(known)}")
        raise NoSuchAction(f"{clean(model.name)} has no action '{clean(name)}'", help)
    actions = tuple(_forbidden(rule, values, player) if rule.name == name else rule for rule in model.actions)
    if actions == model.actions:
        wanted = max(len(rule.parameters) for rule in model.actions if rule.name == name)
        raise NoSuchAction(
            f"no action '{clean(action)}' stands in the rules",
            f"write '{name}' alone, or with {wanted} value{'' if wanted == 1 else 's'} of its head in brackets",
        )
    return model.copy_with(actions=actions)


def _read(action: str) -> tuple[str, list[str] | None]:
    """The name of a head, and the values in its brackets; None for the values if there are no brackets."""
    match = _HEAD.match(action)
    if match is None:
        return action.strip(), None
    name, inside = match.groups()
    return name, None if inside is None else [value.strip() for value in inside.split(",")]


def _forbidden(rule: Rule, values: Sequence[str] | None, player: int) -> Rule:
    """The rule with one more condition: somebody else moves, or (if `values` are given) a parameter has another
    value."""
    another = core.Comparison("!=", core.Mover(), core.Const(player), rule.span)
    if values is None:
        return rule.copy_with(guards=(another, *rule.guards))
    if len(values) != len(rule.parameters) or not values:
        return rule
    meant = [_value(parameter, word) for parameter, word in zip(rule.parameters, values, strict=True)]
    if None in meant:
        return rule
    others = tuple(
        core.Comparison("!=", core.Local(parameter.slot), core.Const(found[0]), rule.span)
        for parameter, found in zip(rule.parameters, meant, strict=True)
        if found is not None
    )
    last = rule.parameters[-1]
    changed = last.copy_with(guards=(core.Some((another, *others)), *last.guards))
    return rule.copy_with(parameters=(*rule.parameters[:-1], changed))


def _value(parameter: core.Parameter, word: str) -> tuple[object] | None:
    """The value of a parameter that the word names, alone in a tuple; None if it names none or the type is too large to
    be listed."""
    if size(parameter.type) > MOST_VALUES:
        return None
    return next(((value,) for value in members(parameter.type) if text_of(parameter.type, value) == word), None)

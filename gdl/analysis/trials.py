"""Trials: a condition `P has …` tries actions, and an action that is tried may ask `has` itself.

Actions that lead to one another by such questions stand in a ring. While one of a ring is tried, no question for
another of the ring is asked again; so trials inside one another come to an end. A ring whose questions are all asked
before anything is done asks about itself in the same position, which is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import BLOCKS, everything, inside_with_calls, of_rule


def asks(model: RulesModel) -> bool:
    """True if the rules ask anywhere what players could do."""
    return any(isinstance(form, core.Able) for form in everything(model))


def questions(model: RulesModel, *roots: Any) -> Iterator[core.Able]:
    """The questions `P has …` in some forms, and in the definitions and procedures that they call."""
    return (form for form in inside_with_calls(model, *roots) if isinstance(form, core.Able))


def rings(model: RulesModel) -> tuple[frozenset[int], ...]:
    """For each action the actions of its ring: those that its questions lead to, and whose questions lead
    back to it."""
    if not asks(model):
        return (frozenset(),) * len(model.actions)
    found = [questions(model, tuple(of_rule(rule))) for rule in model.actions]
    asked = [frozenset(action for question in some for action in question.actions) for some in found]
    reached = [_closure(asked, action) for action in range(len(asked))]
    return tuple(frozenset(other for other in reached[k] if k in reached[other]) for k in range(len(asked)))


def early_circle(model: RulesModel) -> tuple[core.Able, list[int]] | None:
    """A question that an action asks before it has done anything, and that leads back to the action with nothing done
    in between; with the actions on the way."""
    if not asks(model):
        return None
    asked = [list(questions(model, tuple(_forms_read_early(model, rule)))) for rule in model.actions]
    for action, own in enumerate(asked):
        for question in own:
            for first in question.actions:
                way = _way(asked, first, action)
                if way is not None:
                    return question, [action, *way]
    return None


def _closure(asked: Sequence[frozenset[int]], start: int) -> frozenset[int]:
    """All actions that an action's questions lead to, directly or not; the action itself only if they lead back to
    it."""
    found: set[int] = set()
    work = [start]
    while work:
        more = asked[work.pop()] - found
        found |= more
        work += more
    return frozenset(found)


def _way(asked: Sequence[Sequence[core.Able]], start: int, end: int) -> list[int] | None:
    """A shortest way by questions from one action to another, both included."""
    ways = [[start]]
    met = {start}
    for way in ways:  # grows while it is walked
        if way[-1] == end:
            return way
        following = [action for question in asked[way[-1]] for action in question.actions if action not in met]
        met |= set(following)
        ways += [[*way, action] for action in dict.fromkeys(following)]
    return None


def _forms_read_early(model: RulesModel, rule: Rule) -> Iterator[Any]:
    """The forms of a rule that read the position before the rule changes it: its conditions, and its body up to the
    first write."""
    yield from (rule.parameters, rule.guards)
    yield from _before_writing(model, rule.body)[0]


def _before_writing(model: RulesModel, body: Sequence[core.Statement]) -> tuple[list[Any], bool]:
    """The forms of a body before its first write, and True if it has a write."""
    found: list[Any] = []
    for statement in body:
        if isinstance(statement, core.Assign):
            return [*found, statement], True
        fields = statement.__dict__
        found += [value for name, value in fields.items() if name not in BLOCKS]
        blocks = [fields[name] for name in BLOCKS if name in fields]
        if isinstance(statement, core.CallProcedure):
            blocks.append(model.procedures[statement.procedure].body)
        parts = [_before_writing(model, block) for block in blocks]
        found += [form for forms, _ in parts for form in forms]
        if any(writes for _, writes in parts):
            return found, True
    return found, False

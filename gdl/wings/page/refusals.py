"""Why a page refuses an action: the rules once more, with actions that need not hold what they require, each of which
says how much of it does hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

from gdl.analysis.name_forms import template_of
from gdl.analysis.traits import shows_everything
from gdl.compiler.lower import lower
from gdl.errors import Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.domains import Range
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import READS, everything, inside, inside_with_calls
from gdl.wings.arena.rules_in_words import clause_text, condition_text, remark_behind
from gdl.wings.page.page_engine import play_module, types_data

Told = str | tuple[str, int]  # a reason: a text, or a phrase about the square that is clicked so manieth
TAKEN, OTHERS, STUCK = "{0} is not empty", "nothing of {1}'s is on {0}", "nothing can be done with {0} now"
_WHEN = re.compile(
    r"\bwhen\s+(.*?)(?:\s+(?:as \"|unseen|public|merge|seen by|weight)[^\n]*)?\s*(?:#[^\n]*)?"
    r"(?:\n(?!\s+(?:and|or)\b)|$)",
    re.DOTALL,
)


class FreedRule(NamedTuple):
    """A rule whose first parameter says how many of its conditions must hold, and the reasons that these give."""

    rule: Rule
    lines: list[Told]


def refusal_data(game: RulesGame, types: Sequence[Any], english: bool = True) -> dict[str, Any]:
    """The module of the game whose actions are freed (`free`), the reasons of each (`lines`), of the rules behind them,
    which can be followed where something must be mended, the one reason (`alarms`), and that of a rank (`rank`). {}
    where no such module is made. `types` are those of the page, which is in `english`."""
    model = game.model
    seen = shows_everything(model)
    freed = [_free_rule(each, english) if _may_tell(model, each) else FreedRule(each, []) for each in model.actions]
    alarms = list(_alarm_rules(model)) if seen else []
    rules = (*(each.rule for each in freed), *(rule for rule, _ in alarms))
    with suppress(Refusal):
        free = model.copy_with(actions=rules)
        lowered = lower(free, RulesGame(free), labels=True)
        assert lowered.labels is not None
        own = list(types_data(lowered.labels, free.appearance))
        ranks = [clause_text(each, "") for rule in model.actions for each in rule.body if isinstance(each, core.Rank)]
        if own == types[: len(own)] and (ranks or any(each.lines for each in freed)):
            told = {
                "lines": [each.lines for each in freed],
                "alarms": [text for _, text in alarms],
                "rank": max(ranks, default="") if seen else "",
            }
            return {"free": play_module(lowered) | told}
    return {}


def _may_tell(model: RulesModel, rule: Rule) -> bool:
    """True if whoever acts by the rule may be told which of its conditions fails: of all that is asked, in this order,
    at most the last speaks of what they may not see, or of what follows from that. Whether it fails they know where
    the others hold, for then it alone decides whether the action is offered; where another fails, that one is told."""
    kinds = [each.visibility.hides or each.visibility.kind for each in model.variables]
    if any(kind != "all" and not each.indices for kind, each in zip(kinds, model.variables, strict=True)):
        return False

    def is_seen(form: Any) -> bool:
        if isinstance(form, core.Element | core.Whole):
            own = getattr(form, "indices", ())[:1] == (core.Mover(),)
            return kinds[form.variable] in ("all", own and "owner")
        return READS.get(type(form)) != "state" or isinstance(form, core.Cell)  # not what was, or what can be done

    def parts(head: Rule | core.Choose) -> list[Any]:
        shape = head.template, tuple((each.domain, each.count) for each in head.parameters)  # of all that is refused
        return [shape, *head.guards, *(guard for each in head.parameters for guard in each.guards)]

    asked = parts(rule)
    for k, each in enumerate(rule.body):
        if any(isinstance(form, core.Require | core.Choose | core.Attempt) for form in inside_with_calls(model, each)):
            asked += [(rule.body[:k], form) for form in (parts(each) if isinstance(each, core.Choose) else [each])]
    ranked = any(isinstance(form, core.Rank) for form in everything(model))  # so that not the last alone decides
    told = asked if ranked else asked[:-1]
    return set(kinds) <= {"all"} or all(map(is_seen, inside_with_calls(model, *told)))


def _free_rule(rule: Rule, english: bool) -> FreedRule:
    """The rule with a parameter before the others, how many conditions hold: the next one does not, and ends it."""
    lines: list[Told] = []
    held, clicks, repeats = core.Local(rule.frame), count(), any(isinstance(each, core.Repeat) for each in rule.body)
    order: dict[int, int] = {}  # which click each parameter is, by their slots

    def is_held(relation: str) -> core.Comparison:
        return core.Comparison(relation, held, core.Const(len(lines)), rule.span)

    def ask(condition: core.Expression, told: Told) -> core.Expression:
        before, last = is_held("<"), is_held("=")
        lines.append(told)
        return core.Some((before, core.If(last, core.Not(condition), condition)))

    def ask_all(guards: Sequence[core.Expression], head: Rule | core.Choose) -> tuple[core.Expression, ...]:
        remark = clause_text(head, "") if isinstance(head, core.Choose) else ""
        return tuple(ask(guard, remark or _guard_reason(head, guard, order, english)) for guard in guards)

    def parameters(head: Rule | core.Choose) -> Iterator[core.Parameter]:
        for each in head.parameters:
            order[each.slot] = next(clicks)
            yield each.copy_with(guards=ask_all(each.guards, head))

    def free_statement(statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.Require):
            reason = (STUCK, 0) if repeats else clause_text(statement, english=english)  # where a click only begins
            return statement.copy_with(condition=ask(statement.condition, reason))
        if isinstance(statement, core.Choose):
            guards = ask_all(statement.guards, statement)
            return statement.copy_with(guards=guards, parameters=tuple(parameters(statement)))
        return statement

    def statements(left: Sequence[core.Statement]) -> tuple[core.Statement, ...]:
        found = [(each, free_statement(each), is_held("<")) for each in left]
        rest: tuple[core.Statement, ...] = ()
        for each, made, ended in reversed(found):
            rest = (made, core.Conditional(ended, (), rest)) if made is not each and rest else (made, *rest)
        return rest

    guards, head = ask_all(rule.guards, rule), tuple(parameters(rule))
    ended = is_held("<")
    body = statements([each for each in rule.body if not isinstance(each, core.Rank)])
    body = (core.Conditional(ended, (), body),) if lines and body else body
    many = core.Const(range(len(lines), -1, -1))
    how_many = core.Parameter(rule.frame, Range(0, len(lines)), many, guards, span=rule.span)
    changed = {"guards": (), "parameters": (how_many, *head), "body": body, "template": template_of(rule)}
    merge = rule.merge and repeats  # what is refused changes nothing, so that all of it were one
    return FreedRule(rule.copy_with(**changed, merge=merge, frame=rule.frame + 1, simple=False, shares=()), lines)


def _guard_reason(head: Rule | core.Choose, guard: core.Expression, order: dict[int, int], english: bool) -> Told:
    """The reason that a condition of a head gives: in words where a square must be empty, or one's own; a remark
    behind its own line; else all that is written behind `when`."""
    match guard:
        case core.Comparison("=", core.Element(_, (*_, core.Local(slot))), core.Const(None)) if slot in order:
            return TAKEN, order[slot]
        case core.Comparison("=", core.Element(_, (*_, core.Local(slot))), core.Mover()) if slot in order:
            return OTHERS, order[slot]
    assert head.span is not None
    spans = [each.span for each in inside(guard) if getattr(each, "span", None) is not None]
    last = max(spans, key=lambda span: span.end, default=head.span)
    if last.line > head.span.line and (remark := remark_behind(last)):
        return remark
    written = _WHEN.search(head.span.source.text, head.span.start)
    return condition_text(written[1], english) if written else ""


def _alarm_rules(model: RulesModel) -> Iterator[tuple[Rule, str]]:
    """For each condition on the mover, known without the action, that must hold after it: a rule that can be followed
    if the condition does not hold before it, and the reason."""
    asked = [(each, rule) for rule in model.actions for each in rule.body if isinstance(each, core.Require)]
    found = {clause_text(each, ""): (each, rule) for each, rule in asked}
    for require, rule in [each for remark, each in found.items() if remark] or found.values():
        forms = list(inside(require.condition))
        if core.Mover() in forms and not any(isinstance(form, core.Local) for form in forms):
            changed = {
                "guards": (core.Not(require.condition),),
                "parameters": (),
                "template": core.Template(()),
                "body": (),
            }
            yield rule.copy_with(**changed, simple=True, hearers=None, shares=()), clause_text(require, "")

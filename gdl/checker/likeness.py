"""Two that are alike where one was meant, or another: mostly a copy in which something was to be changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl import syntax
from gdl.checker.rules import Sections
from gdl.checker.scope import Scope
from gdl.errors import Problem, Span, clean, line_of
from gdl.model import core
from gdl.model.games import RulesModel
from gdl.model.walk import everything
from gdl.record import Record

SHORT_WORDS = 6  # words; shorter definitions may say the same by chance, or on purpose


def bare(form: Any) -> tuple[Any, ...]:
    """A form, or a part of a file, without its places in the text: its name, how many parts it has, and these, one
    after the other, however deep they lie. Two are alike where these are."""
    said: list[Any] = []
    rest = [form]
    while rest:
        match rest.pop():
            case tuple() as items:
                said.append(("", len(items)))
                rest += reversed(items)
            case Record() as record:
                inner = [value for value in record.__dict__.values() if not isinstance(value, Span)]
                said.append((type(record).__name__, len(inner)))
                rest += reversed(inner)
            case value:
                said.append(value)
    return tuple(said)


def alike_rules(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Two actions, or two chance steps, that are the same but for their names. Where not all is seen the name itself
    may be what others hear, or remember."""
    hidden = any(v.visibility.kind != "all" for v in model.variables) or any(rule.hearers for rule in model.actions)
    if hidden or any(isinstance(form, core.Say) for form in everything(model)):
        return
    help = "take one of them out, or change what was to be different"
    for kind in (syntax.Action, syntax.Chance):
        for first, second in _pairs([(_done(rule), rule) for rule in sections.of(kind) if rule.body]):
            yield Problem(
                f"{clean(second.name.name)} does the same as {_placed(first, second)}: one move has two names",
                second.name.span, help=help, warning=True,
            )  # fmt: skip


def _done(rule: syntax.Action) -> Any:
    """All that an action says but for its name."""
    kept = tuple(modifier for modifier in rule.modifiers if not isinstance(modifier, syntax.Template))
    return bare((rule.choices or (), kept, rule.body))


def alike_definitions(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Two definitions that say the same."""
    long = [d for d in sections.of(syntax.Definition) if _words(d.result) > SHORT_WORDS]
    for first, second in _pairs([(_said(d), d) for d in long]):
        yield Problem(
            f"{clean(second.name.name)} says the same as {_placed(first, second)}", second.name.span,
            help="use one of them for both, or change what was to be different", warning=True,
        )  # fmt: skip


def _said(definition: syntax.Definition) -> Any:
    return bare((definition.parameters or (), definition.type, definition.result))


def _words(part: syntax.Syntax) -> int:
    count, rest = 0, [part]
    while rest:
        one = rest.pop()
        count += isinstance(one, syntax.Word)
        rest += syntax.parts(one)
    return count


def _pairs(known: list[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """The first and a later one of those that have the same key."""
    seen: dict[Any, Any] = {}
    for key, one in known:
        if key in seen:
            yield seen[key], one
        seen.setdefault(key, one)


def _placed(one: Any, seen_from: Any) -> str:
    return f"{clean(one.name.name)} in {line_of(one.name.span, seen_from.name.span)}"


def alike_clauses(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """A test that stands twice: the first decides."""
    seen: dict[Any, Any] = {}
    for clause in model.clauses:
        key = repr(bare(clause.condition))
        if key in seen:
            other = " with another winner" if seen[key] != clause.winner else ""
            yield Problem(
                f"this test is above{other}, so this line never decides",
                clause.span, help="take one of the two out", warning=True,
            )  # fmt: skip
        seen.setdefault(key, clause.winner)

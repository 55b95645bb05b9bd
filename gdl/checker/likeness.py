"""Two that are alike where one was meant, or another: mostly a copy in which something was to be changed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
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


def without_spans(form: Any) -> tuple[Any, ...]:
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
        for first, second in _pairs([(_rule_key(rule), rule) for rule in sections.of(kind) if rule.body]):
            yield Problem(
                f"{clean(second.name.name)} does the same as {_name_and_line(first, second)}: one move has two names",
                second.name.span, help=help, warning=True,
            )  # fmt: skip


def _rule_key(rule: syntax.Action) -> Any:
    """All that an action says but for its name."""
    kept = tuple(modifier for modifier in rule.modifiers if not isinstance(modifier, syntax.Template))
    return without_spans((rule.choices or (), kept, rule.body))


def alike_definitions(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Two definitions that say the same."""
    long = [d for d in sections.of(syntax.Definition) if _words(d.result) > SHORT_WORDS]
    for first, second in _pairs([(_definition_key(d), d) for d in long]):
        yield Problem(
            f"{clean(second.name.name)} says the same as {_name_and_line(first, second)}", second.name.span,
            help="use one of them for both, or change what was to be different", warning=True,
        )  # fmt: skip


def _definition_key(definition: syntax.Definition) -> Any:
    return without_spans((definition.parameters or (), definition.type, definition.result))


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


def _name_and_line(one: Any, seen_from: Any) -> str:
    return f"{clean(one.name.name)} in {line_of(one.name.span, seen_from.name.span)}"


def alike_clauses(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """A line of `terminal` that never decides: its test stands above already, or one that asks for less."""
    ends = sections.last(syntax.TerminalTest)
    checked = {clause.span: clause for clause in model.clauses}
    lines = [line for line in (ends.clauses if ends else ()) if line.span in checked]
    for number, line in enumerate(lines):
        for other in lines[:number]:
            clause, decides = checked[line.span], checked[other.span]
            if without_spans(clause.condition) == without_spans(decides.condition):
                winner = " with another winner" if clause.winner != decides.winner else ""
                yield Problem(
                    f"this test is above{winner}, so this line never decides", line.span,
                    help="take one of the two out", warning=True,
                )  # fmt: skip
                break
            if _asks_no_less(line.condition, other.condition):
                yield Problem(
                    f"wherever this test holds, {line_of(other.span, line.span)} decides, so this line never does",
                    line.span, help="put it higher, if it should decide there, or take it out", warning=True,
                )  # fmt: skip
                break


def _asks_no_less(test: Any, other: Any) -> bool:
    """Whether all that the other test asks for is asked for by a test as well, as both are written."""
    ways = [_split(way, syntax.And) for way in _split(other, syntax.Or)]
    return all(
        any(all(any(_is_said_by(asked, said) for said in _split(case, syntax.And)) for asked in way) for way in ways)
        for case in _split(test, syntax.Or)
    )


def _split(test: Any, kind: type[syntax.And | syntax.Or]) -> list[Any]:
    """The parts that `and`, or `or`, joins."""
    return [*_split(test.left, kind), *_split(test.right, kind)] if isinstance(test, kind) else [test]


def _is_said_by(asked: Any, said: Any) -> bool:
    """Whether a condition holds wherever another does: the same one, or one of the same value that asks for more."""
    if without_spans(asked) == without_spans(said):
        return True
    match asked, said:
        case (
            syntax.Compare(left=left, relation=relation, right=syntax.Number(value=limit)),
            syntax.Compare(left=other, relation=known, right=syntax.Number(value=value)),
        ):
            within = _lies_within(known, Fraction(value.text), relation, Fraction(limit.text))
            return without_spans(left) == without_spans(other) and within
    return False


def _lies_within(said: str, value: Fraction, asked: str, limit: Fraction) -> bool:
    """Whether all x with `x said value` have `x asked limit`."""
    within = value < limit if asked[0] == "<" else value > limit
    same_way = asked[0] in "<>" and (said == "=" or said[0] == asked[0])
    return same_way and (within or (value == limit and ("=" in asked or "=" not in said)))

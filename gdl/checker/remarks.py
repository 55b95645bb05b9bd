"""The remark behind an action's head: the sentence that tells players what was done, made of the action's name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl import syntax
from gdl.checker.scope import Scope
from gdl.errors import Span, clean, listing
from gdl.model import core
from gdl.model.domains import Part, Range, SetType, Type, without_none
from gdl.model.domains import Sequence as Listing
from gdl.model.games import Rule, Sentence

_REMARK = re.compile(r'(?:[^"#\n]|"(?:[^"\\\n]|\\[^\n])*")*#[# ]*([^\n]*)')
_FIELD = re.compile(r"\{(\w+)\}")


def check_remarks(scope: Scope, written: Sequence[syntax.Action], rules: Sequence[Rule]) -> tuple[Sentence, ...]:
    """The sentences of those actions that have one."""
    found = []
    for action, rule in zip(written, rules, strict=True):
        remark = _REMARK.match(rule.span.source.text, rule.span.start)
        if remark and remark[1].strip():
            end = remark.start(1) + len(remark[1].rstrip())
            found.append(_sentence(scope, action, rule, Span(rule.span.source, remark.start(1), end)))
    return tuple(found)


def _sentence(scope: Scope, action: syntax.Action, rule: Rule, span: Span) -> Sentence:
    """The sentence of a remark at this place. A field that the names of the action do not show stays as it is, with a
    warning."""
    pattern, groups = _name_pattern(scope, action, rule)
    parts: list[str | int] = []
    for k, text in enumerate(_FIELD.split(span.text)):
        if k % 2 and text not in groups:
            start = span.start + span.text.index(f"{{{text}}}") + 1
            message = f"the names of {clean(rule.name)} do not show '{clean(text)}'"
            help = f"write one of {listing(groups)}, or take the braces out"
            scope.problem(message, Span(span.source, start, start + len(text)), help=help, warning=True)
            text = f"{{{text}}}"
        parts.append(groups[text] if k % 2 and text in groups else clean(text))
    return Sentence(pattern, tuple(part for part in parts if part != ""))


def _name_pattern(scope: Scope, action: syntax.Action, rule: Rule) -> tuple[str, dict[str, int]]:
    """A regular expression for the names of an action, and for each name of its head that they show the number of the
    group; 0 is the mover."""
    from gdl.analysis.name_forms import template_of  # here, as few games have remarks

    named = {p.slot: choice.name.name for p, choice in zip(rule.parameters, action.choices or (), strict=False)}
    pattern, groups, count = "", {"mover": 0}, 0
    for part in template_of(rule).parts:
        if isinstance(part, str):
            pattern += re.escape(part)
            continue
        count += 1
        pattern += f"({_value_pattern(part[1])})"
        if isinstance(part[0], core.Local) and part[0].slot in named:
            groups.setdefault(named[part[0].slot], count)
    goes_on = any(isinstance(form, core.Choose) for form in scope.inside_with_calls(rule.body))
    return f"^{pattern}{'' if goes_on else '$'}", groups


def _value_pattern(type: Type) -> str:
    """A regular expression for the texts of a type's values."""
    from gdl.analysis.name_forms import Unproved, piece_of

    inner = without_none(type)
    none = "none|" if inner is not type else ""
    if isinstance(inner, Range) and not isinstance(inner, Part):
        return rf"{none}-?\d+"
    if isinstance(inner, SetType | Listing):
        return rf"{none}[{{\[][^}}\]]*[}}\]]"
    try:
        texts = piece_of(inner).texts
    except Unproved:
        return ".+?"
    return none + "|".join(map(re.escape, sorted(texts, key=lambda text: (-len(text), text))))

"""The rules of a checked game as text, in the words of the language as far as they go, for those who look at a pass.

Names are those of the file where it says them, else `t` and the number of their slot. Conditions of a head stand at the
parameter for whose values they are asked; `once` stands before what is worked out before all parameters, `named like`
before the rules whose actions may have the names of a rule's own. Variables, evaluations and names are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gdl.errors import Span
from gdl.model import core
from gdl.model.domains import NUMBER, Named, Type, members, text_of
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import BLOCKS, parts

MOST_LISTED = 8  # values of a constant
_BINDER = re.compile(r"\{?(?:[a-z]+ )?([A-Za-z_]\w*)\s*(?::|=|in\b)")  # `a: Square`, `let a = …`, `exists a in …`
_PARAMETERS = re.compile(r"[^(=\n]*\(([^)]*)\)")
_FORMS: Mapping[type, str] = {  # a form -> its text; those that are not here are a word with their parts in brackets
    core.Mover: "mover",
    core.Element: "{variable}[{indices}]",
    core.Arithmetic: "{left} {operator} {right}",
    core.SetOperation: "{left} {operator} {right}",
    core.Comparison: "{left} {relation} {right}",
    core.Contains: "{item} in {container}",
    core.Not: "not {operand}",
    core.If: "if {condition} then {then} else {otherwise}",
    core.Interval: "{low}..{high}",
    core.Members: "{set}",
    core.Until: "{domain} until {condition}",
    core.SetOf: "{{{items}}}",
    core.Quantifier: "{kind} {slot} in {domain}{where}: {body}",
    core.Lookup: "{word}({arguments})",
    core.CallDefinition: "{definition}({arguments})",
    core.NoActions: "no actions",
    core.Let: "let {slot} = {value}",
    core.Assign: "{variable}[{indices}] := {value}",
    core.Require: "require {condition}",
    core.Next: "next {turn}",
    core.Turn: "{kind} {player}",
    core.Repeat: "repeat",
    core.For: "for {slot} in {domain}{where}",
    core.Attempt: "attempt",
    core.Try: "try",
    core.Conditional: "if {condition}",
    core.CallProcedure: "{procedure}({arguments})",
}
_LOOSE = core.All | core.Some | core.If | core.Quantifier | core.Until
_TIGHT = core.Arithmetic | core.SetOperation | core.Comparison | core.Contains | core.Not


def rules_as_text(model: RulesModel) -> str:
    """The definitions, procedures, actions, chance steps and ends of a game as text."""
    lines = [f'game "{model.name}"']
    for part in (*model.definitions, *model.procedures):
        text = _FrameText(model)
        head = f"define {part.name}({text.bind_parameters(part.span, part.parameters)})".replace("()", "")
        lines += ["", head if part.result is None else f"{head} = {text.text_of(part.result)}", *text.block(part.body)]
    named = (*model.actions, *model.chances)
    for kind, rules in (("action ", model.actions), ("chance ", model.chances), ("", model.effects)):
        for rule in rules:
            text, same = _FrameText(model), ", ".join(named[number].name for number in rule.shares or ())
            lines += ["", *text.head(kind + rule.name, rule), *([f"    named like {same}"] if same else [])]
            lines += text.block(rule.body)
    text, ends = _FrameText(model), list[str]()
    for clause in model.clauses:
        ends.append(f"    {text.text_of(clause.condition)} -> {text.join_texts(clause.utilities)}")
        for player, left in zip(model.players, clause.after, strict=bool(clause.after)):
            if left != clause.condition:
                ends.append(f"        after {player}: {'false' if left is None else text.text_of(left)}")
    return "\n".join([*lines, "", "terminal", *ends]) + "\n"


class _FrameText:
    """Writes the forms that share a frame: those of a rule, of a definition, or of the ends."""

    def __init__(self, model: RulesModel):
        self.model = model
        self.named = {"variable": model.variables, "definition": model.definitions, "procedure": model.procedures}
        self.names: dict[int, str] = {}  # by slot
        self.types: dict[int, Type] = {}  # of parameters

    def bind(self, slot: int, span: Span | None) -> str:
        """A name for the value in a slot from here on: the one in the file, or `t` and the slot's number, changed if
        another slot has it."""
        said = _BINDER.match(span.source.text, span.start, span.end) if span else None
        name = said[1] if said else self.names.get(slot, f"t{slot}")
        others = {other for at, other in self.names.items() if at != slot}
        self.names[slot] = f"{name}{slot}" if name in others else name
        return self.names[slot]

    def bind_parameters(self, span: Span, count: int) -> str:
        """The parameters of a definition as text, with the names in its head."""
        said = _PARAMETERS.match(span.source.text, span.start)
        words = said[1].split(",") if said else [f"t{slot}" for slot in range(count)]
        self.names = {slot: word.partition(":")[0].strip() for slot, word in enumerate(words[:count])}
        return ", ".join(self.names.values())

    def head(self, word: str, head: Rule | core.Choose, margin: str = "") -> Iterator[str]:
        """The lines of a rule's or a choice's head: its parameters, each with its conditions."""
        self.types |= {p.slot: p.type for p in head.parameters}
        found = [
            f"{self.bind(p.slot, p.span)}: {self.text_of(p.domain, p.type)}{_text_of_guards(self, p)}"
            for p in head.parameters
        ]
        once = [f"{margin}    once {self.text_of(statement)}" for statement in head.before]
        yield f"{margin}{word}({', '.join(found)}){_text_of_guards(self, head)}".replace("()", "")
        yield from once

    def block(self, statements: Sequence[core.Statement], margin: str = "    ") -> Iterator[str]:
        """The lines of statements, indented by `margin`."""
        for s in statements:
            yield from self.head("choose", s, margin) if isinstance(s, core.Choose) else [margin + self.text_of(s)]
            for name in BLOCKS:
                if inner := getattr(s, name, ()):
                    yield from [f"{margin}else"] if name in ("otherwise", "refused") else []
                    yield from self.block(inner, margin + "    ")

    def text_of(self, form: Any, type_held: Type | None = None) -> str:
        """The text of a form. `type_held` is the type of its constants (None: not known)."""
        match form:
            case core.Const(value):
                return _constant_text(value, type_held)
            case core.Local(slot):
                return self.names.get(slot, f"t{slot}")
            case core.Cell(place):
                return next(v.name for v in self.model.variables if v.place == place)
            case core.All(joined) | core.Some(joined):
                texts = [
                    f"({self.text_of(part)})" if isinstance(part, _LOOSE) else self.text_of(part) for part in joined
                ]
                return (" and " if isinstance(form, core.All) else " or ").join(texts)
        if type(form) not in _FORMS:
            return f"{type(form).__name__.lower()}({self.join_texts(parts(form))})"
        outer, template = dict(self.names), _FORMS[type(form)]
        fields = {name: self.field(form, name) for name in re.findall(r"{(\w+)}", template)}
        if isinstance(form, core.Quantifier | core.Until):
            self.names = outer
        return template.format(**fields).replace("[]", "").replace("()", "")

    def field(self, form: Any, name: str) -> str:
        """The text of a part of a form."""
        value = getattr(form, name)
        if name == "slot":
            return self.bind(value, form.span)
        if name in self.named:
            return str(self.named[name][value].name)
        if name == "where":
            return f" where {self.text_of(value)}" if value else ""
        if value is None or isinstance(value, tuple | str):
            return value if isinstance(value, str) else self.join_texts(value or ())
        text = self.text_of(value, self.types.get(form.slot) if name == "domain" else self.type_beside(form))
        return f"({text})" if isinstance(form, _TIGHT) and isinstance(value, _TIGHT | _LOOSE) else text

    def type_beside(self, form: Any) -> Type | None:
        """The type of the element or mover that a comparison compares with something; for a turn that of the players;
        None if it is not known."""
        sides = (form.left, form.right) if isinstance(form, core.Comparison) else ()
        types = [self.model.variables[side.variable].type for side in sides if isinstance(side, core.Element)]
        return (
            Named("Player", self.model.players)
            if core.Mover() in sides or isinstance(form, core.Turn)
            else next(iter(types), None)
        )

    def join_texts(self, items: Sequence[Any]) -> str:
        return ", ".join(map(self.text_of, items))


def _text_of_guards(text: _FrameText, asked: core.Parameter | Rule | core.Choose) -> str:
    return f" when {text.text_of(core.All(asked.guards))}" if asked.guards else ""


def _constant_text(value: Any, type: Type | None) -> str:
    if not isinstance(value, range | tuple):
        return text_of(type or NUMBER, value)
    if type is not None and tuple(value) == tuple(members(type)):
        return str(type)
    more = ["…"] if len(value) > MOST_LISTED else []
    return f"{{{', '.join([*(_constant_text(item, type) for item in value[:MOST_LISTED]), *more])}}}"

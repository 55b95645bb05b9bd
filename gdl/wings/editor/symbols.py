"""The names that a game file declares: what each is, where it stands, and how far it is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gdl import syntax
from gdl.errors import Span
from gdl.syntax.words import Syntax, Word, parts

# The kinds of names, each with what it is in the outline of an editor, and in its colours.
KINDS: Mapping[str, tuple[str, str]] = {
    "parameter": ("Constant", "parameter"), "player": ("EnumMember", "enumMember"), "type": ("Enum", "type"),
    "member": ("EnumMember", "enumMember"), "board": ("Class", "class"), "variable": ("Property", "property"),
    "definition": ("Function", "function"), "procedure": ("Function", "function"), "action": ("Method", "method"),
    "chance step": ("Event", "method"), "phase": ("Namespace", "enumMember"), "variant": ("Namespace", "class"),
    "position": ("Key", "class"), "local name": ("Variable", "variable"), "name of the base": ("Variable", "variable"),
}  # fmt: skip


class Symbol(NamedTuple):
    """A declared name: its place, and the section that declares it. A local name is known in that section alone."""

    name: str
    kind: str
    span: Span
    section: Span

    @property
    def local(self) -> bool:
        return self.kind in ("local name", "name of the base")

    @property
    def is_declared_here(self) -> bool:
        """True if the file itself declares the symbol."""
        return self.kind != "name of the base"


_HEADS: dict[type[Syntax], str] = {
    syntax.TypeDefinition: "type", syntax.Board: "board", syntax.Definition: "definition",
    syntax.Procedure: "procedure", syntax.Chance: "chance step", syntax.Action: "action", syntax.Position: "position",
    syntax.Seats: "player", syntax.Phase: "phase",
}  # fmt: skip
_BINDING = (
    syntax.Binder, syntax.Choice, syntax.Draw, syntax.Typed, syntax.Let, syntax.Each, syntax.FeatureEach, syntax.Reach,
    syntax.ReachEdges, syntax.FirstAfter, syntax.Index,
)  # fmt: skip


def find_symbols(sections: Sequence[Syntax]) -> list[Symbol]:
    """All declared names, in the order of the file; a local one once for every place that declares it."""
    return [symbol for section in sections for symbol in _of_section(section)]


def _of_section(section: Syntax) -> Iterator[Symbol]:
    def symbol(word: Word | None, kind: str) -> Iterator[Symbol]:
        if word is not None:
            yield Symbol(word.name, kind, word.span, section.span)

    match section:
        case syntax.Variant():
            yield from symbol(section.name, "variant")
            for inner in section.sections:
                yield from _of_section(inner)
            return
        case syntax.Game():
            for parameter in section.parameters or ():
                yield from symbol(parameter.name, "parameter")
        case syntax.Players():
            for player in section.names:
                yield from symbol(player, "player")
        case syntax.PositionKeeps():
            yield from symbol(section.member, "local name")
        case syntax.State():
            for variable in section.variables:
                yield from symbol(variable.name, "variable")
        case syntax.TypeDefinition(definition=syntax.Ordered() | syntax.Unordered() as definition):
            yield from symbol(section.name, "type")
            for part in definition.parts:
                if part.kind == "NAME":
                    yield from symbol(part, "member")
        case _ if type(section) in _HEADS:
            name: Word = section.name  # type: ignore[attr-defined]  # all of them have one
            yield from symbol(name, _HEADS[type(section)])
        case syntax.Prologue():
            for known in section.names or ():
                yield from symbol(known, "name of the base")
    yield from (Symbol(word.name, "local name", word.span, section.span) for word in _bound(section))


def _bound(part: Syntax) -> Iterator[Word]:
    """The names that are bound anywhere inside a part."""
    stack: list[Syntax] = [part]
    while stack:
        here = stack.pop()
        if isinstance(here, _BINDING) and isinstance(here.name, Word):
            yield here.name
        if isinstance(here, syntax.ReachEdges):
            yield here.source
            yield here.target
        if isinstance(here, syntax.SeenWhen):
            yield here.who
        stack += reversed(list(parts(here)))

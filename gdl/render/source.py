"""A game in one file: its sections with those of the game that it begins from, of its libraries and of its variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gdl import checker, syntax
from gdl.errors import Span, clean
from gdl.render.explicit_source import explicit_text
from gdl.syntax.composition import compose_sections

_DEEPER = "    "


def source_text(description: syntax.Description, variant: str | None = None) -> str:
    """The text of a file that needs no other file and means the same game (or, if named, the same variant; then without
    its siblings and without expected answers). Comments between the sections are left out."""
    if (text := explicit_text(description)) is not None:
        return text
    sections = list(description.sections)
    if variant is not None:
        kept = [s for s in sections if not isinstance(s, syntax.Variant | syntax.Known)]
        sections = compose_sections(kept, checker.variants(description)[variant].sections, [])
        sections = [section for section in sections if not isinstance(section, syntax.Known)]
    games = [section for section in sections if isinstance(section, syntax.Game)]
    rest = [section for section in sections if not isinstance(section, syntax.Game)]
    return "".join(_section_texts([*games, *rest]))


def _section_texts(sections: Iterable[syntax.Section]) -> Iterator[str]:
    """The texts of sections; a blank line separates them, except one-line sections of the same kind."""
    before: tuple[type, bool] | None = None
    for section in sections:
        text = _section(section)
        kind = type(section), "\n" in text
        if before is not None and (before != kind or kind[1]):
            yield "\n"
        before = kind
        yield f"{text}\n"


def _section(section: Any) -> str:
    match section:
        case syntax.Action(phase=syntax.Word() as phase):
            return f"phase {phase.text}\n{_indent_lines(_section(section.copy_with(phase=None)))}"
        case syntax.Phase():
            return "\n".join([f"phase {section.name.text}", *(_DEEPER + _text(line.span) for line in section.parts)])
        case syntax.Game():
            parameters = ", ".join(_text(parameter.span) for parameter in section.parameters or ())
            return f"game {section.title.text}" + (f" ({parameters})" if parameters else "")
        case syntax.State():
            return "\n".join(["state", *(_indent_lines(_variable(variable)) for variable in section.variables)])
        case syntax.Setup():
            names = ", ".join(word.text for word in section.names)
            left = min((line.span.column for line in section.lines), default=0)  # a picture may slant
            rows = (" " * (line.span.column - left) + line.text.strip() for line in section.lines)
            return "\n".join([f"setup {names}", *(_DEEPER + row for row in rows)])
        case syntax.Position() if section.notation is not None:
            return f"# position {clean(section.name.text)} is in the notation {clean(section.notation.template.text)}"
        case syntax.Variant():
            words = [word.text for word in (section.name, section.title) if word is not None]
            return "\n".join([" ".join(["variant", *words]), *(_indent_lines(_section(s)) for s in section.sections)])
    body = getattr(section, "body", ())
    if all(_lies_in(statement.span, section.span) for statement in body):
        return _text(section.span)
    own = next((s.span for s in body if _lies_in(s.span, section.span)), None)
    head = section.span if own is None else Span(section.span.source, section.span.start, own.start)
    return "\n".join([_text(head).rstrip(), *(_indent_lines(_text(statement.span)) for statement in body)])


def _variable(variable: syntax.Variable) -> str:
    """The declaration of one variable. Its visibility is added if it was declared elsewhere."""
    source, end = variable.span.source, variable.span.end
    named = variable.name.span.end
    if variable.indices:
        named = source.text.index("]", variable.indices[-1].span.end) + 1
    head, rest = Span(source, variable.span.start, named), Span(source, variable.type.span.start, end)
    seen, text = variable.visibility, f"{_text(head)}: {_text(rest)}"  # others may stand between, of a line of several
    if seen is None or _lies_in(seen.span, variable.span):
        return text
    audience = Span(seen.span.source, seen.audience.span.start, seen.span.end)
    return f"{text}   visible to {_text(audience)}"


def _lies_in(span: Span, outer: Span) -> bool:
    return span.source is outer.source and outer.start <= span.start and span.end <= outer.end


def _indent_lines(text: str) -> str:
    return "\n".join(_DEEPER + line if line.strip() else "" for line in text.splitlines())


def _text(span: Span) -> str:
    """The author's text, its later lines moved left as far as the first."""
    first, *rest = span.text.rstrip().splitlines()
    moved = (line[min(span.column - 1, len(line) - len(line.lstrip())) :] for line in rest)
    return "\n".join([first, *moved])

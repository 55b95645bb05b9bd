"""Sections over sections: what a variant changes in its game, and a game in the one that it begins from.

1. Single sections and named declarations replace their namesakes in place; others are added at the end. Of a picture
   the legend stays, of a game line the parameters that are not given anew, of a variable who sees it. A first position
   that is given as a text goes before the pictures below; it is no namesake of a line that says who begins.
   A line `position requires` replaces one with the same words, `position keeps` one on the same variable.
2. Positions keep the notation under which they were declared.
3. Then the lines of `before` and `after` are put into the bodies that they name: `before move(a, b)` as soon as a and b
   are chosen, `after move(a, b)` at the end, where the closing `require` and `rank` lines stay last, since they judge
   the whole. So the lines know the names of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gdl.errors import GameError, Problem, Span, clean, listing, suggestion
from gdl.syntax import rules
from gdl.syntax.description import Section
from gdl.syntax.expressions import Let
from gdl.syntax.statements import Choose, Rank, Require, Statement
from gdl.syntax.words import Syntax, Word, descendants

SINGLE = (  # sections of which a game has one at most
    rules.Game, rules.Players, rules.Seats, rules.Start, rules.Opening, rules.Resolve, rules.TerminalTest,
    rules.Evaluation, rules.Notation, rules.Utility, rules.Discount,
)  # fmt: skip
_SAME = {"Seats": "Players", "Opening": "Start"}  # kinds that replace one another
_NAMED = (
    rules.Definition, rules.Procedure, rules.Action, rules.Phase, rules.TypeDefinition, rules.Board, rules.Position,
)  # fmt: skip
_IDENTIFIER = re.compile(r"\d*[^\W\d]\w*")
_FIELD = re.compile(r"\{([^{}]*)\}")
_UNNAMED_BODIES = {"resolve": rules.Resolve, "start": rules.Opening}


def compose_sections(below: Iterable[Section], above: Sequence[Section], problems: list[Problem]) -> list[Section]:
    """The sections of the game `below`, changed by those `above`. Conflicts are added to the problems."""
    sections = _in_their_notation(list(below), above)
    sections = _without_pictures(_without_variables(sections, _variables(above)), above)
    met: set[tuple[str, str]] = set()  # what stands twice above is no replacement of itself
    for section in above:
        if isinstance(section, rules.Prologue | rules.Epilogue):
            continue
        key = _key(section)
        place = None if key in met else next((i for i, old in enumerate(sections) if key and _key(old) == key), None)
        met |= {key} if key else set()
        if place is None:
            sections.append(_seen_as_before(section, below) if isinstance(section, rules.State) else section)
        else:
            sections[place] = _override(sections[place], section)
    for section in above:
        if isinstance(section, rules.Prologue | rules.Epilogue):
            _put_in(sections, section, above, problems)
    return sections


def name_of(section: Syntax) -> str:
    """The name that a section declares; "" if it declares none."""
    return section.name.name if isinstance(section, _NAMED) else ""


def _key(section: Syntax) -> tuple[str, str] | None:
    """The key of a section, which replaces a section with the same key; None for sections that are only added."""
    if isinstance(section, rules.Start) and section.text:
        return "Start", "of a position"
    if isinstance(section, SINGLE):
        kind = type(section).__name__
        return _SAME.get(kind, kind), ""
    if isinstance(section, rules.Measure):
        return "Discount" if section.kind.text == "average" else "Measure", ""  # both say what late gains count
    if isinstance(section, rules.Setup):
        return "Setup", ", ".join(word.name for word in section.names)
    if isinstance(section, rules.PositionRequires | rules.PositionKeeps):
        said = section.words.text if isinstance(section, rules.PositionRequires) else section.name.name
        return type(section).__name__, said
    return (type(section).__name__, section.name.name) if isinstance(section, _NAMED) else None


def _override(old: Any, new: Any) -> Section:
    """The section `new` with those parts of `old` that it does not replace."""
    if isinstance(new, rules.Setup):
        return new.copy_with(lines=(*old.legend, *new.lines))
    if isinstance(new, rules.Game):
        given = {parameter.name.name: parameter for parameter in new.parameters or ()}
        kept = tuple(given.pop(p.name.name, p) for p in old.parameters or ())
        return new.copy_with(parameters=(*kept, *given.values()) or None)
    if isinstance(new, rules.Action) and new.phase is None:
        return new.copy_with(phase=old.phase)
    return new if not isinstance(new, rules.Phase) or new.parts else old  # type: ignore[no-any-return]


def _in_their_notation(sections: list[Section], above: Sequence[Section]) -> list[Section]:
    """The sections, in which each position keeps the notation in which it is written, if one above replaces that."""
    former = next((section for section in sections if isinstance(section, rules.Notation)), None)
    if former is None or not any(isinstance(section, rules.Notation) for section in above):
        return sections
    return [
        s.copy_with(notation=former) if isinstance(s, rules.Position) and s.notation is None else s for s in sections
    ]  # fmt: skip


def _without_pictures(sections: list[Section], above: Sequence[Section]) -> list[Section]:
    """The sections without the pictures of arrays that the text of a first position above sets; the legends of these
    pictures stay."""
    if not any(isinstance(section, rules.Start) and section.text for section in above):
        return sections
    notations = [section.template.text for section in (*sections, *above) if isinstance(section, rules.Notation)]
    fields = {name.strip() for text in notations[-1:] for field in _FIELD.findall(text) for name in field.split(",")}
    found: list[Section] = []
    for section in sections:
        if not isinstance(section, rules.Setup) or any(word.name not in fields for word in section.names):
            found.append(section)
        elif section.legend:
            found.append(section.copy_with(lines=section.legend))
    return found


# ---- Variables --------------------------------------------------------------------------------------------------


def _variables(sections: Iterable[Section]) -> dict[str, Any]:
    """The variables that the sections declare, by their names."""
    return {v.name.name: v for section in sections if isinstance(section, rules.State) for v in section.variables}


def _without_variables(sections: list[Section], names: dict[str, Any]) -> list[Section]:
    """The sections without the declarations of variables with these names, which are declared again elsewhere."""
    found: list[Section] = []
    for section in sections:
        if isinstance(section, rules.State):
            kept = tuple(variable for variable in section.variables if variable.name.name not in names)
            found += [section.copy_with(variables=kept)] if kept else []
        else:
            found.append(section)
    return found


def _seen_as_before(section: rules.State, below: Iterable[Section]) -> rules.State:
    """The section, in which a variable declared again keeps its old visibility if it has no new one."""
    old = _variables(below)
    made = tuple(
        v.copy_with(visibility=old[v.name.name].visibility) if v.visibility is None and v.name.name in old else v
        for v in section.variables
    )
    return section.copy_with(variables=made)


# ---- Lines before and after a body ------------------------------------------------------------------------------


def _put_in(
    sections: list[Section], hook: rules.Prologue | rules.Epilogue, above: Sequence[Section], problems: list[Problem]
) -> None:
    """Put the lines of a `before` or `after` into the body that it names."""
    name = hook.name.name
    place = next((i for i, section in enumerate(sections) if _has_body(section, name)), None)
    if place is None:
        known = [section.name.name for section in sections if isinstance(section, rules.Action | rules.Procedure)]
        note = f"There {'are' if len(known) > 1 else 'is'} {listing(known)}." if known else ""
        help = suggestion(name, known, "name an action, a chance step or a procedure of the game")
        problems.append(Problem(f"there is no body called '{clean(name)}'", hook.name.span, note=note, help=help))
        return
    target: Any = sections[place]
    if any(section is target for section in above):
        message = f"{clean(name)} is declared here itself"
        problems.append(Problem(message, hook.name.span, help="write these lines into its body"))
        return
    known_after = _bound(target)
    problems += _name_clashes(hook, target, set(known_after), above)
    missing = [word for word in hook.names or () if word.name not in known_after]
    for word in missing:
        message = f"the body of {clean(name)} has no name '{clean(word.name)}'"
        note = f"It has {listing(known_after)}, apart from names inside its blocks." if known_after else ""
        problems.append(Problem(message, word.span, note=note, help="name what its head or its lines choose or let"))
    if not missing:
        at = max((known_after[word.name] for word in hook.names or ()), default=0)
        at = _closing(target.body, at) if isinstance(hook, rules.Epilogue) else at
        sections[place] = target.copy_with(body=(*target.body[:at], *hook.body, *target.body[at:]))


def _has_body(section: Section, name: str) -> bool:
    if isinstance(section, rules.Action | rules.Procedure):
        return section.name.name == name
    return type(section) is _UNNAMED_BODIES.get(name)


def _name_clashes(hook: rules.Prologue, target: Any, known: set[str], above: Sequence[Section]) -> Iterator[Problem]:
    """Problems of names that would mean something else in the lines of a body, or in the lines that are put into it."""
    name = clean(hook.name.name)
    inside = _names_in_body(target.body)
    for word in (word for statement in hook.body for word in _binding(statement)):
        if word.name in inside or word.name in known:
            message = f"the body of {name} has the name '{clean(word.name)}' already"
            yield Problem(message, word.span, help="choose another name")
    for hidden in sorted(known & _names_in_body(hook.body) & _declared_names(above)):
        message = f"the body of {name} has a name '{clean(hidden)}' of its own, which hides that of this file"
        yield Problem(message, hook.name.span, help="give your own another name")


def _names_in_body(body: tuple[Statement, ...]) -> set[str]:
    """Every name that stands in the lines of a body, also in the texts of `as`."""
    found: set[str] = set()
    for part in descendants(*body):
        if isinstance(part, Word):
            found |= set(_IDENTIFIER.findall(part.text)) if part.kind == "STRING" else {part.text}
    return found


def _declared_names(sections: Iterable[Section]) -> set[str]:
    """The names that sections declare."""
    return set(_variables(sections)) | {name_of(section) for section in sections}


def _bound(target: Any) -> dict[str, int]:
    """The names known to a body outside of its blocks, each with the number of lines after which it is known (0: from
    the start)."""
    found: dict[str, int] = {}
    heads = getattr(target, "choices" if isinstance(target, rules.Action) else "parameters", None) or ()
    for head in heads:
        found.setdefault(head.name.name, 0)
    for number, statement in enumerate(target.body, 1):
        for word in _binding(statement):
            found.setdefault(word.name, number)
    return found


def _binding(statement: Statement) -> Iterator[Word]:
    if isinstance(statement, Let):
        yield statement.name
    elif isinstance(statement, Choose):
        yield from (choice.name for choice in statement.choices)


def _closing(body: tuple[Statement, ...], least: int) -> int:
    """The number of the line, at least `least`, at which the `require` and `rank` lines that end a body begin."""
    end = len(body)
    while end > least and isinstance(body[end - 1], Require | Rank):
        end -= 1
    return end


# ---- Libraries --------------------------------------------------------------------------------------------------


def is_library(sections: Iterable[Section]) -> bool:
    """True if a file holds only definitions, and no game."""
    return next(_beyond_library(sections), None) is None


def check_library(sections: Iterable[Section]) -> None:
    """Raise a GameError if a library holds anything but definitions."""
    problems = []
    for section in _beyond_library(sections):
        start = section.span.start
        word = section.span.source.text[start:].split(None, 1)[0]
        place = Span(section.span.source, start, start + len(word))
        help = "take it out: a library holds types, boards and definitions"
        problems.append(Problem(f"a library has no '{clean(word)}'", place, help=help))
    if problems:
        raise GameError(problems)


def _beyond_library(sections: Iterable[Section]) -> Iterator[Section]:
    """The sections that a library must not have."""
    held = rules.TypeDefinition | rules.Board | rules.Definition | rules.Procedure | rules.Use
    yield from (section for section in sections if not isinstance(section, held))

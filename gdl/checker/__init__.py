"""Syntax -> model: names resolved, domains finite, sugar gone; or every problem found, all at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gdl import syntax, wings
from gdl.checker import vocabulary
from gdl.checker.declarations import counted_players
from gdl.checker.explicit import check_explicit, states_costs, with_costs
from gdl.checker.open_numbers import fill_open_numbers
from gdl.checker.phases import with_phases
from gdl.checker.rules import Sections, check_rules
from gdl.checker.scope import Scope
from gdl.checker.sides import owner_of_numbers
from gdl.errors import GameError, Problem, Span, clean, limit_problems, limits, line_of, listing, suggestion
from gdl.model.domains import Named
from gdl.model.games import Model
from gdl.syntax import parser
from gdl.syntax.composition import SINGLE, compose_sections, is_library

_ASKED = ("--", parser.QUESTION)  # how the names of texts begin that come from the command line


def check(
    description: syntax.Description, settings: Mapping[str, Any] | None = None, variant: str | None = None
) -> tuple[Model, tuple[Problem, ...]]:
    """The model of a file and the warnings about it. `settings` are values for the game's parameters, as text, by their
    names; `variant` is the word for one of the file's variants, None for the game itself. Raises GameError with every
    problem found."""
    if other := next((s for s in description.sections if isinstance(s, syntax.OtherLanguage)), None):
        return _check_other(description, other, settings, variant)
    if is_library(description.sections):
        check_library(description)
        help = 'use it in a game: use "NAME.game"'
        raise GameError(Problem("these are definitions, and no game", description.sections[0].span, help=help))
    problems: list[Problem] = []
    own: list[syntax.Section] = [s for s in description.sections if not isinstance(s, syntax.Variant)]
    all = compose_sections((), own, problems) if any(isinstance(s, syntax.Prologue) for s in own) else own
    chosen = None if variant is None else _variant(description, variant)
    if chosen is not None:
        problems += _beyond_variant(chosen)
        all = compose_sections(all, chosen.sections, problems)
    sections = Sections(with_phases(all))
    _check_once(sections, problems)
    game = sections.last_of_kind(syntax.Game)
    name = game.title.name if game else description.name
    forms = [s for s in sections.all if isinstance(s, syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles)]
    if len(forms) > 1:
        note = f"The first begins in {line_of(forms[0].span, forms[1].span)}."
        message = "a file holds one tree or one matrix, and this is a second"
        problems.append(Problem(message, forms[1].span, note=note, help="put it into a file of its own"))
    if forms:
        if game and game.parameters:
            told, help = "a tree or a matrix has no parameters", "write ?x for a number; --set x=3 gives it its value"
            problems.append(Problem(told, game.span, help=help, warning=True))
        model = _explicit(name, sections, forms[0], problems, settings or {})
    else:
        home = game.span if game else next(s.span for s in description.sections if _of_file(s.span, description))
        scope = Scope(name, Named("Player", ()), home, called=frozenset(vocabulary.WORDS))
        model = check_rules(scope, sections, settings or {})
        problems += scope.problems
        if not any(not p.warning for p in problems):
            from gdl.checker.lints import lint  # which trees and matrices do without

            found = lint(model, scope, sections)
            problems += [p for p in found if not (chosen and p.warning) or _lies_inside(p.span, chosen.span)]
    owner = owner_of_numbers(model, sections)
    problems = [p for p in dict.fromkeys(problems) if not p.warning or _of_file(p.span, description)]
    if any(not problem.warning for problem in problems):
        raise GameError(_name_source(problem, description, name) for problem in problems if not problem.warning)
    return model.copy_with(numbers_of=owner), limit_problems(problems)


def _check_other(
    description: syntax.Description,
    other: syntax.OtherLanguage,
    settings: Mapping[str, Any] | None,
    variant: str | None,
) -> tuple[Model, tuple[Problem, ...]]:
    """Check a game in another language, which has neither parameters nor variants: a setting or a variant raises
    GameError."""
    if variant is not None:
        _variant(description, variant)
    if settings:
        first = clean(next(iter(settings)))
        raise GameError(Problem(f"{clean(description.name)} has no parameter '{first}'", help="take it out"))
    found: tuple[Model, tuple[Problem, ...]] = wings.load(other.check)(description.name, other)
    return found


def check_library(description: syntax.Description) -> None:
    """Check a file that has only definitions, as part of a game of two players. Raises GameError with every problem
    found."""
    stub = parser.parse("players A, B\naction wait\nterminal\n    forever -> draw\n")
    problems: list[Problem] = []
    sections = Sections(compose_sections(stub.sections, description.sections, problems))
    scope = Scope(description.name, Named("Player", ()), description.span, called=frozenset(vocabulary.WORDS))
    check_rules(scope, sections, {})
    wrong = [problem for problem in problems + scope.problems if not problem.warning]
    if wrong:
        raise GameError(wrong)


def _lies_inside(span: Span | None, section: Span) -> bool:
    """True if a place in the text (None: no place) lies in a section."""
    return span is not None and (
        span.source is section.source and section.start <= span.start and span.end <= section.end
    )


def _name_source(problem: Problem, description: syntax.Description, name: str) -> Problem:
    """The problem as it is; if its place is in a file that the game is made from, with a note that says so."""
    if problem.span is None or _of_file(problem.span, description):
        return problem
    return replace(problem, note=f"{problem.note}\n{clean(name)} is made from this file.".strip())


def _of_file(span: Span | None, description: syntax.Description) -> bool:
    """True if a place lies in the file itself, or has no place (None), rather than in a file that the game is made
    from."""
    return span is None or span.source is description.span.source or span.source.name.startswith(_ASKED)


def _beyond_variant(variant: syntax.Variant) -> Iterator[Problem]:
    """Problems for sections that a variant cannot have."""
    for section in variant.sections:
        if isinstance(section, syntax.Game) and section.base is not None:
            message = "a variant begins from no other game"
            yield Problem(message, section.base.span, help="write a file of its own for it")
        elif isinstance(section, syntax.Use):
            yield Problem("a variant uses no library of its own", section.span, help="move it to the left margin")


def _check_once(sections: Sections, problems: list[Problem]) -> None:
    starts: list[syntax.Section] = [start for start in sections.all if isinstance(start, syntax.Start) and start.text]
    kinds: list[list[syntax.Section]] = [[s for s in sections.all if type(s) is kind] for kind in SINGLE]
    for once in (starts, *([s for s in kind if s not in starts] for kind in kinds)):
        for extra in once[1:]:
            word = extra.span.text.split(None, 1)[0]
            note = f"The first stands in {line_of(once[0].span, extra.span)}."
            problems.append(Problem(f"a second '{word}' section", extra.span, note=note, help="keep one of them"))


def variant_name(variant: syntax.Variant) -> str:
    """The word by which a variant is asked for: its name, or its title in plain lower-case letters."""
    if variant.name is not None:
        return variant.name.name
    title = variant.title.name if variant.title else ""
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return "_".join("".join(c if c.isalnum() else " " for c in letters).split())


def variants(description: syntax.Description) -> dict[str, syntax.Variant]:
    """The variants of a file, each by the word with which it is asked for (see `variant_name`)."""
    return {variant_name(s): s for s in description.sections if isinstance(s, syntax.Variant)}


def positions(description: syntax.Description, variant: str | None = None) -> list[str]:
    """The names of the positions of a file; with a `variant`, of the positions that this variant adds."""
    sections = description.sections if variant is None else variants(description)[variant].sections
    return list(dict.fromkeys(part.name.name for part in sections if isinstance(part, syntax.Position)))


def positions_of_variants(description: syntax.Description) -> dict[str, str]:
    """The positions that only variants have, by their names, each with the first variant that has it."""
    own = positions(description)
    found: dict[str, str] = {}
    for variant in variants(description):
        found |= {name: variant for name in positions(description, variant) if name not in (*own, *found)}
    return found


def _variant(description: syntax.Description, name: str) -> syntax.Variant:
    known = variants(description)
    if name in known:
        return known[name]
    note = f"It has {listing(known)}." if known else "It has no variants."
    message = f"{clean(description.name)} has no variant '{clean(name)}'"
    raise GameError(Problem(message, note=note, help=suggestion(name, known)))


def _players(written: syntax.Players | None, form: Span, problems: list[Problem]) -> tuple[str, ...]:
    """The players of a tree or a matrix."""
    if written is None:
        problems.append(Problem("this file names no players", form, help="write a line such as: players MAX, MIN"))
        return "MAX", "MIN"
    for team in (side for side in written.sides if isinstance(side, syntax.Team)):
        told = "a tree or a matrix has players, and no teams"
        problems.append(Problem(told, team.span, help="let one player stand for the team: players NS, EW"))
    names: dict[str, None] = {}
    for word in written.names:
        if word.name in names:
            help = "give each player a name of their own"
            problems.append(Problem(f"two players are called '{word.name}'", word.span, help=help))
        names[word.name] = None
    problems.extend(counted_players(written, "name all of them: players Ann, Bob"))
    if len(names) > limits.PLAYERS:
        problems.append(Problem(f"a game has at most {limits.PLAYERS} players", written.span, help="name fewer"))
    return tuple(names)


def _explicit(name: str, sections: Sections, form: Any, problems: list[Problem], settings: Mapping[str, Any]) -> Model:
    """The model of a tree or a matrix (`form`); a section that belongs to rules is a problem beside it."""
    allowed = (
        syntax.Game, syntax.Players, syntax.Utility, syntax.Measure, syntax.Claim, syntax.Known, syntax.Tree,
        syntax.Matrix, syntax.MatrixOfProfiles,
    )  # fmt: skip
    rules = [section for section in sections.all if not isinstance(section, allowed)]
    if rules:
        what = "tree" if isinstance(form, syntax.Tree) else "matrix"
        message = "a file is rules, a tree or a matrix, not two of them"
        note = f"The {what} begins in {line_of(form.span, rules[0].span)}."
        problems.append(Problem(message, rules[0].span, note=note, help="move the rules to a file of their own"))
    names = _players(sections.last_of_kind(syntax.Players), form.span, problems)
    utility = sections.last_of_kind(syntax.Utility)
    checked, found = check_explicit(name, names, form, utility.bound if utility else None)
    problems += found
    checked, wrong = fill_open_numbers(checked, settings, form.span)
    problems += wrong
    return with_costs(checked) if states_costs(sections, problems) else checked

"""gdl games and gdl solvers."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import click

import gdl
from gdl.commands import completing, console
from gdl.commands.console import WrongCommand
from gdl.commands.help_pages import Command
from gdl.errors import clean, listing
from gdl.formats.answer_records import ConceptRow, GamesAnswer, GameSummary, SolverRow, SolversAnswer
from gdl.wings import FORMER_SOLVERS

WIDTH = 100


@click.command(cls=Command)
@console.takes_json("Print the list as one JSON object.")
def games() -> None:
    """List the games that come with gdl."""
    from gdl.render.strategies import align_columns

    rows = [[name, _first_comment(file)] for name, file in gdl.shipped().items()]
    told = GamesAnswer([GameSummary(name, summary) for name, summary in rows])
    console.answer_as(lambda: told, lambda: "\n".join(align_columns(rows)))


def _first_comment(file: Path) -> str:
    """The title of a game by the first comment of its file, up to the first colon."""
    lines: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") or line.startswith("# Known"):
            break
        lines.append(line.removeprefix("#").strip())
    return textwrap.shorten(clean(" ".join(lines).partition(": ")[0]), WIDTH, placeholder="…")


@click.command(cls=Command)
@click.argument("name", required=False, shell_complete=completing.solvers_and_concepts)
@console.takes_json("Print them as one JSON object.")
def solvers(name: str | None) -> None:
    """List the solvers and what they need, and the solution concepts.

    With a NAME, explain how that solver works, its source and its options; or define that concept.
    """
    from gdl.solvers import CONCEPTS, SOLVERS
    from gdl.solvers.own_search import installed_solvers

    if console.is_json() and (name is None or name in SOLVERS or name in CONCEPTS):
        console.answer_json(_solvers_record(name))
    elif name is None:
        concepts = "\n\n".join(map(_concept, CONCEPTS))
        more = ", ".join(map(clean, installed_solvers()))
        installed = f"\n\nInstalled packages bring: {more}" if more else ""
        told = "\n\n".join(map(_in_short, SOLVERS)) + installed
        console.answer(f"{told}\n\nConcepts, by --concept:\n\n{concepts}")
    elif name in SOLVERS:
        console.answer(f"{_in_short(name)}\n\n{_explanation(name)}")
    elif name in CONCEPTS:
        console.answer(_concept(name))
    elif name in FORMER_SOLVERS:
        raise WrongCommand(f"no solver is called '{name}' any more", help=FORMER_SOLVERS[name])
    else:
        known = f"there are {listing(SOLVERS, most=len(SOLVERS))}"
        raise console.unknown_name(f"no solver is called '{clean(name)}'", name, [*SOLVERS, *CONCEPTS], known)


def _solvers_record(name: str | None) -> SolversAnswer:
    """All solvers and concepts as a record; with a name, only that one and its explanation."""
    from gdl.commands.solver_options import option_word, parameters_of
    from gdl.solvers import CONCEPTS, SOLVERS
    from gdl.solvers.needs import needs_in_words

    rows = [
        SolverRow(one.name, one.summary, needs_in_words(one.needs), list(map(option_word, parameters_of(one.name))))
        for one in (SOLVERS.values() if name is None else [SOLVERS[name]] if name in SOLVERS else ())
    ]
    concepts = [ConceptRow.fill_from(one, name=key) for key, one in CONCEPTS.items() if name in (None, key)]
    return SolversAnswer(rows, concepts, _explanation(name) if name is not None and name in SOLVERS else None)


def _explanation(solver: str) -> str:
    """The explanation of how a solver works: the docstring of its file."""
    return (sys.modules[gdl.solvers.SOLVERS[solver].run.__module__].__doc__ or "").strip()


def _concept(name: str) -> str:
    """The explanation of a concept: its definition, its source, and the solvers that find it."""
    concept = gdl.solvers.CONCEPTS[name]
    found_by = listing(concept.solvers, "or", most=len(concept.solvers))
    lines = [f"{name}: {concept.definition} ({concept.source})", f"    found by {found_by}"]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8))


def _in_short(name: str) -> str:
    """Lines on a solver: its purpose, its needs and its options."""
    from gdl.commands.solver_options import option_word, parameters_of
    from gdl.solvers.needs import needs_in_words

    solver = gdl.solvers.SOLVERS[name]
    needs = listing(needs_in_words(solver.needs))
    options = ", ".join(map(option_word, parameters_of(name)))
    lines = [f"{name}: {solver.summary}", f"    needs {needs}", f"    takes {options or 'no options'}"]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8))

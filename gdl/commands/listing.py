"""gdl games, gdl solvers and gdl guide."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import click

import gdl
from gdl.commands import telling
from gdl.commands.telling import WrongCommand
from gdl.errors import clean, listing, nearest

WIDTH = 100
GUIDE = Path(gdl.__file__).parent / "docs"
READING_ORDER = {  # every page of the manual, in the order in which a newcomer reads it
    "To begin": ("first-game", "how-to", "games", "students", "teachers"),
    "To look things up": (
        "language", "words", "rules", "made-from-others", "bodies", "expressions", "boards", "positions", "information",
        "who-learns", "trees", "matrices", "expect", "commands", "solvers", "python",
    ),
    "To understand": ("how-it-works", "verify", "symmetry", "performance"),
    "To change gdl": ("contributing", "engine"),
}  # fmt: skip


@click.command()
def games() -> None:
    """List the games that come with gdl."""
    from gdl.render.strategies import aligned

    rows = [[name, _first_comment(file)] for name, file in gdl.shipped().items()]
    telling.answer("\n".join(aligned(rows)))


def _first_comment(file: Path) -> str:
    """What the file calls its game: its first comment, up to the first colon."""
    lines: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") or line.startswith("# Known"):
            break
        lines.append(line.removeprefix("#").strip())
    return textwrap.shorten(clean(" ".join(lines).partition(": ")[0]), WIDTH, placeholder="…")


@click.command()
@click.argument("name", required=False)
def solvers(name: str | None) -> None:
    """List the solvers and what they need, and the solution concepts.

    With a NAME, explain how that solver works, where it comes from, and its options; or define that concept.
    """
    from solvers import CONCEPTS, SOLVERS

    if name is None:
        concepts = "\n\n".join(map(_concept, CONCEPTS))
        telling.answer("\n\n".join(map(_in_short, SOLVERS)) + f"\n\nConcepts, by --concept:\n\n{concepts}")
    elif name in SOLVERS:
        module = sys.modules[SOLVERS[name].run.__module__]
        telling.answer(f"{_in_short(name)}\n\n{(module.__doc__ or '').strip()}")
    elif name in CONCEPTS:
        telling.answer(_concept(name))
    else:
        near = nearest(name, [*SOLVERS, *CONCEPTS])
        help = f"write '{near}'" if near else f"there are {listing(SOLVERS, most=len(SOLVERS))}"
        raise WrongCommand(f"no solver is called '{clean(name)}'", help=help)


def _concept(name: str) -> str:
    """A concept by name: its definition, its source, and the solvers that find it."""
    from solvers import CONCEPTS

    concept = CONCEPTS[name]
    found_by = listing(concept.solvers, "or", most=len(concept.solvers))
    lines = [f"{name}: {concept.definition} ({concept.source})", f"    found by {found_by}"]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8))


def _in_short(name: str) -> str:
    """Its name, what it is for, what it needs and takes."""
    from gdl.commands.solver_options import option_word, parameters_by_solver
    from solvers import SOLVERS
    from solvers.needs import need

    solver = SOLVERS[name]
    needs = listing(need(trait, value) for trait, value in solver.needs.items())
    options = ", ".join(map(option_word, parameters_by_solver()[name]))
    lines = [f"{name}: {solver.summary}", f"    needs {needs}", f"    takes {options or 'no options'}"]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8))


@click.command()
@click.argument("page", required=False)
def guide(page: str | None) -> None:
    """Read the manual.

    Without a PAGE, list the pages in the order in which to read them.
    """
    pages = {file.stem: file for file in sorted(GUIDE.glob("*.md"))}
    if page is None:
        telling.answer("\n".join(_table_of_contents(pages)))
    elif page not in pages:
        near = nearest(page, pages)
        raise WrongCommand(
            f"the guide has no page '{clean(page)}'",
            help=f"write '{near}'" if near else f"its pages are {listing(pages, most=len(pages))}",
        )
    else:
        _print_page(pages[page].read_text(encoding="utf-8"))


def _table_of_contents(pages: dict[str, Path]) -> list[str]:
    """The pages with their titles, part by part."""
    width = max(map(len, pages))
    lines = []
    for part, names in READING_ORDER.items():
        lines += ["", f"{part}:"]
        for name in names:
            title = pages[name].read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
            lines.append(f"  {name:{width}}  {title.replace('`', '')}")
    return lines[1:]


def _print_page(text: str) -> None:
    """As it is written; set in type on a terminal."""
    if not sys.stdout.isatty():
        telling.answer(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))

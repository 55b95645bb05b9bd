"""gdl games and gdl solvers; and gdl card: the game language on two pages, for people and language models."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import click

import gdl
from gdl.commands import completing, console
from gdl.errors import clean, listing
from gdl.formats.answer_records import CardAnswer, ConceptRow, GamesAnswer, GameSummary, SolverRow, SolversAnswer

WIDTH = 100


@click.command()
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


@click.command()
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
    from gdl.solvers import SOLVERS

    return (sys.modules[SOLVERS[solver].run.__module__].__doc__ or "").strip()


def _concept(name: str) -> str:
    """The explanation of a concept: its definition, its source, and the solvers that find it."""
    from gdl.solvers import CONCEPTS

    concept = CONCEPTS[name]
    found_by = listing(concept.solvers, "or", most=len(concept.solvers))
    lines = [f"{name}: {concept.definition} ({concept.source})", f"    found by {found_by}"]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8))


def _in_short(name: str) -> str:
    """Lines on a solver: its purpose, its needs and its options."""
    from gdl.commands.solver_options import option_word, parameters_of
    from gdl.solvers import SOLVERS
    from gdl.solvers.needs import needs_in_words

    solver = SOLVERS[name]
    needs = listing(needs_in_words(solver.needs))
    options = ", ".join(map(option_word, parameters_of(name)))
    lines = [f"{name}: {solver.summary}", f"    needs {needs}", f"    takes {options or 'no options'}"]
    return "\n".join(part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8))


# ---- gdl card ------------------------------------------------------------------------------------------------------


GAMES = ("nim", "kuhn", "prisoners")  # rules, rules with chance and hidden cards, a matrix
EXPECTED = 2  # lines of known answers that are shown of each
CARD_WIDTH = 120
LAYOUT = """\
A file is rules, a tree or a matrix. Sections begin at the left margin; what belongs to one stands below it, indented by
four blanks. A comment begins with #. Brackets may go over several lines. Names: letters, digits, _ ; texts: "…".
Who moves next is the other player, or the next one, unless `next` says so. A value outside its range is a fault."""
VALUES = """\
numbers      1, 2.5, 3/4   + - * / div mod, abs(x), min(a, b), max(a, b), number(x): the place of a name in its type
tests        = != < <= > >=, x in S, x not in S, and, or, not; if TEST then A else B
quantifiers  exists x in S: TEST, forall x in S: TEST, count x in S: TEST, sum x in S: N, min x in S: N, max x in S: N,
             first x in S: TEST, those x in S: TEST (a set); several names: x in S, y in T; x in S where TEST
sets         {a, b}, A + B, A * B, A - B, size(A), a in A, 1..6, set of Card
sequences    sequence of Card up to 9: size(s), first(s), last(s), s[2], x in s, s = [a, b]; push(s, x), pop(s),
             insert(s, 1, x), remove(s, 1), shuffle(s), s := []
records      type Offer = record(giver: Player, given: Good); Offer(Ann, wood), offer.given
elements     heap[i], board[column, row], size(list), none: the value that a type with ? also has (Player?)
players      Player, mover, other(mover), x[mover]; everyone chooses at once after `next everyone`, then comes `resolve`
boards       grid(c, r), hex(n), ring(n), track(n), torus(c, r), graph(a-b, b-c); step(s, north), neighbours(s), row(s),
             column(s), lines(Square, n), ray(s, d), distance(a, b), between(a, b), reach q from S along neighbours
hidden       visible to owner | none | Player when TEST; on actions: public, unseen, seen by p when TEST; say X to p
ends         TEST -> win P | lose P | draw | pay N to P | (1, 0, 2) | each p: N; `no actions`, `forever`"""


@click.command()
@click.option("--grammar", is_flag=True, help="Print a grammar of game files.")
@console.takes_json("Print it as one JSON object.")
def card(grammar: bool) -> None:
    """Print the game language on two pages.

    With --grammar, print a grammar of game files in Lark's notation, for programs that restrict the output of language
    models. It accepts every game file, and some texts that gdl check then refuses.
    """
    if grammar:
        from gdl.syntax import decoding

        text = decoding.grammar()
    else:
        text = card_text()
    console.answer_as(lambda: CardAnswer(**{"grammar" if grammar else "card": text}), lambda: text)


def card_text() -> str:
    """The card: how lines are written, from the checker's own list, the values, the words, three games, and what to do
    with a file."""
    from gdl.checker.vocabulary import WORDS
    from gdl.syntax.lexer import SECTIONS
    from gdl.syntax.shapes import SHAPES

    width = max(map(len, SHAPES)) + 2
    shapes = {word: f"{word:{width}}{shape}" for word, shape in SHAPES.items()}
    assignment = f"{':=':{width}}disc[c] := mover; several at once: a, b := b, a; one value for all: a, b := 0"
    effects = [assignment, *(line for word, line in shapes.items() if word not in SECTIONS)]
    parts = [
        "# The game language of gdl on two pages", LAYOUT,
        "## Sections", "\n".join(line for word, line in shapes.items() if word in SECTIONS),
        "## Effects", "\n".join(effects),
        "## Values", VALUES,
        "## Words that are called", textwrap.fill(", ".join(sorted(WORDS)), CARD_WIDTH),
        *(f"## {_title(name)}\n\n{_game_excerpt(name)}" for name in GAMES),
        "## Then", _DEEDS,
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


_DEEDS = """\
gdl check FILE --json   every mistake: code, line, column, message, help, the play that leads to it; mend, check again
gdl guide CODE          what a code means, with a broken file and the same file mended
gdl test FILE           whether the `expect` lines hold: write what is known of the game, and trust nothing else"""


def _title(name: str) -> str:
    return gdl.load(name).name


def _game_excerpt(name: str) -> str:
    """A game that comes with gdl, with few of its known answers."""
    lines = gdl.shipped()[name].read_text(encoding="utf-8").rstrip().splitlines()
    rules = [line for line in lines if not line.startswith(("expect ", "#"))]
    known = [line for line in lines if line.startswith("expect ")][:EXPECTED]
    return "\n".join(["\n".join(rules).rstrip("\n"), "", *known])

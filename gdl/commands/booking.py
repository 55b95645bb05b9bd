"""gdl book: an opening book, made by search."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gdl.commands import console, engines
from gdl.commands.console import WrongCommand
from gdl.commands.format_option import file_beside
from gdl.commands.game_argument import open_book, takes_game, takes_weights
from gdl.commands.limiting import ABOVE_ZERO, LATE, Limits, takes_limits
from gdl.errors import LimitReached, clean, count_text
from gdl.formats import book as books
from gdl.formats import files
from gdl.formats.answer_records import BookAnswer
from gdl.numbers import to_json
from gdl.playing.loading import STDIN, Asked

if TYPE_CHECKING:
    from gdl.playing.book import OpenBook
    from gdl.solution import Solution


ENDING = ".book"
SECONDS = 60.0  # if neither time nor number of positions is given
NODES = 50_000  # nodes of a search by default
NODES_A_SECOND, LEAST_NODES = 5_000, 100  # at most so many for each second of time, so that a search ends
WORK = 40_000  # work on finding symmetries for each second of time, a small part of it


@click.command()
@click.option("--time", type=ABOVE_ZERO, metavar="S", help="Search for this many seconds; 60 by default.")
@click.option("--positions", type=click.IntRange(1, books.MOST_POSITIONS), metavar="N",
              help="Stop when the book has N positions; the same N and seed make the same book.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(min=LEAST_NODES), metavar="N",
              help="Search each position with N nodes; 50,000 by default, or 5,000 for each second of --time if that "
                   "is less.")  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="The seed of simulations; 0 by default.")
@click.option(
    "-o", "--output", metavar="FILE", help="Keep the book in this file (-: in no file); by default beside the game."
)
@click.option("--fresh", is_flag=True, help="Begin a new book, and do not continue the existing one.")
@console.takes_json("Print the book's answer for the start as one JSON object.")
@engines.takes_engine
@takes_limits("memory")
@takes_game
@takes_weights
def book(
    asked: Asked,
    time: float | None,
    positions: int | None,
    nodes: int | None,
    seed: int | None,
    output: str | None,
    fresh: bool,
    engine: str,
    limits: Limits,
) -> None:
    """Make an opening book by search.

    Searches the positions one after another, the most needed first, with everything that follows them. The book is kept
    in one file, for --book of play, match, ugi and solve; the same command continues it.
    """
    from gdl.playing.book import OpenBook, begin_book
    from gdl.playing.book_search import BookSearch
    from gdl.symmetry.rule_terms import MOST_WORK

    seconds = None if time is None and positions is not None else time or SECONDS
    timed = replace(limits, seconds=seconds, late=LATE).start_clock()
    file = file_beside(asked.loaded.description, output, ENDING, "book", books.is_such, "gdl book")
    with files.lock_file(file, f"which makes a book of {clean(asked.game.name)}") if file else nullcontext():
        if file and file.is_file() and not fresh:
            found = open_book(asked.game, str(file))
            _check(found, nodes, seed)
        else:
            work = MOST_WORK if seconds is None else min(MOST_WORK, int(WORK * (1 + seconds)))
            usual = NODES if time is None else max(LEAST_NODES, min(NODES, int(NODES_A_SECOND * time)))
            with timed.enforce():
                made = begin_book(asked.game, nodes or usual, seed or 0, work)
                found = OpenBook(asked.game, made, str(file or STDIN))
        making = BookSearch(
            asked.game, found, engine, file, timed.end, positions,
            watch=lambda: timed.enforce("positions", positions), company=engines.company(),
        )  # fmt: skip
        try:
            making.run()
        except (LimitReached, KeyboardInterrupt):
            if file and found.book.entries:
                console.remark(f"kept in {clean(str(file))}: the same command goes on from there")
            raise
    if not found.book.entries:
        from gdl.solvers.budget import so_far

        stop = LimitReached("stopped before the first position was searched; more --time or fewer --nodes are needed")
        _tell(asked, found, None, so_far(asked.game, "book", None, str(stop)))
        raise stop
    _tell(asked, found, file, found.solution(found.start))


def _check(found: OpenBook, nodes: int | None, seed: int | None) -> None:
    """Raise WrongCommand if the book's game, evaluation, nodes or seed are others than those with which it was
    begun."""
    from gdl.playing.book import evaluation_of

    made, anew = found.book, "name another file, or begin anew with --fresh"
    if made.entries[0].key != found.keys.of(found.start):
        raise WrongCommand(f"the book {found.name} begins at another position", help=anew)
    if made.evaluation != evaluation_of(found.rules.model):
        raise WrongCommand(f"the book {found.name} was searched with another evaluation", help=anew)
    if nodes not in (None, made.nodes) or seed not in (None, made.seed):
        told = f"the book {found.name} was begun with --nodes {made.nodes} --seed {made.seed}"
        raise WrongCommand(told, help="leave them out, or begin anew with --fresh")


def _tell(asked: Asked, found: OpenBook, file: Path | None, solution: Solution | None) -> None:
    """Print the size of the book and its answer at the start, as text or as JSON."""
    entries = found.book.entries
    full = sum(entry.after is not None for entry in entries)
    proven = sum(found.is_proved(at) for at in range(len(entries)))
    if console.is_json():
        value = (None if solution is None else solution.value) or ()
        worths = {player: to_json(worth) for player, worth in zip(asked.game.players, value, strict=False)} or None
        exact, line = solution is not None and solution.exact, solution.line if solution else ()
        kept = None if file is None else str(file)
        told = BookAnswer(asked.game.name, len(entries), full, proven, worths, exact, line, kept)
        console.answer_json(told)
    else:
        from gdl.render import text

        has = f"The book has {count_text(len(entries), 'position')}; of {full:,} it has all that follows."
        lines = [f"{has}\nThe worth of {proven:,} is proved; the others are estimates."] if entries else []
        lines += [] if solution is None else [text.solution_text(solution, asked.game).rstrip("\n")]
        console.answer("\n\n".join(lines))
    if file:
        console.remark(f"written to {clean(str(file))}, for --book of play, match, ugi and solve")

"""gdl sheet: an exam sheet of games, and its key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from gdl.commands import completing, console
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import ask, questions_in, read_text, settings_and_variant, takes_transform
from gdl.commands.limiting import LOOKING, NONE, add_time_limit, keeps_limits, start_clock
from gdl.commands.solver_options import SolverCommand, takes_solver
from gdl.errors import LimitReached, clean, listing
from gdl.formats.files import write
from gdl.game import Game, Number
from gdl.playing.loading import Asking
from gdl.solution import Solution
from gdl.wings.exam.command_options import course_words, takes_language, takes_points, takes_words
from gdl.wings.exam.posed_questions import Posed, is_undrawn, pose, refuse_large, split_kind
from gdl.wings.exam.practice_file import put_practice


@click.command(cls=SolverCommand)
@keeps_limits("memory", usual=LOOKING)
@click.argument("files", nargs=-1, required=True, metavar="FILE[:KIND]...", shell_complete=completing.games)
@click.option("-o", "--output", required=True, metavar="FILE", help="Write the sheet here: .pdf, .html or .tex.")
@click.option("--key", "key_file", metavar="FILE", help="Write the sheet with its answers here.")
@settings_and_variant
@click.option("--position", metavar="TEXT", help="Begin at a position: its name, or its text in the game's notation.")
@click.option("--after", metavar="ACTIONS", help="Begin after these actions.")
@takes_transform
@takes_solver("The search to ask for. With --help, list the options of this solver too.")
@click.option("--bounds", type=click.Choice(["nodes", "edges"]), help="Ask for alpha and beta at the nodes or edges.")
@takes_points
@takes_language
@takes_words
@click.option("--title", default="", metavar="TEXT", help="The title above the questions; Exam by default.")
@click.option("--variants", is_flag=True, help="Every FILE is one student's sheet, with a line for the name.")
@click.option("--practice", is_flag=True, help="Write a page, -o FILE.html, on which to fill in the questions.")
def sheet(
    files: tuple[str, ...],
    output: str,
    key_file: str | None,
    settings: dict[str, str],
    variant: str | None,
    position: str | None,
    after: str | None,
    transform: str | None,
    solver: str,
    bounds: Any,
    worths: dict[str, Number],
    language: str,
    own_words: str | None,
    title: str,
    variants: bool,
    practice: bool,
    **options: Any,
) -> None:
    """Make an exam sheet of games, and its key.

    Every game is a question with its points, drawn without its answers and with room for them; --key writes the same
    filled in. FILE:KIND asks for something else, a kind that gdl guide teachers lists, or the answer of a solver:
    nim:winner, prisoners:dominance. PDF needs the extra gdl[pictures].
    """
    from gdl.render.text import solution_text
    from gdl.wings.exam.sheet import Sheet, sheet_of

    kinds = kinds_of_sheets(output, key_file)
    given = {"practice": practice, "key": key_file, "variants": variants, "output": Path(output).suffix}
    refuse_clashes("sheet", given)
    if variants and (count := next((one for one in files if one.isdecimal()), "")):
        help = f'an .exam file makes variants: exam "Midterm" (variants = {count})'
        raise WrongCommand(f"--variants takes no number: '{count}'", help=help)
    words = course_words(language, own_words)
    asked = [split_kind(file) for file in files]
    by = Asking("", "", settings, variant, position, after)
    wanted = [(one, kind) for file, kind in asked for one in _askings(file, by, kind, transform)]
    options, posed = start_clock(options), list[Posed]()
    found_so_far = list[tuple[Solution, Game[Any]]]()
    more = {"worths": worths, "bounds": bounds, "found": found_so_far}
    try:
        with replace(add_time_limit(NONE, options), late=0.0).enforce():
            for one, kind in wanted:
                game = ask(one).game
                if not is_undrawn(kind, game):
                    refuse_large(one, game)
                given = {**options, **(one.question.options if one.question else {}), "transform": transform}
                named = one.question.solver if one.question and solver == "auto" else solver
                keep = partial(lambda game, found: found_so_far.append((found, game)), game)
                saved_kind = one.question.kind if one.question else ""
                with console.partial_answers(keep, Solution):
                    posed.append(pose(game, kind or saved_kind, named, given, words, more, one.question))
            if practice:
                return put_practice(posed, output, options, worths, clean(title), words)
            for file, kind in kinds.items():
                items = drawn_items(posed, kind, blank=file is output, bounds=bounds, words=words)
                papers = [[item] for item in items] if variants else [items]
                write(file, sheet_of(Sheet(papers, words, clean(title), file is not output, variants), kind))
    except LimitReached:  # what was found can at least be read
        for found, game in found_so_far:
            console.answer(solution_text(found, game))
        raise


def kinds_of_sheets(*files: str | None) -> dict[str, str]:
    """The kind of each sheet that is to be written, which the ending of its file names."""
    from gdl.wings.exam.sheet import KINDS

    kinds = {file: Path(file).suffix.removeprefix(".") for file in files if file is not None}
    for file, kind in kinds.items():
        if kind not in KINDS:
            help = f"let its name end in {listing((f'.{kind}' for kind in KINDS), 'or')}"
            raise WrongCommand(f"'{clean(file)}' has no ending of a known format", help=help)
    return kinds


def drawn_items(posed: list[Posed], kind: str, **look: Any) -> list[Any]:
    """The questions of a sheet, each with its picture, which shows as much of the tree as the question needs."""
    from gdl.wings.exam.given_tables import TABLES
    from gdl.wings.exam.purposes import Purposes
    from gdl.wings.exam.sheet import Item, draw_question, side_by_side

    items = []
    for one in posed:
        asked = one.question.asked.kind
        bare = {"depth": 0, "blank": False} if is_undrawn(asked, one.game) else {}
        own = {**look, "values": not one.question.parts, "estimates": asked == "deepening"}
        own |= {"depth": one.question.key.names.depth if one.question.key else None, **bare}
        if asked in (*TABLES, "own"):
            drawn = side_by_side(one.boards) if one.boards and kind != "tex" else ""
            if one.boards and not drawn:
                _tell_missing_boards()
        else:
            shown = one.game.drawn(one.solution) if isinstance(one.game, Purposes) else (one.game, one.solution)
            drawn = draw_question(*shown, kind, **own)
        items.append(Item(one.question, drawn))
    return items


@cache
def _tell_missing_boards() -> None:
    """Say once that a picture is left out."""
    console.remark("note: LaTeX has no pictures of positions; .pdf and .html have them")


def _askings(file: str, by: Asking, kind: str, transform: str | None) -> Iterator[Asking]:
    """A request for the game of a file, or for each question if the file is an exam in JSON."""
    text, name, folder = read_text(file)
    by = by._replace(text=text, name=name, folder=folder, file=file)
    by = by._replace(transform=None if kind == "transform" else transform)
    yield from [by._replace(text=one.game, question=one) for one in questions_in(text, name)] or [by]

"""gdl grade: marks for what students have answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import gdl
from gdl.commands import console, size_warnings
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import ask, read_text, takes_game, takes_transform
from gdl.commands.limiting import LOOKING, NONE, add_time_limit, keeps_limits, start_clock
from gdl.commands.solver_options import SolverCommand, takes_solver
from gdl.errors import GameError, WrongRequest, clean
from gdl.formats.files import write
from gdl.game import Game
from gdl.playing.loading import Asked
from gdl.wings.exam.class_answers import is_class_table
from gdl.wings.exam.command_options import course_words, keep_open, read_answers, takes_points, takes_words
from gdl.wings.exam.decisions import Decisions, look_text, open_answers, read_decisions
from gdl.wings.exam.phrases import LANGUAGES, Words, in_all_languages
from gdl.wings.exam.posed_questions import pose
from gdl.wings.exam.practice_file import other_keys


class GradeCommand(SolverCommand):
    """The command, which says what was meant where the game stands behind the answers."""

    def invoke(self, ctx: click.Context) -> Any:
        """Grade, or say how to write it if the first file is no game, and the second one is."""
        if ctx.params["kind"] == "transform":  # the question's: the game keeps its utilities
            ctx.meta["formula"], ctx.params["transform"] = ctx.params["transform"], None
        try:
            return super().invoke(ctx)
        except GameError as wrong:
            file, game = ctx.params["file"], next(iter(ctx.params["answers"]), "")
            is_game = game.endswith(".game") or game in gdl.shipped()
            if isinstance(wrong, WrongRequest) or not is_game or file.endswith(".game") or ctx.params["program"]:
                raise
            help = f"write gdl grade {clean(game)} {clean(file)}"
            raise WrongCommand(f"'{clean(file)}' is no game: the game stands before the answers", help=help) from None


@click.command(cls=GradeCommand)
@keeps_limits("memory", usual=LOOKING)
@takes_transform
@takes_game
@click.argument("answers", nargs=-1, metavar="ANSWERS...")
@click.option("--program", metavar="FILE.py[:NAME]", help="Grade this program on the games.")
@click.option("--seconds", type=click.IntRange(1, 3_600), default=10, help="The time of a program for each game.")
@click.option("--results", metavar="FILE", help="With --program, write results.json here.")
@click.option("--ask", "kind", metavar="KIND", default="", help="What was asked, as in FILE:KIND of gdl sheet.")
@takes_solver("The search that was asked for.")
@click.option("--bounds", type=click.Choice(["nodes", "edges"]), help="Alpha and beta on entry were asked for too.")
@takes_points
@click.option("--question", "number", type=click.IntRange(1), metavar="N", help="Grade the Nth question of a page.")
@takes_words
@click.option("--follow-on", is_flag=True, help="Count answers that follow from a mistake as right.")
@click.option("--csv", "as_csv", is_flag=True, help="Print one line of marks for each file, as CSV.")
@console.takes_json("Print the marks as one JSON object.")
def grade(
    asked: Asked,
    answers: tuple[str, ...],
    program: str | None,
    seconds: int,
    results: str | None,
    kind: str,
    solver: str,
    number: int | None,
    own_words: str | None,
    follow_on: bool,
    as_csv: bool,
    **options: Any,
) -> int:
    """Grade students' answers to the questions of `gdl sheet`.

    ANSWERS is a file, or - for the standard input, such as: A=3 B=3 C<=2 cut: c2 c3 best: a1. Every inner node counts
    one point, the list of what is skipped one, the best action one, unless --points says otherwise; of a table the best
    replies one and every equilibrium one; of a question of another KIND every line. The exit status is 1 if anything is
    wrong.
    """
    from gdl.wings.exam.grade import GradeReport, marks_table, read
    from gdl.wings.exam.grade import grade as graded
    from gdl.wings.exam.lines import grade_lines

    given = {"program": program, "results": results, "json": console.is_json(), "csv": as_csv}
    refuse_clashes("grade", {**given, "several": len(answers) > 1})
    if program is not None:
        return _grade_program(program, asked, answers, (solver, options), seconds, results)
    if not answers:
        raise WrongCommand("there are no ANSWERS", help="write the files of them behind the game")
    game, more, saved = asked.game, {name: options.pop(name) for name in ("bounds", "worths")}, asked.by.question
    if kind == "transform":
        options["transform"] = click.get_current_context().meta["formula"]
    if saved is not None:
        kind, solver = kind or saved.kind, saved.solver if solver == "auto" else solver
        options |= {name: value for name, value in saved.options.items() if options.get(name) is None}
    options = start_clock(options)
    size_warnings.whole_tree(game, options)
    with add_time_limit(NONE, options).enforce():
        posed = pose(game, kind, solver, options, Words(), more, saved)
        right = posed.question.key
        others = {} if right is None or posed.solution is None else other_keys(game, posed.solution, options)

        def marks_of(text: str) -> GradeReport:
            text = words.in_our_words(text)
            if right is None:
                return grade_lines(posed.question.parts, text, saved)
            told = read(text, right.names)
            return graded(right, told, others, follow_on=follow_on, asked=posed.question.asked.asked)

        number = number or (saved.number if saved else None)
        words = course_words(LANGUAGES[0], own_words, may_be_new=True)
        decisions = Decisions(read_decisions(words.course))
        texts = {file: _answers_to(number, _one_student(file), file) for file in answers}
        marked = {file: decisions.mark(marks_of, text, number or 1) for file, text in texts.items()}
    found = open_answers((number or 1, 1, marks) for marks in marked.values())
    keep_open(words, found)
    if as_csv:
        console.answer(marks_table(marked))
    elif console.is_json():
        console.answer_json(marked[answers[0]].to_record())
    else:
        console.answer(_marks_text(marked, look_text(found, words)))
    return 0 if all(marks.score == marks.possible for marks in marked.values()) else 1


def _marks_text(marked: Mapping[str, Any], look: str) -> str:
    """The marks of each file, those of all together, and the request to look at some."""
    from gdl.wings.exam.grade import class_summary, graded_text

    heads = (f"{clean(file)}: " if len(marked) > 1 else "" for file in marked)
    told = [head + graded_text(marks).rstrip() for head, marks in zip(heads, marked.values(), strict=True)]
    summary = [class_summary(list(marked.values()))] if len(marked) > 1 else []
    return "\n\n".join(filter(None, [*told, *summary, look]))


def _grade_program(
    program: str, asked: Asked, others: Sequence[str], search: tuple[str, Any], seconds: int, file: str | None
) -> int:
    """Grade a program on games, each as the first one is asked for; the exit status."""
    from gdl.wings.exam.program_marks import mark_program, mark_rules, program_text, results_json

    solver, options = search
    source = program.rpartition(":")[0] or program
    if (suffix := Path(source).suffix) not in (".py", ".game"):
        help = "name a file that ends with .py, or with .game for rules"
        raise WrongCommand(f"'{clean(source)}' is no program in Python", help=help)
    read_answers(source)
    options = {name: told for name, told in start_clock(options).items() if name not in ("bounds", "worths")}
    marked = []

    def game_in(file: str) -> Game[Any]:
        text, name, folder = read_text(file)
        return ask(asked.by._replace(text=text, name=name, folder=folder, file=file)).game

    for one in (asked.by.file, *others):
        game = game_in(one)
        if suffix == ".py":
            marked.append(mark_program(program, one, game, solver, options, seconds))
        else:
            marked.append(mark_rules(one, lambda: game_in(source), game, seconds))
    if file is not None:
        write(file, results_json(marked))
    console.answer(program_text(marked))
    return int(any(one.score < len(one.marks) for one in marked))


def _one_student(file: str) -> str:
    """The answers in a file; refused if it is the table of a class, which has a row for each student."""
    text = read_answers(file)
    if is_class_table(text):
        help = "put each student's answer in a file of its own, and name all of them: gdl grade GAME answers/*.txt"
        raise WrongCommand(f"{clean(file)} is a table with a row for each student, not the answers of one", help=help)
    return text


def _answers_to(number: int | None, text: str, file: str) -> str:
    """The part of the answers that belongs to the question of that number, if the text answers several (as a page for
    practice hands them in); else all."""
    question = "|".join(in_all_languages("question"))
    head, *pieces = re.split(rf"^(?:{question}) ([0-9]{{1,4}}):\s*$", text, flags=re.MULTILINE)
    found = {int(key): told for key, told in zip(pieces[::2], pieces[1::2], strict=True)}
    if number is None and len(found) > 1:
        raise WrongCommand(f"{clean(file)} answers {len(found):,} questions", help="choose one, as in --question 1")
    return head + found.get(number or min(found), "") if found else text

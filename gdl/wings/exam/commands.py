"""gdl quiz, gdl sheet and gdl grade: the exam desk."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import click

import gdl
from gdl.commands import completing, console, size_warnings
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import (
    ask,
    bytes_of,
    questions_in,
    read_text,
    settings_and_variant,
    takes_game,
    takes_transform,
)
from gdl.commands.limiting import LOOKING, NONE, add_time_limit, keeps_limits, start_clock
from gdl.commands.solver_options import DrawingCommand, SolverCommand, takes_solver
from gdl.commands.solving import solve_with_trace
from gdl.errors import LimitReached, clean, listing
from gdl.errors.limits import SOURCE
from gdl.formats.files import write
from gdl.game import Game, Number
from gdl.numbers import read_number
from gdl.playing.loading import Asked, Asking
from gdl.solution import Solution
from gdl.wings.exam.phrases import LANGUAGES, Words, in_all_languages, read_words
from gdl.wings.exam.posed_questions import UNDRAWN, Posed, check_kind, pose, refuse_large, split_kind

LARGEST = 2_000  # nodes of a tree that is made
EXERCISES = 10  # trees of a page to practise on


def _range(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    """The two ends of `2..3`; both are the same for a single number."""
    found = re.fullmatch(r"(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?", value.strip())
    if found is None:
        raise click.BadParameter(f"'{clean(value)}' is not of the form 2..3")
    low, high = int(found[1]), int(found[2] or found[1])
    if low > high:
        raise click.BadParameter(f"{low}..{high} is empty; write {high}..{low}")
    return low, high


def _worths(context: click.Context, parameter: click.Parameter, value: str) -> dict[str, Number]:
    """The points for each sort of items, from `cut=3,nodes=1`."""
    from gdl.wings.exam.kinds import KINDS
    from gdl.wings.exam.question import SORTS

    sorts = (*SORTS, *(kind for kind in KINDS if kind not in SORTS))
    found: dict[str, Number] = {}
    for part in filter(None, value.split(",")):
        name, _, points = part.strip().partition("=")
        try:
            found[sorts[sorts.index(name)]] = read_number(points)
        except ValueError:
            raise click.BadParameter(f"write the points of {listing(SORTS)} as in cut=3,nodes=1") from None
    return found


_POINTS = "Points that are not 1: cut=3,nodes=1."
takes_points = click.option("--points", "worths", default="", callback=_worths, metavar="ITEM=N,...", help=_POINTS)


_LANGUAGE, _WORDS = "The language of the questions.", "Words of a course: lines NAME = PHRASE."
takes_language = click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], help=_LANGUAGE)
takes_words = click.option("--words", "own_words", metavar="FILE", help=_WORDS)


@click.command()
@keeps_limits("time", "memory", usual=LOOKING)
@click.option("--depth", type=click.IntRange(1, 8), default=3, help="The depth in plies; a chance node is one.")
@click.option("--branching", default="2..3", callback=_range, metavar="LOW..HIGH", help="Children of each node.")
@click.option("--values", default="0..9", callback=_range, metavar="LOW..HIGH", help="The whole numbers at the leaves.")
@click.option("--want", default="", metavar="TEXT", help='The properties of the tree, as in "2 cuts, no ties".')
@click.option("--first", type=click.Choice(["MAX", "MIN"]), default="MAX", help="Who begins.")
@click.option("--cut", type=click.Choice(["ge", "gt"]), default="ge", help="The pruning rule for the key.")
@click.option("--seed", type=int, default=0, help="The same seed makes the same trees.")
@click.option("--batch", type=click.IntRange(1, 1_000), metavar="N", help="Make N trees (default 1; to practise, 10).")
@click.option(
    "-o",
    "--output",
    metavar="WHERE",
    help="Write each tree and its key in this folder; or one tree, X.game, and its key.",
)
@click.option("--student", type=click.IntRange(1, 10**12), metavar="N", help="Make the tree of this student's number.")
@click.option("--ask", "kind", metavar="KIND", default="", help="What to ask, as in FILE:KIND of gdl sheet.")
@takes_points
@takes_language
@takes_words
@click.option("--practice", is_flag=True, help="Write one page, -o FILE.html, on which to fill in the trees.")
@console.takes_json("Print the trees and their keys as JSON.")
def quiz(
    depth: int,
    branching: tuple[int, int],
    values: tuple[int, int],
    want: str,
    first: str,
    cut: str,
    seed: int,
    batch: int | None,
    output: str | None,
    student: int | None,
    kind: str,
    worths: dict[str, Number],
    language: str,
    own_words: str | None,
    practice: bool,
) -> None:
    """Make exam trees with the properties you want.

    --want takes, separated by commas: 2 cuts, at least 2 cuts, 1..3 cuts, no cuts (skipped subtrees are counted), deep
    cut, rules differ, rules agree, no ties, unique best, best not first, 14 leaves, same points, chance, three players.
    Where nothing is wanted, a tree has at least 1 cut. As JSON, one tree is an object, a batch a list.
    """
    from gdl.solvers import solve
    from gdl.wings.exam.quiz import Quiz
    from gdl.wings.exam.quiz import quiz as made
    from gdl.wings.exam.wishes import ExamTreeShape

    ending = Path(output or "").suffix
    given = {"practice": practice, "json": console.is_json(), "output": ending}
    refuse_clashes("quiz", {**given, "language": language != "en" or own_words is not None})
    batch = batch or (EXERCISES if practice else 1)
    shape = ExamTreeShape(depth, branching, values, first, cut)
    wanted = _wishes(shape, want)
    if ending == ".game" and batch > 1:
        raise WrongCommand(f"{batch:,} trees are not one file", help="name a folder, as in -o trees")
    made_so_far: list[Quiz] = []
    stopped: LimitReached | KeyboardInterrupt | None = None
    try:
        with NONE.enforce("trees") as progress:
            tried = count(1)
            for number in range(1, batch + 1) if student is None else [student]:
                tree = made(
                    shape, wanted, seed, number, lambda text: gdl.loads(text).game, solve, lambda: progress(next(tried))
                )
                made_so_far.append(tree)
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stop
    words = _words(language, own_words)
    posed = _pose_each(made_so_far, kind, cut, worths, words)
    if practice and output is not None:
        _put_practice(posed, output, {"cut": cut}, worths, "", words)
    else:
        _put_quizzes(made_so_far, output, batch, [one.question.asked for one in posed])
    if stopped:
        raise stopped


def _wishes(shape: Any, want: str) -> Any:
    """The wishes for trees of that shape, in words or, where nothing is said, a cut if there can be one; refused if
    no tree is like that."""
    from gdl.wings.exam.wishes import UnknownExamWish, impossible, read

    try:
        wanted = read(want)
    except UnknownExamWish as wrong:
        raise WrongCommand(str(wrong)) from None
    if shape.branching[0] < 1 or shape.branching[1] ** shape.depth > LARGEST:
        raise WrongCommand(f"a tree has 1 to {LARGEST:,} leaves", help="use a smaller depth or branching")
    if not want and not impossible(shape, some := read("at least 1 cut")):
        wanted = some
    if missing := impossible(shape, wanted):
        raise WrongCommand(missing.message, help=missing.help)
    return wanted


def _put_practice(
    posed: list[Posed], file: str, options: dict[str, Any], worths: dict[str, Number], title: str, words: Any
) -> None:
    """Write one page for practice with all the questions; a question on a search has a key for each pruning rule."""
    from gdl.wings.exam.practice import Exercise, practice_page
    from gdl.wings.exam.sheet import draw_question

    exercises = []
    for one in posed:
        right, keys = one.question.key, dict[str, Any]()
        if right is not None and one.solution is not None:
            rule = one.solution.rule.cut if right.prunes and one.solution.rule else ""
            others = _others(one.game, one.solution, options) if right.prunes else {}
            found = {rule: right} | {name.removeprefix("--cut "): other for name, other in others.items()}
            keys |= {name: found[name] for name in ("ge", "gt", "") if name in found}
        bare = keys or one.question.asked.kind in UNDRAWN
        look = {"blank": True, "bounds": None, "words": words, "values": not one.question.parts}
        drawn = "" if bare else draw_question(one.game, one.solution, "svg", **look)
        exercises.append(Exercise(one.game, keys, worths, one.question, drawn))
    if exercises:
        write(file, practice_page(title, exercises, options.get("cut") or "ge", words))
        many = "1 question is" if len(posed) == 1 else f"{len(posed):,} questions are"
        console.remark(f"{many} in {clean(file)}")


def _pose_each(made: list[Any], kind: str, cut: str, worths: dict[str, Number], words: Any) -> list[Posed]:
    """The questions, one about each tree."""
    from gdl.wings.exam.question import exam_question

    check_kind(kind)
    posed = []
    for each in made:
        solver = each.key.solution.solver if kind in ("", "search") else "auto"
        options = {"cut": cut} if each.key.prunes else {}
        one = pose(gdl.loads(each.text).game, kind, solver, options, words, {"worths": worths})
        asked = exam_question(one.question.asked.kind, each.text, one.question.asked.asked)
        posed.append(one._replace(question=replace(one.question, asked=asked)))
    return posed


def _put_quizzes(made: list[Any], output: str | None, batch: int, asked: list[Any]) -> None:
    """Print the trees with their keys, as text or JSON; with `output`, write a game file and a key for each into that
    folder."""
    keys = [
        each.key.text() if one.kind == "search" else "\n".join(f"{part.item}: {part.right}" for part in one.asked)
        for each, one in zip(made, asked, strict=True)
    ]
    if output is not None:
        folder = Path(output)
        is_file = folder.suffix == ".game"
        if not is_file:
            folder.mkdir(parents=True, exist_ok=True)
        for number, (each, right) in enumerate(zip(made, keys, strict=True), start=1):
            file = folder if is_file else folder / f"quiz-{number:03}.game"
            write(file, each.text)
            write(file.with_suffix(".key"), right + "\n")
        many = "1 tree and its key are" if len(made) == 1 else f"{len(made):,} trees and their keys are"
        where = f"{clean(output)} and {clean(str(folder.with_suffix('.key')))}" if is_file else clean(output)
        console.remark(f"{many} in {where}")
    if console.is_json() and made:
        from gdl.wings.exam.answers import ExerciseAnswer

        pairs = zip(asked, made, strict=True)
        rows = [ExerciseAnswer.fill_from(one, answers=each.key.to_record()) for one, each in pairs]
        console.answer_json(rows if batch > 1 else rows[0])
    elif output is None and made:
        told = (right.replace("\n", "\n#      ") for right in keys)
        console.answer("\n".join(f"{each.text}\n# Key: {right}\n" for each, right in zip(made, told, strict=True)))


# ---- Sheets -------------------------------------------------------------------------------------------------------


@click.command(cls=DrawingCommand)
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

    kinds = _kinds_of_sheets(output, key_file)
    given = {"practice": practice, "key": key_file, "variants": variants, "output": Path(output).suffix}
    refuse_clashes("sheet", given)
    words = _words(language, own_words)
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
                if kind not in UNDRAWN:
                    refuse_large(one, game)
                given = {**options, **(one.question.options if one.question else {}), "transform": transform}
                named = one.question.solver if one.question and solver == "auto" else solver
                keep = partial(lambda game, found: found_so_far.append((found, game)), game)
                saved_kind = one.question.kind if one.question else ""
                with console.partial_answers(keep, Solution):
                    posed.append(pose(game, kind or saved_kind, named, given, words, more, one.question))
            if practice:
                return _put_practice(posed, output, options, worths, clean(title), words)
            for file, kind in kinds.items():
                items = _items(posed, kind, blank=file is output, bounds=bounds, words=words)
                write(file, sheet_of(Sheet(items, words, clean(title), file is not output, variants), kind))
    except LimitReached:  # what was found can at least be read
        for found, game in found_so_far:
            console.answer(solution_text(found, game))
        raise


def _kinds_of_sheets(*files: str | None) -> dict[str, str]:
    """The kind of each sheet that is to be written, which the ending of its file names."""
    from gdl.wings.exam.sheet import KINDS

    kinds = {file: Path(file).suffix.removeprefix(".") for file in files if file is not None}
    for file, kind in kinds.items():
        if kind not in KINDS:
            raise WrongCommand(
                f"'{clean(file)}' has no ending of a known format",
                help=f"let its name end in {listing((f'.{kind}' for kind in KINDS), 'or')}",
            )
    return kinds


def _items(posed: list[Posed], kind: str, **look: Any) -> list[Any]:
    """The questions of a sheet, each with its picture, which shows as much of the tree as the question needs."""
    from gdl.wings.exam.sheet import Item, draw_question

    items = []
    for one in posed:
        asked = one.question.asked.kind
        own = {**look, "values": not one.question.parts, **({"depth": 0, "blank": False} if asked in UNDRAWN else {})}
        items.append(Item(one.question, "" if asked == "ucb" else draw_question(one.game, one.solution, kind, **own)))
    return items


def _words(language: str, file: str | None) -> Any:
    """The words of a sheet in a language; those in `file`, if given, replace some."""
    return Words(language) if file is None else read_words(language, _read_answers(file), file)


def _askings(file: str, by: Asking, kind: str, transform: str | None) -> Iterator[Asking]:
    """A request for the game of a file, or for each question if the file is an exam in JSON."""
    text, name, folder = read_text(file)
    by = by._replace(text=text, name=name, folder=folder, file=file)
    by = by._replace(transform=None if kind == "transform" else transform)
    yield from [by._replace(text=one.game, question=one) for one in questions_in(text, name)] or [by]


# ---- Grading ------------------------------------------------------------------------------------------------------


@click.command(cls=SolverCommand)
@keeps_limits("memory", usual=LOOKING)
@takes_transform
@takes_game
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS...")
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
    from gdl.wings.exam.grade import GradeReport, class_summary, graded_text, marks_table, read
    from gdl.wings.exam.grade import grade as graded
    from gdl.wings.exam.lines import grade_lines

    refuse_clashes("grade", {"json": console.is_json(), "csv": as_csv, "several": len(answers) > 1})
    game, more, saved = asked.game, {name: options.pop(name) for name in ("bounds", "worths")}, asked.by.question
    if kind == "transform":
        game, options["transform"] = getattr(game, "game", game), asked.by.transform
    if saved is not None:
        kind, solver = kind or saved.kind, saved.solver if solver == "auto" else solver
        options |= {name: value for name, value in saved.options.items() if options.get(name) is None}
    options = start_clock(options)
    size_warnings.whole_tree(game, options)
    with add_time_limit(NONE, options).enforce():
        posed = pose(game, kind, solver, options, Words(), more, saved)
        right = posed.question.key
        others = {} if right is None or posed.solution is None else _others(game, posed.solution, options)

        def marks_of(text: str) -> GradeReport:
            if right is None:
                return grade_lines(posed.question.parts, text, saved)
            told = read(text, right.names)
            return graded(right, told, others, follow_on=follow_on, asked=posed.question.asked.asked)

        number = number or (saved.number if saved else None)
        words = _words(LANGUAGES[0], own_words)
        texts = {file: words.in_our_words(_one_student(_read_answers(file), file)) for file in answers}
        marked = {file: marks_of(_answers_to(number, text, file)) for file, text in texts.items()}
    if as_csv:
        console.answer(marks_table(marked))
    elif console.is_json():
        console.answer_json(marked[answers[0]].to_record())
    else:
        heads = (f"{clean(file)}: " if len(marked) > 1 else "" for file in marked)
        told = [head + graded_text(marks) for head, marks in zip(heads, marked.values(), strict=True)]
        summary = [class_summary(list(marked.values()))] if len(marked) > 1 else []
        console.answer("\n\n".join([*told, *summary]))
    return 0 if all(marks.score == marks.possible for marks in marked.values()) else 1


def _read_answers(file: str) -> str:
    return bytes_of(file, SOURCE).decode("utf-8-sig", errors="replace")


_COLUMN_OF_A_CLASS = re.compile(  # a column that stands once for each student in the table of a class
    r"(?:sur|last |first |user|full )?name|e-?mail(?: address)?|id(?: number)?|student(?: id)?|sid|sis .*|"
    r"(?:response|question|answer|q)[ .]?\d+|state|status|started on|completed|time taken|timestamp|"
    r"(?:nach|vor)name|matrikelnummer",
    re.IGNORECASE,
)


def _one_student(text: str, file: str) -> str:
    """The text; refused if it is the table of a class, with a row for each student."""
    first = text.lstrip().partition("\n")[0]
    sign = max(",;\t", key=first.count)
    heads = next(csv.reader([first], delimiter=sign), [])
    named = [bool(_COLUMN_OF_A_CLASS.fullmatch(head.strip())) for head in heads]
    if len(heads) > 1 and 2 * sum(named) >= len(heads):
        raise WrongCommand(
            f"{clean(file)} is a table with a row for each student, not the answers of one",
            help="put each student's answer in a file of its own, and name all of them: gdl grade GAME answers/*.txt",
        )
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


def _others(game: Game[Any], solution: Solution, options: dict[str, Any]) -> dict[str, Any]:
    """The key under the other pruning rule, by the option that asks for it; empty if the rule makes no
    difference."""
    from gdl.explain.key import key
    from gdl.solvers.recorded_steps import could_prune

    rule = solution.rule
    if rule is None or not (solution.solver == "alpha-beta" or could_prune(solution)):
        return {}
    cut = "gt" if rule.cut == "ge" else "ge"
    given = {name: value for name, value in options.items() if name != "transform"}
    other = solve_with_trace(game, solution.solver, **{**given, "cut": cut})
    return {f"--cut {cut}": key(game, other, options.get("depth"))}

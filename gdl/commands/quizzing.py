"""gdl quiz, gdl sheet, gdl grade and gdl step: the exam desk."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import click

import gdl
from gdl.commands import completing, foretelling, telling
from gdl.commands.clashes import refuse_clashes
from gdl.commands.explaining import solve_with_trace
from gdl.commands.game_argument import bytes_of, load, takes_game
from gdl.commands.limiting import LOOKING, NONE, add_time_limit, keeps_limits, start_clock
from gdl.commands.solver_options import SolverCommand, takes_solver
from gdl.commands.solving import find
from gdl.commands.telling import WrongCommand
from gdl.errors import LimitReached, clean, listing
from gdl.errors.limits import SOURCE
from gdl.exam.phrases import LANGUAGES
from gdl.formats.files import write
from gdl.game import Game, Number
from gdl.numbers import read_number
from gdl.playing.asked_game import Asked
from gdl.solution import Solution

LARGEST = 2_000  # nodes of a tree that is made
EXERCISES = 10  # trees of a page to practise on


def _range(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    """`2..3`, or one number for both ends."""
    found = re.fullmatch(r"(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?", value.strip())
    if found is None:
        raise click.BadParameter(f"'{clean(value)}' is not of the form 2..3")
    low, high = int(found[1]), int(found[2] or found[1])
    if low > high:
        raise click.BadParameter(f"{low}..{high} is empty; write {high}..{low}")
    return low, high


def _worths(context: click.Context, parameter: click.Parameter, value: str) -> dict[str, Number]:
    """`cut=3,nodes=1`: the points of sorts of items."""
    from gdl.exam.question import SORTS

    found: dict[str, Number] = {}
    for part in filter(None, value.split(",")):
        name, _, points = part.strip().partition("=")
        try:
            found[SORTS[SORTS.index(name)]] = read_number(points)
        except ValueError:
            raise click.BadParameter(f"write the points of {listing(SORTS)} as in cut=3,nodes=1") from None
    return found


_POINTS = "Points that are not 1: cut=3,nodes=1."
takes_points = click.option("--points", "worths", default="", callback=_worths, metavar="ITEM=N,...", help=_POINTS)


@click.command()
@keeps_limits("time", "memory", usual=LOOKING)
@click.option("--depth", type=click.IntRange(1, 8), default=3, help="The depth in plies; a chance node is one.")
@click.option("--branching", default="2..3", callback=_range, metavar="LOW..HIGH", help="Children of each node.")
@click.option("--values", default="0..9", callback=_range, metavar="LOW..HIGH", help="The whole numbers at the leaves.")
@click.option("--want", default="", metavar="TEXT", help='What the tree must have, as in "2 cuts, no ties".')
@click.option("--first", type=click.Choice(["MAX", "MIN"]), default="MAX", help="Who begins.")
@click.option("--cut", type=click.Choice(["ge", "gt"]), default="ge", help="The rule of cutting for the key.")
@click.option("--seed", type=int, default=0, help="The same seed makes the same trees.")
@click.option("--batch", type=click.IntRange(1, 1_000), metavar="N", help="Make N trees (usually 1; to practise, 10).")
@click.option("-o", "--output", metavar="FOLDER", help="Write each tree, and its key, to a file in this folder.")
@takes_points
@click.option("--practice", is_flag=True, help="Write one page, -o FILE.html, on which to fill in the trees.")
@click.option("--json", "as_json", is_flag=True, help="Print the trees and their keys as JSON.")
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
    worths: dict[str, Number],
    practice: bool,
    as_json: bool,
) -> None:
    """Make exam trees with the properties you want.

    --want takes, separated by commas: 2 cuts, at least 2 cuts, 1..3 cuts, no cuts (skipped subtrees are counted), deep
    cut, rules differ, no ties, unique best, best not first, chance, three players. As JSON, one tree is an object, a
    batch a list.
    """
    from gdl.exam.possible import ExamTreeShape, impossible
    from gdl.exam.quiz import Quiz, quizzes_as_text
    from gdl.exam.quiz import quiz as made
    from gdl.exam.wanted import UnknownExamWish, read
    from gdl.solvers import solve

    refuse_clashes("quiz", {"practice": practice, "json": as_json, "output": Path(output or "").suffix})
    batch = batch or (EXERCISES if practice else 1)
    try:
        wanted = read(want)
    except UnknownExamWish as wrong:
        raise WrongCommand(str(wrong)) from None
    if branching[0] < 1 or branching[1] ** depth > LARGEST:
        raise WrongCommand(f"a tree has 1 to {LARGEST:,} leaves", help="use a smaller depth or branching")
    shape = ExamTreeShape(depth, branching, values, first, cut)
    if missing := impossible(shape, wanted):
        raise WrongCommand(missing.message, help=missing.help)
    made_so_far: list[Quiz] = []
    stopped: LimitReached | KeyboardInterrupt | None = None
    try:
        with NONE.enforce("trees") as progress:
            tried = count(1)
            for number in range(1, batch + 1):
                tree = made(
                    shape, wanted, seed, number, lambda text: gdl.loads(text).game, solve, lambda: progress(next(tried))
                )
                made_so_far.append(tree)
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = stop
    if practice and output is not None:
        _put_practice(made_so_far, output, cut)
    else:
        _put_quizzes(made_so_far, output, as_json, batch, quizzes_as_text(made_so_far), worths)
    if stopped:
        raise stopped


def _put_practice(made: list[Any], file: str, cut: str) -> None:
    """One page with all the trees, each with its key under every rule."""
    from gdl.exam.practice import Exercise, practice_page

    if not made:
        return
    exercises = []
    for each in made:
        game, solution = gdl.loads(each.text).game, each.key.solution
        keys = {cut: each.key} if each.key.prunes else {"": each.key}
        others = _others(game, solution, {"cut": cut}) if each.key.prunes else {}
        keys |= {name.removeprefix("--cut "): key for name, key in others.items()}
        exercises.append(Exercise(game, {rule: keys[rule] for rule in ("ge", "gt", "") if rule in keys}))
    write(file, practice_page("Practice", exercises, cut))
    many = "1 tree is" if len(made) == 1 else f"{len(made):,} trees are"
    telling.remark(f"{many} in {clean(file)}")


def _put_quizzes(
    made: list[Any], output: str | None, as_json: bool, batch: int, text: str, worths: dict[str, Number]
) -> None:
    """On stdout, or in a folder a game and a key for each."""
    if output is not None:
        folder = Path(output)
        folder.mkdir(parents=True, exist_ok=True)
        for number, each in enumerate(made, start=1):
            write(folder / f"quiz-{number:03}.game", each.text)
            write(folder / f"quiz-{number:03}.key", each.key.text() + "\n")
        many = "1 tree and its key are" if len(made) == 1 else f"{len(made):,} trees and their keys are"
        telling.remark(f"{many} in {clean(output)}")
    if as_json and made:
        from gdl.exam.question import exam_question, items_of_key
        from gdl.formats.exam_answers import ExerciseAnswer

        asked = [exam_question("search", each.text, list(items_of_key(each.key, False, worths))) for each in made]
        pairs = zip(asked, made, strict=True)
        rows = [ExerciseAnswer.fill_from(one, answers=each.key.to_record()) for one, each in pairs]
        telling.answer_json(rows if batch > 1 else rows[0])
    elif output is None and made:
        telling.answer(text)


# ---- Sheets -------------------------------------------------------------------------------------------------------


@click.command(cls=SolverCommand)
@keeps_limits("memory", usual=LOOKING)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completing.games)
@click.option("-o", "--output", required=True, metavar="FILE", help="Write the sheet here: .pdf, .html, .svg or .tex.")
@click.option("--key", "key_file", metavar="FILE", help="Write the sheet with its answers here.")
@takes_solver("The search that is asked for.")
@click.option("--bounds", type=click.Choice(["nodes", "edges"]), help="Ask for alpha and beta at the nodes or edges.")
@takes_points
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], help="The language of the questions.")
@click.option("--title", default="", metavar="TEXT", help="What stands above the questions in place of Exam.")
@click.option("--variants", is_flag=True, help="Every FILE is one student's sheet, with a line for the name.")
def sheet(
    files: tuple[str, ...],
    output: str,
    key_file: str | None,
    solver: str,
    bounds: Any,
    worths: dict[str, Number],
    language: str,
    title: str,
    variants: bool,
    **options: Any,
) -> None:
    """Make an exam sheet of games, and its key.

    Every game is a question with its points, drawn without its answers and with room for them; --key writes the same
    filled in. PDF needs the extra gdl[pictures].
    """
    from gdl.exam.question import question
    from gdl.exam.sheet import KINDS, Item, Sheet, draw_question, sheet_of
    from gdl.render.text import solution_text

    kinds = {file: Path(file).suffix.removeprefix(".") for file in (output, key_file) if file is not None}
    for file, kind in kinds.items():
        if kind not in KINDS:
            raise WrongCommand(
                f"'{clean(file)}' does not say which format is meant",
                help=f"let its name end in {listing((f'.{kind}' for kind in KINDS), 'or')}",
            )
    games = [load(file, {}, None).game for file in files]
    options, solutions = start_clock(options), list[Solution]()
    try:
        with replace(add_time_limit(NONE, options), late=0.0).enforce(), telling.warnings_as_notes():
            for game in games:
                with telling.partial_answers(solutions.append, Solution):
                    solutions.append(_answer(game, solver, options))
            asked = [question(*pair, language, bounds, worths) for pair in zip(games, solutions, strict=True)]
            for file, kind in kinds.items():
                blank = file is output
                look = {"blank": blank, "bounds": bounds, "language": language}
                pictures = [draw_question(*pair, kind, **look) for pair in zip(games, solutions, strict=True)]
                items = [Item(*pair) for pair in zip(asked, pictures, strict=True)]
                write(file, sheet_of(Sheet(items, language, clean(title), not blank, variants), kind))
    except LimitReached:  # what was found can at least be read
        for found, game in zip(solutions, games, strict=False):
            telling.answer(solution_text(found, game))
        raise


def _answer(game: Game[Any], solver: str, options: dict[str, Any]) -> Solution:
    """What a picture can show: a search of a tree, the equilibria of a matrix."""
    from gdl.solvers import SOLVERS

    if solver == "auto" and (SOLVERS["maxn"].lacks(game.traits) or game.traits.unknowns):
        found = find(game, solver, **options)
        if not found.conditions or not found.visits or any(one.status == "sometimes" for one in found.conditions):
            return found
    return solve_with_trace(game, solver, **options)


# ---- Grading ------------------------------------------------------------------------------------------------------


@click.command(cls=SolverCommand)
@keeps_limits("memory", usual=LOOKING)
@takes_game
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS...")
@takes_solver("The search that was asked for.")
@click.option("--bounds", type=click.Choice(["nodes", "edges"]), help="Alpha and beta on entry were asked for too.")
@takes_points
@click.option("--follow-on", is_flag=True, help="Let what follows from a mistake count as right.")
@click.option("--csv", "as_csv", is_flag=True, help="Print one line of marks for each file, as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the marks as one JSON object.")
def grade(
    asked: Asked, answers: tuple[str, ...], solver: str, follow_on: bool, as_csv: bool, as_json: bool, **options: Any
) -> int:
    """Grade what students wrote, as `gdl sheet` asks for it.

    ANSWERS is a file, or - for the standard input, such as: A=3 B=3 C<=2 cut: c2 c3 best: a1. Every inner node counts
    one point, the list of what is skipped one, the best action one, unless --points says otherwise; of a table every
    equilibrium one. The exit status is 1 if anything is wrong.
    """
    from gdl.exam.grade import GradeReport, graded_text, read
    from gdl.exam.grade import grade as graded
    from gdl.exam.lines import grade_lines
    from gdl.exam.marks_table import class_summary, marks_table
    from gdl.exam.question import question

    refuse_clashes("grade", {"json": as_json, "csv": as_csv, "several": len(answers) > 1})
    game, bounds, worths, saved = asked.game, options.pop("bounds"), options.pop("worths"), asked.by.question
    if saved is not None:
        solver = saved.solver if solver == "auto" else solver
        options |= {name: value for name, value in saved.options.items() if options.get(name) is None}
    options = start_clock(options)
    foretelling.unless_limited(game, options)
    with add_time_limit(NONE, options).enforce():
        solution = _answer(game, solver, options)
        posed = question(game, solution, "en", bounds, worths, options.get("depth"))
        posed = posed if saved is None else replace(posed, asked=saved)
        others = {} if posed.key is None else _others(game, solution, options)

        def marks_of(text: str) -> GradeReport:
            if posed.key is None:
                return grade_lines(posed.asked, text, partial(_share, game, solution))
            told = read(text, posed.key.names)
            return graded(posed.key, told, others, follow_on=follow_on, asked=posed.asked.asked)

        marked = {file: marks_of(_read_answers(file)) for file in answers}
    if as_csv:
        telling.answer(marks_table(marked))
    elif as_json:
        telling.answer_json(marked[answers[0]].to_record())
    else:
        heads = (f"{clean(file)}: " if len(marked) > 1 else "" for file in marked)
        told = [head + graded_text(marks) for head, marks in zip(heads, marked.values(), strict=True)]
        summary = [class_summary(list(marked.values()))] if len(marked) > 1 else []
        telling.answer("\n\n".join([*told, *summary]))
    return 0 if all(marks.score == marks.of for marks in marked.values()) else 1


def _share(game: Game[Any], solution: Solution, item: str, written: str) -> Number | None:
    """Which share of a line is right; None where it cannot be read."""
    from gdl.exam.lines import share_of_cases, share_of_profiles
    from gdl.exam.question import open_answers
    from gdl.solvers.equilibria.regret import regret
    from gdl.solvers.open_numbers.written_conditions import same_condition

    if not solution.unknowns:
        holds = None if solution.complete else lambda profile: not any(regret(game, profile).regret)
        profiles = solution.equilibria or ((solution.strategy,) if solution.strategy else ())
        return share_of_profiles(profiles, solution.players, written, holds)
    right, names = open_answers(solution, game)[item], tuple(solution.unknowns)
    same = partial(same_condition, names=(*names, "value"))
    return share_of_cases(right, written, same, as_one=item == "value")


def _read_answers(file: str) -> str:
    data = bytes_of(file, SOURCE + 1)
    if len(data) > SOURCE:
        raise WrongCommand(f"answers longer than {SOURCE:,} bytes are not read")
    return data.decode("utf-8", errors="replace")


def _others(game: Game[Any], solution: Solution, options: dict[str, Any]) -> dict[str, Any]:
    """The key under the other rule, by the option that asks for it."""
    from gdl.exam.key import key
    from gdl.solvers.recorded_steps import could_prune

    rule = solution.rule
    if rule is None or not (solution.solver == "alpha-beta" or could_prune(solution)):
        return {}
    cut = "gt" if rule.cut == "ge" else "ge"
    other = solve_with_trace(game, solution.solver, **{**options, "cut": cut})
    return {f"--cut {cut}": key(game, other, options.get("depth"))}


# ---- Walking through ----------------------------------------------------------------------------------------------


@click.command(cls=SolverCommand)
@keeps_limits("memory", usual=LOOKING)
@takes_game
@takes_solver("The search to walk through.")
def step(asked: Asked, solver: str, **options: Any) -> None:
    """Walk through a search in the terminal.

    Enter continues, b goes back, g 12 goes to step 12, w says why, q ends.
    """
    from gdl.exam.step import walk
    from gdl.render.text import solution_text
    from gdl.render.trace import heading, meaning, story_text, tell

    options = start_clock(options)
    foretelling.unless_limited(asked.game, options)
    partial = telling.partial_answers(lambda found: telling.answer(solution_text(found, asked.game)), Solution)
    with partial, add_time_limit(NONE, options).enforce():
        solution = solve_with_trace(asked.game, solver, **options)
        told = tell(asked.game, solution)
    if not told:  # more nodes than are kept
        return telling.answer(f"{story_text(asked.game, solution)}\n{solution_text(solution, asked.game)}")
    return walk(told, f"{heading(solution)} {meaning(solution)}", telling.ask, telling.line)

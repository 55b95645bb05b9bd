"""gdl quiz: exam trees with wanted properties, and their keys."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import click

from gdl.commands import console
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, NONE, keeps_limits
from gdl.errors import LimitReached, clean
from gdl.formats.files import write
from gdl.game import Number
from gdl.wings.exam.command_options import course_words, takes_language, takes_points, takes_secret, takes_words
from gdl.wings.exam.posed_questions import Posed, check_kind, pose
from gdl.wings.exam.practice_file import put_practice

LARGEST = 2_000  # nodes of a tree that is made
EXERCISES = 10  # trees of a page to practise on
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_WHERE = "Write each tree and its key in this folder; or one tree, X.game, and its key."


def _range(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    """The two ends of `2..3`; both are the same for a single number."""
    found = re.fullmatch(r"(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?", value.strip())
    if found is None:
        raise click.BadParameter(f"'{clean(value)}' is not of the form 2..3")
    low, high = int(found[1]), int(found[2] or found[1])
    if low > high:
        raise click.BadParameter(f"{low}..{high} is empty; write {high}..{low}")
    return low, high


@click.command(cls=Command)
@keeps_limits("time", "memory", usual=LOOKING)
@click.option("--depth", type=click.IntRange(1, 8), default=3, help="The depth in plies; a chance node is one.")
@click.option("--branching", default="2..3", callback=_range, metavar="LOW..HIGH", help="Children of each node.")
@click.option("--values", default="0..9", callback=_range, metavar="LOW..HIGH", help="The whole numbers at the leaves.")
@click.option("--want", default="", metavar="TEXT", help='The properties of the tree, as in "2 cuts, no ties".')
@click.option("--first", type=click.Choice(["MAX", "MIN"]), default="MAX", help="Who begins.")
@click.option("--cut", type=click.Choice(["ge", "gt"]), default="ge", help="The pruning rule for the key.")
@takes_secret
@click.option("--batch", type=click.IntRange(1, 1_000), metavar="N", help="Make N trees (default 1; to practise, 10).")
@click.option("-o", "--output", metavar="WHERE", help=_WHERE)
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
    source: Callable[[str | None], int | str],
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
    from gdl.wings.exam.quiz import Quiz
    from gdl.wings.exam.quiz import quiz as made
    from gdl.wings.exam.wishes import ExamTreeShape

    ending = Path(output or "").suffix
    given = {"practice": practice, "json": console.is_json(), "output": ending}
    refuse_clashes("quiz", {**given, "language": language != "en" or own_words is not None})
    check_kind(kind)
    batch = batch or (EXERCISES if practice else 1)
    shape = ExamTreeShape(depth, branching, values, first, cut)
    wanted = wishes_for(shape, want)
    folder = None if output is None or practice else _free_place(Path(output), batch)
    drawn = source(output)
    words, done = course_words(language, own_words), list[tuple[Quiz, Posed]]()
    stopped: LimitReached | KeyboardInterrupt | SystemExit | None = None
    with _stopping_at_signals():
        try:
            with NONE.enforce("attempts") as progress:
                tried = count(1)
                for number in range(1, batch + 1) if student is None else [student]:
                    model = done[0][0] if done else None
                    tree = made(shape, wanted, drawn, number, lambda: progress(next(tried)), model)
                    done.append((tree, pose_tree(tree, kind, cut, worths, words)))
                    _write_quiz(done, folder)
        except (LimitReached, KeyboardInterrupt, SystemExit) as stop:
            stopped = stop
        if practice and output is not None:
            put_practice([posed for _, posed in done], output, {"cut": cut}, worths, "", words)
        else:
            _write_quiz(done, folder)  # again: the stop may have come between its files
            _tell_quizzes(done, folder, batch)
    if stopped:
        if batch > 1 and not (folder and done):
            console.remark(f"{len(done):,} of {batch:,} trees were made")
        raise stopped


def _free_place(place: Path, batch: int) -> Path:
    """The folder, or the file of one tree, unless what is there is no tree of ours."""
    if place.suffix == ".game" and batch > 1:
        raise WrongCommand(f"{batch:,} trees are not one file", help="name a folder, as in -o trees")
    if place.suffix == ".game" and place.exists() and not place.with_suffix(".key").exists():
        help = "take another name for the tree that is made"
        raise WrongCommand(f"'{clean(str(place))}' is there already", help=help)
    return place


@contextmanager
def _stopping_at_signals() -> Iterator[None]:
    """Within the block, the signals by which a process is ended stop the work as Ctrl-C does, with their own status."""
    is_main = threading.current_thread() is threading.main_thread()  # the only one that may handle signals
    ours = [end for end in _ENDING if is_main and signal.getsignal(end) == signal.SIG_DFL]
    for end in ours:
        signal.signal(end, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        for end in ours:
            signal.signal(end, signal.SIG_DFL)


def wishes_for(shape: Any, want: str) -> Any:
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


def pose_tree(made: Any, kind: str, cut: str, worths: dict[str, Number], words: Any) -> Posed:
    """The question about a tree."""
    from gdl.wings.exam.question import exam_question

    solution = made.solution if kind in ("", "search") else None
    options = {"cut": cut} if made.solution.rule and made.solution.rule.cut else {}
    posed = pose(made.game, kind, "auto", options, words, {"worths": worths, "solution": solution})
    asked = exam_question(posed.question.asked.kind, made.text, posed.question.asked.asked)
    return posed._replace(question=replace(posed.question, asked=asked))


def _key_text(posed: Posed) -> str:
    key, asked = posed.question.key, posed.question.asked.asked
    return key.text() if key else "\n".join(f"{part.item}: {part.right}" for part in asked)


def _write_quiz(done: list[tuple[Any, Posed]], folder: Path | None) -> None:
    """Write a game file and a key for the newest of the trees into the folder, if there is one, or as that file."""
    if folder and done:
        made, posed = done[-1]
        file = folder if folder.suffix == ".game" else folder / f"quiz-{len(done):03}.game"
        if file != folder:
            folder.mkdir(parents=True, exist_ok=True)
        write(file, made.text)
        write(file.with_suffix(".key"), _key_text(posed) + "\n")


def _tell_quizzes(done: list[tuple[Any, Posed]], folder: Path | None, batch: int) -> None:
    """Print the trees with their keys, as text or JSON; or say where they are."""
    if folder and done:
        whole = f" of {batch:,}" if len(done) < batch else ""
        many = "1 tree and its key are" if batch == len(done) == 1 else f"{len(done):,}{whole} trees and their keys are"
        where = f" and {clean(str(folder.with_suffix('.key')))}" if folder.suffix == ".game" else ""
        console.remark(f"{many} in {clean(str(folder))}{where}")
    if console.is_json() and done:
        from gdl.wings.exam.answers import ExerciseAnswer

        rows = [ExerciseAnswer.fill_from(one.question.asked, answers=made.key.to_record()) for made, one in done]
        console.answer_json(rows if batch > 1 else rows[0])
    elif folder is None and done:
        shown = ((made.text, _key_text(posed).replace("\n", "\n#      ")) for made, posed in done)
        console.answer("\n".join(f"{text}\n# Key: {right}\n" for text, right in shown))

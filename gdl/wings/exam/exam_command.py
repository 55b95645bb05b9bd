"""Exam files, NAME.exam, on the command line: `gdl sheet`, `gdl check` and `gdl format`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import read_text, text_in_place
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, keeps_limits
from gdl.commands.making import put_layout
from gdl.errors import Refusal, clean, count_text
from gdl.formats.files import write
from gdl.numbers import to_text
from gdl.wings.exam.command_options import course_words, keep_open, takes_secret, takes_words
from gdl.wings.exam.decisions import Decisions, read_decisions
from gdl.wings.exam.exam_file import laid_out, read_exam, translate_exam
from gdl.wings.exam.exam_questions import PosedExam, total_of
from gdl.wings.exam.phrases import LANGUAGES, Words
from gdl.wings.exam.posed_questions import Posed
from gdl.wings.exam.practice_file import make_exercises, put_practice
from gdl.wings.exam.sheet_command import drawn_items, kinds_of_sheets

LESSONS = Path(__file__).parent / "chapter" / "lessons.exam"  # the chapter on adversarial search


def takes_exam(makes: bool, keeps_words: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a command with the argument FILE, an exam, and its options; the command gets a PosedExam. If it `makes`
    the exam, a secret that is not there is made too; if it keeps words, their file may be a new one."""

    def add_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(file: str, source: Callable[..., int | str], own_words: str | None, language: str, **rest: Any) -> Any:
            text, name, folder = read_text(str(LESSONS) if file == LESSONS.name and not Path(file).exists() else file)
            read, drawn = read_exam(text, name), partial(source, file, makes)
            exam = translate_exam(read, language or read.language)
            words = course_words(exam.language, own_words, keeps_words)
            return command(PosedExam(exam, folder or Path(), words, drawn), **rest)

        help = "The language of the questions, in place of that in the exam's head."
        spoken = click.option("--language", type=click.Choice(LANGUAGES), help=help)
        return click.argument("file", metavar="FILE.exam")(takes_secret(spoken(takes_words(run))))

    return add_options


@click.command("sheet", cls=Command)
@keeps_limits("time", "memory", usual=LOOKING)
@takes_exam(makes=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="Write the sheet here: .pdf, .html or .tex.")
@click.option("--key", "key_file", metavar="FILE", help="Write the sheet with its answers here.")
@click.option("--variant", type=click.IntRange(1), metavar="N", help="Only the Nth variant.")
@click.option("--practice", is_flag=True, help="Write a page, -o FILE.html, on which to fill in the questions.")
@click.option("--slides", is_flag=True, help="Write slides: each question, and then its answers one by one.")
def exam_sheet(
    exam: PosedExam, output: str, key_file: str | None, variant: int | None, practice: bool, slides: bool
) -> None:
    """Make the sheets of an exam file, and their key.

    Each variant is a paper of its own.
    """
    from gdl.wings.exam.sheet import Sheet, sheet_of

    kinds = kinds_of_sheets(output, key_file)
    chosen = exam.variants if variant is None else exam.variants[variant - 1 : variant]
    if not chosen:
        raise WrongCommand(f"this exam has {count_text(len(exam.variants), 'variant')}")
    if practice:
        marked = [one for one in chosen[0] if one.question.asked.kind != "own"]
        return put_practice(marked, output, {}, {}, clean(exam.exam.title), exam.words)
    for file, kind in kinds.items():
        solved = file is not output
        papers = [list(_items(exam, posed, kind, solved)) for posed in chosen]
        if slides:
            blanks = (blank for posed in chosen for blank in _items(exam, posed, kind, False))
            full = (one for posed in chosen for one in _items(exam, posed, kind, True))
            papers = [[slide] for pair in zip(blanks, full, strict=True) for slide in _make_slides(*pair)]
        points = total_of(chosen[0])
        total = f"{exam.words['total']}: {to_text(points)} {exam.words['point' if points == 1 else 'points']}"
        many = exam.exam.variants > 1 and not slides
        told = Sheet(papers, exam.words, clean(exam.exam.title), solved, many, exam.exam.header)
        more = {"slides": True} if slides else {"total": total, "formulas": exam.exam.formulas}
        write(file, sheet_of(replace(told, **more), kind))
    return None


def _items(exam: PosedExam, posed: list[Posed], kind: str, solved: bool) -> Iterator[Any]:
    """The questions of a variant as they stand on a sheet."""
    for written, one in zip(exam.exam.questions, posed, strict=True):
        asks_windows = any(item.item.endswith(" window") for item in one.question.asked.asked)
        look = {"blank": not solved, "bounds": "nodes" if asks_windows else None, "words": exam.words}
        item = drawn_items([one], kind, **look)[0]
        yield replace(item, note=tuple(written.texts.get("note", ())), group=written.group, number=written.number)


def _make_slides(blank: Any, solved: Any) -> Iterator[Any]:
    """The slides of a question: it alone, then its answers one by one, the last with the picture filled in."""
    count = len(blank.question.lines)
    steps = range(1, count) if all(line.asked for line in blank.question.lines) else ()
    yield replace(blank, shown=0, group="")
    yield from (replace(blank, shown=shown, group="") for shown in steps)
    yield replace(solved, shown=count, group="")


def lesson_pages(engine: str = "") -> Iterator[tuple[str, str]]:
    """For each language its name, and the page on which the lessons that come with gdl are filled in. `engine` is the
    address of a worker that makes a lesson anew (`lesson_anew`), "" if there is none."""
    from gdl.wings.exam.practice import practice_page

    for language in LANGUAGES:
        exam = _lessons_in(language)
        exercises = make_exercises(exam.variants[0], {}, {}, exam.words)
        yield language, practice_page(exam.exam.title, exercises, words=exam.words, engine=engine)


def lesson_anew(language: str, number: int, numbers: list[str]) -> dict[str, Any]:
    """The data (`told`) and the picture (`drawn`) of the lesson of a number, from 0, with other numbers in its game.
    Raises Refusal for another language than those of the pages."""
    from gdl.wings.exam.practice import exercise_data

    if language not in LANGUAGES:
        raise Refusal("there are no lessons in this language")
    exam = _lessons_in(language, number, numbers)
    (exercise,) = make_exercises(exam.variants[0], {}, {}, exam.words)
    return dict(zip(("told", "drawn"), exercise_data(number + 1, exercise, exam.words), strict=True))


def _lessons_in(language: str, number: int | None = None, numbers: list[str] | None = None) -> PosedExam:
    """The lessons in a language; or the one lesson of a number, its game with other numbers."""
    exam = translate_exam(read_exam(LESSONS.read_text(encoding="utf-8"), LESSONS.name), language)
    chosen = exam.questions if number is None else exam.questions[number : number + 1]
    return PosedExam(replace(exam, questions=chosen), LESSONS.parent, Words(language), str, numbers)


@click.command("check", cls=Command)
@keeps_limits("time", "memory", usual=LOOKING)
@takes_exam(makes=False)
def exam_check(exam: PosedExam) -> None:
    """Look for mistakes in an exam file, its games and its settings; its trees are drawn on trial."""
    exam.__dict__["secret_text"] = "trial"
    points, count = to_text(total_of(exam.variants[0])), count_text(len(exam.exam.questions), "question")
    console.answer(f"{clean(exam.exam.title)}: fine; {count}, {points} point{'s' * (points != '1')}")


@click.command("format", cls=Command)
@click.argument("file", metavar="FILE.exam")
@click.option("--check", is_flag=True, help="Write nothing; say whether the file is in the layout.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def exam_format(file: str, check: bool, diff: bool) -> int:
    """Lay out an exam file, in place."""
    text, name, _ = text_in_place(file)
    changed = put_layout(file, text, laid_out(text, name), check, diff)
    console.remark(f"1 file, {int(changed)} of them {'to be ' * (check or diff)}laid out")
    return int(check and changed)


@click.command("grade", cls=Command)
@keeps_limits("time", "memory", usual=LOOKING)
@takes_exam(makes=False, keeps_words=True)
@click.argument("answers", nargs=-1, required=True, metavar="CLASS...")
@click.option("--csv", "as_csv", is_flag=True, help="Print a line of marks for each student, as CSV.")
@console.takes_json("Print the marks as one JSON object.")
def exam_grade(exam: PosedExam, answers: tuple[str, ...], as_csv: bool) -> int:
    """Grade a class's answers to an exam file.

    CLASS is a folder with a file of answers for each student, or the table of a learning platform as CSV: a row for
    each student, a column for each question, found by its number. The exit status is 1 if anything is wrong.
    """
    from gdl.wings.exam.class_answers import read_class
    from gdl.wings.exam.class_grade import ClassGrader, class_text

    decisions = Decisions(read_decisions(exam.words.course))
    marked = ClassGrader(exam, decisions).grade_class(read_class(answers, len(exam.exam.questions)))
    keep_open(exam.words, marked.look)
    if as_csv:
        console.answer(marked.table())
    else:
        console.answer_as(marked.to_record, lambda: class_text(marked))
    return int(any(one.total != marked.possible(one.variant) for one in marked.students))


@click.command("export", cls=Command)
@keeps_limits("time", "memory", usual=LOOKING)
@takes_exam(makes=True)
@click.option("-o", "output", required=True, metavar="FILE", help="Write to this file: .xml, .zip or .csv.")
def exam_export(exam: PosedExam, output: str) -> None:
    """Write the questions of an exam file for a learning platform.

    FILE.xml is Moodle XML, FILE.zip a package of QTI 2.1, FILE.csv a table. Variants are categories, or tests of their
    own. What a platform can mark by itself has its right answers; any other question is an essay with its key.
    """
    from gdl.wings.exam.moodle import moodle_xml
    from gdl.wings.exam.qti import qti_package
    from gdl.wings.exam.question_bank import QuestionBank, bank_question

    writers: dict[str, Callable[[QuestionBank], str | bytes]]
    writers = {".xml": moodle_xml, ".zip": qti_package, ".csv": QuestionBank.table}
    ending = Path(output).suffix.lower()
    if ending not in writers:
        raise WrongCommand(f"'{clean(output)}' has no ending of a known format", help=_ENDINGS)
    questions = []
    for number, posed in enumerate(exam.variants, start=1):
        sheets = (_items(exam, posed, "html", solved) for solved in (False, True))
        questions += [bank_question(exam, number, *one) for one in zip(posed, *sheets, strict=True)]
    write(output, writers[ending](QuestionBank(exam, questions)))


_ENDINGS = "end it with .xml for Moodle, .zip for QTI 2.1, .csv for a table"


@click.command("game", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1)
def refuse_exam(words: tuple[str, ...]) -> None:
    """Say where the manual tells what can be done with an exam file."""
    help = "gdl guide exams says what can be done with an exam"
    raise WrongCommand("this command takes a game, and no exam", help=help)


def command_of_exam(name: str) -> click.Command:
    """The command of that name for exam files; for a command that takes games alone, one that says so."""
    commands = (exam_sheet, exam_check, exam_format, exam_grade, exam_export)
    return {command.name: command for command in commands}.get(name, refuse_exam)

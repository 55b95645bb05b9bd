"""An exam as a bank of questions for learning platforms: what each question says and shows and, where a platform can
mark it by itself, fields with their right answers. Any other question is an essay, with its key for whoever marks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gdl.errors import clean
from gdl.formats.spreadsheet import csv_table
from gdl.game import Number
from gdl.numbers import decimals, read_number, to_text
from gdl.wings.exam.exam_questions import PosedExam
from gdl.wings.exam.judged_parts import Part
from gdl.wings.exam.posed_questions import Posed
from gdl.wings.exam.sheet import Item, Sheet, asked_text, typeset_answer

NUMBER, WORDS, CHOICE = "number", "words", "choice"  # kinds of fields
_DESCRIPTION = re.compile(r"<(?:title|desc) id=[^>/]*>(.*?)</(?:title|desc)>", re.DOTALL)


class AnswerField(NamedTuple):
    """A field that a platform marks: its label and kind, all texts that are right (of a choice one of its options), and
    its points."""

    label: str
    kind: str
    rights: Sequence[str]
    options: Sequence[str]
    points: Number


class BankQuestion(NamedTuple):
    """A question of a bank: the variant and number, the heading, the paragraphs before the picture (SVG; "": none) and
    behind it, the fields (empty: an essay), the headings that an essay begins with, and the key with its picture."""

    variant: int
    number: int
    name: str
    heading: str
    text: Sequence[str]
    picture: str
    note: Sequence[str]
    points: Number
    fields: Sequence[AnswerField]
    template: Sequence[str]
    key: Sequence[str]
    solved: str

    @property
    def kind(self) -> str:
        """The kind of its only field, `several` for more of them, or `essay`."""
        return ("several" if len(self.fields) > 1 else self.fields[0].kind) if self.fields else "essay"


class QuestionBank(NamedTuple):
    """The questions of an exam in all its variants, and what belongs to all of them."""

    exam: PosedExam
    questions: Sequence[BankQuestion]

    @property
    def title(self) -> str:
        return clean(self.exam.exam.title)

    def variants(self) -> Iterator[tuple[str, list[BankQuestion]]]:
        """The questions of each variant, under its name ("" if there is only one)."""
        for number in range(1, self.exam.exam.variants + 1):
            name = f"{self.exam.words['variant']} {number}" if self.exam.exam.variants > 1 else ""
            yield name, [one for one in self.questions if one.variant == number]

    def table(self) -> str:
        """The questions as CSV: without pictures, each with its key."""
        rows = [["variant", "question", "name", "points", "type", "text", "right"]]
        rows += [[str(one.variant), str(one.number), one.name, to_text(one.points), one.kind,
                  " ".join((*one.text, *one.note)), "; ".join(one.key)] for one in self.questions]  # fmt: skip
        return csv_table(rows)


def bank_question(exam: PosedExam, variant: int, posed: Posed, blank: Item, solved: Item) -> BankQuestion:
    """A posed question for a bank; `blank` is its form on a sheet, `solved` that on a key."""
    sheet, told = Sheet([], exam.words, solved=True), posed.question
    key = [f"{asked_text(line)} {typeset_answer(line.right)}".strip() for line, _ in sheet.lines(solved)]
    heads = [asked_text(line) for line, _ in sheet.lines(solved)]
    if told.key is not None:
        inner = [path for path in told.key.names.paths if told.key.names.children(path)]
        heads = [*(f"{told.key.names.name(path)} =" for path in inner), *heads]
        key = [told.key.text(), *key]
    title = f": {told.title}" if told.title else ""
    fields = list(_make_fields(posed, exam))
    return BankQuestion(
        variant, blank.number, f"{exam.words['question']} {blank.number}{title}", sheet.heading(blank.number, blank),
        told.text, blank.picture, blank.note, told.points, () if None in fields else [one for one in fields if one],
        [head for head in heads if head], key, solved.picture if solved.picture != blank.picture else "",
    )  # fmt: skip


def _make_fields(posed: Posed, exam: PosedExam) -> Iterator[AnswerField | None]:
    """A field for each part of the question; None for one that no platform can mark."""
    for part, item in zip(posed.question.parts, posed.question.asked.asked, strict=False):
        label = exam.words.say(part.label, **part.fields)
        kind, rights, options = _make_field(part)
        yield AnswerField(label, kind, rights, options, item.points) if kind else None


def _make_field(part: Part) -> tuple[str, Sequence[str], Sequence[str]]:
    """The kind of field for a part ("": none), the right answers, and the options."""
    check, written = part.check.get("check"), (part.right, *part.also)
    if options := part.check.get("options"):
        return CHOICE, [one for one in options if part.judge(one) == 1], options
    if check == "number" and part.check["right"] is None:
        return WORDS, tuple(dict.fromkeys((part.right, *part.check["nothing"]))), ()
    if check == "number":
        with decimals(True):
            plain = to_text(read_number(part.right))
        rounded = f"{float(read_number(part.right)):.2f}"
        return (WORDS, (part.right, rounded), ()) if "/" in plain else (NUMBER, (plain,), ())
    return (WORDS, tuple(dict.fromkeys((*written, *part.check["right"]))), ()) if check == "one" else ("", (), ())


def picture_text(picture: str) -> str:
    """The text that stands for a picture for those who do not see it."""
    return " ".join(html.unescape(" ".join(_DESCRIPTION.findall(picture))).split())

"""The marks of a class for an exam: points and reasons of each student, statistics of each question, and the list of
answers that a person is to look at, whose decisions are read again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from statistics import StatisticsError, correlation
from textwrap import shorten
from typing import NamedTuple

from gdl.errors import WrongRequest, clean, count_text
from gdl.formats.spreadsheet import csv_table
from gdl.game import Number, exact
from gdl.numbers import read_number
from gdl.wings.exam.answers import ClassAnswer, LookAnswer, QuestionMark, QuestionStatistics, StudentMarks
from gdl.wings.exam.class_answers import StudentAnswers, read_rows
from gdl.wings.exam.exam_questions import PosedExam, total_of
from gdl.wings.exam.grade import GradeReport, Mark, grade, graded_text, mark_text, read
from gdl.wings.exam.judged_parts import Part
from gdl.wings.exam.lines import grade_lines
from gdl.wings.exam.posed_questions import Posed

_BY_HAND, _DECIDED = "to be marked by hand", "decided by hand"
WHOLE = "whole"  # the item of a decision on all of an answer
_COLUMNS = ("question", "variant", "item", "answer", "students", "of", "points")

Look = tuple[int, int, str, str]  # question, variant, item and the answer to it


class MarkedStudent(NamedTuple):
    """A student, the variant, and the marks of each question; `is_guessed` if the student named no variant of several:
    then it is that in which most is right."""

    student: StudentAnswers
    variant: int
    reports: tuple[GradeReport, ...]
    is_guessed: bool

    @property
    def points_by_question(self) -> list[Number]:
        return [report.score for report in self.reports]

    @property
    def total(self) -> Number:
        return exact(sum(map(Fraction, self.points_by_question), Fraction(0)))


@dataclass
class ClassGrader:
    """Grades students, each answer to a question once; `decided` are a person's points for answers."""

    exam: PosedExam
    decided: Mapping[Look, Number]

    def grade_class(self, students: Sequence[StudentAnswers]) -> MarkedClass:
        seen: dict[tuple[int, int, str], GradeReport] = {}

        def mark(variant: int, at: int, text: str) -> GradeReport:
            if (variant, at, text) not in seen:
                seen[variant, at, text] = self._decide(self.exam.variants[variant - 1][at], text, at, variant)
            return seen[variant, at, text]

        def mark_all(student: StudentAnswers, variant: int, is_guessed: bool) -> MarkedStudent:
            numbers = range(len(self.exam.exam.questions))
            reports = (mark(variant, at, student.answers.get(at + 1, "")) for at in numbers)
            return MarkedStudent(student, variant, tuple(reports), is_guessed)

        every = range(1, len(self.exam.variants) + 1)
        marked = []
        for one in students:
            tried = every if one.variant is None or one.variant not in every else [one.variant]
            several = (mark_all(one, number, len(tried) > 1) for number in tried)
            marked.append(max(several, key=lambda found: found.total))
        return MarkedClass(self.exam, marked)

    def _mark(self, posed: Posed, text: str) -> GradeReport:
        asked, text = posed.question.asked, _EMPTY.sub("", self.exam.words.in_our_words(text))
        if posed.question.key is not None:
            return grade(posed.question.key, read(text, posed.question.key.names), asked=asked.asked)
        if posed.question.parts:
            return grade_lines(posed.question.parts, _with_headings(posed.question.parts, text), asked)
        said, unclear = text.strip() or None, (_BY_HAND,) if text.strip() else ()
        mark = Mark("answer", said, asked.asked[0].right, 0, "".join(unclear), ambiguous=unclear, worth=asked.points)
        return GradeReport((mark,), None)

    def _decide(self, posed: Posed, text: str, at: int, variant: int) -> GradeReport:
        """The marks of a text, with a person's decisions on the whole of it, or on items of it."""
        asked, found = posed.question.asked, self._mark(posed, text)
        place = at + 1, self.exam.first_variant(at, variant)
        right = "; ".join(f"{item.item}: {item.right}" for item in asked.asked)
        whole = Mark(WHOLE, text, right, 0, worth=asked.points)
        if (*place, WHOLE, _one_line(text)) in self.decided:
            return GradeReport((self._decide_item(whole, place),), None)
        return replace(found, marks=tuple(self._decide_item(mark, place) for mark in found.marks))

    def _decide_item(self, mark: Mark, place: tuple[int, int]) -> Mark:
        points = self.decided.get((*place, mark.item, _one_line(mark.given)))
        if points is None or mark.right is None or not mark.worth:
            return mark
        if points > mark.worth and decimal_text(points) != decimal_text(mark.worth):
            message = f"question {place[0]} has {decimal_text(mark.worth)} points for '{mark.item}'"
            raise WrongRequest(message, help=f"write at most as many, not {decimal_text(points)}")
        full = decimal_text(points) == decimal_text(mark.worth)  # which may be rounded where they were listed
        share = Fraction(1) if full else Fraction(points) / Fraction(mark.worth)
        return replace(mark, share=share, why=_DECIDED, ambiguous=())


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _unclear_places(report: GradeReport, text: str) -> Iterator[tuple[str, str]]:
    """The items on which a person is to decide, or has decided, with what was answered; the whole answer if some item
    may stand in what was not read."""
    unclear = [mark for mark in report.marks if mark.right is not None and (mark.ambiguous or mark.why == _DECIDED)]
    if any(mark.given is None for mark in unclear):
        yield WHOLE, _one_line(text)
    else:
        yield from ((mark.item, _one_line(mark.given)) for mark in unclear)


_EMPTY = re.compile(r"^[^:=\n]+[:=][ \t]*(?:\n+|\Z)(?=[^\n]*[:=]|\s*\Z)", re.MULTILINE)  # headings without an answer
_FIELD = re.compile(r"(?:^|; )[^\W\d]+ ([0-9]{1,3}) ?: ")


def _with_headings(parts: Sequence[Part], text: str) -> str:
    """The text; if it is what Moodle writes of several fields, `part 1: 7; part 2: a1`, with the heading of each."""
    head, *pieces = _FIELD.split(text)
    if head.strip() or pieces[::2] != [str(at) for at in range(1, len(parts) + 1)]:
        return text
    return "\n".join(f"{part.item}: {said}" for part, said in zip(parts, pieces[1::2], strict=True) if said.strip())


@dataclass
class MarkedClass:
    """The marks of a class."""

    exam: PosedExam
    students: list[MarkedStudent]

    @cached_property
    def look(self) -> Counter[Look]:
        """The answers for a person to look at, with the number of students who gave them."""
        return Counter(
            (number, self.exam.first_variant(number - 1, one.variant), *place)
            for one in self.students for number, report in enumerate(one.reports, start=1)
            for place in _unclear_places(report, one.student.answers.get(number, ""))
        )  # fmt: skip

    def points_of(self, variant: int, question: int) -> Fraction:
        return Fraction(self.exam.variants[variant - 1][question - 1].question.points)

    def possible(self, variant: int) -> Number:
        return total_of(self.exam.variants[variant - 1])

    def statistics(self) -> Iterator[QuestionStatistics]:
        """For each question the mean share of its points, the correlation of its points with those of the others, and
        the wrong answers that are given most."""
        totals = [float(one.total) for one in self.students]
        for at, question in enumerate(self.exam.exam.questions):
            own = [float(one.points_by_question[at]) for one in self.students]
            shares = [points / float(self.points_of(one.variant, at + 1))
                      for points, one in zip(own, self.students, strict=True)]  # fmt: skip
            try:
                fits = round(correlation(own, [all_ - mine for all_, mine in zip(totals, own, strict=True)]), 2)
            except StatisticsError:  # one student, or all have the same
                fits = None
            wrong = Counter(
                f"{mark.item}: {' '.join(mark.given.split())}"
                for one in self.students for mark in one.reports[at].marks
                if mark.given and mark.counts and not mark.share
            )  # fmt: skip
            common = [
                clean(f"{shorten(text, 60, placeholder=' …')} ({count_text(times, 'time')})")
                for text, times in wrong.most_common(3)
            ]
            share = round(sum(shares) / len(shares), 3)
            yield QuestionStatistics(question.number, exact(self.points_of(1, at + 1)), share, fits, common)

    def to_record(self) -> ClassAnswer:
        rows = [
            StudentMarks(one.student.name, one.total, self.possible(one.variant), one.variant, one.is_guessed, [
                QuestionMark.fill_from(mark.to_record(), question=number)
                for number, report in enumerate(one.reports, start=1) for mark in report.marks])
            for one in self.students
        ]  # fmt: skip
        look = [LookAnswer(*place, students=count) for place, count in self.look.items()]
        return ClassAnswer(rows, look, list(self.statistics()))

    def table(self) -> str:
        """The marks as CSV for a learning platform: its own columns on the student, the points of each question, the
        total, and the reasons for points that were lost."""
        numbers = [str(one.number) for one in self.exam.exam.questions]
        heads = list(self.students[0].student.about)
        rows = [[*heads, "variant", *numbers, "total", "of", "look at", "reasons"]]
        for one in self.students:
            reports = enumerate(one.reports, start=1)
            unclear = [str(at) for at, report in reports if any(mark.ambiguous for mark in report.marks)]
            about = [one.student.about.get(head, "") for head in heads]
            points = [
                decimal_text(amount) for amount in (*one.points_by_question, one.total, self.possible(one.variant))
            ]
            rows.append([*about, f"{one.variant}{'?' * one.is_guessed}", *points, " ".join(unclear), reasons_text(one)])
        return csv_table(rows).removesuffix("\n")

    def look_table(self, decided: Mapping[Look, Number]) -> str:
        """The answers for a person to look at as CSV, with a column for their points."""
        rows = [list(_COLUMNS)]
        for place, count in sorted(self.look.items()):
            asked = self.exam.variants[place[1] - 1][place[0] - 1].question.asked.asked
            items = [one.points for one in asked if place[2] in (one.item, WHOLE)]
            worth = decimal_text(exact(sum(map(Fraction, items), Fraction(0))))
            points = decimal_text(decided[place]) if place in decided else ""
            rows.append([*map(str, place), str(count), worth, points])
        return csv_table(rows)


def read_decisions(text: str, file: str) -> dict[Look, Number]:
    """The points that a person wrote into a table of answers to look at. Raises WrongRequest if it is none, so that no
    other file is written over."""
    heads, *rows = read_rows(text, file)
    if not {*_COLUMNS} <= {*heads}:
        told = f"{clean(file)} is no list of answers to look at"
        raise WrongRequest(told, help=f"name a new file; such a list has the columns {', '.join(_COLUMNS)}")
    found: dict[Look, Number] = {}
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(heads, row, strict=False))
        points = cells.get("points", "").strip()
        try:
            if points:
                place = int(cells["question"]), int(cells["variant"]), cells["item"], cells["answer"].removeprefix("'")
                found[place] = read_points(points)
        except ValueError:
            message = f"row {number} of {clean(file)} is no decision: '{clean(','.join(row))}'"
            raise WrongRequest(message, help="change the column 'points' alone, to a number such as 1.5") from None
    return found


def read_points(text: str) -> Number:
    """The points in a text. Raises ValueError if there are none, or less than none."""
    points = read_number(text)
    if points < 0:
        raise ValueError
    return points


def reasons_text(marked: MarkedStudent) -> str:
    """The reasons for points that a student has not got, in one line."""
    return "; ".join(
        f"{number} {mark.item}: {mark_text(mark)}"
        for number, report in enumerate(marked.reports, start=1) for mark in report.marks
        if mark.right is not None and not mark.correct
    )  # fmt: skip


def class_text(marked: MarkedClass) -> str:
    """The marks in words: of one student every item with its reason, of a class the statistics of each question."""
    if len(marked.students) == 1:
        only = marked.students[0]
        parts = [f"Question {at}. {graded_text(report)}" for at, report in enumerate(only.reports, start=1)]
        total = f"{decimal_text(only.total)} of {decimal_text(marked.possible(only.variant))} points"
        return "\n\n".join([f"{clean(only.student.name)}: {total}.", *parts])
    totals = [Fraction(one.total) for one in marked.students]
    mean = decimal_text(sum(totals, Fraction(0)) / len(totals))
    of = decimal_text(marked.possible(1))
    rows = [("question", "points", "difficulty", "discrimination", "commonest wrong answer")]
    for one in marked.statistics():
        fits = "" if one.discrimination is None else f"{one.discrimination:.2f}"
        points, share = decimal_text(one.points), f"{one.difficulty:.2f}"
        rows.append((str(one.question), points, share, fits, "".join(one.wrong[:1])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    reports = (report for student in marked.students for report in student.reports)
    count = sum(any(mark.ambiguous for mark in report.marks) for report in reports)
    told = f"{count:,} answers ({len(marked.look):,} different)"
    look = f"{told} are for a person to look at: --look FILE lists them." if count else ""
    guessed = sum(one.is_guessed for one in marked.students)
    said = (
        f"{count_text(guessed, 'student')} named no variant: that in which most is right was taken." if guessed else ""
    )
    head = f"{len(marked.students):,} students, {mean} of {of} points on average."
    return "\n".join(filter(None, [head, "", *lines, look, said]))


def decimal_text(points: Number) -> str:
    """The points with two places at most."""
    return f"{float(points):.2f}".rstrip("0").removesuffix(".")

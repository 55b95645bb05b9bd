"""The marks of a class for an exam: points and reasons of each student, statistics of each question, and the list of
answers that a person is to look at, whose decisions are read again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from statistics import StatisticsError, correlation, mean
from textwrap import shorten
from typing import NamedTuple

from gdl.errors import clean
from gdl.formats.spreadsheet import csv_table
from gdl.game import Number, exact
from gdl.wings.exam.answers import ClassAnswer, LookAnswer, QuestionMark, QuestionStatistics, StudentMarks
from gdl.wings.exam.class_answers import StudentAnswers
from gdl.wings.exam.decisions import Decisions, look_text, open_answers
from gdl.wings.exam.exam_questions import PosedExam, total_of
from gdl.wings.exam.grade import GradeReport, Mark, decimal_text, grade, graded_text, mark_text, read
from gdl.wings.exam.judged_parts import Part
from gdl.wings.exam.lines import grade_lines
from gdl.wings.exam.phrases import NO_ISOLATES, Words
from gdl.wings.exam.posed_questions import Posed


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
    """Grades students, each answer to a question once, by a teacher's decisions where there are some."""

    exam: PosedExam
    decisions: Decisions

    def grade_class(self, students: Sequence[StudentAnswers]) -> MarkedClass:
        @cache
        def mark(variant: int, at: int, text: str) -> GradeReport:
            judge = partial(self._mark, self.exam.variants[variant - 1][at])
            return self.decisions.mark(judge, text, at + 1, self.exam.first_variant(at, variant))

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
            answers = read(text, posed.question.key.names)
            return grade(posed.question.key, answers, asked=asked.asked, words=self.exam.words)
        if posed.question.parts:
            return grade_lines(posed.question.parts, _with_headings(posed.question.parts, text), asked)
        said, unclear = text.strip() or None, ("to be marked by hand",) if text.strip() else ()
        mark = Mark("answer", said, asked.asked[0].right, 0, "".join(unclear), ambiguous=unclear, worth=asked.points)
        return GradeReport((mark,), None)


# A question mark alone, and headings without an answer.
_EMPTY = re.compile(r"\A[\s?.…_]+\Z|^[^:=\n]+[:=][ \t]*(?:\n+|\Z)(?=[^\n]*[:=]|\s*\Z)", re.MULTILINE)
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
    def look(self) -> list[LookAnswer]:
        """The answers for a person to look at."""
        return open_answers(
            (number, self.exam.first_variant(number - 1, one.variant), report)
            for one in self.students for number, report in enumerate(one.reports, start=1)
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
            texts = ((clean(shorten(text, 60, placeholder=" …")), times) for text, times in wrong.most_common(3))
            common = [self.exam.words.why_of("times", times, text=text).translate(NO_ISOLATES) for text, times in texts]
            share = round(sum(shares) / len(shares), 3)
            yield QuestionStatistics(question.number, exact(self.points_of(1, at + 1)), share, fits, common)

    def to_record(self) -> ClassAnswer:
        rows = [
            StudentMarks(one.student.name, one.total, self.possible(one.variant), one.variant, one.is_guessed, [
                QuestionMark.fill_from(mark.to_record(), question=number)
                for number, report in enumerate(one.reports, start=1) for mark in report.marks])
            for one in self.students
        ]  # fmt: skip
        return ClassAnswer(rows, self.look, list(self.statistics()))

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
            points = map(decimal_text, (*one.points_by_question, one.total, self.possible(one.variant)))
            reasons = reasons_text(one, self.exam.words)
            rows.append([*about, f"{one.variant}{'?' * one.is_guessed}", *points, " ".join(unclear), reasons])
        return csv_table(rows).removesuffix("\n")


def reasons_text(marked: MarkedStudent, words: Words) -> str:
    """The reasons for points that a student has not got, or has got by a decision, in one line."""
    return "; ".join(
        f"{number} {mark.item}: {mark_text(mark, words)}"
        for number, report in enumerate(marked.reports, start=1) for mark in report.marks
        if mark.right is not None and (mark.by_hand or not mark.correct)
    ).translate(NO_ISOLATES)  # fmt: skip


def class_text(marked: MarkedClass) -> str:
    """The marks in words: of one student every item with its reason, of a class the statistics of each question."""
    words = marked.exam.words
    look = look_text(marked.look, words)
    if len(marked.students) == 1:
        only = marked.students[0]
        parts = [f"{words['question']} {at}. {graded_text(report, words).rstrip()}"
                 for at, report in enumerate(only.reports, start=1)]  # fmt: skip
        score, possible = decimal_text(only.total), decimal_text(marked.possible(only.variant))
        total = words.why("points", student=clean(only.student.name), score=score, possible=possible)
        return "\n\n".join(filter(None, [total.translate(NO_ISOLATES), *parts, look]))
    average = decimal_text(mean(Fraction(one.total) for one in marked.students))
    of = decimal_text(marked.possible(1))
    rows = [tuple(words["why class table"].split(" | "))]
    for one in marked.statistics():
        fits = "" if one.discrimination is None else f"{one.discrimination:.2f}"
        points, share = decimal_text(one.points), f"{one.difficulty:.2f}"
        rows.append((str(one.question), points, share, fits, "".join(one.wrong[:1])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    guessed = sum(one.is_guessed for one in marked.students)
    said = words.why_of("guessed", guessed).translate(NO_ISOLATES) if guessed else ""
    head = words.why("class", count=f"{len(marked.students):,}", mean=average, of=of).translate(NO_ISOLATES)
    return "\n".join(filter(None, [head, "", *lines, look, said]))

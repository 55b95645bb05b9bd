"""The marks of a class as a table: a line for each student, a column for each item of the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from gdl.exam.grade import GradeReport
from gdl.formats.spreadsheet import csv_table
from gdl.game import Number
from gdl.numbers import decimals, to_text


def marks_table(marked: Mapping[str, GradeReport]) -> str:
    """The marks as CSV, a line for each student: their name or number (else the file's name without its ending), the
    points, the possible points, then the points of each item, "" if nothing was written and `?` if the answer is
    ambiguous."""
    items = [mark.item for mark in next(iter(marked.values())).marks if mark.right is not None]
    rows = [["student", "points", "of", *items]]
    for file, graded in marked.items():
        asked = [mark for mark in graded.marks if mark.right is not None]
        points = ["?" if mark.ambiguous else "" if mark.given is None else _points(mark.points) for mark in asked]
        rows.append([graded.student or Path(file).stem, _points(graded.score), _points(graded.of), *points])
    return csv_table(rows).removesuffix("\n")


def _points(points: Number) -> str:
    with decimals(True):
        return to_text(points)


def class_summary(marked: Sequence[GradeReport]) -> str:
    """A sentence with the mean of a class, the item that failed most, and the most frequent mistake in it."""
    mean = sum((Fraction(graded.score) for graded in marked), Fraction(0)) / len(marked)
    said = f"{len(marked):,} students, {float(mean):.3g} of {_points(marked[0].of)} points on average"
    wrong = [mark for graded in marked for mark in graded.marks if mark.counts and not mark.correct]
    if not wrong:
        return f"{said}; all is right."
    item, times = Counter(mark.item for mark in wrong).most_common(1)[0]
    mistake, most = Counter(mark.mistake for mark in wrong if mark.item == item).most_common(1)[0]
    return f"{said}. {item} failed most, {times} of {len(marked)} times; {most} of these: {mistake}."

"""The marks of a class as a table: a line for each student, a column for each item of the key."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from gdl.errors import clean
from gdl.exam.grade import GradeReport
from gdl.game import Number
from gdl.numbers import decimals, to_text

_FORMULA = ("=", "+", "-", "@")  # a cell that begins so is a formula to a spreadsheet


def marks_table(marked: Mapping[str, GradeReport]) -> str:
    """CSV: the student's name or number as it is written, else the file's name without its ending; the points, those
    that can be had, then those of each item (nothing where nothing was written, ? where it is not clear what)."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    items = [mark.item for mark in next(iter(marked.values())).marks if mark.right is not None]
    table.writerow(["student", "points", "of", *map(_cell, items)])
    for file, graded in marked.items():
        asked = [mark for mark in graded.marks if mark.right is not None]
        points = ["?" if mark.ambiguous else "" if mark.given is None else _points(mark.points) for mark in asked]
        student = _cell(graded.student or Path(file).stem)
        table.writerow([student, _points(graded.score), _points(graded.of), *points])
    return out.getvalue().removesuffix("\n")


def _points(points: Number) -> str:
    with decimals(True):
        return to_text(points)


def class_summary(marked: Sequence[GradeReport]) -> str:
    """The mean of a class, which item failed most, and by which mistake."""
    mean = sum((Fraction(graded.score) for graded in marked), Fraction(0)) / len(marked)
    said = f"{len(marked):,} students, {float(mean):.3g} of {_points(marked[0].of)} points on average"
    wrong = [mark for graded in marked for mark in graded.marks if mark.counts and not mark.correct]
    if not wrong:
        return f"{said}; all is right."
    item, times = Counter(mark.item for mark in wrong).most_common(1)[0]
    mistake, most = Counter(mark.mistake for mark in wrong if mark.item == item).most_common(1)[0]
    return f"{said}. {item} failed most, {times} of {len(marked)} times; {most} of these: {mistake}."


def _cell(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula."""
    shown = clean(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown

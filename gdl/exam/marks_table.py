"""The marks of a class as a table: a line for each student, a column for each item of the key."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from gdl.errors import clean
from gdl.exam.grade import GradeReport

_FORMULA = ("=", "+", "-", "@")  # a cell that begins so is a formula to a spreadsheet


def marks_table(marked: Mapping[str, GradeReport]) -> str:
    """CSV: the file's name without its ending, the points, the points that can be had, then 1 or 0 for each item
    (nothing where nothing was written)."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    items = [mark.item for mark in next(iter(marked.values())).marks if mark.right is not None]
    table.writerow(["student", "points", "of", *map(_cell, items)])
    for file, graded in marked.items():
        counted = [mark for mark in graded.marks if mark.right is not None]
        points = ["" if mark.given is None else int(mark.correct) for mark in counted]
        table.writerow([_cell(Path(file).stem), graded.score, graded.of, *points])
    return out.getvalue().removesuffix("\n")


def _cell(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula."""
    shown = clean(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown

"""Tables as CSV that a spreadsheet may open: no text in them is taken for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from gdl.errors import clean

_FORMULA = re.compile(r"[=@]|[+-](?![\d./]*$)")  # begins a cell that a spreadsheet would compute; a number is none


def csv_table(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV; a cell that a spreadsheet would take for a formula gets an apostrophe before it."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(map(_cell, row) for row in rows)
    return written.getvalue()


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return f"'{clean(value)}" if _FORMULA.match(value) else clean(value)

"""The answer to a question of best play, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.errors import clean
from gdl.errors.screen import cut_line
from gdl.numbers import SHARE, brief, to_text
from gdl.render.text import fact_lines

ROUNDED = {"random plays": 4, "bounds of all positions": 6}  # by the solver of an inexact value: its digits

if TYPE_CHECKING:
    from gdl.inspection.questions import QuestionAnswer


def question_text(question: str, found: QuestionAnswer) -> str:
    """The answer to a question, first in a word, then the value, the play and the solver that it rests on."""
    rows: list[tuple[str, str]] = []
    if found.answer is not None:
        head: str = found.answer
        if found.exact and found.value not in (0, 1):
            rows.append(("value", f"{to_text(found.value or 0)}, its probability with best play on both sides"))
    elif found.exact:
        head = brief(found.value or 0, "about ")
    elif found.value is None or found.solver not in ROUNDED:
        head = "not known"
    else:
        head = f"about {float(found.value):.{ROUNDED[found.solver]}g}"
    if not found.exact and found.interval is not None:
        low, high = found.interval
        ends = " to ".join(brief(end, longest=SHARE) for end in found.interval)
        rows.append(("proven", f"to within {float(high - low):.1g}" if high - low < 1e-6 else ends))
    if found.play:
        rows.append(("play", ", ".join(map(clean, found.play))))
    if found.limit is not None:
        rows.append(("limit", found.limit))
    if found.solver:
        rows.append(("solver", found.solver))
    return "\n".join([f"{cut_line(clean(question))}: {head}", "", *fact_lines(rows)])

"""The answer to a question of best play, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.errors import clean
from gdl.errors.screen import cut_line
from gdl.numbers import brief, to_text
from gdl.render.text import fact_lines

RANDOM_PLAYS = "random plays"  # the solver's name in an answer that is estimated by random plays

if TYPE_CHECKING:
    from gdl.inspection.questions import QuestionAnswer


def question_text(question: str, found: QuestionAnswer) -> str:
    """The answer to a question, first in a word, then the value, the play and the solver that it rests on."""
    rows: list[tuple[str, str]] = []
    if found.answer is not None:
        head: str = found.answer
        if found.exact and found.value not in (0, 1):
            rows.append(("value", f"{to_text(found.value or 0)}, its probability with best play on both sides"))
    elif found.value is None or not (found.exact or found.solver == RANDOM_PLAYS):
        head = "not known"
    else:
        head = brief(found.value, "about ") if found.exact else f"about {float(found.value):.4g}"
    if not found.exact and found.interval is not None:
        rows.append(("proven", " to ".join(map(to_text, found.interval))))
    if found.play:
        rows.append(("play", ", ".join(map(clean, found.play))))
    if found.limit is not None:
        rows.append(("limit", found.limit))
    if found.solver:
        rows.append(("solver", found.solver))
    return "\n".join([f"{cut_line(clean(question))}: {head}", "", *fact_lines(rows)])

"""Search windows as exams write them."""

from __future__ import annotations

from gdl.game import Number
from gdl.numbers import end_text, to_text


def window_text(ends: tuple[Number | None, Number | None]) -> str:
    """The window as text, `[3, inf]`."""
    return f"[{', '.join(window_ends(ends))}]"


def window_ends(ends: tuple[Number | None, Number | None]) -> tuple[str, str]:
    """The ends of the window as texts, `3` and `inf`: exact, as answers are held against them."""
    return end_text(ends[0], "-inf", to_text), end_text(ends[1], "inf", to_text)

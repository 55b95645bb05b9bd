"""Search windows as exams write them."""

from __future__ import annotations

from gdl.game import Number
from gdl.numbers import end_text


def window_text(ends: tuple[Number | None, Number | None]) -> str:
    """The window as text, `[3, inf]`."""
    return f"[{', '.join(window_ends(ends))}]"


def window_ends(ends: tuple[Number | None, Number | None]) -> tuple[str, str]:
    """The ends of the window as texts, `3` and `inf`."""
    return end_text(ends[0], "-inf"), end_text(ends[1], "inf")

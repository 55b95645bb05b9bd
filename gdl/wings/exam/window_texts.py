"""Search windows, and roots, as exams write them."""

from __future__ import annotations

import re
from fractions import Fraction

from gdl.game import Number
from gdl.numbers import end_text, rounded_text, to_text

_LONG = re.compile(r"((?<![<>])= )?(-?\d+/\d{16,})")  # a root that is no fraction, as kept in twenty places


def window_text(ends: tuple[Number | None, Number | None]) -> str:
    """The window as text, `[3, inf]`."""
    return f"[{', '.join(window_ends(ends))}]"


def window_ends(ends: tuple[Number | None, Number | None]) -> tuple[str, str]:
    """The ends of the window as texts, `3` and `inf`: exact, as answers are held against them."""
    return end_text(ends[0], "-inf", to_text), end_text(ends[1], "inf", to_text)


def with_roots_rounded(text: str) -> str:
    """The text with the fractions that stand for roots in six digits: A ≈ 1.73205."""
    return _LONG.sub(lambda found: f"≈{' ' * bool(found[1])}{rounded_text(float(Fraction(found[2])), 6)}", text)

"""Interval arithmetic: between which numbers the value of an operation lies, if its operands lie between these.

Types, bounds of utilities, values that are lowered and nodes of the IR are all reckoned by it.

Source: Moore, Interval Analysis, 1966.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

from gdl.game import Number, exact

End = TypeVar("End", int, Number | float)  # the floats are the infinities: such an end is not known


def combine_intervals(sign: str, a: tuple[End, End], b: tuple[End, End]) -> tuple[End, End]:
    """The least and the greatest value. Only + - min max take infinities; `div` and `mod` (`//` and `%`) are of whole
    numbers, and nothing is divided by 0."""
    found: list[Any]
    (low, high), (least, most) = a, b
    match sign:
        case "+":
            return low + least, high + most
        case "-":
            return low - most, high - least
        case "*":
            found = [low * least, low * most, high * least, high * most]
        case "min":
            return min(low, least), min(high, most)
        case "max":
            return max(low, least), max(high, most)
        case "%" | "mod":
            return 0 if least > 0 else min(least + 1, 0), max(most - 1, 0)
        case "//" | "div":
            found = [x // y for x in a for y in (least, most, -1, 1) if y and least <= y <= most] or [0]
        case _:
            found = [exact(Fraction(x) / Fraction(y)) for x in a for y in b]
    return min(found), max(found)

"""Operators of arithmetic and of order on two numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gdl.game import exact
from gdl.model import core


def _divide(a: Any, b: Any) -> Any:
    return exact(Fraction(a, b) if type(a) is type(b) is int else Fraction(a) / b)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "mod": operator.mod,
    "div": operator.floordiv,
    "min": min,
    "max": max,
}
ORDERS = {sign: core.COMPARED[sign] for sign in ("<", "<=", ">", ">=")}

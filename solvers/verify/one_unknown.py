"""Numbers that move with one unknown, and the stretches of its line in which a computation goes the same way.

A number a + b*t is reckoned with like any other, at some t; where two are compared, the t at which they are equal is
noted. Between two such points next to each other every comparison comes out alike, so what is computed there is the
same all over: a few runs show the whole line. No region is parted, and no form solved for.

Source: Megiddo, Combinatorial optimization with rational objective functions, Mathematics of Operations Research 4,
1979 (running an algorithm on linear forms, and resolving its comparisons).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from gdl.game import Number, exact
from gdl.solvers.verify.verdict import Unchecked

Found = TypeVar("Found")
MOST_RUNS = 2_000  # runs

Form = tuple[Number, Number]  # a + b*t


class Moving:
    """a + b*t, at a given t; `equal` collects where it equals what it is compared with."""

    __slots__ = ("a", "b", "equal", "t")

    def __init__(self, a: Number, b: Number, t: Number, equal: dict[Number, None]):
        self.a, self.b, self.t, self.equal = a, b, t, equal

    def _with_form(self, a: Number, b: Number) -> Moving:
        return Moving(exact(a), exact(b), self.t, self.equal)

    def __add__(self, other: Any) -> Moving:
        a, b = form(other)
        return self._with_form(self.a + a, self.b + b)

    __radd__ = __add__

    def __neg__(self) -> Moving:
        return self._with_form(-self.a, -self.b)

    def __sub__(self, other: Any) -> Moving:
        a, b = form(other)
        return self._with_form(self.a - a, self.b - b)

    def __rsub__(self, other: Any) -> Moving:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Moving:
        a, b = form(other)
        if self.b and b:
            raise Unchecked("a product of unknown numbers is not linear")
        return self._with_form(self.a * a, self.a * b + self.b * a)

    __rmul__ = __mul__

    def _against(self, other: Any) -> Number:
        """What it is more than the other, here."""
        if isinstance(other, float):  # an infinity
            return -1 if other > 0 else 1
        a, b = form(self - other)
        if b:
            self.equal[exact(Fraction(-a) / b)] = None
        return a + b * self.t

    def __lt__(self, other: Any) -> bool:
        return self._against(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._against(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._against(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._against(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self._against(other) == 0

    __hash__ = None  # type: ignore[assignment]


def form(number: Any) -> Form:
    """The two parts of a number, which need not move."""
    return (number.a, number.b) if isinstance(number, Moving) else (number, 0)


@dataclass(frozen=True)
class UnknownSegment(Generic[Found]):
    """A point of the line (low = high), or the open stretch between two (None: without end), and what was found."""

    low: Number | None
    high: Number | None
    found: Found

    @property
    def is_point(self) -> bool:
        return self.low is not None and self.low == self.high

    def inside(self) -> Number:
        """A number of it."""
        return between(self.low, self.high)


def between(low: Number | None, high: Number | None) -> Number:
    """A number between two; the point itself where they are equal."""
    if low is None or high is None:
        return low + 1 if low is not None else high - 1 if high is not None else 0
    return exact(Fraction(low + high) / 2)


def sweep_line(
    low: Number | None, high: Number | None, ask: Callable[[Number], tuple[Found, dict[Number, None]]]
) -> list[UnknownSegment[Found]]:
    """All the pieces from low to high (which belong to it), from left to right. `ask` computes at one t, and says where
    comparisons would have come out otherwise."""
    runs = 0

    def ask_counted(t: Number) -> tuple[Found, dict[Number, None]]:
        nonlocal runs
        runs += 1
        if runs > MOST_RUNS:
            raise Unchecked(f"the answer depends on what is left open in more than {MOST_RUNS:,} ways")
        return ask(t)

    pieces: list[UnknownSegment[Found]] = []
    points = dict.fromkeys(end for end in (low, high) if end is not None)
    waiting = [(low, high)] if low is None or high is None or low < high else []
    while waiting:
        left, right = waiting.pop()
        t = between(left, right)
        found, equal = ask_counted(t)
        near: Number | None = t
        far: Number | None = t
        if t not in equal:
            near = max([c for c in equal if c < t and (left is None or c > left)], default=left)
            far = min([c for c in equal if c > t and (right is None or c < right)], default=right)
            pieces.append(UnknownSegment(near, far, found))
        points |= dict.fromkeys(end for end in (near, far) if end is not None)
        if near != left:
            waiting.append((left, near))
        if far != right:
            waiting.append((far, right))
    pieces += [UnknownSegment(point, point, ask_counted(point)[0]) for point in points]
    return sorted(pieces, key=lambda piece: (piece.inside(), piece.is_point))

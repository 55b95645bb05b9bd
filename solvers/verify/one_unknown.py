"""Numbers that move with unknowns, and the stretches of an unknown's line in which a computation goes the same way.

A number a + b*t is reckoned with like any other, at some t; where two are compared, the t at which they are equal is
noted. Between two such points next to each other every comparison comes out alike, so what is computed there is the
same all over: a few runs show the whole line. No region is parted, and no form solved for.

Of several unknowns, one line lies in the other: a, and the points on the line of one unknown, move with those before
it. What is compared in the sweep of the inner line is noted on the outer one, so that the same few runs show the plane.

Source: Megiddo, Combinatorial optimization with rational objective functions, Mathematics of Operations Research 4,
1979 (running an algorithm on linear forms, and resolving its comparisons).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any, Generic, TypeVar

from gdl.game import Number, exact
from gdl.solvers.verify.verdict import Unchecked

Found = TypeVar("Found")
MOST_RUNS = 3_000  # runs

Form = tuple[Any, Number]  # a + b*t


class Moving:
    """a + b*t, at a given t; `equal` collects where it equals what it is compared with. Of several unknowns the `depth`
    says which one t is: a and t may move with those of less depth."""

    __slots__ = ("a", "b", "depth", "equal", "t")

    def __init__(self, a: Any, b: Number, t: Any, equal: list[Any], depth: int = 0):
        self.a, self.b, self.t, self.equal, self.depth = a, b, t, equal, depth

    def _with_form(self, a: Any, b: Number) -> Any:
        return Moving(simple(a), simple(b), self.t, self.equal, self.depth) if b else simple(a)

    def _parts(self, other: Any) -> Form:
        same = isinstance(other, Moving) and other.depth == self.depth
        return (other.a, other.b) if same else (other, 0)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Moving) and other.depth > self.depth:
            return other + self
        a, b = self._parts(other)
        return self._with_form(self.a + a, self.b + b)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._with_form(-self.a, -self.b)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Moving):
            raise Unchecked("a product of unknown numbers is not linear")
        return self._with_form(self.a * other, self.b * other)

    __rmul__ = __mul__

    def here(self) -> Any:
        """The value at its t: a number, or one that moves with an unknown of less depth."""
        return simple(self.a + self.t * self.b)

    def _sign(self, other: Any) -> int:
        """The sign of its difference from the other, here: 1, 0 or -1."""
        if isinstance(other, float):  # an infinity
            return -1 if other > 0 else 1
        rest = self - other
        while isinstance(rest, Moving):
            root = -rest.a * Fraction(1, rest.b)
            if not any(point is root or same_form(point, root) for point in rest.equal):
                rest.equal.append(simple(root))
            rest = rest.here()
        return int(rest > 0) - int(rest < 0)

    def __lt__(self, other: Any) -> bool:
        return self._sign(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._sign(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._sign(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._sign(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self._sign(other) == 0

    __hash__ = None  # type: ignore[assignment]


def simple(number: Any) -> Any:
    """An exact number in its plainest form; one that moves is left as it is."""
    return number if isinstance(number, Moving) else exact(number)


def same_form(one: Any, other: Any) -> bool:
    """True if two numbers are the same for all values of the unknowns; nothing is noted."""
    if isinstance(one, Moving) and isinstance(other, Moving):
        return one.depth == other.depth and one.b == other.b and same_form(one.a, other.a)
    return not isinstance(one, Moving) and not isinstance(other, Moving) and one == other


def at_point(number: Any) -> Number:
    """A number that moves, where all unknowns are as they are."""
    while isinstance(number, Moving):
        number = number.here()
    return exact(number)


def form_of(number: Any) -> tuple[tuple[int | None, Number], ...]:
    """A number as a linear form: a constant, and for each unknown that it moves with its depth and its factor."""
    return (*form_of(number.a), (number.depth, number.b)) if isinstance(number, Moving) else ((None, exact(number)),)


def is_at_root(number: Any) -> bool:
    """True if a number that moves equals here what it was compared with."""
    return isinstance(number, Moving) and any(at_point(point) == at_point(number.t) for point in number.equal)


@dataclass(frozen=True)
class UnknownSegment(Generic[Found]):
    """A point of the line (low = high), or the open stretch between two (None: without end), and what was found."""

    low: Any
    high: Any
    found: Found

    @property
    def is_point(self) -> bool:
        return self.low is not None and self.low is self.high

    def inside(self) -> Any:
        """A number of it."""
        return self.low if self.is_point else between(self.low, self.high)


def between(low: Any, high: Any) -> Any:
    """A number between two; the point itself where they are equal."""
    if low is None or high is None:
        return low + 1 if low is not None else high - 1 if high is not None else 0
    return simple((low + high) * Fraction(1, 2))


def sweep_line(low: Any, high: Any, ask: Callable[[Any], tuple[Found, list[Any]]]) -> list[UnknownSegment[Found]]:
    """All the pieces from low to high (which belong to it), from left to right. `ask` computes at one t, and says where
    comparisons would have come out otherwise."""
    runs = 0

    def ask_counted(t: Any) -> tuple[Found, list[Any]]:
        nonlocal runs
        runs += 1
        if runs > MOST_RUNS:
            raise Unchecked(f"the answer depends on what is left open in more than {MOST_RUNS:,} ways")
        return ask(t)

    pieces: list[UnknownSegment[Found]] = []
    points = _distinct(end for end in (low, high) if end is not None)
    waiting = [(low, high)] if low is None or high is None or low < high else []
    while waiting:
        left, right = waiting.pop()
        t = between(left, right)
        found, equal = ask_counted(t)
        near = far = t
        if not any(c == t for c in equal):
            near = max([c for c in equal if c < t and (left is None or c > left)], default=left)
            far = min([c for c in equal if c > t and (right is None or c < right)], default=right)
            pieces.append(UnknownSegment(near, far, found))
        points = _distinct([*points, *(end for end in (near, far) if end is not None)])
        if near is not left:
            waiting.append((left, near))
        if far is not right:
            waiting.append((far, right))
    pieces += [UnknownSegment(point, point, ask_counted(point)[0]) for point in points]
    return sorted(pieces, key=cmp_to_key(_in_order))


def _distinct(points: Iterable[Any]) -> list[Any]:
    """Each of them once."""
    found: list[Any] = []
    for point in points:
        if not any(point == other for other in found):
            found.append(point)
    return found


def _in_order(one: UnknownSegment[Any], other: UnknownSegment[Any]) -> int:
    """-1 where the one lies to the left, 1 where it lies to the right."""
    here, there = one.inside(), other.inside()
    return -1 if here < there else int(here > there)

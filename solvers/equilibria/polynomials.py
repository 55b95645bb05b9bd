"""The greatest value of a polynomial between zero and one, exactly.

1. Its greatest value lies at an end, or at a root of its derivative; repeated roots of that are made simple.
2. Sturm's theorem counts the roots in an interval, which is halved until each root has one of its own.
3. A rational root has a denominator that divides the leading coefficient, so it is found once its interval is small.
   Other roots are told by the polynomial and the interval.

Source: Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, 2006, section 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solution import Root

Polynomial = tuple[Fraction, ...]  # coefficients, the constant first; the last is not zero; () is zero

NARROW = Fraction(1, 10**40)  # the width of the interval of an irrational root


class Peak(NamedTuple):
    """The place at which a polynomial is greatest, and bounds on its value there. Where the place is irrational, `at`
    is near it, and `root` gives it exactly."""

    at: Number
    low: Number
    high: Number
    root: Root | None = None


def polynomial(coefficients: Sequence[Number]) -> Polynomial:
    """The polynomial with these coefficients, the constant first, without leading zeros."""
    found = [Fraction(c) for c in coefficients]
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def greatest_place(f: Polynomial) -> Peak:
    """The place between 0 and 1 at which a polynomial is greatest; among equal places the first rational one."""
    ends = [(at, exact(value(f, Fraction(at)))) for at in (0, 1)]
    peaks = [Peak(at, there, there) for at, there in ends]
    slope = derivative(f)
    simple = divide(slope, common(slope, derivative(slope)))[0] if slope else ()
    peaks += [_peak(f, *found) for found in _isolate_roots(simple, Fraction(0), Fraction(1))]
    return max(peaks, key=lambda peak: (peak.high, peak.root is None, -peak.at))


def _peak(f: Polynomial, simple: Polynomial, low: Fraction, high: Fraction) -> Peak:
    """The peak at the one root that `simple`, which has the roots of the derivative, has in the interval."""
    coefficients = primitive_part(simple)
    width = min(NARROW, Fraction(1, 2 * coefficients[-1] ** 2))
    if low < high:
        low, high = _narrow_interval(simple, low, high, width)
    rational = low if low == high else ((low + high) / 2).limit_denominator(abs(coefficients[-1]))
    if value(simple, rational) == 0:
        there = exact(value(f, rational))
        return Peak(exact(rational), there, there)
    middle = ((low + high) / 2).limit_denominator(10**30)
    near = value(f, middle)
    off = (high - low + abs(middle - low)) * sum(map(abs, derivative(f)), Fraction(0))
    return Peak(exact(middle), exact(near - off), exact(near + off), Root(coefficients, exact(low), exact(high)))


def complementary_root(root: Root) -> Root:
    """The root 1 - x, for a root x."""
    turned: list[int] = []
    for c in reversed(root.polynomial):  # Horner's rule at 1 - x
        shifted = [0, *turned]
        turned = [a - b for a, b in zip([*turned, 0], shifted, strict=True)] or [0]
        turned[0] += c
    return Root(primitive_part(polynomial(turned)), exact(1 - root.high), exact(1 - root.low))


def _narrow_interval(f: Polynomial, low: Fraction, high: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
    """The interval of a simple root, halved until it is no wider than `width`."""
    below = value(f, low) > 0
    while high - low > width:
        middle = (low + high) / 2
        there = value(f, middle)
        if there == 0:
            return middle, middle
        low, high = (middle, high) if (there > 0) == below else (low, middle)
    return low, high


def _isolate_roots(f: Polynomial, low: Fraction, high: Fraction) -> Iterator[tuple[Polynomial, Fraction, Fraction]]:
    """Intervals between `low` and `high`, both excluded, with one root each of a polynomial with simple roots. With
    each comes a polynomial that has this root, and none at the ends. An interval of one point is the root itself."""
    stack = [(f, low, high)]
    while stack:
        f, low, high = stack.pop()
        for end in (low, high):
            if f and value(f, end) == 0:
                f = divide(f, (-end, Fraction(1)))[0]
        chain = _sturm(f) if len(f) > 1 else []
        count = _changes(chain, low) - _changes(chain, high)
        if count == 1:
            yield f, low, high
        elif count > 1:
            middle = (low + high) / 2
            if value(f, middle) == 0:
                yield f, middle, middle
            stack += [(f, middle, high), (f, low, middle)]


def _sturm(f: Polynomial) -> list[Polynomial]:
    chain = [f, derivative(f)]
    while len(chain[-1]) > 1:
        rest = tuple(-c for c in divide(chain[-2], chain[-1])[1])
        if not rest:
            break
        chain.append(rest)
    return chain


def _changes(chain: Sequence[Polynomial], x: Fraction) -> int:
    signs = [there > 0 for there in (value(f, x) for f in chain) if there]
    return sum(a != b for a, b in pairwise(signs))


def value(f: Polynomial, x: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(f):
        total = total * x + c
    return total


def derivative(f: Polynomial) -> Polynomial:
    return tuple(k * c for k, c in enumerate(f))[1:]


def common(f: Polynomial, g: Polynomial) -> Polynomial:
    """The greatest common divisor of two polynomials."""
    while g:
        f, g = g, divide(f, g)[1]
    return f


def divide(f: Polynomial, g: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The quotient and the remainder of two polynomials."""
    rest, found = list(f), [Fraction(0)] * max(0, len(f) - len(g) + 1)
    for k in reversed(range(len(found))):
        found[k] = rest[k + len(g) - 1] / g[-1]
        for j, c in enumerate(g):
            rest[k + j] -= found[k] * c
    return polynomial(found), polynomial(rest[: len(g) - 1])


def primitive_part(f: Polynomial) -> tuple[int, ...]:
    """The polynomial with the same roots and whole coefficients without a common divisor."""
    scale = lcm(*(c.denominator for c in f))
    numbers = [int(c * scale) for c in f]
    divisor = gcd(*numbers)
    return tuple(number // divisor for number in numbers)

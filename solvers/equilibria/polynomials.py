"""Roots of a polynomial between zero and one, and its greatest value there, exactly.

1. Its greatest value lies at an end, or at a root of its derivative.
2. In Bernstein's form, the sum of b[j] C(d, j) x^j (1 - x)^(d - j), a polynomial has no more roots in between than its
   coefficients change signs: none where they do not, one where they do once. De Casteljau's averages are the
   coefficients for both halves of the interval, which is halved until each part has one root.
3. A repeated root is never parted from itself. After some halving all roots are made simple.
4. A rational root has a denominator that divides the leading coefficient, so it is found once its interval is small.
   Other roots are told by the polynomial and the interval.

Source: Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, 2006, sections 2.2 and 10.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, gcd, lcm
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solution import Root

_Part = tuple[Sequence[int], Fraction, Fraction]  # Bernstein's coefficients for an interval, and its ends
Polynomial = tuple[Fraction, ...]  # coefficients, the constant first; the last is not zero; () is zero

NARROW = 10**40  # one by the width of the interval of an irrational root
SMALLEST = Fraction(1, 2**40)  # the width of an interval in which two roots are taken for a repeated one


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
    peaks += [_peak(f, *found) for found in roots_between(derivative(f))]
    return max(peaks, key=lambda peak: (peak.high, peak.root is None, -peak.at))


def _peak(f: Polynomial, at: Fraction, root: Root | None) -> Peak:
    """The peak at a root of the derivative, or close to it if it is irrational."""
    near = value(f, at)
    if root is None:
        return Peak(exact(at), exact(near), exact(near))
    off = (root.high - root.low + abs(at - root.low)) * sum(map(abs, derivative(f)), Fraction(0))
    return Peak(exact(at), exact(near - off), exact(near + off), root)


def complementary_root(root: Root) -> Root:
    """The root 1 - x, for a root x."""
    turned: list[int] = []
    for c in reversed(root.polynomial):  # Horner's rule at 1 - x
        shifted = [0, *turned]
        turned = [a - b for a, b in zip([*turned, 0], shifted, strict=True)] or [0]
        turned[0] += c
    return Root(primitive_part(polynomial(turned)), exact(1 - root.high), exact(1 - root.low))


def roots_between(f: Polynomial) -> Iterator[tuple[Fraction, Root | None]]:
    """The roots of a polynomial between 0 and 1, both excluded, each once; for an irrational one a fraction close to
    it, and the root."""
    parts = _isolate_roots(f, SMALLEST)
    if parts is None:
        f = divide(f, common(f, derivative(f)))[0]
        parts = _isolate_roots(f, Fraction(0)) or []
    whole = primitive_part(f)
    for row, start, end in parts:
        rising = next(c for c in row if c) < 0  # the sign beside the lower end
        bottom = start.denominator if start == end else int(1 / (end - start))
        low, high = int(start * bottom), int(end * bottom)  # over the bottom
        for wide in (2 * whole[-1] ** 2, NARROW):  # enough to tell a rational root; or to tell one at all
            while low < high and bottom < wide:
                low, high, bottom = 2 * low, 2 * high, 2 * bottom
                there = _height_at(whole, low + 1, bottom)
                if there == 0 or (there > 0) != rising:
                    low += 1
                if there == 0 or (there > 0) == rising:
                    high -= 1
            rational = Fraction(low + high, 2 * bottom).limit_denominator(abs(whole[-1]))
            inside = low == high or low < rational * bottom < high
            if inside and _height_at(whole, rational.numerator, rational.denominator) == 0:
                yield rational, None
                break
        else:
            ends = exact(Fraction(low, bottom)), exact(Fraction(high, bottom))
            yield Fraction(low + high, 2 * bottom).limit_denominator(10**30), Root(whole, *ends)


def _height_at(whole: Sequence[int], top: int, bottom: int) -> int:
    """The value at a fraction, times a positive number."""
    total, scale = 0, 1
    for c in reversed(whole):
        total = total * top + c * scale
        scale *= bottom
    return total


def _isolate_roots(f: Polynomial, smallest: Fraction) -> list[_Part] | None:
    """Parts of the interval from 0 to 1 with one root each, in order; one of no width is the root. None if a part that
    is `smallest` still seems to have several."""
    degree = len(f) - 1
    form = [sum((comb(j, k) * f[k] / comb(degree, k) for k in range(j + 1)), Fraction(0)) for j in range(degree + 1)]
    found: list[_Part] = []
    stack: list[_Part] = [(primitive_part(tuple(form)), Fraction(0), Fraction(1))] if any(form) else []
    while stack:
        row, low, high = stack.pop()
        signs = [c > 0 for c in row if c]
        changes = sum(a != b for a, b in pairwise(signs))
        if changes == 1 or (changes and low == high):
            found.append((row, low, high))
        elif changes:
            if high - low < smallest:
                return None
            left, right = _split_halves(row)
            middle = (low + high) / 2
            stack += [(right, middle, high), *([] if right[0] else [(row, middle, middle)]), (left, low, middle)]
    return found


def _split_halves(row: Sequence[int]) -> tuple[list[int], list[int]]:
    """Bernstein's coefficients for both halves of an interval, times a power of two."""
    left, right = [], []
    for shift in reversed(range(len(row))):
        left.append(row[0] << shift)
        right.append(row[-1] << shift)
        row = [a + b for a, b in pairwise(row)]
    return left, right[::-1]


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

"""Where a polynomial has roots, by Sturm's theorem: between two ends the signs of its chain lose as many changes.

Source: Sturm 1829; Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, theorem 2.62.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import gcd, lcm

from gdl.game import Number

Polynomial = Sequence[Number]  # the coefficients, the constant first


def sturm_chain(form: Polynomial) -> list[Polynomial]:
    """Sturm's chain of a polynomial: the polynomial, its derivative, and then remainders with the sign changed. Each is
    scaled by a positive factor to whole coefficients without a common divisor."""
    chain = [_with_whole_coefficients(form), _with_whole_coefficients([k * c for k, c in enumerate(form)][1:])]
    while len(chain[-1]) > 1:
        rest, by = list(chain[-2]), chain[-1]
        while len(rest) >= len(by):
            shift, sign = len(rest) - len(by), 1 if by[-1] > 0 else -1
            up, down = sign * by[-1], sign * rest[-1]
            rest = [up * c - down * by[k - shift] if k >= shift else up * c for k, c in enumerate(rest)][:-1]
        while rest and not rest[-1]:
            rest.pop()
        if not rest:
            break
        chain.append(_with_whole_coefficients([-c for c in rest]))
    return chain


def _with_whole_coefficients(form: Sequence[Number]) -> Polynomial:
    """The polynomial times the least positive number by which its coefficients are whole and share no factor."""
    scale = Fraction(lcm(*(c.denominator for c in form)), gcd(*(c.numerator for c in form)) or 1)
    return [int(c * scale) for c in form]


def without_end_roots(form: Polynomial) -> Polynomial:
    """The polynomial divided by x and by 1 - x as often as may be, which changes no sign between 0 and 1."""
    while not form[-1]:
        form = form[:-1]
    while not form[0]:
        form = form[1:]
    while not sum(form):
        form = list(accumulate(form[:-1]))
    return form


def is_somewhere_positive(form: Polynomial) -> bool:
    """True if the polynomial is above 0 anywhere from 0 to 1: just beside an end, or where it changes its sign in
    between. A root of multiplicity m is also a root of the divisor that the polynomial shares with its derivative, and
    so on, m times in all; so roots of odd multiplicity can be counted."""
    if not any(form):
        return False
    form = without_end_roots(form)
    crossings, sign, shared = 0, 1, form
    while len(shared) > 1:
        chain = sturm_chain(shared)
        crossings += sign * (changes(chain, Fraction(0)) - changes(chain, Fraction(1)))
        shared, sign = chain[-1], -sign
    return form[0] > 0 or crossings > 0


def value_at(form: Polynomial, x: Fraction) -> Fraction:
    found = Fraction(0)
    for c in reversed(form):
        found = found * x + c
    return found


def changes(chain: Sequence[Polynomial], x: Fraction) -> int:
    """The number of changes of sign along the chain at x."""
    signs = [value > 0 for value in (value_at(form, x) for form in chain) if value]
    return sum(a != b for a, b in pairwise(signs))

"""Where a polynomial has roots, by Sturm's theorem: between two ends the signs of its chain lose as many changes.

Source: Sturm 1829; Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, theorem 2.62.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

Polynomial = list[Fraction]  # the constant first


def sturm_chain(form: Polynomial) -> list[Polynomial]:
    """Sturm's chain: the form, its derivative, and the remainders with the other sign."""
    chain = [form, [k * c for k, c in enumerate(form)][1:]]
    while len(chain[-1]) > 1:
        rest = list(chain[-2])
        by = chain[-1]
        while len(rest) >= len(by):
            factor = rest[-1] / by[-1]
            shift = len(rest) - len(by)
            rest = [c - factor * by[k - shift] if k >= shift else c for k, c in enumerate(rest)][:-1]
        while rest and not rest[-1]:
            rest.pop()
        if not rest:
            break
        chain.append([-c for c in rest])
    return chain


def is_somewhere_positive(form: Polynomial) -> bool:
    """True if the polynomial is above 0 anywhere from 0 to 1: beside an end, or where it changes its sign between. A
    root of multiplicity m is one of the form, of the divisor that it shares with its derivative, and so on, m times."""
    if not any(form):
        return False
    while not form[-1]:
        form = form[:-1]
    while not form[0]:  # what x divides off changes no sign between
        form = form[1:]
    while not sum(form):  # nor does 1 - x
        form = list(accumulate(form[:-1]))
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
    """How often the sign changes along the chain."""
    signs = [value > 0 for value in (value_at(form, x) for form in chain) if value]
    return sum(a != b for a, b in pairwise(signs))

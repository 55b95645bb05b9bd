"""Interval arithmetic, held against all numbers of small intervals."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest

from gdl.model.intervals import combine_intervals

INTERVALS = [(low, high) for low, high in product(range(-3, 4), repeat=2) if low <= high]
EXACT = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "min": min,
    "max": max,
}


@pytest.mark.parametrize("sign", EXACT)
def test_the_ends_are_the_least_and_the_greatest_value(sign: str) -> None:
    for a, b in product(INTERVALS, repeat=2):
        pairs = product(range(a[0], a[1] + 1), (y for y in range(b[0], b[1] + 1) if y or sign != "//"))
        found = [EXACT[sign](x, y) for x, y in pairs] or [0]
        assert combine_intervals(sign, a, b) == (min(found), max(found))


def test_remainders_lie_inside() -> None:
    for a, b in product(INTERVALS, repeat=2):
        low, high = combine_intervals("mod", a, b)
        for x, y in product(range(a[0], a[1] + 1), range(b[0], b[1] + 1)):
            assert y == 0 or low <= x % y <= high


def test_an_end_that_is_not_known_stays_so() -> None:
    assert combine_intervals("+", (-inf, 2), (1, inf)) == (-inf, inf)
    assert combine_intervals("-", (0, inf), (1, 2)) == (-2, inf)
    assert combine_intervals("min", (-inf, inf), (1, 2)) == (-inf, 2)
    assert combine_intervals("max", (-inf, inf), (1, 2)) == (1, inf)

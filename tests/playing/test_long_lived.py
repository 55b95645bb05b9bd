"""Processes that live long: the same work again and again takes no more memory."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from long_lived import LONG, hold_memory_flat, usual_collection  # noqa: F401

import gdl

pytestmark = LONG


def solved() -> Callable[[int], None]:
    generator = random.Random(1)

    def work(number: int) -> None:
        leaves = [generator.randrange(1000) for _ in range(8)]
        text = "players MAX, MIN\ntree MAX(MIN({}, {}), MIN({}, {}), MIN({}, {}), MIN({}, {}))".format(*leaves)
        pairs = zip(leaves[::2], leaves[1::2], strict=True)
        assert gdl.solve(gdl.loads(text, f"game {number}")).value == (value := max(map(min, pairs)), -value)
        gdl.solve(gdl.load("nim", settings={"heaps": [1, number % 3 + 1]}))

    return work


@pytest.mark.parametrize(("begin", "times"), [(solved, 2_000)])
def test_memory_stays_flat(begin: Callable[[], Callable[[int], None]], times: int):
    hold_memory_flat(begin, times)

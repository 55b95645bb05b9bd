"""Processes that live long: the same work again and again takes no more memory."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gdl
from gdl.web.document import Document

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read as Linux tells it"),
]
MORE = 24 << 20  # bytes that the memory may grow by


@pytest.fixture(autouse=True)
def usual_collection() -> Iterator[None]:
    """Garbage is looked for as everywhere; other tests put that off."""
    kept = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*kept)


def resident() -> int:
    """The bytes that the process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def steps() -> Callable[[int], None]:
    env, generator = gdl.environment("connect_four", seed=1), random.Random(1)

    def work(number: int) -> None:
        for _ in range(1000):
            if env.over:
                env.reset()
            env.step(env.legal[generator.randrange(len(env.legal))])

    return work


def solved() -> Callable[[int], None]:
    generator = random.Random(1)

    def work(number: int) -> None:
        leaves = [generator.randrange(1000) for _ in range(8)]
        text = "players MAX, MIN\ntree MAX(MIN({}, {}), MIN({}, {}), MIN({}, {}), MIN({}, {}))".format(*leaves)
        pairs = zip(leaves[::2], leaves[1::2], strict=True)
        assert gdl.solve(gdl.loads(text, f"game {number}")).value == (value := max(map(min, pairs)), -value)
        gdl.solve(gdl.load("nim", settings={"heaps": [1, number % 3 + 1]}))

    return work


def edits() -> Callable[[int], None]:
    text = gdl.read("nim")[0]
    document = Document("nim.game")

    def work(number: int) -> None:
        document.update(text.replace("\nstate", f"\n# edit {number}\nstate", 1))
        assert document.model is not None and not document.problems

    return work


@pytest.mark.parametrize(("begin", "times"), [(steps, 10_000), (solved, 2_000), (edits, 20_000)])
def test_memory_stays_flat(begin: Callable[[], Callable[[int], None]], times: int):
    work = begin()
    for number in range(times // 5):  # until all that is kept is full
        work(number)
    before = resident()
    for number in range(times // 5, times):
        work(number)
    assert resident() - before < MORE

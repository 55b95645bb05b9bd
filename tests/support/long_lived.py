"""Work that is done again and again in a process that lives long, and what memory it may take."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LONG = [
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


def hold_memory_flat(begin: Callable[[], Callable[[int], None]], times: int) -> None:
    """Do the work so many times; fail if the process then holds more than after the first fifth."""
    work = begin()
    for number in range(times // 5):  # until all that is kept is full
        work(number)
    before = resident()
    for number in range(times // 5, times):
        work(number)
    assert resident() - before < MORE

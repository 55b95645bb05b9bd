"""Several searches at the same time: kernel code on WebAssembly runs without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from threading import Event, Thread
from time import monotonic

from gdl.compiler import interrupts

_PAUSE = 0.05  # seconds between two looks


def together(works: Sequence[Iterable[object]], pause: Callable[[], None], engine: str = "wasm") -> None:
    """Iterate over them all, each in a thread of its own, to the end; one alone, or all by turns where the engine keeps
    the interpreter's lock, in this one.

    `pause` is called now and then; what it raises, or Ctrl-C, stops them after the step that they are at, and where
    that takes long after Ctrl-C, within it. What they raise themselves is raised when all have ended, that of the first
    of them.
    """
    if len(works) == 1 or engine != "wasm":
        for _ in zip_longest(*works):
            pause()
        return
    with beside(works) as threads:
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(_PAUSE)
            pause()


@contextmanager
def beside(works: Sequence[Iterable[object]]) -> Iterator[Sequence[Thread]]:
    """Iterate over them all, each in a thread of its own, while the block runs; at its end they stop after the step
    that they are at, and where that takes long after Ctrl-C, within it. What they raise is raised when all have ended,
    that of the first of them."""
    stop = Event()
    faults: list[BaseException | None] = [None] * len(works)

    def work(number: int) -> None:
        try:
            for _ in works[number]:
                if stop.is_set():
                    return
        except BaseException as fault:  # it is raised in the thread that waits
            faults[number] = fault
        finally:
            if isinstance(found := works[number], Generator):
                found.close()  # whose own threads end so

    threads = [Thread(target=work, args=(number,), daemon=True) for number in range(len(works))]
    try:
        for thread in threads:
            thread.start()
        yield threads
    except KeyboardInterrupt:
        stop.set()
        try:
            _wait(threads, _PAUSE)
        finally:  # also after a second Ctrl-C, and of one that was about to start
            interrupts.halt(threads)
        raise
    finally:
        stop.set()
        _wait(threads)
    for fault in faults:
        if fault is not None:
            raise fault


def _wait(threads: Sequence[Thread], seconds: float | None = None) -> None:
    """Until all have ended, or for so long."""
    end = None if seconds is None else monotonic() + seconds
    for thread in threads:
        if thread.ident is None:  # it has not begun
            continue
        thread.join(None if end is None else max(0.0, end - monotonic()))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

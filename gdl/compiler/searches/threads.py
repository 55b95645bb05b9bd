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


def run_together(works: Sequence[Iterable[object]], pause: Callable[[], None], engine: str = "wasm") -> None:
    """Run all iterators `works` to their ends, each in a thread of its own. If there is only one, or if the engine
    keeps the interpreter's lock, they run in this thread, by turns.

    `pause` is called now and then; an exception that it raises, or Ctrl-C, stops the iterators after their present
    steps or, where that takes long after Ctrl-C, within them. If iterators raise exceptions, that of the first of them
    in order is raised when all threads have ended.
    """
    if len(works) == 1 or engine != "wasm":
        for _ in zip_longest(*works):
            pause()
        return
    with run_beside(works) as threads:
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(_PAUSE)
            pause()


@contextmanager
def run_beside(works: Sequence[Iterable[object]]) -> Iterator[Sequence[Thread]]:
    """Run all iterators `works`, each in a thread of its own, while the block runs. At the end of the block they are
    stopped after their present steps or, where that takes long after Ctrl-C, within them. If iterators raise
    exceptions, that of the first of them in order is raised when all threads have ended."""
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
                found.close()  # which ends the threads of the work itself

    threads = [Thread(target=work, args=(number,), daemon=True) for number in range(len(works))]
    try:
        for thread in threads:
            thread.start()
        yield threads
    except KeyboardInterrupt:
        stop.set()
        try:
            _wait_for_threads(threads, _PAUSE)
        finally:  # also after a second Ctrl-C, and of one that was about to start
            interrupts.halt(threads)
        raise
    finally:
        stop.set()
        _wait_for_threads(threads)
    for fault in faults:
        if fault is not None:
            raise fault


def _wait_for_threads(threads: Sequence[Thread], seconds: float | None = None) -> None:
    """Wait until all threads have ended, or at most for this number of seconds (None: no limit)."""
    end = None if seconds is None else monotonic() + seconds
    for thread in threads:
        if thread.ident is None:  # it has not begun
            continue
        thread.join(None if end is None else max(0.0, end - monotonic()))


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

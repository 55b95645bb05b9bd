"""Several searches at the same time: kernel code on WebAssembly runs without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Event, Thread

_PAUSE = 0.05  # seconds between two looks


def together(works: Sequence[Iterable[object]], pause: Callable[[], None]) -> None:
    """Iterate over them all, each in a thread of its own, to the end; one alone in this one.

    `pause` is called now and then; what it raises, or Ctrl-C, stops them after the step that they are at. What they
    raise themselves is raised when all have ended, that of the first of them.
    """
    if len(works) == 1:
        for _ in works[0]:
            pause()
        return
    stop = Event()
    faults: list[BaseException | None] = [None] * len(works)

    def work(number: int) -> None:
        try:
            for _ in works[number]:
                if stop.is_set():
                    return
        except BaseException as fault:  # it is raised in the thread that waits
            faults[number] = fault

    threads = [Thread(target=work, args=(number,), daemon=True) for number in range(len(works))]
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(_PAUSE)
            pause()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for fault in faults:
        if fault is not None:
            raise fault

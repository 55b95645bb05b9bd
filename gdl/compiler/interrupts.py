"""Ctrl-C while kernel code runs: an alarm rings twenty times a second, and lets Python look whether it was pressed.

Ctrl-C is noted, and answered when the code has finished its slice, so that its counts stay whole; code that goes on for
two more rings of the alarm is stopped where it is. There are two ways. Code itself asks Python at every ring
(`epochs`); where that is not possible, it runs in a second thread, while the main thread waits for it and is free to
answer. That costs some hundredths of a millisecond for every call.

The alarm rings for the engines whose code is running, and holds references to them meanwhile, so that none is freed. It
stops, and is waited for, before Python ends.
"""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable, Sequence
from functools import cache
from threading import Event, Thread, current_thread, main_thread
from time import sleep
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from gdl.compiler import epochs
from gdl.errors.deadline import is_overdue, out_of_time

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

TICK = 0.05  # seconds between two rings of the alarm

_running: dict[Stop, Thread] = {}  # the stores whose code runs now, each with the thread that runs it
_halted: WeakSet[Thread] = WeakSet()  # threads whose kernel code is to stop when the alarm rings


def halt(threads: Sequence[Thread]) -> None:
    """Stop the kernel code of these threads wherever it is; its results are of no use then."""
    _halted.update(threads)


class _Press:
    """A note that Ctrl-C was pressed. (It has no reference to the store that asks it: each would keep the other
    alive.)"""

    noted = False
    rung = False  # whether the alarm has rung since that
    late = False  # whether the code went on when the time of its thread's work was over

    def note(self, *of_signal: object) -> None:
        self.noted = True

    def goes_on(self) -> bool:
        """True if the code may go on, asked at a ring of the alarm: it may not if its thread is halted or out of time,
        or at the second ring after Ctrl-C."""
        if current_thread() in _halted:
            return False
        self.late = self.late or is_overdue()
        if self.late:
            return False
        waits, self.rung = not self.rung, self.noted
        return waits or not self.noted


class InterruptedAfterCall(KeyboardInterrupt):
    """Ctrl-C that came while kernel code ran, answered when the code had finished: what it has written is whole."""


class Stop:
    """The code of one store: `run` calls one of its functions. Within the context of this object Ctrl-C stops it."""

    def __init__(self, engine: Any, store: Any):
        self.engine = engine
        self._press = _Press()
        self._asked = (
            epochs.install_epoch_callback(store, self._press.goes_on) if epochs.can_interrupt() else None
        )  # kept as long as the store
        self._handler: Any = None

    def __enter__(self) -> None:
        _alarm()
        self._handler = None
        if current_thread() is main_thread():
            self._handler = signal.signal(signal.SIGINT, self._press.note)
        _running[self] = current_thread()

    def __exit__(self, *fault: object) -> None:
        _running.pop(self, None)
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        if self._press.late:
            self._press.late = False
            raise out_of_time() from None
        if self._press.noted:
            self._press.noted = self._press.rung = False
            raise (InterruptedAfterCall if fault[0] is None else KeyboardInterrupt) from None

    def run(self, function: Callable[..., Any], store: Any, *arguments: Any) -> Any:
        """Call the function, and return its result. If its code cannot ask by itself whether to go on, and this is the
        main thread, which has to answer Ctrl-C, the call is made in another thread; the end of an epoch stops it, and
        nothing else ends epochs then."""
        if self._asked is not None:
            return function(store, *arguments)
        store.set_epoch_deadline(1)
        if current_thread() is not main_thread():
            return function(store, *arguments)
        work = _second_thread().submit(function, store, *arguments)
        try:
            while True:
                try:
                    return work.result(TICK)
                except TimeoutError:
                    if not self._press.goes_on():
                        self.engine.increment_epoch()
        finally:
            while not work.done():  # another exception has ended the wait
                self.engine.increment_epoch()
                sleep(TICK)


@cache
def _second_thread() -> ThreadPoolExecutor:
    """The second thread, in which WebAssembly runs while the main one watches for Ctrl-C."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, "gdl kernel code")


@cache
def _alarm() -> None:
    """Start the alarm, once."""
    end = Event()
    alarm = Thread(target=_ring_until, args=(end,), name="gdl alarm", daemon=True)
    alarm.start()

    def stop() -> None:
        end.set()
        alarm.join()

    atexit.register(stop)


def _forget_threads() -> None:
    """After a fork: forget the alarm and the second thread, which do not exist in the child, so that it starts its
    own."""
    _running.clear()
    _alarm.cache_clear()
    _second_thread.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def _ring_until(end: Event) -> None:
    while not end.wait(TICK):
        ring()


def ring() -> None:
    """End an epoch of every engine whose code is running; once for an engine that several threads run."""
    running = _running.copy().items()
    for engine in {
        id(stop.engine): stop.engine for stop, thread in running if epochs.can_interrupt() or thread in _halted
    }.values():
        engine.increment_epoch()

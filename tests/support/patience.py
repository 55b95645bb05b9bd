"""How long a test may take: a net under tests that would wait for ever.

1. A clock runs beside the tests. When the time of one is over, a signal makes it fail where it stands.
2. What does not even answer that, as code that never returns to Python, ends the process with a traceback.

The clock is a thread, for the alarm belongs to the limits of gdl, which tests are about.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from time import monotonic, sleep

import pytest

FAST, SLOW = 120.0, 3600.0  # seconds of a test on a machine of its own
GRACE = 60.0  # seconds after the signal until the process is ended
TICK = 0.1  # seconds between two looks at the clock
_SIGNAL = getattr(signal, "SIGUSR1", None)  # there is none on Windows


@dataclass
class _Block:
    """A block under a limit of time: its begin and its limits, in seconds."""

    started: float
    seconds: float
    grace: float
    told: float | None = None  # when it was told that its time is over


_under_way: list[_Block] = []
_lock = threading.Lock()  # nobody is told who is done


@contextmanager
def at_most(seconds: float, grace: float = GRACE) -> Iterator[None]:
    """Fail the block after so many seconds; `grace` seconds later end the whole process."""
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def fail(*of_signal: object) -> None:
        pytest.fail(f"not done after {seconds:g} s")

    before = signal.signal(_SIGNAL, fail)
    _clock_of(os.getpid())
    block = _Block(monotonic(), seconds, grace)
    _under_way.append(block)
    try:
        yield
    finally:
        with _lock:
            _under_way.remove(block)
        signal.signal(_SIGNAL, before)


def crowd() -> float:
    """The load per processor, at least 1: the factor by which a test's time is stretched."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0


@cache
def _clock_of(process: int) -> threading.Thread:
    """The thread that watches all blocks of a process. (Starting one for every test would take as long as many a
    test.)"""
    clock = threading.Thread(target=_watch, daemon=True)
    clock.start()
    return clock


def _watch() -> None:
    """Look at all blocks again and again."""
    while True:
        sleep(TICK)
        with _lock:
            for block in _under_way:
                _look_at(block)


def _look_at(block: _Block) -> None:
    """Signal the block if its time is over, and end the process if it is still there after the grace."""
    now = monotonic()
    if block.told is not None:
        if now > block.told + block.grace:
            faulthandler.dump_traceback(sys.__stderr__ or sys.stderr)
            os._exit(1)
    elif now > block.started + block.seconds and now > block.started + block.seconds * crowd():
        block.told = now
        assert _SIGNAL is not None
        signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)

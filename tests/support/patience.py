"""How long a test may take: a net under tests that would wait for ever.

1. A clock runs beside each test. When its time is over, a signal makes the test fail where it stands.
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
from time import monotonic

import pytest

FAST, SLOW = 120.0, 3600.0  # seconds of a test on a machine of its own
GRACE = 60.0  # seconds after the signal until the process is ended
_SIGNAL = getattr(signal, "SIGUSR1", None)  # there is none on Windows


@contextmanager
def at_most(seconds: float, grace: float = GRACE) -> Iterator[None]:
    """The block fails after so many seconds."""
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def fail(*of_signal: object) -> None:
        pytest.fail(f"not done after {seconds:g} s")

    before = signal.signal(_SIGNAL, fail)
    done = threading.Event()
    clock = threading.Thread(target=_watch, args=(done, seconds, grace), daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()
        signal.signal(_SIGNAL, before)


def crowd() -> float:
    """How many there are for each processor, and so how much longer a test may take."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0


def _watch(done: threading.Event, seconds: float, grace: float) -> None:
    """The clock."""
    started = monotonic()
    while (left := started + seconds * crowd() - monotonic()) > 0:
        if done.wait(left):
            return
    assert _SIGNAL is not None
    signal.pthread_kill(threading.main_thread().ident or 0, _SIGNAL)
    if done.wait(grace):
        return
    faulthandler.dump_traceback(sys.__stderr__ or sys.stderr)
    os._exit(1)

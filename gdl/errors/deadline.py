"""A moment by which a thread's work is to be over, for long loops that get no budget, such as those of the compiler.
Whoever has a limit of time says so around the work, and the loops look at the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import local
from time import monotonic

from gdl.errors import LimitReached

try:
    from time import thread_time
except ImportError:  # in a browser's Python, which has one thread
    from time import process_time as thread_time

GRACE = 2.0  # seconds of processor time after the limit, in which the code of most games is made
MOST_GRACE = 10.0  # seconds after it at most, on a machine that has little time for this thread


class _Deadline(local):
    end, work, limit = inf, inf, ""  # the last moment, the thread's processor time then, and what is said


_own = _Deadline()


@contextmanager
def deadline(end: float | None, limit: str) -> Iterator[None]:
    """Within the block, and GRACE seconds after the moment `end` (None: there is no limit), `check_deadline` raises
    LimitReached with the text `limit`."""
    before = _own.end, _own.work, _own.limit
    if end is not None and end < _own.end:
        _own.end, _own.limit = end, limit
        _own.work = thread_time() + max(0.0, end - monotonic()) + GRACE
    try:
        yield
    finally:
        _own.end, _own.work, _own.limit = before


def check_deadline() -> None:
    """Raise LimitReached if the time of this thread's work is over."""
    if (now := monotonic()) > _own.end and (thread_time() > _own.work or now > _own.end + MOST_GRACE):
        raise LimitReached(_own.limit)

"""A moment by which work is to be over: of a command, its search, and each part of that.

Whoever works node by node asks a budget, which has a deadline (`solvers/budget.py`). For long loops that get no budget,
such as those of the compiler, a deadline is enforced around the work, and the loops look at the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf
from threading import local
from time import monotonic

from gdl.errors import LimitReached
from gdl.errors.shares import KEPT_SHARE, MAKING_SHARE

try:
    from time import thread_time
except ImportError:  # in a browser's Python, which has one thread
    from time import process_time as thread_time

GRACE = 2.0  # seconds of processor time after the limit, in which the code of most games is made
MOST_GRACE = 10.0  # seconds after it at most, on a machine that has little time for this thread
TELLING = 0.5  # seconds of processor time, once work was stopped, to put its results together


class Clock:
    """The clock by which searches end. `now` gives its moments, in seconds that only differences of say anything."""

    now: Callable[[], float] = monotonic


CLOCK = Clock()


class _Enforced(local):
    end, work, limit = inf, inf, ""  # the last moment, the thread's processor time then, and what is said
    making = 0.0  # seconds of processor time that the making of code has at least


_enforced = _Enforced()


def seconds(time: float) -> str:
    """The time in words, as in `1 second` or `2.5 seconds`."""
    return f"{time:g} second{'' if time == 1 else 's'}"


def stopped_after(time: float, what: str = "this search") -> str:
    """The message of work, such as a search, that its limit of time stopped."""
    return f"stopped after {seconds(time)}, the limit set for {what}"


class Deadline(float):
    """A limit of time whose seconds are running already: a float, the seconds of the limit as given, with the moment
    `end` at which it runs out. A search that gets it has only what is left."""

    end: float

    @classmethod
    def starting_now(cls, time: float) -> Deadline:
        """A deadline whose seconds begin now."""
        return cls.ending(time, CLOCK.now() + time)

    @classmethod
    def from_limit(cls, time: float) -> Deadline:
        """The deadline for a search that begins now. A plain number of seconds counts from now on. A Deadline keeps
        running, but at least KEPT_SHARE of its seconds is left for the search."""
        return time.leaving(KEPT_SHARE) if isinstance(time, cls) else cls.starting_now(time)

    @classmethod
    def ending(cls, time: float, end: float) -> Deadline:
        """A deadline for `time` seconds that runs out at `end`."""
        deadline = cls(time)
        deadline.end = end
        return deadline

    def part(self, share: float) -> Deadline:
        """A deadline for work that may take this share of the time that is left."""
        left = max(0.0, self.end - CLOCK.now())
        return self.ending(share * self, CLOCK.now() + share * left)

    @contextmanager
    def enforce(self, making: float = GRACE, what: str = "this search", grace: float = GRACE) -> Iterator[None]:
        """Within the block, and `grace` seconds after the deadline, `check_deadline` raises LimitReached: for work that
        has no budget, such as reading a game and making its code. `making`: the seconds of processor time that the
        making has at least, though its share of the time be over; `what`: the work in words."""
        before = _enforced.end, _enforced.work, _enforced.limit, _enforced.making
        work = thread_time() + max(0.0, self.end - CLOCK.now()) + grace
        if self.end < _enforced.end or work < _enforced.work:
            _enforced.end, _enforced.work = min(self.end, before[0]), min(work, before[1])
            _enforced.limit, _enforced.making = stopped_after(self, what), making
        try:
            yield
        finally:
            _enforced.end, _enforced.work, _enforced.limit, _enforced.making = before

    def leaving(self, share: float) -> Deadline:
        """This deadline, put off if less than this share of its seconds is left."""
        return self.ending(float(self), max(self.end, CLOCK.now() + share * self))


def limit_time(time: float | None, what: str = "this search") -> AbstractContextManager[None]:
    """A block for which so many seconds are enforced (None: no limit); `what` is its work in words."""
    return nullcontext() if time is None else Deadline.from_limit(time).enforce(what=what)


@contextmanager
def enforce_making(late: Callable[[str], Exception]) -> Iterator[None]:
    """Within the block, which makes code, keep MAKING_SHARE of the time that is left by the deadline that is enforced
    here, if there is one. Once that is spent, but not all the time, raise what `late` makes of its seconds in words."""
    before = _enforced.end, _enforced.work
    if before[0] == inf:
        yield
        return
    share = MAKING_SHARE * max(0.0, before[0] - (now := CLOCK.now()))
    _enforced.end = min(before[0], now + share)
    _enforced.work = min(before[1], thread_time() + _enforced.making)
    stopped = False
    try:
        yield
    except LimitReached:
        stopped = True
    finally:
        _enforced.end, _enforced.work = before
    if stopped:
        check_deadline()
        raise late(seconds(round(share, 1)) if share >= 0.05 else "time")


def put_off_deadline(more: float) -> None:
    """Allow the work of this thread some more seconds."""
    _enforced.end += more
    _enforced.work += more


def out_of_time() -> LimitReached:
    """The error to raise when the time of this thread's work is over; it has TELLING seconds more from now on."""
    _enforced.end, _enforced.work = CLOCK.now(), thread_time() + TELLING
    return LimitReached(_enforced.limit)


def check_deadline() -> None:
    """Raise LimitReached if the time of this thread's work is over."""
    if _enforced.end == inf or (now := CLOCK.now()) <= _enforced.end:
        return
    if thread_time() > _enforced.work or now > _enforced.end + MOST_GRACE:
        raise out_of_time()


def is_overdue() -> bool:
    """True if the deadline of this thread was GRACE seconds ago: for work that another thread does for it."""
    return _enforced.end != inf and CLOCK.now() > _enforced.end + GRACE

"""What a command may take: seconds, memory, nodes; and what it tells of its progress meanwhile.

1. While a command works, an alarm rings ten times a second and looks at the clock and at the memory of the process.
2. Where a limit is passed, it does what Ctrl-C does: the work stops, wherever it is, and keeps what it has found.
3. What stopped so leaves as LimitReached, with the words of the limit.

So whatever answers Ctrl-C keeps the limits of time and memory. Where there are no alarms (on Windows, or outside of the
main thread) only the limits that searches watch themselves hold.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from functools import wraps
from time import monotonic
from typing import Any

import click

from gdl import ctrl_c
from gdl.commands import telling
from gdl.errors import Interrupted, LimitReached
from gdl.explore import Progress

MEBIBYTE = 1 << 20
FREE_MEMORY_SHARE = 0.75  # of the memory that is free at the start: what a command may hold if nobody says
_EVERY = 0.1  # seconds between two looks
_SOON = 0.15  # seconds of processor time in which a partial answer is told after Ctrl-C
_AGAIN = 10.0  # seconds until a work that did not stop is stopped again


@dataclass(frozen=True)
class Limits:
    """The limits that were asked for; None is no limit, but for memory, where it is a share of what is free."""

    seconds: float | None = None
    memory: int | None = None  # bytes
    nodes: int | None = None
    late: float = 0.0  # seconds that are given to a work which looks at the clock itself

    @contextmanager
    def watched(self, what: str = "nodes", total: int | None = None) -> Iterator[Progress]:
        """Within the block the limits hold; gives what to call with the number of things done, of `total` if that is
        known. Raises LimitReached with what was found until then, if the block told that by Interrupted."""
        done = 0

        def count(now_done: int) -> None:
            nonlocal done
            done = now_done
            if progress:
                progress(done)
            if self.nodes is not None and done >= self.nodes:
                raise LimitReached(f"stopped after {done:,} {what}, the limit set")

        with (
            telling.progress(what, total, self.seconds, held) as progress,
            _Watch(self, lambda: f"; {done:,} {what} were done" if done else ""),
        ):
            yield count

    def room(self) -> int | None:
        """The bytes that are left until the limit of memory, and no more than are free; None where nobody set one."""
        if self.memory is None:
            return None
        left = self.memory - held()
        there = free()
        return max(MEBIBYTE, left if there is None else min(left, there))


NONE = Limits()


def takes_limits(*which: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds the options of these limits; the command gets them as `limits`."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def limited(*args: Any, **rest: Any) -> Any:
            given = {name: rest.pop(name) for name in which}
            memory = given.get("memory")
            limits = Limits(given.get("time"), memory and int(memory * MEBIBYTE), given.get("nodes"))
            return command(*args, limits=limits, **rest)

        made: Callable[..., Any] = limited
        for name in reversed(which):
            made = _OPTIONS[name](made)
        return made

    return with_options


_OPTIONS = {
    "time": click.option(
        "--time", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop after so many seconds."
    ),
    "memory": click.option(
        "--memory", type=click.FloatRange(min=0, min_open=True), metavar="MIB",
        help="Stop where the program holds so many MiB; three quarters of what is free if not given.",
    ),
    "nodes": click.option("--nodes", type=click.IntRange(min=1), metavar="N", help="Stop after so many nodes."),
}  # fmt: skip


@contextmanager
def briefly(stop: BaseException | None) -> Iterator[None]:
    """For telling what was found until the work was stopped: after Ctrl-C that must be quick, or it is left out, as
    where the rules take seconds for one position."""
    if not isinstance(stop, Interrupted) or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(*of_signal: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, _SOON)
    try:
        yield
    except KeyboardInterrupt:
        raise stop from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class _Watch:
    """Rings while its block runs, and stops it where a limit is passed."""

    def __init__(self, limits: Limits, reached: Callable[[], str]):
        """`reached` says how far the work came, for what leaves no partial answer."""
        self._started = monotonic()
        self._seconds = limits.seconds
        self._late = limits.late
        self._memory = limits.memory
        self._allowed = limits.memory
        self._stopped = ""
        self._reached = reached
        self._next = 0.0
        self._before: Any = None

    def __enter__(self) -> None:
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            return
        if self._allowed is None:
            self._allowed = free()
        self._before = signal.signal(signal.SIGALRM, self._look), signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)

    def __exit__(self, kind: Any, stop: BaseException | None, where: Any) -> None:
        if self._before is not None:
            handler, (first, interval) = self._before
            signal.setitimer(signal.ITIMER_REAL, first, interval)
            signal.signal(signal.SIGALRM, handler)
        if isinstance(stop, KeyboardInterrupt) and self._stopped:
            partial = _said(getattr(stop, "partial", None), self._stopped)
            raise LimitReached(self._stopped + (self._reached() if partial is None else ""), partial) from None

    def _look(self, *of_signal: object) -> None:
        """The alarm rings: is a limit passed?"""
        if ctrl_c.take_lost():
            raise KeyboardInterrupt
        now = monotonic()
        if now < self._next:
            return
        if self._seconds is not None and now - self._started > self._seconds + self._late:
            self._stopped = f"stopped after {self._seconds:g} s, the limit set"
        elif self._allowed is not None and (held_now := held()) > self._allowed:
            limit = "three quarters of what was free; --memory sets another limit"
            if self._memory:
                limit = f"the limit of {self._memory // MEBIBYTE:,} MiB"
            self._stopped = f"stopped with {held_now // MEBIBYTE:,} MiB of memory in use, more than {limit}"
        else:
            return
        self._next = now + _AGAIN
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a script's background, where nobody types Ctrl-C
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)


def _said(partial: Any, why: str) -> Any:
    """The partial answer; where it says that it was interrupted it says why instead."""
    limit = getattr(partial, "limit", None)
    if is_dataclass(partial) and not isinstance(partial, type) and isinstance(limit, str):
        return replace(partial, limit=limit.removesuffix(str(Interrupted())) + why)
    return partial


def held() -> int:
    """The bytes of memory that this process holds; the most that it has held where the system tells no better."""
    try:
        with open("/proc/self/statm", "rb") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def free() -> int | None:
    """The bytes that a command may hold if nobody says: a share of what is free; None where the system tells not."""
    try:
        with open("/proc/meminfo", "rb") as lines:
            kibibytes = next(int(line.split()[1]) for line in lines if line.startswith(b"MemAvailable"))
    except (OSError, StopIteration):
        return None
    return int(FREE_MEMORY_SHARE * min(kibibytes * 1024, _of_the_group()))


def _of_the_group() -> float:
    """What a container allows, without end if it does not limit memory."""
    try:
        with open("/sys/fs/cgroup/memory.max", "rb") as number:
            return float(number.read().replace(b"max", b"inf"))
    except (OSError, ValueError):
        return float("inf")

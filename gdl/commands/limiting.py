"""Limits of a command: seconds, memory, nodes; and the progress that it shows meanwhile.

1. While a command works, an alarm rings ten times a second. It checks the time and the memory of the process, and
   updates the line that shows a person the progress (gdl/commands/progress.py).
2. If a limit is passed, the alarm does as Ctrl-C does: the work stops, wherever it is, and keeps its results so far.
3. Outside, such a stop becomes LimitReached, with a message that names the limit.

So any work that can be stopped by Ctrl-C obeys the limits of time and memory. The extra time after a limit is measured
in processor time, so that no result is lost on a busy machine. Blocks under limits may be nested: the time of each is
limited, and the innermost says what is counted. There is always a limit of memory: every command has a usual one, and
the innermost block that sets one decides. Where there is no alarm (on Windows, or outside of the main thread), the
limits are checked whenever progress is reported.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, is_dataclass, replace
from functools import wraps
from math import inf
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import click

from gdl.commands import ctrl_c
from gdl.commands.progress import ProgressLine, begin, wipe
from gdl.errors import Interrupted, LimitReached, count_text, size_text
from gdl.errors.courtesy import Courtesy
from gdl.errors.deadline import Deadline, put_off_deadline
from gdl.errors.shares import FINISHING_SHARE
from gdl.states.explore import Progress

MEBIBYTE = 1 << 20
LOOKING = 2048 * MEBIBYTE  # bytes by default for a command that only looks at a game
SEARCHING = 8192 * MEBIBYTE  # bytes by default for a command that searches
FREE_MEMORY_SHARE = 0.75  # share of the free memory that a command uses at most by default
LEAST_MEMORY = 256 * MEBIBYTE  # bytes that a command may use at any rate
_EVERY = 0.1  # seconds between two checks of the limits
_SOON = 0.15  # seconds of processor time for printing a partial answer after Ctrl-C
_AGAIN = 10.0  # seconds until work that did not stop at a limit of memory is stopped again
_PRINTING = 5.0  # seconds of processor time for printing a partial answer after a limit
_TELLING = 0.2  # seconds of processor time to put the results together after a limit of time
LATE = 0.15  # extra seconds of processor time for work that watches the clock itself
WAITING = 10.0  # seconds after which work that only waits is stopped
READING = 1.0  # seconds of processor time for reading the game that do not count against a limit of time,
LETTERS = 50_000  # and one more for each so many letters of its text,
LONGEST_READING = 10.0  # up to so many
LOADING = 1.2  # extra seconds of processor time for a whole command, which also reads the game and prints
LOADING_MEMORY = 64 * MEBIBYTE  # bytes that a command may take in any case beside those held at its start


@dataclass(frozen=True)
class Limits:
    """The limits that a command works under. None: no limit; for memory, the `usual` one, or if that is None, too, that
    of the enclosing block."""

    seconds: float | None = None
    memory: int | None = None  # bytes
    nodes: int | None = None
    late: float = 0.0  # extra seconds of processor time, for work that watches the clock itself
    usual: int | None = None  # bytes
    is_user_set: bool = True  # whether the user set the time
    end: float | None = None  # when the seconds are over, by the monotonic clock; None: not started

    def start_clock(self) -> Limits:
        """The limits with their end fixed at `seconds` from now, no matter how many blocks they are enforced on."""
        if self.seconds is None:
            return self
        Courtesy.due = monotonic() + after_reading(self.seconds)
        return replace(self, end=Courtesy.due)

    def sparing(self, share: float) -> Limits:
        """The limits without the last `share` (0 to 1) of their seconds; unchanged unless the clock has been
        started."""
        return self if self.end is None or self.seconds is None else replace(self, end=self.end - share * self.seconds)

    @contextmanager
    def enforce(self, what: str = "nodes", total: int | None = None) -> Iterator[Progress]:
        """Enforce the limits within the block. Yields a function to call with the number of things done so far; `what`
        names them, `total` is their number (None: unknown). Raises LimitReached, with the partial results that the
        block put into Interrupted, if any."""
        line = ProgressLine(what, total, self.seconds, memory_in_use)

        def count(done: int) -> None:
            line.count(done)
            if not _alarm.rings:
                _alarm.look()
            if self.nodes is not None and done >= self.nodes:
                raise LimitReached(f"stopped after {count_text(done, what[:-1])}, the limit set")

        with self._deadline(), _alarm.watching(_Block(self, line)):
            yield count

    def _deadline(self) -> AbstractContextManager[None]:
        """A block in which loops that look at the clock keep the limit of time: the alarm, if it rings, comes first,
        but the making of code leaves the interpreter some of the time."""
        if self.seconds is None:
            return nullcontext()
        end = monotonic() + self.seconds if self.end is None else self.end
        return Deadline.ending(self.seconds, end).enforce(making=0.0)

    def room(self) -> int | None:
        """The bytes left until the limit of memory, at most those that are free; None if no limit was set."""
        if self.memory is None:
            return None
        left = self.memory - memory_in_use()
        there = free_memory()
        return max(MEBIBYTE, left if there is None else min(left, there))


NONE = Limits()


def add_time_limit(limits: Limits, options: dict[str, Any]) -> Limits:
    """The limits with the time among a solver's options. The solver watches the clock itself, so a little more is
    allowed."""
    if options.get("time") is None:
        return limits
    time = Deadline.from_limit(options["time"])
    return replace(limits, seconds=float(time), end=time.end + FINISHING_SHARE * time, late=LATE)


def start_clock(options: dict[str, Any]) -> dict[str, Any]:
    """The options, their time (if given) replaced by a clock that runs from now on, unless it is one already."""
    if not options.get("time") or hasattr(options["time"], "end"):
        return options
    time = options["time"]
    Courtesy.due = monotonic() + after_reading(time)
    return {**options, "time": Deadline.ending(time, monotonic() + after_reading((1 - FINISHING_SHARE) * time))}


@contextmanager
def reading(seconds: float | None, text: str) -> Iterator[None]:
    """Within the block, which reads a game from the text, enforce a limit of so many seconds (None: none), and put off
    those of all blocks around it by what a long text takes."""
    more = min(LONGEST_READING, len(text) / LETTERS)
    _alarm.reading = READING + more
    for block in _alarm.blocks:
        block.allow(more)
    put_off_deadline(_alarm.reading)
    with Limits(seconds, late=_alarm.reading).enforce():
        yield


def after_reading(seconds: float) -> float:
    """The seconds left of a limit of `seconds` after reading the game, for which some seconds are not counted."""
    taken = process_time() - _alarm.begun - _alarm.reading if _alarm.blocks else 0.0
    return max(0.0, seconds - max(0.0, taken))


class _AboveZero(click.FloatRange):
    """A parameter type of click: a number above 0. (`nan` passes every comparison of the range, so it is refused
    here.)"""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail("nan is no number.", param, ctx)
        return number


ABOVE_ZERO = _AboveZero(min=0, min_open=True)
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]  # of a command


def takes_limits(*which: str, usual: int = SEARCHING) -> Decorator:
    """Decorate a command with the options of these limits (`time`, `memory`, `nodes`). The command gets them as
    `limits`, and enforces them on its own work; the whole command, which also reads the game, may take a little more.
    `usual` is the limit of memory, in bytes, if the user sets none."""
    return _with_limits(which, usual, is_told=True)


def keeps_limits(*which: str, usual: int = SEARCHING) -> Decorator:
    """Decorate a command with the options of these limits. The command does not get them, and is stopped wherever it
    is."""
    return _with_limits(which, usual, is_told=False)


def _with_limits(which: Sequence[str], usual: int, is_told: bool) -> Decorator:
    """Decorate a command with the options of these limits, and enforce time and memory on the whole command."""

    def with_limits(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run_with_limits(*args: Any, **rest: Any) -> Any:
            given = {name: rest.pop(name) for name in which}
            memory = given.get("memory")
            limits = Limits(given.get("time"), memory and int(memory * MEBIBYTE), given.get("nodes"))
            told = {"limits": limits} if is_told else {}
            with replace(limits, nodes=None, usual=usual, late=LOADING if is_told else 0.0).enforce():
                return command(*args, **told, **rest)

        made: Callable[..., Any] = run_with_limits
        for name in reversed(which):
            made = _option(name, usual)(made)
        return made

    return with_limits


def _option(name: str, usual: int) -> Decorator:
    """The click option that sets a limit."""
    if name == "nodes":
        return click.option("--nodes", type=click.IntRange(min=1), metavar="N", help="Stop after N nodes.")
    what, more = ("MIB", f" MiB; {usual // MEBIBYTE} by default") if name == "memory" else ("S", " seconds")
    help = f"Stop {'when the program holds' if name == 'memory' else 'after'} this many{more}."
    return click.option(f"--{name}", type=ABOVE_ZERO, metavar=what, help=help)


@contextmanager
def briefly(stop: BaseException | None) -> Iterator[None]:
    """Within the block, print results after `stop`: after a limit with some more time, so that they are not lost. After
    Ctrl-C the block is abandoned, and `stop` raised again, if it takes more than a moment, as it may if the rules take
    seconds for one position."""
    if not isinstance(stop, KeyboardInterrupt) or not hasattr(signal, "setitimer"):
        for each in _alarm.blocks:
            each.prolong()
        put_off_deadline(_PRINTING)
        yield
        return

    def give_up(*of_signal: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, _SOON, _SOON)  # again and again: what is raised in a callback gets lost
    try:
        yield
    except KeyboardInterrupt:
        raise stop from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class _Block:
    """A block on which limits are enforced: when its time is over, and how much memory it may use."""

    def __init__(self, limits: Limits, line: ProgressLine):
        self.line = line
        self.stopped = ""  # why, once it was
        self._limits = limits
        self._until = monotonic() + limits.seconds if limits.end is None and limits.seconds is not None else limits.end
        self._due: float | None = None  # of processor time, once the seconds are over
        self.allowed, self.why = _memory_allowance(limits)

    def has_passed_limit(self, now: float, innermost: bool) -> bool:
        """True if a limit is passed at time `now`; only the innermost block checks the memory. After True, the same
        limit is reported only after a while again, so that there is time to put the results together."""
        if self._until is not None and now > self._until and self._is_late(now):
            limit = "the limit set" if self._limits.is_user_set else "the usual limit; --time sets another"
            self.stopped = f"stopped after {self._limits.seconds:g} s, {limit}"
            self._until, self._due = now, process_time() + _TELLING
            return True
        if not innermost or self.allowed is None or now < _alarm.memory_again:
            return False
        if (held_now := memory_in_use()) > self.allowed:
            self.stopped = f"stopped with {size_text(held_now)} of memory in use, more than {self.why}"
            _alarm.memory_again = now + _AGAIN  # of the blocks around this one, too, in which results are printed
            return True
        return False

    def prolong(self) -> None:
        """Add time for printing, if there is a limit of time."""
        if self._until is not None:
            self._until, self._due = max(self._until, monotonic()), process_time() + _PRINTING

    def allow(self, seconds: float) -> None:
        """Allow some more seconds of processor time after those of the limit."""
        self._limits = replace(self._limits, late=self._limits.late + seconds)

    def _is_late(self, now: float) -> bool:
        """True if the extra time after the end of the seconds is over, too."""
        assert self._until is not None
        if self._due is None:
            self._due = process_time() + self._limits.late - min(_EVERY, now - self._until)  # it was not seen at once
        return process_time() >= self._due or now > self._until + WAITING * max(1, self._limits.late)

    def done(self) -> str:
        """A phrase on how far the work came, `; 5,000 nodes were done`, for work that leaves no partial answer; "" for
        nothing."""
        done = self.line.done
        return f"; {count_text(done, self.line.what[:-1])} {'was' if done == 1 else 'were'} done" if done else ""


def _memory_allowance(limits: Limits) -> tuple[int | None, str]:
    """The bytes that the process may use within a block (None: no limit), and the phrase that names this limit in
    messages."""
    if limits.memory is not None:
        least = memory_in_use() + LOADING_MEMORY if limits.late else 0
        return max(limits.memory, least), f"the limit of {size_text(limits.memory)}"
    if limits.usual is None and _alarm.blocks:
        return _alarm.blocks[-1].allowed, _alarm.blocks[-1].why
    there = free_memory()
    if there is not None and (limits.usual is None or there < limits.usual):
        return there + memory_in_use(), "three quarters of what was free; --memory sets another limit"
    if limits.usual is None:
        return None, ""
    if not _alarm.blocks:
        _alarm.held_before = memory_in_use()
    return limits.usual + _alarm.held_before, f"the usual {size_text(limits.usual)}; --memory sets another limit"


class _Alarm:
    """The timer that runs while limits are enforced on any block, and stops the work when a limit is passed."""

    def __init__(self) -> None:
        self.blocks: list[_Block] = []  # the outermost first
        self.begun = process_time()  # when the outermost began,
        self.reading = READING  # the seconds for reading that are not counted,
        self.held_before = 0  # and the bytes that the process held then: a usual limit does not count them
        self.memory_again = 0.0  # when memory is looked at again
        self.rings = False
        self._looked = 0.0

    @contextmanager
    def watching(self, block: _Block) -> Iterator[None]:
        before = None
        if not self.blocks:
            self.begun, self.reading = process_time(), READING
            self.memory_again = 0.0
            Courtesy.due = inf  # a clock may have been started outside all blocks
            begin()
        due = Courtesy.due
        self.blocks.append(block)
        try:
            before = self._set()
            yield
        except (KeyboardInterrupt, RuntimeError) as stop:  # Python 3.11 wraps what stops it as it makes a class
            why = next((each.stopped for each in self.blocks if each.stopped), "")
            if not why or not any(isinstance(each, KeyboardInterrupt) for each in (stop, stop.__cause__)):
                raise
            partial = _explain_interruption(getattr(stop, "partial", None), why)
            raise LimitReached(why + (block.done() if partial is None else ""), partial) from None
        finally:
            if before is not None:
                self._restore_handler(*before)
            self.blocks.remove(block)
            Courtesy.due = due  # a command within another may have started a clock
            wipe()

    def _set(self) -> tuple[Any, tuple[float, float]] | None:
        """Start the timer, if it does not run yet and can; the signal handler and timer set before, or None if it was
        not started."""
        if self.rings or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            return None
        self.rings = True
        return signal.signal(signal.SIGALRM, self._ring), signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)

    def _restore_handler(self, handler: Any, times: tuple[float, float]) -> None:
        signal.setitimer(signal.ITIMER_REAL, *times)
        signal.signal(signal.SIGALRM, handler)
        self.rings = False

    def _ring(self, *of_signal: object) -> None:
        if ctrl_c.take_lost():
            raise KeyboardInterrupt
        if self.blocks:
            self.blocks[-1].line.show()
        self.look()

    def look(self) -> None:
        """Check all limits, and interrupt the work if one is passed."""
        now = monotonic()
        if now < self._looked + _EVERY / 2:
            return
        self._looked = now
        if not any(block.has_passed_limit(now, block is self.blocks[-1]) for block in self.blocks):
            return
        if not self.rings or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # nobody could type Ctrl-C
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)


_alarm = _Alarm()


def _explain_interruption(partial: Any, why: str) -> Any:
    """The partial answer, its text on the limit changed from "interrupted" to `why`."""
    limit = getattr(partial, "limit", None)
    if is_dataclass(partial) and not isinstance(partial, type) and isinstance(limit, str):
        before = limit.removesuffix(str(Interrupted())).removesuffix("; ")
        return replace(partial, limit=f"{before}; {why}" if before else why)
    return partial


def memory_in_use() -> int:
    """The bytes of memory that this process holds; if the system does not say, the most that it has held."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def free_memory() -> int | None:
    """The bytes that a command may hold by default, a share of the free memory; None if the system does not say how
    much is free."""
    try:
        with open("/proc/meminfo", "rb") as lines:
            kibibytes = next(int(line.split()[1]) for line in lines if line.startswith(b"MemAvailable"))
    except (OSError, StopIteration):
        return None
    return max(LEAST_MEMORY, int(FREE_MEMORY_SHARE * min(kibibytes * 1024, _of_the_group(), _of_the_process())))


def _of_the_process() -> float:
    """The addresses that are free for this process (`ulimit -v`), in bytes; infinite if they are not limited."""
    import resource

    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return float("inf") if most == resource.RLIM_INFINITY else most - taken


def _of_the_group() -> float:
    """The memory that is free in a container, in bytes; infinite if it does not limit memory."""
    try:
        most, taken, parts = (Path(f"/sys/fs/cgroup/memory.{name}").read_text() for name in ("max", "current", "stat"))
        given_back = next(int(line.split()[1]) for line in parts.splitlines() if line.startswith("inactive_file "))
        return float(most.replace("max", "inf")) - int(taken) + given_back
    except (OSError, ValueError, StopIteration):
        return float("inf")

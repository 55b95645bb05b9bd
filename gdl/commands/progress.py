"""The progress of work. On a terminal: a line that is kept up to date, and makes room for other output; in a file or a
pipe: lines that come ever more seldom."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, process_time

import click

from gdl.errors import size_text

_FIRST = 1.0  # seconds of silence
_EVERY = 0.2  # seconds between two updates of the line
_UNWATCHED = 5.0  # seconds of processor time until the first line in a file; each later one comes after twice as long


def is_watched() -> bool:
    """True if stderr is a terminal, so that a person sees remarks there; only then times are printed."""
    return sys.stderr.isatty()


class ProgressLine:
    """The progress of some work. On a terminal: a line that is kept up to date from a second of work on, and wiped
    before anything else is printed; otherwise a line now and then. The line says how many things are done, and how many
    a second, if they are counted; the memory in use, if known; and the time left until all are done or the time is
    over."""

    def __init__(
        self,
        what: str = "positions",
        total: int | None = None,
        seconds: float | None = None,
        held: Callable[[], int] | None = None,
    ):
        self.what = what
        self.total = total
        self.seconds = seconds
        self.held = held
        self.done = 0
        self._started = monotonic()

    def count(self, done: int) -> None:
        """Note that `done` things are done, and show it."""
        self.done = done
        self.show()

    def show(self) -> None:
        """Bring the line up to date, if that is due. (The alarm of gdl.commands.limiting also calls this, perhaps while
        something else is being written; then the line is left out.)"""
        now = monotonic()
        if not is_watched():
            with suppress(RuntimeError, OSError, ValueError):
                _log.put(lambda: self._text(now - self._started))
        elif _terminal.is_free(self._started, now):
            with suppress(RuntimeError, OSError):
                _terminal.put(self._text(now - self._started), now)

    def _text(self, spent: float) -> str:
        told = [f"{self.done:,} {self.what}", f"{self.done / spent:,.0f} a second"] if self.done else ["at work"]
        if self.held:
            told.append(f"{size_text(self.held())}")
        told.append(f"{spent:.0f} s")
        lefts = [self.seconds - spent] if self.seconds else []
        lefts += [(self.total - self.done) * spent / self.done] if self.total and self.done else []
        if lefts:
            told.append(f"{max(0.0, min(lefts)):.0f} s left")
        return ", ".join(told)


class _Terminal:
    """The last line of the terminal: empty, a question to the person, or the progress of work."""

    def __init__(self) -> None:
        self._columns = 0  # of the line that is to be wiped
        self._asks = False
        self._asked = self._said = 0.0  # when a person had answered last, and when anything was said

    def is_free(self, started: float, now: float) -> bool:
        """True if the progress of work that began at `started` may be shown now."""
        return not self._asks and now - max(started, self._asked) >= _FIRST and now - self._said >= _EVERY

    def put(self, line: str, now: float) -> None:
        self._said = now
        before, self._columns = self._columns, len(line)
        click.echo(f"\r{line:{max(before, len(line))}}", nl=False, err=True)

    def wipe(self) -> None:
        """Clear the line of progress, before something else is printed."""
        if self._columns:
            width, self._columns, self._said = self._columns, 0, monotonic()
            click.echo("\r" + " " * width + "\r", nl=False, err=True)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A block in which the program waits for a person; no progress is shown, and the time does not count as
        work."""
        self.wipe()
        self._asks = True
        try:
            yield
        finally:
            self._asks = False
            self._asked = monotonic()


class _Log:
    """A log of progress for output that nobody watches. Its clock is processor time, so a program that waits prints
    nothing, and on a busy machine it prints no more often."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Start the clock at the beginning of a command's work."""
        self._begun, self._next = process_time(), _UNWATCHED

    def put(self, line: Callable[[], str]) -> None:
        """Write the line, if one is due; the time to the next one doubles."""
        worked = process_time() - self._begun
        if worked >= self._next:
            self._next = 2 * worked
            click.echo(line(), err=True)


_terminal = _Terminal()
_log = _Log()
wipe, waiting, begin = _terminal.wipe, _terminal.waiting, _log.begin

"""What the command line tells: answers to stdout; problems, and progress to whoever watches, to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

import click

from gdl.errors import EngineFault, Problem, clean

_FIRST = 1.0  # seconds of silence
_EVERY = 0.2  # seconds between two words of progress


class WrongCommand(Exception):
    """The command line asks for what there is not; the problems say what there is. Exit status 2."""

    def __init__(self, *found: Problem | str, help: str = ""):
        self.problems = tuple(Problem(one, help=help) if isinstance(one, str) else one for one in found)
        super().__init__("\n\n".join(map(str, self.problems)))


def answer(text: str) -> None:
    """An answer, with one line end."""
    click.echo(text.rstrip("\n"))


def line(text: str) -> None:
    """A line of a dialogue."""
    click.echo(text)


def ask(prompt: str) -> str | None:
    """A line of the person's; what comes from a file or a pipe is shown, so that the dialogue can be read."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        click.echo(clean(line.rstrip("\n")) if line else "")
    return line or None


def answer_json(value: Any) -> None:
    click.echo(json.dumps(value, allow_nan=False))


def remark(text: str) -> None:
    """A line that is no part of the answer."""
    click.echo(text, err=True)


def place_of_bug(error: BaseException) -> None:
    """Where a bug is, for whoever asks by GDL_DEBUG=1."""
    if os.environ.get("GDL_DEBUG"):
        import traceback

        traceback.print_exception(error)


def engine_fault(fault: EngineFault, instead: str) -> None:
    """The compiled engine fails, and something else does its work: a warning of one line, once in a command."""
    place_of_bug(fault)
    context = click.get_current_context(silent=True)
    said = context.meta.setdefault(__name__, []) if context else []
    if not said:
        said.append(fault)
        remark(f"warning: {fault}; {instead}. Please report this with the game and the command.")


def is_watched() -> bool:
    """Whether a person sees what is told beside the answer: how long things take is for eyes alone."""
    return sys.stderr.isatty()


def problems(found: Sequence[Problem]) -> None:
    """Every problem, with its place and excerpt, an empty line between two."""
    for problem in found:
        click.echo(_coloured(problem) + ("\n" if problem is not found[-1] else ""), err=True)


def _coloured(problem: Problem) -> str:
    """The problem with `error:` in colour, on a terminal whose user did not say NO_COLOR."""
    if os.environ.get("NO_COLOR") or not sys.stderr.isatty():
        return str(problem)
    word, colour = ("warning:", "yellow") if problem.warning else ("error:", "red")
    return str(problem).replace(word, click.style(word, fg=colour, bold=True), 1)


@contextmanager
def progress(
    what: str = "positions",
    total: int | None = None,
    seconds: float | None = None,
    held: Callable[[], int] | None = None,
) -> Iterator[Callable[[int], None] | None]:
    """What to call with the number of things done so far: on a terminal, a line that is kept up to date after a
    second of work and wiped at the end; None where nobody watches. The line tells how many a second these are and,
    where that is known, the memory in use, and the time that is left until all are done or the time is over."""
    if not is_watched():
        yield None
        return
    started = last = monotonic()
    widest = 0

    def tell(count: int) -> None:
        nonlocal last, widest
        now = monotonic()
        spent = now - started
        if spent < _FIRST or now - last < _EVERY:
            return
        last = now
        told = [f"{count:,} {what}", f"{count / spent:,.0f} a second"]
        if held:
            told.append(f"{held() >> 20:,} MiB")
        told.append(f"{spent:.0f} s")
        lefts = [seconds - spent] if seconds else []
        lefts += [(total - count) * spent / count] if total and count else []
        if lefts:
            told.append(f"{max(0.0, min(lefts)):.0f} s left")
        line = ", ".join(told)
        widest = max(widest, len(line))
        click.echo(f"\r{line:{widest}}", nl=False, err=True)

    try:
        yield tell
    finally:
        if widest:
            click.echo("\r" + " " * widest + "\r", nl=False, err=True)

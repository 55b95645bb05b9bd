"""Output of the command line: answers to stdout, problems and remarks to stderr."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from gdl.commands.progress import is_watched, waiting, wipe
from gdl.errors import (
    EngineFault,
    EngineOutOfMemory,
    Interrupted,
    LimitReached,
    Problem,
    WrongRequest,
    clean,
    nearest,
)

if TYPE_CHECKING:
    from gdl.formats.check_answers import ProblemAnswer

# Codes of problems that have none of their own, by what failed.
GAME, COMMAND, SOLVER, DATA, LIMIT, FILE = "game", "command", "no-solver", "damaged-data", "limit", "file"
ENGINE, MEMORY, INTERRUPTED, BUG = "engine", "memory", "interrupted", "bug"


class WrongCommand(WrongRequest):
    """The command line asks for what there is not."""


def unknown_name(message: str, name: str, known: Iterable[str], otherwise: str) -> WrongCommand:
    """The error for a name that nothing has: it suggests the one that was meant, else lists those there are."""
    near = nearest(name, known)
    return WrongCommand(message, help=f"write '{near}'" if near else otherwise)


def answer(text: str) -> None:
    """An answer, with one line end."""
    wipe()
    _output_state()["answered"] = True
    click.echo(text.rstrip("\n"))


def answer_as(as_json: bool, data: Callable[[], Any], text: Callable[[], str]) -> None:
    """An answer as JSON, or in words."""
    if as_json:
        answer_json(data())
    else:
        answer(text())


@contextmanager
def partial_answers(tell: Callable[[Any], None], kind: type = object) -> Iterator[None]:
    """If something stops the block, print the partial result, if it is of this kind."""
    from gdl.commands.limiting import briefly

    try:
        yield
    except (LimitReached, Interrupted) as stop:
        if stop.partial is not None and isinstance(stop.partial, kind):
            with briefly(stop):
                tell(stop.partial)
        raise


def line(text: str) -> None:
    """A line of a dialogue."""
    wipe()
    click.echo(text)


def ask(prompt: str) -> str | None:
    """Read a line from the user. Input from a file or a pipe is echoed, so that the dialogue can be read."""
    with waiting():
        if _is_terminal():
            return _read_line(prompt)
        click.echo(prompt, nl=False)
        line = sys.stdin.readline()
    if not sys.stdin.isatty():
        click.echo(clean(line.rstrip("\n")) if line else "")
    return line or None


def hand_over(name: str) -> bool:
    """Wipe the screen, and wait until the person of that name sits there alone; whether they came. What comes from a
    pipe nobody sees."""
    if not _is_terminal():
        line(f"\nIt is for {name} alone to see what follows.")
        return True
    _clear_screen()
    came = _read_line(f"It is {name}'s turn. {name}, press Enter when nobody else looks. ") is not None
    _clear_screen()
    return came


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _read_line(prompt: str) -> str | None:
    """A line that is typed; the line can be edited, and earlier ones come back, where the system knows how."""
    with suppress(ImportError):
        import readline  # noqa: F401  # not on Windows, whose console does it by itself
    try:
        return input(prompt)
    except EOFError:
        return None


def _clear_screen() -> None:
    """Clear the screen, and what has scrolled off it."""
    click.clear()
    if os.name != "nt":  # there the console's own command has done it
        click.echo("\x1b[3J", nl=False)


def answer_json(value: Any) -> None:
    """An answer as JSON: a record, or a list of them."""
    from gdl.formats.answer_kinds import to_plain

    wipe()
    _output_state()["answered"] = True
    click.echo(json.dumps(to_plain(value), allow_nan=False))


def remark(text: str) -> None:
    """A line that is no part of the answer."""
    wipe()
    click.echo(text, err=True)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Within the block, a warning of the library, as of a character that no font has, becomes a line beside the
    answer."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for one in caught:
        if issubclass(one.category, UserWarning):
            remark(clean(f"note: {one.message}"))


def place_of_bug(error: BaseException) -> None:
    """Print the traceback of a bug, if GDL_DEBUG=1 asks for it."""
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
        report = "" if isinstance(fault, EngineOutOfMemory) else " Please report this with the game and the command."
        remark(f"warning: {fault}; {instead}.{report}")


def wants_json(args: Sequence[str]) -> None:
    """Note whether the command line asks for JSON, for whatever fails from now on."""
    _output_state()["json"] = "--json" in args


def is_json() -> bool:
    """True if the command answers in JSON."""
    return bool(_output_state().get("json"))


def write_failure_json(found: Sequence[Problem], code: str) -> None:
    """Print on stdout why a command failed, if JSON was asked for and nothing was answered: one object with all
    problems that were reported. Problems without a code of their own get `code`."""
    said = _output_state()
    if is_json() and not said.get("answered"):
        told: list[Problem] = said.setdefault("problems", [])
        told += [problem for problem in found if problem not in told]
        problems_as_json(code)


def problems_as_json(code: str) -> None:
    """Print all problems that this command has reported, as its answer."""
    from gdl.formats.check_answers import ProblemsAnswer

    answer_json(ProblemsAnswer(problem_records(code)))


def problem_records(code: str) -> list[ProblemAnswer]:
    """All problems that this command has reported, as JSON records."""
    from gdl.formats.problems import problem_record

    return [problem_record(problem, code) for problem in _output_state().get("problems", [])]


def _output_state() -> dict[str, Any]:
    """The state of this command's output: the form that was asked for, and what has been printed."""
    context = click.get_current_context(silent=True)
    if context is None:
        return {}
    said: dict[str, Any] = context.meta.setdefault(f"{__name__}.said", {})
    return said


def problems(found: Sequence[Problem]) -> None:
    """Every problem, with its place and excerpt, an empty line between two."""
    wipe()
    _output_state().setdefault("problems", []).extend(found)
    for problem in found:
        click.echo(_colour_problem(problem) + ("\n" if problem is not found[-1] else ""), err=True)


def _colour_problem(problem: Problem) -> str:
    """The problem with `error:` in colour, on a terminal whose user did not say NO_COLOR."""
    if os.environ.get("NO_COLOR") or not is_watched():
        return str(problem)
    word, colour = ("warning:", "yellow") if problem.warning else ("error:", "red")
    return str(problem).replace(word, click.style(word, fg=colour, bold=True), 1)

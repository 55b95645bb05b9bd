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
    suggestion,
)

if TYPE_CHECKING:
    from gdl.formats.check_answers import ProblemAnswer

# Codes of problems that have none of their own, by what failed.
GAME, COMMAND, SOLVER, DATA, LIMIT, FILE = "game", "command", "no-solver", "damaged-data", "limit", "file"
ENGINE, MEMORY, INTERRUPTED, BUG = "engine", "memory", "interrupted", "bug"


class WrongCommand(WrongRequest):
    """The command line is wrong, or asks for something that does not exist."""


def unknown_name(message: str, name: str, known: Iterable[str], otherwise: str) -> WrongCommand:
    """The error for an unknown name; its help suggests the most similar known name, else says `otherwise`."""
    return WrongCommand(message, help=suggestion(name, known, otherwise))


def answer(text: str) -> None:
    """Print an answer on stdout, with one line end after it."""
    wipe()
    _output_state()["answered"] = True
    click.echo(text.rstrip("\n"))


def answer_as(data: Callable[[], Any], text: Callable[[], str]) -> None:
    """Print an answer as JSON, if the command line asks for it, or in words; only the function needed is called."""
    if is_json():
        answer_json(data())
    else:
        answer(text())


@contextmanager
def partial_answers(tell: Callable[[Any], None], kind: type = object) -> Iterator[None]:
    """Within the block, if a limit or Ctrl-C stops it, print the partial result by `tell`, provided that it is of this
    kind."""
    from gdl.commands.limiting import briefly

    try:
        yield
    except (LimitReached, Interrupted) as stop:
        if stop.partial is not None and isinstance(stop.partial, kind):
            with briefly(stop):
                tell(stop.partial)
        raise


def line(text: str) -> None:
    """Print a line of a dialogue on stdout."""
    wipe()
    click.echo(text)


def ask(prompt: str) -> str | None:
    """Read a line from the user; None at the end of the input. Input from a file or a pipe is echoed, so that the
    dialogue can be read."""
    with waiting():
        if is_terminal():
            return _read_line(prompt)
        click.echo(prompt, nl=False)
        line = sys.stdin.readline()
    if not sys.stdin.isatty():
        click.echo(clean(line.rstrip("\n")) if line else "")
    return line or None


def is_terminal() -> bool:
    """True if a person types and reads at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _read_line(prompt: str) -> str | None:
    """Read a line that is typed, with editing and history if the system has readline; None at the end of the input."""
    with suppress(ImportError):
        import readline  # noqa: F401  # not on Windows, whose console does it by itself
    try:
        return input(prompt)
    except EOFError:
        return None


def answer_json(value: Any) -> None:
    """Print an answer as JSON: a record, or a list of records."""
    from gdl.formats.answer_kinds import to_plain

    wipe()
    _output_state()["answered"] = True
    click.echo(json.dumps(to_plain(value), allow_nan=False))


def remark(text: str) -> None:
    """Print a line on stderr that is no part of the answer."""
    wipe()
    click.echo(text, err=True)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print Python warnings (UserWarning) from the block, such as for a character that no font has, as notes on
    stderr."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = lambda message, *where: remark(clean(f"note: {message}"))
        yield


def place_of_bug(error: BaseException) -> None:
    """Print the traceback of a bug, if the environment has GDL_DEBUG=1."""
    if os.environ.get("GDL_DEBUG"):
        import traceback

        traceback.print_exception(error)


def engine_fault(fault: EngineFault, instead: str) -> None:
    """Warn, in one line and once in a command, that the compiled engine failed; `instead` says what does its work."""
    place_of_bug(fault)
    context = click.get_current_context(silent=True)
    said = context.meta.setdefault(__name__, []) if context else []
    if not said:
        said.append(fault)
        report = "" if isinstance(fault, EngineOutOfMemory) else " Please report this with the game and the command."
        remark(f"warning: {fault}; {instead}.{report}")


def wants_json(args: Sequence[str]) -> None:
    """Note whether the command line asks for JSON, for errors that come later."""
    _output_state()["json"] = "--json" in args


def takes_json(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a command with the option --json, by which it answers in JSON."""

    def note(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
        _output_state()["json"] = asked

    return click.option("--json", "as_json", is_flag=True, expose_value=False, callback=note, help=help)


def is_json() -> bool:
    """True if the command answers in JSON."""
    return bool(_output_state().get("json"))


def write_failure_json(found: Sequence[Problem], code: str) -> None:
    """If JSON was asked for and nothing has been answered, print on stdout why the command failed: one object with all
    problems reported so far. Problems without a code of their own get `code`."""
    said = _output_state()
    if is_json() and not said.get("answered"):
        told: list[Problem] = said.setdefault("problems", [])
        told += [problem for problem in found if problem not in told]
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
    """Print every problem, with its place and an excerpt, an empty line between two."""
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

"""The way in: `gdl COMMAND …`. Arguments in, exit status out; each command lives in a file beside this one.

Exit status: 0 done, whatever the value; 1 a check that was asked for failed; 2 wrong command line; 3 the game file is
wrong; 4 a limit stopped it; 5 no solver fits, or an optional extra is missing; 6 damaged data; 70 a bug of gdl;
130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from gdl import wings
from gdl.commands import console, ctrl_c
from gdl.commands.command_table import COMMANDS, command_function, foreign_commands, sections
from gdl.errors import (
    DamagedData,
    EngineFault,
    EngineOutOfMemory,
    GameError,
    LimitReached,
    Problem,
    Refusal,
    WrongRequest,
    clean,
    nearest,
    pip_install,
)
from gdl.errors.screen import cut_line

ARGUMENTS = "gdl.arguments"  # in a context's `meta`: the command line


class Commands(click.Group):
    """The group of all commands in the table; each is imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = wings.load(command_function(name))
        command.epilog = f"Example: {COMMANDS[name].example}"
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], COMMANDS)
            meant = f"Did you mean '{near}'?" if near else "gdl --help lists the commands."
            if args[0].lower() in foreign_commands():
                meant = f"{foreign_commands()[args[0].lower()]}."
            elif mend := _mends_module().mend_command(args[0], args[1:]):
                meant = f"{mend}."
            if wings.owner("commands", args[0]):
                ctx.fail(f"{wings.missing_text('commands', args[0])}.")
            ctx.fail(f"no command is called '{clean(args[0])}'. {meant}")
        for own in (f"commands of {os.path.splitext(arg)[1]}" for arg in args[1:]):  # of another kind of file
            if wings.owner("hooks", own) and (command := wings.hook(own)(args[0])):
                return args[0], command, args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for heading, names in sections().items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), COMMANDS[name].purpose) for name in names])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(_first_lines())
            ctx.exit()
        if args[:1] in (["help"], ["version"]):  # as other programs have it
            args = ["--version"] if args[0] == "version" else [*args[1:], "--help"]
        ctx.meta[ARGUMENTS] = list(args)
        with ctx:
            console.wants_json(args)
        try:
            return super().parse_args(ctx, args)
        except click.ClickException as wrong:
            _report_click_error(wrong, ctx)
            raise

    def invoke(self, ctx: click.Context) -> object:
        try:
            with ctrl_c.StopsTheWork():
                from gdl.commands.limiting import LOOKING, Limits

                with Limits(usual=LOOKING).enforce(), console.warnings_as_notes():
                    result = super().invoke(ctx)
            ctx.exit(result or 0)  # a command may return its exit status
        except click.exceptions.Exit:
            raise
        except click.ClickException as wrong:  # click tells it on stderr
            _report_click_error(wrong, ctx)
            raise
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on: what is left is dropped
            ctx.exit(0)
        except (Exception, KeyboardInterrupt) as error:
            ctx.exit(status(error))


def _first_lines() -> str:
    """The answer to `gdl` alone: a command line for each kind of user to begin with."""
    rows = [row.first_line for row in COMMANDS.values() if row.first_line]
    width = max(len(who) for who, _ in rows)
    lines = "\n".join(f"  {who.ljust(width)}  {typed}" for who, typed in rows)
    return (
        f"Write down the rules of a game; gdl solves it. To begin, type one of these:\n\n{lines}\n\n"
        "gdl --help lists the commands, gdl guide the pages of the manual."
    )


def _report_click_error(wrong: click.ClickException, context: click.Context) -> None:
    """Add to click's message for stderr what was meant, cut it to one screen, and print it as JSON on stdout if JSON
    was asked for."""
    if isinstance(wrong, click.UsageError) and (mend := _mends_module().mend_usage(wrong, context.meta[ARGUMENTS])):
        vars(wrong)["possibilities"] = None  # click's own guess, by spelling
        vars(wrong)["message"] = f"{wrong.message.rstrip('.')}: {mend}".removeprefix(": ")
    vars(wrong)["message"] = cut_line(clean(wrong.message))
    console.write_failure_json([Problem(wrong.format_message(), code=_code_of_click(wrong))], console.COMMAND)


def _mends_module() -> Any:
    """The module that knows what was meant, which is read where something is wrong."""
    from gdl.commands import mends

    return mends


_CODES_OF_CLICK = {  # the first that fits, for some of these classes are kinds of others
    click.NoSuchOption: "unknown-option",
    click.MissingParameter: "missing-argument",
    click.BadOptionUsage: "option-without-value",
    click.FileError: "unknown-file",
    click.BadParameter: "wrong-value",
    click.UsageError: "unexpected-argument",
}


def _code_of_click(wrong: click.ClickException) -> str:
    """The code for an error found by click, by its message or its class; "" if there is none."""
    from gdl.errors.codes import FAILURES, code_of  # the table is read where something is wrong

    by_class = next((code for kind, code in _CODES_OF_CLICK.items() if isinstance(wrong, kind)), "")
    return code_of(wrong.format_message(), FAILURES) or by_class


def status(error: BaseException) -> int:
    """The exit status of a command that raised the error; prints the reason on stderr and, if JSON was asked for, on
    stdout."""
    match error:
        case GameError():
            return _report_failure(error.problems, console.GAME, 3)
        case WrongRequest():
            return _report_failure(error.problems, console.COMMAND, 2)
        case Refusal():
            return _report_failure([Problem(str(error))], console.SOLVER, 5)
        case DamagedData():
            return _report_failure([Problem(str(error))], console.DATA, 6)
        case EngineFault():
            return _fault_of_the_engine(error)
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] != "gdl":
            package = clean(name.partition(".")[0])
            missing = f"this needs the package {package}, which is not installed: {pip_install(package)}"
            return _report_failure([Problem(missing)], console.SOLVER, 5)
        case LimitReached():
            return _report_stop(str(error), console.LIMIT, 4)
        case MemoryError():
            return _report_stop("there is not enough memory", console.MEMORY, 4)
        case KeyboardInterrupt():
            return _report_stop(ctrl_c.WORD, console.INTERRUPTED, ctrl_c.STATUS)
        case OSError():
            where = clean(str(error.filename or "the standard output"))  # who writes a file names it
            return _report_failure([Problem(f"{where}: {error.strerror or error}")], console.FILE, 2)
        case _:
            return _bug(error)


def _report_failure(found: Sequence[Problem], code: str, status: int) -> int:
    console.problems(found)
    console.write_failure_json(found, code)
    return status


def _report_stop(text: str, code: str, status: int) -> int:
    """Report why work was stopped although nothing is wrong; returns `status`."""
    console.remark(cut_line(clean(text)))
    console.write_failure_json([Problem(text)], code)
    return status


def _fault_of_the_engine(error: EngineFault) -> int:
    """Report that the compiled engine failed where nothing else could do the work, or where it was asked for by name;
    returns the exit status."""
    if isinstance(error, EngineOutOfMemory):
        return _report_stop(f"{error}; without --engine another does the work, where one can", console.MEMORY, 4)
    console.place_of_bug(error)
    help = "without --engine another does the work, where one can; please report this with the game and the command"
    return _report_failure([Problem(str(error), help=help)], console.ENGINE, 70)


def _bug(error: BaseException) -> int:
    console.place_of_bug(error)
    bug = f"gdl has a bug, not your game: {type(error).__name__}: {cut_line(clean(str(error)))}"
    console.remark(bug)
    console.remark("Please report it with the game and the command; GDL_DEBUG=1 shows where it happened.")
    console.write_failure_json([Problem(bug)], console.BUG)
    return 70


def _versions(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from gdl.commands.versions import tell

        tell()
        ctx.exit()


def _of_versions(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    """The callback of the option --json of `gdl` itself: refuse it without --version."""
    if asked:
        raise click.UsageError("--json comes after the command, as in 'gdl solve nim --json', or beside --version")


COMPLETION = "To let your shell complete commands, games and solvers, see gdl guide commands, 'Completion'."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=COMPLETION)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_versions,
              help="Show what is installed here and exit.")  # fmt: skip
@click.option("--json", is_flag=True, expose_value=False, callback=_of_versions, hidden=True)
def commands() -> None:
    """Write down the rules of a game; gdl solves it.

    FILE is a .game file, the bare name of a game that comes with gdl (gdl games lists them), or - for the standard
    input.
    """


def shared_files() -> dict[str, str]:
    """The scripts by which shells complete, by where they belong below share/."""
    from gdl.commands.completing import scripts

    return scripts(commands)


def main() -> None:
    """The program `gdl`."""
    ctrl_c.ends_the_process()
    ctrl_c.finds_what_is_lost()
    _open_streams()
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # what is typed need not be text
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a name may not fit the terminal
    try:
        commands(prog_name="gdl")
    except SystemExit as end:
        _leave(end.code if isinstance(end.code, int) else 1)
    except OSError as error:  # help, which is written before a command begins
        _leave(status(error))


def _open_streams() -> None:
    """Replace standard streams that the process was started without: stdin is empty, writing to stdout fails, stderr is
    discarded. (Each gets its own number if they are opened in this order, since the system gives the lowest free
    one.)"""
    for name, access, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode))
    raw = sys.stdout.buffer  # which PYTHONUNBUFFERED writes to: what a signal leaves of a long text would be lost
    if isinstance(raw, io.RawIOBase):
        buffered = io.BufferedWriter(raw)
        sys.stdout = io.TextIOWrapper(buffered, sys.stdout.encoding, sys.stdout.errors, line_buffering=True)


def _leave(status: int) -> None:
    """End the process at once, without cleaning up: freeing the millions of positions of a search one by one takes
    seconds."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # nobody reads on, or it is closed
    os._exit(status)


if __name__ == "__main__":
    main()

"""Manual pages for `man gdl` and `man gdl-solve`, made of the commands when a wheel is built."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import click

import gdl
from gdl.commands.help_pages import show_all_options
from gdl.commands.solver_options import SolverCommand

SECTION = "1"


def pages(program: click.Group, status: str) -> dict[str, str]:
    """The pages by the names of their files: one for the program, one for each of its commands. `status` says what the
    exit status means."""
    context = click.Context(program, info_name="gdl")
    show_all_options(context)
    found = {name: _command(program, name, context) for name in program.list_commands(context)}
    made = {f"gdl.{SECTION}": _of_program(program, found, context, status)}
    for name, command in found.items():
        made[f"gdl-{name}.{SECTION}"] = _of_command(name, command, context, status)
    return made


def _command(program: click.Group, name: str, context: click.Context) -> click.Command:
    command = program.get_command(context, name)
    assert command is not None
    if isinstance(command, SolverCommand):
        command.take_all()
    return command


def _of_program(program: click.Group, found: Mapping[str, click.Command], context: click.Context, status: str) -> str:
    rows = [line for name in found for line in (".TP", f"gdl\\-{name}(1)", _text(_summary(found[name])))]
    parts = [
        *_head("gdl", "write the rules of a game, get the solved game"),
        ".SH SYNOPSIS", r".B gdl", r"\fICOMMAND\fR [\fIOPTIONS\fR] \fI...\fR",
        ".SH DESCRIPTION", *_paragraphs(program.help or ""),
        ".SH COMMANDS", *rows,
        ".SH OPTIONS", *_options(program, context),
        ".SH EXIT STATUS", _text(status),
        ".SH SEE ALSO", r"\fBgdl guide\fR lists the pages of the manual.",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _of_command(name: str, command: click.Command, program: click.Context, status: str) -> str:
    context = click.Context(command, info_name=name, parent=program)
    summary, rest = _summary(command), (command.help or "").partition("\n\n")[2]
    example = (command.epilog or "").removeprefix("Example: ")
    parts = [
        *_head(f"gdl-{name}", summary[:1].lower() + summary[1:].rstrip(".")),
        ".SH SYNOPSIS", f".B gdl {name}", _text(" ".join(command.collect_usage_pieces(context))),
        *([".SH DESCRIPTION", *_paragraphs(rest)] if rest else []),
        ".SH OPTIONS", *_options(command, context),
        ".SH EXAMPLE", ".EX", _text(example), ".EE",
        ".SH EXIT STATUS", _text(status),
        ".SH SEE ALSO", r"\fBgdl\fR(1), \fBgdl guide commands\fR",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _summary(command: click.Command) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())


def _head(name: str, summary: str) -> list[str]:
    return [
        f'.TH "{_text(name.upper())}" {SECTION} "" "gdl {_text(gdl.__version__)}" "gdl"',
        ".SH NAME", f"{_text(name)} \\- {_text(summary)}",
    ]  # fmt: skip


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and not isinstance(parameter, click.Argument):
            yield from (".TP", f".B {_text(record[0])}", _text(" ".join(record[1].split())))


def _paragraphs(text: str) -> Iterator[str]:
    r"""The lines of a manual page for the paragraphs of a text; one that begins with click's mark `\b` keeps its
    lines."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        yield ".PP"
        if paragraph.lstrip().startswith("\b"):
            yield ".nf"
            yield from (_text(line) for line in paragraph.lstrip().splitlines()[1:])
            yield ".fi"
        else:
            yield _text(" ".join(paragraph.split()))


def _text(text: str) -> str:
    """The text escaped for a manual page: ASCII only, and nothing in it is a command of roff."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    escaped = "".join(c if c.isascii() else rf"\[u{ord(c):04X}]" for c in escaped)
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped

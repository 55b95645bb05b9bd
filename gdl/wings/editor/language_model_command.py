"""gdl mcp: commands as tools of a language model, by the Model Context Protocol.

Each tool is a command: its arguments are the command's long options by their names, its answer is what the command
prints. It runs as a process of its own, in the folder that is served. Files are read there alone, nothing is written,
and no function of Python is called by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

import gdl
from gdl.commands.command_table import COMMANDS
from gdl.commands.help_pages import Command
from gdl.commands.solver_options import SolverCommand
from gdl.errors import Refusal, WrongRequest, clean, pip_install
from gdl.processes import python_command

TOOLS = ("check", "test", "show", "solve", "judge", "ask", "draw", "playouts", "guide")
LEFT_OUT = {  # options that write files, or begin long work
    "output", "save", "checkpoint", "fix", "table", "workers", "as_json",
}  # fmt: skip
FILES = {"files", "counts", "plays", "record", "weights", "profile"}  # read files, as `file` does
TEXT = "text"  # the argument that has the rules themselves, in place of a file
SECONDS, MOST_SECONDS = 20.0, 300.0  # seconds of a call: by default, and at most
_TYPES = {"integer": "integer", "integer range": "integer", "float": "number", "float range": "number"}
_SLIPS = (  # of texts that are no rules: how one looks, what it is, and what to send
    (r"(?m)^\s*```", "the rules stand in a code fence, ```, which is no part of them", "the lines between ``` alone"),
    (r"\s*[\[{]", "the rules are JSON, and a game is written in lines of its own", "lines as in gdl://card"),
    (r"[^\n]*\\n[^\n]*$", "the lines are joined by a backslash and an n", "line breaks: one backslash in the JSON"),
)
_PLAIN = re.compile(r"[\w.=+%-]*")  # a solver, or a value of its own option: no path, no function


@click.command(cls=Command)
@click.argument("folder", required=False, default=".", type=click.Path(exists=True, file_okay=False))
def mcp(folder: str) -> None:
    """Serve a language model: the Model Context Protocol on standard input and output.

    The tools are commands (check, test, show, solve, judge, ask, draw, playouts, guide), their answers the JSON of
    these; the card, the grammar and the games are resources. Nothing outside FOLDER is read. Needs the extra gdl[mcp].
    """
    try:
        from gdl.wings.editor.model_context import serve
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in ("mcp", "anyio"):
            raise
        raise Refusal(f"gdl mcp needs the package mcp: {pip_install('gdl[mcp]')}") from None
    home = Path(folder).resolve()
    serve(gdl.__version__, home, describe_tools(), lambda name, given: command_line_of(home, name, given), _resources())


def _command(name: str) -> click.Command:
    from gdl.commands.cli import commands

    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    return command


def _parameters(command: click.Command) -> Iterator[click.Parameter]:
    return (each for each in command.params if each.name not in LEFT_OUT)


def _word(parameter: click.Parameter) -> str:
    """The name of a tool's argument: the parameter's longest option, without dashes."""
    return max(parameter.opts, key=len).lstrip("-")


def describe_tools() -> Mapping[str, tuple[str, dict[str, Any]]]:
    """For each tool its description, and the JSON Schema of its arguments."""
    commands = {name: _command(name) for name in TOOLS}
    return {
        name: (f"{COMMANDS[name].purpose} As `gdl {name}`. {command.help or ''}".strip(), _schema(command))
        for name, command in commands.items()
    }


def _schema(command: click.Command) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for each in _parameters(command):
        kind: dict[str, Any] = {"type": _TYPES.get(each.type.name, "string")}
        if isinstance(each.type, click.Choice):
            kind["enum"] = list(each.type.choices)
        if getattr(each, "is_flag", False):
            kind = {"type": "boolean"}
        if each.nargs == -1 or getattr(each, "multiple", False):
            kind = {"type": "array", "items": kind}
        properties[_word(each)] = {**kind, "description": _help(each)}
    if any(each.name in ("file", "files") for each in command.params):
        properties[TEXT] = {"type": "string", "description": "The rules themselves, in place of a file."}
    if isinstance(command, SolverCommand):  # whose limits are options of its solvers
        told = f"Seconds after which the best answer so far is given; by default {SECONDS:g}, at most {MOST_SECONDS:g}."
        properties.setdefault("time", {"type": "number", "description": told})
    required = [_word(each) for each in _parameters(command) if each.required and each.name not in ("file", "files")]
    free = isinstance(command, SolverCommand)  # which takes options of solvers as well
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": free}


def _help(parameter: click.Parameter) -> str:
    if parameter.name in ("file", "files"):
        return "A file of the folder, or the name of a game that comes with gdl."
    return getattr(parameter, "help", None) or f"As `gdl` takes it: {parameter.make_metavar(click.Context(_NOBODY))}."


_NOBODY = click.Command("gdl")


def _refuse_slips(text: Any) -> None:
    """Raise WrongRequest if the rules of a game are no text, or a text as language models slip into."""
    if not isinstance(text, str):
        raise WrongRequest(f"'{TEXT}' has the rules of a game as a text, and {clean(str(text)[:40])} is none")
    for form, message, instead in _SLIPS:
        if re.match(form, text) or (form.startswith("(?m)") and re.search(form, text)):
            raise WrongRequest(message, help=f"send {instead}")


def command_line_of(home: Path, name: str, given: Mapping[str, Any]) -> tuple[list[str], str, float]:
    """The command line of a call, the text for its standard input, and the seconds after which the process is killed.
    Raises WrongRequest if a file lies outside the folder `home`, or the tool has no such argument."""
    if name not in TOOLS:
        raise WrongRequest(f"no tool is called '{clean(name)}'", help=f"there are {', '.join(TOOLS)}")
    command = _command(name)
    known = {_word(each): each for each in _parameters(command)}
    options, arguments = list[str](), list[str]()
    text = given.get(TEXT)
    if text is not None:
        _refuse_slips(text)
    order = [word for word in known if word in given] + [word for word in given if word not in known]
    for word in order:  # arguments without a name in the order of the command
        value = given[word]
        if word == TEXT or value is None:
            continue
        parameter = known.get("files" if word == "file" and word not in known else word)
        if parameter is None:
            options += _solver_option(command, word, value)
            continue
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict | list) for one in value)):
            raise _not_texts(word, value)
        values = [_check_value(home, parameter, str(each)) for each in (value if isinstance(value, list) else [value])]
        if isinstance(parameter, click.Argument):
            arguments += values
        elif getattr(parameter, "is_flag", False):
            options += [f"--{word}"] if value is True else []
        else:
            options += [f"--{word}={each}" for each in values]
    seconds = SECONDS
    if "time" in known or isinstance(command, SolverCommand):
        try:
            seconds = min(MOST_SECONDS, float(given.get("time") or SECONDS))
        except (TypeError, ValueError):
            raise WrongRequest(f"'{clean(str(given['time']))}' is no number of seconds") from None
        options = [each for each in options if not each.startswith("--time=")] + [f"--time={seconds:g}"]
    if any(each.name == "as_json" for each in command.params):
        options.append("--json")
    if isinstance(text, str):
        arguments.insert(0, "-")
    return python_command("-m", "gdl", name, *options, "--", *arguments), text or "", seconds + MOST_SECONDS


def _not_texts(word: str, value: Any) -> WrongRequest:
    """The error for an argument that is an object, `{"heaps": [1, 2]}`, in place of texts, with the texts that it would
    be: `["heaps=1,2"]`."""
    pairs = [
        pair for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict) for pair in one.items()
    ]
    texts = [f"{name}={','.join(map(str, held)) if isinstance(held, list) else held}" for name, held in pairs]
    help = f"write {clean(json.dumps({word: texts}))[1:-1]}" if word == "set" and texts else "write texts"
    return WrongRequest(f"'{clean(word)}' is a list of texts, not an object", help=help)


def _check_value(home: Path, parameter: click.Parameter, value: str) -> str:
    """The value of an argument, paths made relative to the folder `home`. Raises WrongRequest for a file outside it."""
    if parameter.name == "solver" and not _PLAIN.fullmatch(value):
        raise WrongRequest(f"no solver is called '{clean(value)}' here", help="guide solvers lists them")
    reads = parameter.name in FILES or parameter.name == "file"
    if not reads or value in gdl.shipped() or (parameter.name == "profile" and value == "uniform"):
        return value
    if "\0" in value or not (home / value).resolve().is_relative_to(home):
        raise WrongRequest(f"'{clean(value)}' lies outside the folder that is served", help="name a file in it")
    return str((home / value).resolve().relative_to(home))


def _solver_option(command: click.Command, word: str, value: Any) -> list[str]:
    """The words of the command line for an option of a solver, such as `depth` or `seed`."""
    said = str(value)
    if not isinstance(command, SolverCommand) or not re.fullmatch(r"[a-z][a-z-]*", word) or word in LEFT_OUT:
        known = [TEXT, *map(_word, _parameters(command))]
        raise WrongRequest(f"this tool has no argument '{clean(word)}'", help=f"it has {', '.join(known)}")
    if not isinstance(value, bool | int | float) and not _PLAIN.fullmatch(said):
        raise WrongRequest(f"'{clean(said)}' is no value of {word}")
    return [f"--{word}"] if value is True else [] if value is False else [f"--{word}={said}"]


def _resources() -> Mapping[str, tuple[str, list[str]]]:
    """For each resource, by its address, its name and the command line that prints it."""
    shown = {f"gdl://games/{name}": (name, ["show", name, "--source"]) for name in gdl.shipped()}
    return {
        "gdl://card": ("the language on two pages", ["card"]),
        "gdl://grammar": ("the grammar in Lark's notation", ["card", "--grammar"]),
        **shown,
    }

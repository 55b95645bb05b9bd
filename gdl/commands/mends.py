"""Mends for an option, an argument or a command that gdl does not have. All is read only when something is wrong;
options of other programs stand in other_words.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import click

import gdl
from gdl.commands.command_table import COMMANDS
from gdl.concepts import CONCEPTS
from gdl.errors import GameError, clean

PICTURE = re.compile(r"[^=]+\.(html|svg|png|pdf|tex|dot|json|graphml|csv|txt|xml|game|efg|nfg)")
SETTING = re.compile(r"\w+=.+")


def mend_command(name: str) -> str | None:
    """The words to type in place of a command with this name: it is a file, a game, a solver or a concept."""
    from gdl.solvers import SOLVERS

    name = clean(name)
    if Path(name).is_file() or name in gdl.shipped():
        return f"Write gdl solve {name}, or another command before it"
    kind = "solver" if name in SOLVERS else "concept" if name in CONCEPTS else ""
    return f"Write gdl solve FILE --{kind} {name}" if kind else None


def mend_solver(name: str) -> str | None:
    """The mend for a solver's other name, or for one of the user's own named without `python:` or by its module."""
    if other := next((mend for at, words, mend in _rows() if "--solver" in at and name.lower() in words), None):
        return other
    own = re.fullmatch(r"(python:)?(\w+)(\.py)?(:\w+)?", name)
    if own is None or not (own[3] or own[4]) or (own[1] and own[3] and own[4]) or not Path(f"{own[2]}.py").is_file():
        return None
    return f"Write python:{own[2]}.py{own[4] or ':FUNCTION'}"


def mend_usage(wrong: click.UsageError, arguments: Sequence[str]) -> str | None:
    """The words to write in place of those that click refused, in a command line with these arguments (the command's
    name first); None if nothing is known."""
    match wrong:
        case click.NoSuchOption():
            return _mend_option(wrong.option_name, wrong.ctx, arguments)
        case click.MissingParameter():
            return _mend_missing(wrong.param.opts[0] if wrong.param else "", wrong.ctx, arguments[1:])
        case click.BadParameter(param=click.Parameter() as option):
            return _mend_value(option, wrong.message, wrong.ctx)
    if extra := re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", wrong.message):
        return _mend_extra(extra[1], wrong.ctx, arguments)
    return None


def _mend_option(name: str, context: click.Context | None, arguments: Sequence[str]) -> str | None:
    """An option of another program; a solver, a concept or a parameter of the game, written as an option."""
    from gdl.solvers import SOLVERS

    word = name.lstrip("-")
    for kind, names in (("solver", SOLVERS), ("concept", CONCEPTS)):
        if word in names and _has(context, f"--{kind}"):
            return f"write --{kind} {word}"
    for commands, words, mend in _rows():
        everywhere = "*" in commands and _has(context, _first_option(mend))
        if name in words and (everywhere or _command(context) in commands):
            return mend
    if _has(context, "--set") and any(_is_parameter(word, file) for file in arguments[1:] if file[:1] != "-"):
        value = next((after for one, after in pairwise(arguments) if one == name), "VALUE")
        return f"{clean(word)} is a parameter of the game: write --set {clean(word)}={clean(value)}"
    return None


def _mend_extra(extra: str, context: click.Context | None, arguments: Sequence[str]) -> str | None:
    """An argument too many: a parameter's value, a file to write, a number."""
    extra = clean(extra)
    if SETTING.fullmatch(extra) and _has(context, "--set"):
        return f"write --set {extra}"
    if PICTURE.fullmatch(extra) and "--json" in arguments:
        return f"write --json > {extra}, as it is printed"
    if PICTURE.fullmatch(extra) and _has(context, "-o"):
        return f"write -o {extra}"
    if extra.isdecimal():
        counts = (mend for at, words, mend in _rows() if "NUMBER" in words and _command(context) in at)
        return next(counts, "").replace("NUMBER", extra) or None
    if _command(context) == "new":
        return f"a name is one word: write gdl new {clean('_'.join([arguments[1], *extra.split()]))}"
    return None


def _mend_missing(option: str, context: click.Context | None, arguments: Sequence[str]) -> str | None:
    """An option or argument that is due: its value, which stands there without it, or the command's example."""
    from gdl.solvers import SOLVERS

    solvers = [word for word in arguments if word in SOLVERS]
    if option == "--solvers" and solvers:
        return f"write --solvers {','.join(solvers)}"
    pictures = [clean(word) for word in arguments[1:] if PICTURE.fullmatch(word)]
    if option == "-o" and pictures:
        return f"write -o {pictures[0]}"
    return context.command.epilog if context and context.command.epilog else None


def _mend_value(option: click.Parameter, message: str, context: click.Context | None) -> str | None:
    """A value of another option; a time with its unit."""
    from gdl.solvers import SOLVERS

    value = next(iter(re.findall(r"'(.*?)' is not ", message)), "")
    if value in SOLVERS and option.name != "solver" and _has(context, "--solver"):
        return f"write --solver {value}"
    if "--format" in option.opts and value == "json" and _has(context, "--json"):
        return "write --json"
    if option.name == "time" and (seconds := re.fullmatch(r"([\d.]+) ?s(ec|ecs|econds?)?", value)):
        return f"write --time {seconds[1]}, in seconds"
    return None


def _rows() -> Iterator[tuple[list[str], list[str], str]]:
    """The rows of other_words.txt, and those of commands of wings: commands, words, mend."""
    for line in files("gdl.commands").joinpath("other_words.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            commands, words, mend = line.split(" | ")
            yield commands.split(), words.split(), mend
    for name, row in COMMANDS.items():
        yield from (([name], words.split(), mend) for words, mend in row.mends.items())


def _command(context: click.Context | None) -> str:
    return context.info_name or "" if context else ""


def _first_option(mend: str) -> str:
    return next(iter(re.findall(r"(?<= )--?[a-z]+", mend)), "")


def _has(context: click.Context | None, option: str) -> bool:
    """True if the command has this option."""
    return context is not None and any(option in one.opts for one in context.command.params)


def _is_parameter(word: str, file: str) -> bool:
    """True if the game in this file has a parameter of this name."""
    try:
        gdl.load(file, settings={word: "?"})
    except GameError as fault:
        return "is no value for" in fault.problems[0].message
    except OSError:
        return False
    return True

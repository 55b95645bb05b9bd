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
from gdl.errors import GameError, clean, nearest

PICTURE = re.compile(r"[^=]+\.(html|svg|png|pdf|tex|dot|json|graphml|csv|txt|xml|game|efg|nfg)")
SETTING = re.compile(r"\w+=.+")
_OPTION = re.compile(r"(?<= )--?[a-z]+")


def mend_command(name: str, rest: Sequence[str]) -> str | None:
    """The words to type in place of a command with this name: it is a file, a game, a solver or a concept. With a file
    in the `rest` of the line it is none of a like name."""
    from gdl.solvers import SOLVERS

    name = clean(name)
    for kind, names in (("solver", SOLVERS), ("concept", CONCEPTS)):
        if name in names:
            return f"Write gdl solve FILE --{kind} {name}"
    game = name if Path(name).is_file() else nearest(name.removesuffix(".game"), gdl.shipped())
    meant = game and (game == name or not any(Path(one).is_file() for one in rest))
    return f"Write gdl solve {game}, or another command before it" if meant else None


def own_solver_meant(name: str) -> str | None:
    """The name of a solver in a file here, which is written without `python:`, without `.py` or without the function;
    None for any other name."""
    own = re.fullmatch(r"(?:(\w+)\.py(:\w+)?|(\w+)(:\w+)|python:(\w+)(:\w+)|python:(\w+)\.py)", name)
    stem, function = [*filter(None, own.groups()), ":FUNCTION"][:2] if own else ("", "")
    return f"python:{stem}.py{function}" if stem and Path(f"{stem}.py").is_file() else None


def solver_meant(name: str, known: Sequence[str]) -> str | None:
    """The solver that is meant by a name that none has: one of the user's own, one by another program's name, or one
    of a like name; None if nothing is known."""
    return own_solver_meant(name) or named_elsewhere("--solver", name) or nearest(name, known)


def named_elsewhere(option: str, name: str) -> str | None:
    """Our name of a solver or a concept, which is a value of this option, by another program's; None if not known."""
    words = re.sub(r"[ _]", "-", name.lower()).removesuffix("-equilibrium")
    return next((mend for at, known, mend in mend_rows() if option in at and {name.lower(), words} & {*known}), None)


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
    for commands, words, mend in mend_rows():
        everywhere = "*" in commands and all(_has(context, one) for one in _OPTION.findall(mend)[:1])
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
    chosen = next((f"{after}," for option, after in pairwise(arguments) if option == "--set"), "")
    if re.fullmatch(r"\d+([ ,]+\d+)*", extra) and _has(context, "--set") and (chosen or not extra.isdecimal()):
        return f"write --set {clean(chosen or 'NAME=')}{','.join(re.findall('[0-9]+', extra))}"
    if extra in gdl.shipped() or (extra.endswith(".game") and Path(extra).is_file()):
        return "one game at a time"
    if extra.endswith(".json") and _has(context, "--json"):
        return f"write --json > {extra}, as it is printed"
    if PICTURE.fullmatch(extra) and _has(context, "-o") and not (extra[-5:] == ".game" and Path(extra).is_file()):
        return f"write -o {extra}"
    if extra.isdecimal():
        counts = (mend for at, words, mend in mend_rows() if "NUMBER" in words and _command(context) in at)
        return next(counts, "").replace("NUMBER", extra) or None
    if _command(context) == "new":
        return "a name is one word, as in gdl new my_game"
    return None


def _mend_missing(option: str, context: click.Context | None, arguments: Sequence[str]) -> str | None:
    """An option or argument that is due: its value, which stands there without it, or the command's example."""
    from gdl.solvers import SOLVERS

    solvers = [word for word in arguments if word in SOLVERS]
    if option == "--solvers" and solvers:
        return f"Write --solvers {','.join(solvers)}"
    pictures = [clean(word) for word in arguments[1:] if PICTURE.fullmatch(word)]
    if option == "-o" and pictures:
        return f"Write -o {pictures[0]}"
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


def mend_rows() -> Iterator[tuple[list[str], list[str], str]]:
    """The rows of other_words.txt, and those of commands of wings: commands, words, mend."""
    for line in files("gdl.commands").joinpath("other_words.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            commands, words, mend = line.split(" | ")
            yield commands.split(), words.split(), mend
    for name, row in COMMANDS.items():
        yield from (([name], words.split(), mend) for words, mend in row.mends.items())


def _command(context: click.Context | None) -> str:
    return context.info_name or "" if context else ""


def _has(context: click.Context | None, option: str) -> bool:
    """True if the command has this option."""
    return context is not None and any(option in one.opts for one in context.command.params)


def _is_parameter(word: str, file: str) -> bool:
    """True if the game in this file has a parameter of this name."""
    try:
        gdl.load(file, settings={word: "?"})
    except GameError as fault:
        return "is no value for" in fault.problems[0].message
    except Exception:  # whatever is wrong with the file, the option is what is told
        return False
    return True

"""The subject of a command: a game file, the values of its parameters, a variant, a position."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO

import click

import gdl
from gdl import wings
from gdl.commands import completing, console
from gdl.commands.console import WrongCommand
from gdl.commands.limiting import READING, Limits, reading
from gdl.commands.progress import waiting
from gdl.commands.solver_options import SolverCommand
from gdl.errors import DamagedData, GameError, clean
from gdl.errors.limits import ANSWER, EXPLICIT
from gdl.formats.files import name_in_errors, write
from gdl.formats.game_files import is_graph, unknown_game
from gdl.game import Game
from gdl.playing.loading import STDIN, Asked, Asking, ignore, load_asked, load_text

STDIN_NAME = "<standard input>"
NO_GAME_BEGINS = ("[", "%")  # as records of plays do,
RECORDS_BEGIN = (*NO_GAME_BEGINS, "(", "{", "1")  # and how they begin, and few other texts


def settings_and_variant(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options --set and --variant, which change the game."""
    command = click.option(
        "--variant", metavar="NAME", shell_complete=completing.variants, help="Take this variant of the game."
    )(command)
    return click.option(
        "--set", "settings", multiple=True, metavar="NAME=VALUE", callback=_settings,
        shell_complete=completing.parameters,
        help="Give a parameter another value; a list is written heaps=3,4,5. It may be repeated.",
    )(command)  # fmt: skip


_ASKED = ("settings", "variant", "position", "after", "weights", "transform")  # options that Asking has


def takes_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the argument FILE and its options; the command gets an `Asked` in their place."""

    @wraps(command)
    def asking(file: str, record: str | None, which: int | None, **rest: Any) -> Any:
        # the time of all the work, not of each move of a play, holds for reading too
        is_whole = "limits" in rest or isinstance(click.get_current_context().command, SolverCommand)
        time = rest.get("time") if is_whole else None
        with Limits(time, late=READING).enforce():  # a pipe may be silent
            text, name, folder = read_text(file)
        by = Asking(text, name, folder=folder, file=file, **{key: rest.pop(key) for key in _ASKED if key in rest})
        if (question := question_in(text, name, which)) is not None:
            by = by._replace(text=question.game, question=question)
        elif (recorded := _with_recorded_play(by, which)) is not None:
            by = recorded
        elif which is not None and record is None:
            raise one_game(name)
        with reading(time, by.text):
            asked = ask(by if record is None else wings.hook("--record")(by, record, which))
        if "limits" in rest:  # whose seconds begin when the game is read
            rest["limits"] = rest["limits"].start_clock()
        try:
            return command(asked, **rest)
        except GameError as fault:
            raise _told_with_play(asked.game, fault) from None

    asking = click.option("--record", metavar="FILE", help="Begin after the actions of this record of a play.")(asking)
    asking = click.option(
        "--game",
        "which",
        type=click.IntRange(min=1),
        metavar="N",
        help="Take the Nth game of a .pgn or .json file.",
    )(asking)
    asking = click.option(
        "--after", metavar="ACTIONS", help='Begin after these actions, as in --after "take(a1) take(b2)".'
    )(asking)
    asking = click.option(
        "--position",
        metavar="TEXT",
        shell_complete=completing.positions,
        help="Begin at a position: its name, or its text in the game's notation.",
    )(asking)
    return click.argument("file", shell_complete=completing.games)(settings_and_variant(asking))


def question_in(text: str, name: str, which: int | None = None) -> Any:
    """The question number `which` of an exam in JSON (None: the only one); None if the text is no such JSON."""
    found = questions_in(text, name)
    if found and ((which is None and len(found) > 1) or not 0 < (which or 1) <= len(found)):
        raise WrongCommand(f"{clean(name)} has {len(found):,} questions", help="choose one, as in --game 1")
    return found[(which or 1) - 1] if found else None


def questions_in(text: str, name: str) -> list[Any]:
    """All questions of an exam in JSON; empty if the text is no such JSON."""
    begins = text.lstrip("\ufeff \t\r\n").startswith(("{", "["))
    if not begins or not all(key in text for key in ('"asked"', '"kind"')) or is_graph(text):
        return []
    return list(wings.hook("a question as FILE")(text, name))


def _with_recorded_play(by: Asking, which: int | None) -> Asking | None:
    """The request with the play that its text records in place of the text; None if that is no record. `which` picks a
    play of a file with many."""
    begin = by.text.replace("\ufeff", " ").lstrip()[:1]
    if begin not in RECORDS_BEGIN:
        return None
    name = "a record of a play"
    add = wings.hook(name) if begin in NO_GAME_BEGINS else wings.installed_hook(name)
    return add(by, which) if add else None


def one_game(name: str) -> WrongCommand:
    """The error for the number of a game in a file that has one alone."""
    return WrongCommand(f"--game is for .pgn files, and {clean(name)} is none", help="leave --game out")


def takes_transform(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command that takes a game with the option --transform."""
    help = 'Give every end another utility, as in --transform "42*u + 1000".'
    return click.option("--transform", metavar="FORMULA", help=help)(command)


def takes_weights(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command that takes a game with the option --weights."""
    return click.option(
        "--weights",
        metavar="FILE",
        help="Use the learned evaluation in this file.",
    )(command)


def _told_with_play(game: Game[Any], fault: GameError) -> GameError:
    """The fault; if the command met it at a position of play, with a play that leads there."""
    if fault.state is None:
        return fault
    from gdl.states.explore import with_shortest_play

    return with_shortest_play(game, fault)


def _settings(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for text, (name, equals, _) in zip(given, pairs, strict=True):
        if not equals or not name:
            raise click.BadParameter(f"'{clean(text)}' is not of the form NAME=VALUE")
    return {name.strip(): value.strip() for name, _, value in pairs}


def ask(by: Asking, quietly: bool = False) -> Asked:
    """Load the game that the command line asks for, and print its warnings unless `quietly`."""
    return load_asked(by, console.remark, ignore if quietly else console.problems)


def load(file: str, settings: Mapping[str, str], variant: str | None) -> gdl.Loaded:
    """The game of a file. A problem that only the settings or the variant cause is raised as one of the command
    line."""
    return load_text(*read_text(file), settings, variant)


def read_text(file: str) -> tuple[str, str, Path | None]:
    """A game file's text, the name to show for it, and the folder in which it finds others; `-` is the standard input,
    a bare name a shipped game. Whose text comes on the standard input, an editor says by GDL_STDIN_FILE."""
    if file == STDIN:
        name = os.environ.get("GDL_STDIN_FILE") or STDIN_NAME
        with waiting(), name_in_errors(STDIN_NAME):
            text = gdl.decoded(sys.stdin.buffer.read(EXPLICIT + 1), name)
        return text, name, Path(name).parent if os.path.dirname(name) else None
    path = Path(file)
    if (not path.exists() or path.is_dir()) and file not in gdl.shipped():
        raise _no_file(path, list(gdl.shipped()))
    return *gdl.read(file), gdl.folder_of(file)


def text_in_place(file: str) -> tuple[str, str, Path | None]:
    """The text of a file that is going to be overwritten, its name, and its folder. Raises WrongCommand for a shipped
    game or the standard input."""
    if not Path(file).is_file():
        if file == STDIN or (Path(file).exists() and not Path(file).is_dir()):
            raise WrongCommand(f"there is no file '{clean(file)}'")
        read_text(file)  # raises what is wrong with a file that is not there
        told = f"'{clean(file)}' is a game that comes with gdl"
        raise WrongCommand(told, help="copy it: gdl show --source prints it")
    return read_text(file)


def write_in_place(file: str, before: str, text: str) -> None:
    """Overwrite a file with `text`, keeping its kind of line ends. Raises WrongCommand, and writes nothing, if the file
    no longer holds `before`."""
    data = Path(file).read_bytes()
    if gdl.decoded(data, file) != before:
        raise WrongCommand(f"{clean(file)} was changed by somebody else, and is left as it is", help="try again")
    write(file, text.replace("\n", "\r\n") if b"\r\n" in data else text)


def _no_file(path: Path, shipped: list[str]) -> WrongCommand:
    """The error for a file that does not exist, with the most similar name, if there is one."""
    if path.is_dir():
        return WrongCommand(f"'{clean(str(path))}' is a folder", help="name a file in it")
    beside = [str(file) for file in sorted(path.parent.glob("*.game")) if file.is_file()]
    message, stems = f"there is no file '{clean(str(path))}'", {n.removesuffix(".game"): n for n in [*beside, *shipped]}
    from gdl.solvers import SOLVERS

    if str(path) in SOLVERS and str(path) not in stems:
        return WrongCommand(message, help="it is a solver: write --solver NAME, or several as --solvers NAME,NAME")
    return WrongCommand(unknown_game(message, str(path), stems))


def spread(files: tuple[str, ...]) -> Iterator[str]:
    """The files; in place of each folder, the game files in it and below it."""
    for file in files:
        path = Path(file)
        if path.is_dir() and file not in gdl.shipped():
            found = sorted(str(game) for game in path.rglob("*.game") if game.is_file())
            if not found:
                raise WrongCommand(f"there is no .game file in the folder '{clean(file)}'")
            yield from found
        else:
            yield file


@contextmanager
def open_bytes(file: str) -> Iterator[BinaryIO]:
    """Open a file for reading bytes; `-` is the standard input."""
    if file == STDIN:
        with waiting(), name_in_errors(STDIN_NAME):
            yield sys.stdin.buffer
    elif Path(file).is_file():
        with name_in_errors(file), open(file, "rb") as stream:
            yield stream
    else:
        named = clean(file)
        raise WrongCommand(f"'{named}' is a folder" if Path(file).is_dir() else f"there is no file '{named}'")


def bytes_of(file: str, most: int) -> bytes:
    """The content of a file, or of standard input; WrongCommand if it has more than `most` bytes."""
    with open_bytes(file) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise WrongCommand(f"{STDIN_NAME if file == STDIN else clean(file)} is larger than {most:,} bytes")
    return data


def read_json(file: str, parse: Callable[[bytes], Any] = json.loads) -> Any:
    """The JSON value in a file, or on the standard input."""
    data, name = bytes_of(file, ANSWER), STDIN_NAME if file == STDIN else clean(file)
    try:
        return parse(data)
    except (ValueError, RecursionError) as wrong:
        most = sys.get_int_max_str_digits()
        if "int_max_str_digits" in str(wrong) and (long := re.search(rb"\d{%d,}" % (most + 1), data)):
            lines = data[: long.start()].split(b"\n")
            place = f"{name}, line {len(lines):,}, column {len(lines[-1]) + 1:,}"
            raise DamagedData(f"{place}: a number has {len(long[0]):,} digits, more than {most:,}") from None
        raise DamagedData(f"{name} is not JSON: {clean(str(wrong))}") from None


def takes_table(help: str) -> Callable[..., Any]:
    """Adds the option --table to a command."""
    return click.option("--table", type=click.Path(path_type=Path), metavar="DIR", help=help)

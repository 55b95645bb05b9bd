"""The options -o and --format, of commands that write in one of several formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import STDIN_NAME
from gdl.errors import clean, listing
from gdl.formats import files
from gdl.playing.loading import STDIN
from gdl.render.formats import Format
from gdl.syntax import Description


def takes_format(formats: Mapping[str, Format]) -> Callable[..., Any]:
    """Decorate a command with -o and --format, whose values it gets as `output` and `form`."""

    def adds(command: Callable[..., Any]) -> Callable[..., Any]:
        file = click.option("-o", "--output", metavar="FILE", help=f"Write to this file: {_purposes(formats)}.")
        name = click.Choice(list(formats))
        return file(click.option("--format", "form", type=name, help="The format, if no file name gives it.")(command))

    return adds


def _purposes(formats: Mapping[str, Format]) -> str:
    """The purpose of each ending: `.svg for a picture; .tex for LaTeX`."""
    alike: dict[str, list[str]] = {}
    for form in formats.values():
        needs = f", with the extra gdl[{form.extra}]" if form.extra else ""
        alike.setdefault(form.purpose + needs, []).extend(form.endings)
    return "; ".join(f"{listing(endings, 'or')} for {purpose}" for purpose, endings in alike.items())


def format_of(formats: Mapping[str, Format], output: str | None, form: str | None, usual: str) -> Format:
    """The format that was asked for, by its name or by the ending of the file; the `usual` one for the terminal."""
    if form is not None:
        found = formats[form]
    else:
        ending = Path(output).suffix if output else formats[usual].endings[0]
        fitting = [row for row in formats.values() if ending in row.endings]
        if not fitting:
            endings = [ending for row in formats.values() for ending in row.endings]
            raise WrongCommand(
                f"'{clean(output or '')}' has no ending of a known format",
                help=f"let its name end in {listing(endings, 'or')}, or give --format",
            )
        found = fitting[0]
    if output is None and found.printed:
        help = f"write it to a file: -o tree{found.endings[0]}"
        raise WrongCommand(f"{found.name} is not for the terminal", help=help)
    return found


def put(drawn: str | bytes, output: str | None) -> None:
    """Write the drawing to the file; None: to the terminal."""
    if output is None:
        assert isinstance(drawn, str)
        console.answer(drawn)
    else:
        files.write(output, drawn)


def file_beside(
    description: Description, output: str | None, ending: str, what: str, is_ours: Callable[[bytes], bool], maker: str
) -> Path | None:
    """The file in which a command keeps something made from a game: by default beside the game's file or, for a shipped
    game, in the current folder. None if nothing is to be kept. An existing file must begin as one of ours, or
    WrongCommand is raised; `what` and `maker` name the thing and the command in messages."""
    if output == STDIN:
        return None
    name = description.span.source.name if description.span else STDIN_NAME
    if output is None and name == STDIN_NAME:
        none = f"a game from the standard input has no folder for its {what}"
        raise WrongCommand(none, help="say where: --output FILE")
    file = in_folder(Path(output) if output is not None else Path(name).with_suffix(ending), "--output")
    if file.exists():
        with files.name_in_errors(file), open(file, "rb") as stream:
            if not is_ours(stream.read(100)):
                told = f"'{clean(str(file))}' exists, and was not written by {maker}"
                raise WrongCommand(told, help="name another with --output")
    return file


def in_folder(file: Path, option: str) -> Path:
    """The file, if its folder exists; else WrongCommand, which names the option."""
    if not file.parent.is_dir():
        raise WrongCommand(f"there is no folder '{clean(str(file.parent))}'", help=f"name another file with {option}")
    return file

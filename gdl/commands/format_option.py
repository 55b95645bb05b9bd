"""The options -o and --format, of commands that write in one of several formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.errors import clean, listing
from gdl.formats import files
from gdl.render.formats import Format


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
        alike.setdefault(form.purpose + needs, []).append(form.ending)
    return "; ".join(f"{listing(endings, 'or')} for {purpose}" for purpose, endings in alike.items())


def format_of(formats: Mapping[str, Format], output: str | None, form: str | None, usual: str) -> Format:
    """The format that was asked for, by its name or by the ending of the file; the `usual` one for the terminal."""
    found = formats.get(form or (Path(output).suffix.removeprefix(".") if output else usual))
    if found is None:
        raise WrongCommand(
            f"'{clean(output or '')}' has no ending of a known format",
            help=f"let its name end in {listing((row.ending for row in formats.values()), 'or')}, or give --format",
        )
    if output is None and found.printed:
        help = f"write it to a file: -o tree{found.ending}"
        raise WrongCommand(f"{found.name} is not for the terminal", help=help)
    return found


def put(drawn: str | bytes, output: str | None) -> None:
    """Write the drawing to the file; None: to the terminal."""
    if output is None:
        assert isinstance(drawn, str)
        console.answer(drawn)
    else:
        files.write(output, drawn)

"""The options --book and --table, of commands that look positions up in an opening book or a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gdl.commands.console import WrongCommand
from gdl.errors import DamagedData, clean
from gdl.game import Game

if TYPE_CHECKING:
    from gdl.playing.book import OpenBook


def takes_book(help: str) -> Callable[..., Any]:
    """Adds the option --book to a command."""
    return click.option("--book", metavar="FILE", help=help)


def open_book(game: Game[Any], file: str) -> OpenBook:
    """The book in a file. Raises DamagedData where it is none, Refusal where it is another game's."""
    from gdl.formats import book
    from gdl.playing.book import OpenBook

    if not Path(file).is_file():
        raise WrongCommand(f"there is no file '{clean(file)}'", help="gdl book makes a book")
    with open(file, "rb") as stream:
        data = stream.read(book.LARGEST + 1)
    if len(data) > book.LARGEST:
        raise DamagedData(f"{clean(file)} is larger than {book.LARGEST:,} bytes")
    return OpenBook(game, book.read(data, file), file)


def takes_table(help: str) -> Callable[..., Any]:
    """Adds the option --table to a command."""
    return click.option("--table", type=click.Path(path_type=Path), metavar="DIR", help=help)

"""gdl new: a game file to begin with."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

import click

import gdl
from gdl.commands import completing, console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import read_text
from gdl.errors import clean
from gdl.formats.answer_records import NewAnswer
from gdl.formats.files import write

ENDING = ".game"
BEGINNING = """\
# {title}: take one, two or three from the heap; who takes the last one wins. Rules: change them.
game "{title}" (size = 10)
players Ann, Bob

state
    left: 0..size = size

action take(n: 1..3) when n <= left
    left := left - n

terminal
    left = 0 -> win other(mover)

# What is known of the game: gdl test checks it.
expect value = 1
expect value = -1 with size = 8
"""


@click.command()
@click.argument("name")
@click.option("--from", "base", metavar="GAME", shell_complete=completing.games, help="Begin with a copy of this game.")
@click.option("--json", "as_json", is_flag=True, help="Print the name of the file as one JSON object.")
def new(name: str, base: str | None, as_json: bool) -> None:
    """Begin a game file.

    Writes NAME.game, with the rules of a small game to change, or with a copy of a game. A file that is there already
    is left alone. (To take over a game's rules and replace some: gdl guide made-from-others.)
    """
    file = Path(name) if name.endswith(ENDING) else Path(f"{name}{ENDING}")
    if not file.stem.strip(".") or file.name == ENDING or name.endswith(("/", "\\")):
        raise WrongCommand(f"'{clean(name)}' is no name of a file", help="write, for example: gdl new my_game")
    if file.exists():
        raise WrongCommand(f"'{clean(str(file))}' is there already", help="take another name")
    if not file.parent.is_dir():
        raise WrongCommand(f"there is no folder '{clean(str(file.parent))}'", help="make it first")
    title = file.stem.replace("_", " ").capitalize()
    write(file, BEGINNING.replace("{title}", _plain(title)) if base is None else _retitle_game(base, _plain(title)))
    where = clean(quote(str(file)))
    told = f"{where} is written. Next: gdl check {where}, gdl play {where}, gdl solve {where}"
    console.answer_as(as_json, lambda: NewAnswer(str(file)), lambda: told)


def _plain(title: str) -> str:
    """The title with characters that cannot stand between double quotes replaced by blanks."""
    return "".join(sign if sign.isprintable() and sign not in '"\\{}' else " " for sign in title)


def _retitle_game(base: str, title: str) -> str:
    """The text of a game with another title."""
    text, name, folder = read_text(base)
    gdl.loads(text, name, folder=folder)  # raises what is wrong with it
    if folder is not None and re.search(r'(?m)^(game\b.*\bfrom|use)\s+"', text):
        raise WrongCommand(
            f"{clean(name)} is made from files beside it", help="gdl show --source prints its rules in one file"
        )
    return re.sub(r'(?m)^game\s+"[^"\n]*"', lambda found: f'game "{title}"', text, count=1)

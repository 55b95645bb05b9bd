"""gdl new: a game file to begin with; and gdl format."""

from __future__ import annotations

import re
from difflib import unified_diff
from importlib.resources import files
from pathlib import Path
from shlex import quote

import click

import gdl
from gdl import wings
from gdl.commands import completing, console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import read_text, spread, text_in_place, write_in_place
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, keeps_limits
from gdl.errors import GameError, clean, count_text
from gdl.formats.answer_records import NewAnswer
from gdl.formats.files import write
from gdl.playing.loading import STDIN

ENDING = ".game"
BEGINNING = files("gdl.commands").joinpath("beginning.txt").read_text(encoding="utf-8")  # a game to change


@click.command(cls=Command)
@click.argument("name")
@click.option("--from", "base", metavar="GAME", shell_complete=completing.games, help="Begin with a copy of this game.")
@console.takes_json("Print the name of the file as one JSON object.")
def new(name: str, base: str | None) -> None:
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
    write(
        file,
        BEGINNING.replace("{title}", _printable_title(title))
        if base is None
        else _retitle_game(base, _printable_title(title)),
    )
    where = clean(quote(str(file)))
    play = wings.installed_hook("the command that plays")
    following = ", ".join(f"{command} {where}" for command in ("gdl check", play, "gdl solve") if command)
    told = f"{where} is written. Next: {following}"
    console.answer_as(lambda: NewAnswer(str(file)), lambda: told)


def _printable_title(title: str) -> str:
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


@click.command(cls=Command)
@keeps_limits("memory", usual=LOOKING)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completing.games)
@click.option("--check", is_flag=True, help="Write nothing; say which files are not in the layout.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def format(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Lay out game files.

    Blocks are indented by four spaces, operators have one space around them, and matrices are aligned in columns; lines
    are not broken or joined, and words and comments stay. Files are changed in place; - reads the standard input and
    prints the result. A file with mistakes is left as it is.
    """
    from gdl.syntax.layout import laid_out

    status, changed, looked_at = 0, 0, 0
    for file in spread(files):
        try:
            text, name, _ = read_text(file) if file == STDIN else text_in_place(file)
            changed += put_layout(file, text, laid_out(text, name), check, diff)
        except GameError as wrong:
            console.problems(wrong.problems)
            console.write_failure_json(wrong.problems, console.GAME)
            status = 3
        looked_at += 1
    if looked_at > 1 or (looked_at and STDIN not in files and not diff):
        what = "to be laid out" if check or diff else "laid out"
        console.remark(f"{count_text(looked_at, 'file')}, {changed} of them {what}")
    return status or (1 if check and changed else 0)


def put_layout(file: str, text: str, found: str, check: bool, diff: bool) -> bool:
    """Write a file's text as it was laid out (`found`), or only report it (`check`) or show the changes (`diff`); True
    if the layout changes the file."""
    if diff and found != text:
        lines = unified_diff(text.splitlines(), found.splitlines(), file, file, lineterm="")
        console.answer("\n".join(map(clean, lines)))
    elif check and found != text:
        console.answer(clean(file))
    elif file == STDIN and not check and not diff:
        console.answer(found.removesuffix("\n"))
    elif found != text and not check and not diff:
        write_in_place(file, text, found)
    return found != text

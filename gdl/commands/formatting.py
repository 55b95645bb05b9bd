"""gdl format."""

from __future__ import annotations

from difflib import unified_diff

import click

from gdl.commands import completing, console
from gdl.commands.game_argument import read_text, spread, text_in_place, write_in_place
from gdl.commands.limiting import LOOKING, keeps_limits
from gdl.errors import GameError, clean, count_text
from gdl.playing.asked_game import STDIN


@click.command()
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
    status, changed, looked_at = 0, 0, 0
    for file in spread(files):
        try:
            changed += _lay_out(file, check, diff)
        except GameError as wrong:
            console.problems(wrong.problems)
            console.write_failure_json(wrong.problems, console.GAME)
            status = 3
        looked_at += 1
    if looked_at > 1 or (looked_at and STDIN not in files and not diff):
        what = "to be laid out" if check or diff else "laid out"
        console.remark(f"{count_text(looked_at, 'file')}, {changed} of them {what}")
    return status or (1 if check and changed else 0)


def _lay_out(file: str, check: bool, diff: bool) -> bool:
    """Lay out one file, or only report it (`check`) or show the changes (`diff`); True if the layout changes the
    file."""
    from gdl.syntax.layout import laid_out

    text, name, _ = read_text(file) if file == STDIN else text_in_place(file)
    found = laid_out(text, name)
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

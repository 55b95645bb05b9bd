"""Records of plays on the command line: a request for a game, with what a record says."""

from __future__ import annotations

from pathlib import Path

from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import one_game
from gdl.errors import clean
from gdl.errors.limits import SOURCE
from gdl.formats.files import name_in_errors
from gdl.playing.loading import Asking
from gdl.wings.arena import play_records, records
from gdl.wings.arena.game_records import game_of_record, is_record


def add_record_text(by: Asking, which: int | None = None) -> Asking | None:
    """The request with the play that its text records; None if the text is no record."""
    return _add_record(by, by.text, by.name, which) if is_record(by.text) else None


def _add_record(by: Asking, text: str, name: str, which: int | None) -> Asking:
    """The request with a record's actions and players added, and its settings, variant and position as far as the
    command line names none. If the record was named in place of a game, also its game. `which` picks a play of a file
    with many."""
    if by.after is not None:
        raise WrongCommand("--after and a record both say what was played", help="leave one of them out")
    found = _read_record(text, name, which)
    if by.text == text:
        text, name, folder = game_of_record(found.game, name, by.folder)
        by = by._replace(text=text, name=name, folder=folder, file=name)
    return by._replace(
        settings=by.settings or found.settings,
        variant=by.variant or found.variant,
        position=found.position if by.position is None else by.position,
        recorded=by.position is None,
        after=found.actions,
        who=found.who,
    )


def _read_record(text: str, name: str, which: int | None) -> records.PlayRecord:
    if play_records.is_other(text):
        return play_records.read(text, name, which, console.remark)
    if which is not None:
        raise one_game(name)
    return records.read(text, name)


def add_record_file(by: Asking, file: str, which: int | None = None) -> Asking:
    """The request with the record in a file added."""
    if not Path(file).is_file():
        raise WrongCommand(f"there is no file '{clean(file)}'", help="gdl play --save FILE writes one")
    with name_in_errors(file), open(file, "rb") as stream:
        text = stream.read(SOURCE + 1).decode("utf-8", errors="replace")
    return _add_record(by, text, file, which)

"""Texts that are records of plays, and the games that they name."""

from __future__ import annotations

from pathlib import Path

from gdl import wings
from gdl.errors import DamagedData, GameError, WrongRequest, clean
from gdl.playing.loading import read, shipped
from gdl.wings.arena import play_records, records


def game_of_record(game: str, record: str, folder: Path | None) -> tuple[str, str, Path | None]:
    """The text, name and folder of the game that a record names: a shipped game, or a file beside the record, in
    `folder`. A stranger's record can open no other file. Raises WrongRequest where there is no such game, DamagedData
    where the file is a record itself."""
    from gdl.formats import game_files

    if game in shipped():
        return shipped()[game].read_text(encoding="utf-8"), game, None
    try:
        others = [ending for words in wings.WORDS.values() for ending in words.endings]
        file = game_files.path_beside(game, folder, endings=(game_files.SUFFIX, ".efg", ".nfg", *others))
    except GameError as wrong:
        help = "put the game beside the record, or name it: GAME --record FILE"
        raise WrongRequest(f"{clean(record)} names its game: {wrong.problems[0].message}", help=help) from None
    text, _ = read(file)
    if is_record(text):
        raise DamagedData(f"{clean(game)} is a record, and no game")
    return text, str((folder or Path()) / game), folder


def is_record(text: str) -> bool:
    """True if a text is the record of a play, in whatever format."""
    return records.is_record(text) or play_records.is_other(text)

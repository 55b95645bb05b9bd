"""Records in the formats of others: chess as PGN, go and hex as SGF.

A file is known by how it begins, one that is to be written by its ending.
"""

from __future__ import annotations

from gdl.commands import chess_records, stone_records
from gdl.formats import pgn, records, sgf
from gdl.formats.records import PlayRecord


def is_other(text: str) -> bool:
    """Whether a text is a record in another format than ours."""
    return pgn.is_pgn(text) or sgf.is_sgf(text)


def read(text: str, name: str, which: int | None = None) -> PlayRecord:
    """Such a record: of a file with many games that of this number, from 1, else the first."""
    if pgn.is_pgn(text):
        return chess_records.read(text, name, which)
    return stone_records.read(text, name, which)


def text_for(file: str, record: PlayRecord) -> str:
    """A record as the ending of its file wants it."""
    if file.lower().endswith(pgn.ENDING):
        return chess_records.write(record)
    if file.lower().endswith(sgf.ENDING):
        return stone_records.write(record)
    return records.write(record)

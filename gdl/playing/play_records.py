"""Records of plays, in gdl's own format and in those of others: chess as PGN, go and hex as SGF.

A text's format is recognised by how it begins, that of a file to be written by the ending of its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gdl.formats import pgn, records, sgf
from gdl.formats.records import PlayRecord
from gdl.game import Action, Game, Node, Terminal
from gdl.numbers import to_text
from gdl.playing import chess_records, stone_records
from gdl.playing.asked_game import Asked, Remark, ignore
from gdl.states.sequential import Sequential


def is_other(text: str) -> bool:
    """True if a text is a record in another format than gdl's own."""
    return pgn.is_pgn(text) or sgf.is_sgf(text)


def read(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read the record of a play of chess, go or hex; of a file with many games the one with number `which`, from 1,
    else the first."""
    if pgn.is_pgn(text):
        return chess_records.read(text, name, which, remark)
    return stone_records.read(text, name, which, remark)


def text_for(file: str, record: PlayRecord, program: str = "gdl") -> str:
    """The text of a record in the format that the ending of its file's name asks for. The `program` that writes it is
    named where the format has room."""
    if file.lower().endswith(pgn.ENDING):
        return chess_records.write(record)
    if file.lower().endswith(sgf.ENDING):
        return stone_records.write(record, program)
    return records.write(record)


def is_collection(file: str) -> bool:
    """True if a file of that name can hold many records one after the other."""
    return file.lower().endswith((pgn.ENDING, sgf.ENDING))


def of_play(asked: Asked, played: Sequence[Action], who: Mapping[str, str]) -> PlayRecord:
    """The record of a play, from the game's first position on: the actions after which `asked` begins come before those
    `played`. The game is named without a path."""
    by = asked.by
    actions = (*getattr(asked.game, "played", ()), *played)
    whole = Sequential(asked.loaded.game)
    state = whole.initial()
    for action in actions:
        state = whole.successor(state, action)
    name, end = Path(by.file).name, result(whole, whole.node(state))
    return PlayRecord(name, by.settings, by.variant, by.position, who, end, actions)


def result(game: Game[Any], node: Node) -> str:
    """The result as a record writes it: each player's utility, or the sign of an unfinished play."""
    if not isinstance(node, Terminal):
        return records.OPEN
    return ", ".join(f"{player} {to_text(u)}" for player, u in zip(game.players, node.utilities, strict=True))

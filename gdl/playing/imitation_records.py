"""Plays to imitate: those that others have recorded, read in every format that gdl knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches.imitation import ImitationDecision, ImitationPlay
from gdl.errors import DamagedData, Refusal, WrongRequest, clean, count_text, limits, listing
from gdl.formats import pgn, records, sgf
from gdl.formats.records import PlayRecord
from gdl.game import Decision, Terminal, require_number
from gdl.model.fingerprint import fingerprint
from gdl.playing import play_records
from gdl.playing.asked_game import Asked, Remark, ignore
from gdl.playing.game_records import game_of_record
from gdl.playing.loading import loads
from gdl.states.explore import Progress

ENDINGS = (records.ENDING, pgn.ENDING, sgf.ENDING)
LEGAL = 12  # actions that a message lists


class _SourceRecord(NamedTuple):
    """A record, the file it is from, and the line of each action, where the file has one for each."""

    record: PlayRecord
    file: str
    lines: Sequence[int] = ()


def plays(asked: Asked, names: Sequence[str], progress: Progress, remark: Remark = ignore) -> list[ImitationPlay]:
    """The plays of all files of these names, and of all that lie in folders of these names, in the order of their
    names. Raises DamagedData, with the line, where an action is not legal; Refusal where a record is of another
    game."""
    game, _ = by_rules(asked.loaded.game)
    same, found, open_plays = _SameGameCheck(asked), list[ImitationPlay](), 0
    for one in (one for name in names for file in _files(name) for one in _records(file)):
        same.check(one)
        play = _replay_record(game, one)
        if play is None:
            open_plays += 1
        else:
            found.append(play)
        progress(len(found))
    if open_plays:
        remark(f"{count_text(open_plays, 'play')} without an end, or with nothing to choose, left out")
    return found


def _files(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix.lower() in ENDINGS and file.is_file())
        if not found:
            raise WrongRequest(
                f"there is no record in the folder '{clean(name)}'", help=f"their names end with {listing(ENDINGS)}"
            )
        return found
    if not path.is_file():
        raise WrongRequest(f"there is no file '{clean(name)}'", help="gdl match --save FOLDER writes records")
    return [path]


def _records(file: Path) -> Iterator[_SourceRecord]:
    """The plays of a file."""
    name = str(file)
    with open(file, "rb") as stream:
        text = stream.read(limits.SOURCE + 1).decode("utf-8", errors="replace")
    if not play_records.is_other(text):
        yield _SourceRecord(records.read(text, name), name, records.lines(text))
        return
    for which in count(1):
        yield _SourceRecord(play_records.read(text, name, which), name)
        if not (pgn.read(text, name, which).more if pgn.is_pgn(text) else sgf.read(text, name, which).more):
            return


class _SameGameCheck:
    """Whether records are of the game that is learned."""

    def __init__(self, asked: Asked):
        self._asked, self._own = asked, fingerprint(asked.loaded.model)
        by = asked.by
        self._known = {self._key(PlayRecord(by.file, by.settings, by.variant, by.position)): True}

    @staticmethod
    def _key(record: PlayRecord) -> Any:
        return Path(record.game).name, tuple(sorted(record.settings.items())), record.variant, record.position

    def check(self, found: _SourceRecord) -> None:
        key = self._key(found.record)
        if key not in self._known:
            self._known[key] = self._is_same(found)
        if not self._known[key]:
            raise Refusal(
                f"{clean(found.file)} is a play of {clean(found.record.game)} by other rules or from another position "
                f"than {clean(self._asked.game.name)} is learned by: only plays by the same are imitated"
            )

    def _is_same(self, found: _SourceRecord) -> bool:
        record = found.record
        text, name, folder = game_of_record(record.game, found.file, Path(found.file).parent)
        settings, position = dict(record.settings), record.position
        loaded = loads(text, name, settings=settings, variant=record.variant, position=position, folder=folder)
        return fingerprint(loaded.model) == self._own


def _replay_record(game: Any, found: _SourceRecord) -> ImitationPlay | None:
    """A play; None where it has no end, or nobody had a choice."""
    state, choices = game.initial(), list[ImitationDecision]()
    node = game.node(state)
    for number, action in enumerate(found.record.actions):
        if isinstance(node, Terminal):
            raise _wrong(found, number, "the game is over here")
        legal = node.actions if isinstance(node, Decision) else [outcome for outcome, _ in node.outcomes]
        if action not in legal:
            mover = game.players[node.player] if isinstance(node, Decision) else "chance"
            raise _wrong(
                found, number, f"'{clean(action)}' is not legal here; {mover} can play {listing(legal, most=LEGAL)}"
            )
        if isinstance(node, Decision) and len(legal) > 1:
            choices.append(ImitationDecision(state, legal.index(action), len(legal)))
        state = game.successor(state, action)
        node = game.node(state)
    utilities = _utilities(game, found.record, node)
    return ImitationPlay(choices, utilities) if choices and utilities else None


def _utilities(game: Any, record: PlayRecord, node: Any) -> tuple[float, ...] | None:
    """What a play has paid: by the rules, or, where somebody gave up, by its record."""
    if isinstance(node, Terminal):
        return tuple(float(require_number(utility)) for utility in node.utilities)
    paid = dict(part.strip().rpartition(" ")[::2] for part in record.result.split(","))
    try:
        return tuple(float(paid[player]) for player in game.players)
    except (KeyError, ValueError):
        return None


def _wrong(found: _SourceRecord, number: int, what: str) -> DamagedData:
    line = f":{found.lines[number]}" if found.lines else f", action {number + 1}"
    return DamagedData(f"{clean(found.file)}{line}: {what}")

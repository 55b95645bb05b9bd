"""Opening books as files: positions reached from the start, the results of the searches of each, and the positions that
follow.

A file is JSON, a line for each position, with a checksum. A position is identified by its key alone, and no move is
taken from a file without the rules: a reader looks up the positions after the legal moves. Every number and index in a
file is checked when it is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any
from zlib import crc32

from gdl.errors import DamagedData, Refusal, clean
from gdl.game import Number
from gdl.numbers import read_number, to_json

FORMAT = 1
LARGEST = 1 << 26  # bytes of a file, at most
MOST_POSITIONS = 300_000  # positions of a book, at most
LONGEST = 1_000  # characters of an action, at most
CHANCE = 2  # the mover of a position in which chance moves
_KEY = re.compile(r"[0-9a-f]{32}")
_BEGINS = '{"book": '


@dataclass(slots=True)
class Entry:
    """A position of an opening book. Numbers are the first player's utility."""

    key: str
    parent: int  # index of the entry before; -1 at the start
    action: str  # the action from there to here; "" at the start
    mover: int  # the player to move, or CHANCE; -1: the game is over
    estimate: float  # the value by its own search, between `low` and `high`
    low: Number | None  # the bounds that this search has proved; None: none
    high: Number | None
    reply: str = ""  # the key of what follows the best action of its own search
    after: tuple[int, ...] | None = None  # the entries of all that follows, in the order of the actions; None: not yet
    shares: tuple[Number, ...] = ()  # if chance moves: the probability of each of `after`

    @property
    def is_proved(self) -> bool:
        """True if the position's own search has proved its value."""
        return self.low is not None and self.low == self.high


@dataclass
class Book:
    """An opening book: the game with its rules and evaluation, the settings of the searches, and the positions."""

    game: str
    rules: str
    evaluation: str
    nodes: int  # nodes of each search
    seed: int
    symmetries: list[Any]  # generators of the symmetries under which positions are the same, by `Symmetry.to_json`
    entries: list[Entry] = field(default_factory=list)
    due: list[int] = field(default_factory=list)  # the entries whose followers are searched next


def is_such(data: bytes) -> bool:
    """True if the file's bytes begin as those of an opening book do."""
    return data.startswith(_BEGINS.encode())


def write(book: Book) -> str:
    """The text of the book's file."""
    head = {
        "format": FORMAT, "game": book.game, "rules": book.rules, "evaluation": book.evaluation, "nodes": book.nodes,
        "seed": book.seed, "symmetries": book.symmetries, "due": book.due,
    }  # fmt: skip
    rows = ",\n".join(json.dumps(_row(entry), separators=(",", ":")) for entry in book.entries)
    body = f'{json.dumps(head)[:-1]}, "entries": [\n{rows}\n]}}'
    return f'{_BEGINS}{body},\n"check": {crc32(body.encode())}}}\n'


def _row(entry: Entry) -> list[Any]:
    bounds = [None if bound is None else to_json(bound) for bound in (entry.low, entry.high)]
    shares = [[to_json(share) for share in entry.shares]] if entry.shares else []
    row = [entry.key, entry.parent, entry.action, entry.mover, entry.estimate, *bounds, entry.reply, entry.after]
    return row + shares


def read(data: bytes, name: str) -> Book:
    """The book in the bytes of a file; `name` is the file's name in messages. Raises DamagedData if the file is
    incomplete or damaged, Refusal if it has another version."""
    if not is_such(data):
        raise DamagedData(f"{clean(name)} is no opening book; gdl book makes one")
    try:
        return _read(data, name)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise DamagedData(f"the book {clean(name)} is damaged: it is not what was written") from None


def _read(data: bytes, name: str) -> Book:
    text = data.decode()
    body, _, rest = text[len(_BEGINS) :].rpartition(',\n"check": ')
    if crc32(body.encode()) != int(rest.rstrip().removesuffix("}")):
        raise ValueError
    found = json.loads(body)
    if found["format"] != FORMAT:
        raise Refusal(f"the book {clean(name)} was made by another version of gdl; make it once more")
    rows, due = found["entries"], found["due"]
    if not 1 <= len(rows) <= MOST_POSITIONS:
        raise ValueError
    entries = [_entry(row, at, len(rows)) for at, row in enumerate(rows)]
    if len({entry.key for entry in entries}) < len(entries):
        raise ValueError
    places = [_whole(at, 0, len(rows) - 1) for at in due]
    if any(entries[at].mover < 0 for at in places):
        raise ValueError
    return Book(
        _text(found["game"]), _text(found["rules"]), _text(found["evaluation"]), _whole(found["nodes"], 1, 1 << 60),
        _whole(found["seed"], -(1 << 63), 1 << 63), list(found["symmetries"]), entries, places,
    )  # fmt: skip


def _entry(row: Sequence[Any], at: int, count: int) -> Entry:
    """The entry in row number `at` of `count`. Raises ValueError if it is none. (An entry comes later in the file than
    its parent.)"""
    key, parent, action, mover, estimate, low, high, reply, after, *more = row
    if not _KEY.fullmatch(key) or (reply and not _KEY.fullmatch(reply)) or not isfinite(float(estimate)):
        raise ValueError
    least, most = (None if bound is None else read_number(bound) for bound in (low, high))
    if least is not None and most is not None and least > most:
        raise ValueError
    parent = _whole(parent, 0 if at else -1, at - 1)
    followers = None if after is None else tuple([_whole(one, 0, count - 1) for one in after])
    mover = _whole(mover, -1, CHANCE)
    shares = tuple([read_number(share) for one in more for share in one])
    if bool(shares) != (mover == CHANCE and after is not None) or len(more) > 1:
        raise ValueError
    if shares and (len(shares) != len(after) or min(shares) < 0 or sum(shares) != 1):
        raise ValueError
    return Entry(key, parent, _text(action), mover, float(estimate), least, most, reply, followers, shares)


def _whole(number: Any, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise ValueError
    return number


def _text(text: Any) -> str:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError
    return text

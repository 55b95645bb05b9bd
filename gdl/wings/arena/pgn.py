"""Portable Game Notation: games of chess, as most programs keep them. Here are its words; what the moves mean is found
beside the rules of chess (gdl/playing/play_records.py).

Of a file one game is read. Remarks, numbers of moves, marks and variations are passed over: nothing in them need be
understood, and how deep variations stand inside one another does not matter.

Source: S. Edwards, Standard: Portable Game Notation Specification and Implementation Guide (1994).
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from gdl.errors import GameError, Problem, Source, Span, clean, limits

PGN_FILE = "pgn-file"  # the code of every mistake in such a file
ENDING = ".pgn"
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
PLIES = 10_000
WIDTH = 79  # characters of a line of moves
_FIRST = re.compile(r"\s*(?:(?:%[^\n]*\n|\{[^}]*\})\s*)*(?:\[[A-Z]\w*\s+\"|1\.\s*[KQRBNOa-h])")
_LAST = re.compile(r"\s*\Z")
_TOKEN = re.compile(
    r"\s+|(?P<escape>^%[^\n]*)|(?P<tag>\[\s*(?P<name>\w+)\s+\"(?P<value>(?:[^\"\\\n]|\\.)*)\"\s*\])|(?P<remark>\{[^}]*\}|;[^\n]*)"
    r"|(?P<open>\()|(?P<close>\))|(?P<null>--|Z0\b|@@@@)|(?P<mark>\$\d*|[!?]+|[-+=/]+(?=[\s(){};!?$]|\Z))"
    r"|(?P<number>\d+\.+(?:\s*\.\.\.)?|\.+)|(?P<move>[A-Za-z0-9@][\w+#=:/@-]*)|(?P<result>\*)|(?P<bad>.)",
    re.M | re.S,
)
_JUDGED = re.compile(r"(?:\+/[-=]|[-=]/\+|\+-|-\+|\+=|=\+?)\Z")  # a sign behind a move: who stands better


@dataclass(frozen=True)
class PgnGame:
    """A game of a PGN file: its tags, its moves, both with their places in the text, and the result."""

    tags: Mapping[str, str]
    places: Mapping[str, Span]
    moves: tuple[tuple[str, Span], ...]
    result: str
    more: bool = False  # whether others follow


@dataclass
class _Reading:
    tags: dict[str, str] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)  # of the tags
    moves: list[tuple[str, Span]] = field(default_factory=list)
    depth: int = 0  # nesting depth of variations


def is_pgn(text: str) -> bool:
    """True if a text begins as a PGN file does."""
    return _FIRST.match(text.lstrip("\ufeff")) is not None


def read(text: str, name: str, which: int = 1) -> PgnGame:
    """The game number `which`, from 1, of a file. Raises GameError, with the place, if the file is damaged up to there,
    or has fewer games."""
    source, number = Source(name, text), 1
    if len(text) > limits.SOURCE:
        wrong(f"{clean(name)} is larger than {limits.SOURCE:,} characters", None, "take out what comes after the game")
    found = _Reading()
    for token in _TOKEN.finditer(text.replace("\ufeff", " ")):
        kind, word = token.lastgroup, token[0]
        span = Span(source, token.start(), token.end())
        if kind == "open":
            found.depth += 1
        elif kind == "close":
            found.depth -= 1
            if found.depth < 0:
                wrong("this ')' closes nothing", span, "take it out")
        elif kind == "bad" and word != "{" and (found.depth or (unicodedata.category(word)[0] in "SP" and word > "~")):
            continue  # such as ± and ∞
        elif kind == "bad":
            help = {"{": "write } behind the remark", '"': 'write [Name "text"]', "[": 'write [Name "text"]'}
            wrong(f"'{clean(word)}' does not belong here", span, help.get(word, "take it out"))
        elif found.depth or kind in (None, "escape", "remark", "mark", "number"):
            continue
        elif token["tag"]:
            if found.moves:  # the game before has no result
                if number == which:
                    return PgnGame(found.tags, found.places, tuple(found.moves), "*", True)
                found, number = _Reading(), number + 1
            found.tags.setdefault(token["name"], re.sub(r"\\(.)", r"\1", token["value"]))
            found.places.setdefault(token["name"], span)
        elif word.isdecimal():
            continue  # the number of a move, without its point
        elif word in RESULTS:
            more = _LAST.match(text, token.end()) is None
            if number == which or not more:
                _is_there(which, number, name)
                return PgnGame(found.tags, found.places, tuple(found.moves), word, more)
            found, number = _Reading(), number + 1
        else:
            if len(found.moves) >= PLIES:
                wrong(f"more than {PLIES:,} moves", span, "gdl reads shorter games")
            if kind == "null":
                wrong(f"'{word}' is no move: the turn is passed", span, "gdl reads it in variations alone")
            found.moves.append((_JUDGED.sub("", word), span))
    if found.depth:
        end = len(text.rstrip())
        wrong("a variation is not closed", Span(source, max(0, end - 1), end), "write ) behind it")
    _is_there(which, number, name)
    return PgnGame(found.tags, found.places, tuple(found.moves), "*")


def _is_there(which: int, games: int, name: str) -> None:
    if which > games:
        wrong(f"{clean(name)} has no game {which}", None, f"its games are numbered from 1 to {games}")


def write(tags: Mapping[str, str], moves: Iterable[str], result: str, first: int = 1, black: bool = False) -> str:
    """The text of a game. `first` is the number of the first move; `black`: Black makes it."""
    lines = [f'[{name} "{_escape_tag(value)}"]' for name, value in tags.items()]
    words, number, waits = list[str](), first, black
    for move in moves:
        if not waits:
            words.append(f"{number}.")
        elif not words:
            words.append(f"{number}...")
        words += move.split()
        number += waits
        waits = not waits
    rows = textwrap.wrap(" ".join([*words, result]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *rows]) + "\n"


def _escape_tag(text: str) -> str:
    return clean(text).replace("\\", "\\\\").replace('"', '\\"')


def wrong(message: str, span: Span | None, help: str) -> NoReturn:
    raise GameError(Problem(message, span, help=help, code=PGN_FILE))

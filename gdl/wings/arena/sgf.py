"""Smart Game Format: games of go and hex, as most programs keep them. Here are its nodes; what they mean is found
beside the rules of the games (gdl/playing/play_records.py).

Of a file one game is read, and of each variation the first, which is the main line.

Source: A. Hollosi, SGF file format FF[4] (1997–2006).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from gdl.errors import GameError, Problem, Source, Span, clean, limits

SGF_FILE = "sgf-file"  # the code of every mistake in such a file
ENDING = ".sgf"
NODES = 10_000  # nodes of the main line, at most
DEEPEST = 10_000  # variations inside one another
_FIRST = re.compile(r"\s*\(\s*;\s*[A-Za-z]*\s*\[")
_LAST = re.compile(r"\s*\Z")
_TOKEN = re.compile(r"\s+|(?P<mark>[();])|(?P<name>[A-Za-z]+)|(?P<value>\[(?:[^\]\\]|\\.)*\])|(?P<bad>.)", re.S)


class Property(NamedTuple):
    """A property of a node: its name in capitals, its values, and its place."""

    name: str
    values: tuple[str, ...]
    span: Span


def is_sgf(text: str) -> bool:
    """True if a text begins as an SGF file does."""
    return _FIRST.match(text.lstrip("\ufeff")) is not None


class SgfGame(NamedTuple):
    """The properties of a game's main line, in order, and whether other games follow in the file."""

    properties: list[Property]
    more: bool


def read(text: str, name: str, which: int = 1) -> SgfGame:
    """The game number `which`, from 1, of a file. Raises GameError, with the place, if the file is damaged up to there,
    or has fewer games."""
    source, number = Source(name, text), 1
    if len(text) > limits.SOURCE:
        wrong(f"{clean(name)} is larger than {limits.SOURCE:,} characters", None, "take out what comes after the game")
    found: list[Property] = []
    depth, nodes, line_ended = 0, 0, False
    for token in _TOKEN.finditer(text.replace("\ufeff", " ")):
        kind, word = token.lastgroup, token[0]
        span = Span(source, token.start(), token.end())
        if kind == "bad":
            help = "write ] behind a value" if word == "[" else "take it out"
            wrong(f"'{clean(word)}' does not belong here", span, help)
        elif word == "(":
            depth += 1
            if depth > DEEPEST:
                wrong(f"more than {DEEPEST:,} variations inside one another", span, "take some out")
        elif word == ")":
            depth -= 1
            line_ended = True  # what follows is another variation
            more = _LAST.match(text, token.end()) is None
            if depth <= 0 and (number == which or not more):
                if which > number:
                    wrong(f"{clean(name)} has no game {which}", None, f"its games are numbered from 1 to {number}")
                return SgfGame(found, more)
            if depth <= 0:
                found, depth, nodes, line_ended, number = [], 0, 0, False, number + 1
        elif line_ended or kind is None:
            continue
        elif depth == 0:
            wrong(f"'{clean(word)}' stands outside of a game", span, "begin with (;")
        elif word == ";":
            nodes += 1
            if nodes > NODES:
                wrong(f"more than {NODES:,} nodes", span, "gdl reads shorter games")
        else:
            _add(found, word, span)
    end = len(text.rstrip())
    return wrong("the game is not closed", Span(source, max(0, end - 1), end), "write ) behind it")


def _add(found: list[Property], word: str, span: Span) -> None:
    """Add a token to the properties: a name begins a new property, a value in brackets belongs to the last one."""
    if not word.startswith("["):
        found.append(Property("".join(c for c in word if c.isupper()) or word.upper(), (), span))
    elif not found:
        wrong("a value without its property", span, "write its name before it")
    else:
        before = found[-1]
        value = re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.S)
        found[-1] = Property(before.name, (*before.values, value), before.span.to(span))


def write(root: Iterable[tuple[str, str]], moves: Iterable[tuple[str, str]]) -> str:
    """The text of a game: the properties of its first node, then a node for each move."""
    head = "".join(f"{name}[{_escape_property(value)}]" for name, value in root)
    rows = [f"(;{head}"]
    for number, (name, value) in enumerate(moves):
        node = f";{name}[{_escape_property(value)}]"
        if number % 10 == 0:
            rows.append(node)
        else:
            rows[-1] += node
    return "\n".join(rows) + ")\n"


def _escape_property(text: str) -> str:
    return clean(text).replace("\\", "\\\\").replace("]", "\\]")


def wrong(message: str, span: Span | None, help: str) -> NoReturn:
    raise GameError(Problem(message, span, help=help, code=SGF_FILE))

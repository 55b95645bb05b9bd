"""Gambit's files, read: an extensive game (.efg) or a strategic game (.nfg) as the text of a game file.

The text is a tree or a matrix, so everything else, checks included, is as for a file of the user's own. What is wrong
with the Gambit file itself is an error with its place in that file. Profiles are read as pygambit prints them.

Source: the file formats as Gambit's documentation describes them ("Game representation formats"), version 2 of .efg
and version 1 of .nfg.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple, NoReturn

from gdl.errors import GameError, Problem, Source, Span, clean, limits

GAMBIT_FILE = "gambit-file"  # the code of every mistake in such a file
CELLS = 200_000  # cells of a strategic game's table, at most
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[{}])|(?P<word>[^\s{},"]+)|(?P<comma>,)|(?P<end>\Z)|(?P<bad>.))', re.S
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)", re.ASCII)
_DIGITS = 400  # characters of a number
LONGEST = 1 << 20  # letters of a profile that is not JSON
_RATIONAL = re.compile(r"Rational\((-?[0-9]{1,400}), ([0-9]{1,400})\)")


def translate_gambit(text: str, name: str) -> str:
    """The text of a game file with the game of one of Gambit's files. Raises GameError if that is damaged, or says
    something that game files cannot say."""
    words = _Words(text, name)
    kind, version = words.word(), words.word()
    if (kind, version) not in (("EFG", "2"), ("NFG", "1")):
        words.wrong(
            f"this is version {clean(version)} of {clean(kind)}", "gdl reads EFG 2 and NFG 1: save it anew with Gambit"
        )
    if words.word() not in ("R", "D"):
        words.wrong("here stands how numbers are written", "write R")
    written = _Tree(words).text() if kind == "EFG" else _table(words)
    if len(written.encode()) > limits.SOURCE:
        raise GameError(
            Problem(
                f"{clean(name)} is larger than {limits.SOURCE:,} bytes as a game file",
                help=limits.LESS_SOURCE,
                code=GAMBIT_FILE,
            )
        )
    return written


class _Word(NamedTuple):
    kind: str  # text, mark, word, end
    value: str
    start: int
    end: int


class _Words:
    """Reads the file token by token; commas count as blanks, as in Gambit."""

    def __init__(self, text: str, name: str):
        self.source = Source(name, text)
        self._text, self._at = text, 0
        self.last = _Word("end", "", 0, 0)
        self._next: _Word | None = None

    def peek(self) -> _Word:
        while self._next is None:
            found = _TOKEN.match(self._text, self._at)
            assert found is not None and found.lastgroup is not None
            self._at = found.end()
            kind = found.lastgroup
            word = _Word(kind, found.group(kind), found.start(kind), found.end(kind))
            if kind == "bad":
                self.last = word
                self.wrong("a text that does not end", 'write " behind it')
            if kind != "comma":
                self._next = word
        return self._next

    def take(self) -> _Word:
        self.last, self._next = self.peek(), None
        return self.last

    def word(self) -> str:
        """Take the next token, which must be a word or a number."""
        word = self.take()
        if word.kind != "word":
            self.wrong("a word or a number is due here", "see Gambit's description of its file formats")
        return word.value

    def text(self) -> str:
        """Take the next token, which must be a text in double quotes; its content."""
        word = self.take()
        if word.kind != "text":
            self.wrong("a text in double quotes is due here", 'write "", if it has no name')
        return re.sub(r"\\(.)", r"\1", word.value[1:-1], flags=re.S)

    def is_next(self, kind: str, value: str | None = None) -> bool:
        word = self.peek()
        return word.kind == kind and value in (None, word.value)

    def mark(self, value: str) -> None:
        if not (self.take().kind == "mark" and self.last.value == value):
            self.wrong(f"'{value}' is due here", f"write {value}")

    def whole(self) -> int:
        text = self.word()
        if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
            self.wrong(f"'{clean(text)}' is no whole number of nine digits at most", "write a number such as 1")
        return int(text)

    def number(self) -> Fraction:
        text = self.word()
        if len(text) > _DIGITS or not _NUMBER.fullmatch(text) or text.endswith("/0"):
            self.wrong(f"'{clean(text[:40])}' is no number", "write it as 3, 1/18 or 0.25")
        number = Fraction(text)
        if max(abs(number.numerator), number.denominator) >= 10**limits.EXPLICIT_DIGITS:
            self.wrong(f"a number has at most {limits.EXPLICIT_DIGITS} digits", "scale the numbers down")
        return number

    def numbers(self, count: int) -> tuple[Fraction, ...]:
        """Take `count` numbers in braces, one for each player."""
        self.mark("{")
        found = [self.number() for _ in range(count)] if not self.is_next("mark", "}") else []
        self.mark("}")
        if len(found) != count:
            self.wrong(f"{count} numbers are due here, one for each player", "write one for each player")
        return tuple(found)

    def items(self) -> Iterator[None]:
        """Yield before each item of a list in braces, which is to be taken before the next is asked for."""
        self.mark("{")
        while not self.is_next("mark", "}"):
            yield
        self.mark("}")

    def texts(self) -> list[str]:
        return [self.text() for _ in self.items()]

    def skip_text(self) -> None:
        """Pass over a text, a comment or a name that is of no use, if one is next."""
        if self.is_next("text"):
            self.take()

    def check_end(self, what: str, help: str) -> None:
        if self.take().kind != "end":
            self.wrong(f"the {what} is complete before this", help)

    def wrong(self, message: str, help: str) -> NoReturn:
        raise GameError(
            Problem(message, Span(self.source, self.last.start, self.last.end), help=help, code=GAMBIT_FILE)
        )


def _quote_name(name: str) -> str:
    kept = "".join(c if c.isprintable() else " " for c in name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{kept}"'


def _apart(names: Sequence[str], otherwise: str = "") -> list[str]:
    """The names made different: an empty name becomes `otherwise` with its number, and a repeated one gets a number in
    brackets."""
    found: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        name = name.strip() or f"{otherwise}{number}"
        same, count = name, 1
        while same in found:
            count += 1
            same = f"{name} ({count})"
        found[same] = None
    return list(found)


def _vector(numbers: Sequence[Fraction]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"({', '.join(map(str, numbers))})"


def _head(title: str, players: Sequence[str]) -> str:
    game = f"game {_quote_name(title)}\n" if title.strip() else ""
    return f"{game}players {', '.join(map(_quote_name, players))}\n"


# -- extensive games ---------------------------------------------------------------------------------------------------


@dataclass
class _Set:
    """An information set, by the first node that belongs to it; `chances` are the probabilities if chance moves,
    `members` counts its nodes."""

    name: str
    actions: list[str]
    chances: list[Fraction] = field(default_factory=list)
    members: int = 0


class _Tree:
    """The tree of an extensive game. Its nodes stand in prefix order: each is followed by its children."""

    def __init__(self, words: _Words):
        self.words = words
        self.title = words.text()
        self.players = _apart(words.texts(), "Player ")
        if not self.players:
            words.wrong("a game has players", "name one at least")
        words.skip_text()  # the comment
        self.sets: dict[tuple[int, int], _Set] = {}  # by player (0: chance) and number
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}

    def text(self) -> str:
        nothing = (Fraction(0),) * len(self.players)
        lines: list[tuple[int, str, tuple[int, int] | None]] = []  # depth, what stands there, whose set
        # The nodes whose children are not all read: their sets, the payoffs so far, and how many children were begun.
        stack: list[tuple[_Set, tuple[Fraction, ...], int]] = []
        while stack or not lines:
            if lines and stack[-1][2] == len(stack[-1][0].actions):
                stack.pop()
                continue
            label, paid = "", nothing
            if lines:
                above, paid, begun = stack[-1]
                stack[-1] = above, paid, begun + 1
                label = self._label(above, begun)
            kind = self.words.word()
            if kind not in ("c", "p", "t"):
                self.words.wrong(
                    f"'{clean(kind)}' is no kind of node", "write c for chance, p for a player, t for an end"
                )
            self.words.text()  # nodes are named by their actions
            depth = len(stack) + 1
            if kind == "t":
                lines.append((depth, label + _vector(self._add_outcome_payoffs(paid)), None))
                continue
            key = self._set(0 if kind == "c" else self._player())
            mover = "chance" if key[0] == 0 else _quote_name(self.players[key[0] - 1])
            lines.append((depth, label + mover, key))
            stack.append((self.sets[key], self._add_outcome_payoffs(paid), 0))
        self.words.check_end("tree", "take it out, or add it as an action above")
        self._name_sets()
        nodes = "".join(f"{' ' * depth}{text}{self._inside(key)}\n" for depth, text, key in lines)
        return f"{_head(self.title, self.players)}tree\n{nodes}"

    def _label(self, found: _Set, action: int) -> str:
        chance = f" {found.chances[action]}" if found.chances else ""
        return f"{_quote_name(found.actions[action])}{chance}: "

    def _player(self) -> int:
        player = self.words.whole()
        if not 1 <= player <= len(self.players):
            self.words.wrong(f"there is no player {player}", f"write a number from 1 to {len(self.players)}")
        return player

    def _set(self, player: int) -> tuple[int, int]:
        key = player, self.words.whole()
        named = self.words.is_next("text")
        name = self.words.text() if named else ""
        if self.words.is_next("mark", "{"):
            actions, chances = self._actions(player == 0)
            known = self.sets.setdefault(key, _Set(name, actions, chances))
            if known.actions != actions or known.chances != chances:
                self.words.wrong(
                    "other actions than at the node before of this information set", "write the same, or none"
                )
        elif key not in self.sets:
            self.words.wrong(
                "the first node of an information set lists its actions", 'write { "left" "right" } behind it'
            )
        self.sets[key].members += 1
        return key

    def _actions(self, chance: bool) -> tuple[list[str], list[Fraction]]:
        names, chances = [], []
        for _ in self.words.items():
            names.append(self.words.text())
            if chance:
                chances.append(self.words.number())
        if not names:
            self.words.wrong("a node has an action at least", "write one, or make it an end")
        if chance and (sum(chances) != 1 or min(chances) < 0):
            sum_ = f"these probabilities sum to {clean(str(sum(chances)))}"
            said = f"a probability is {clean(str(min(chances)))}" if min(chances) < 0 else sum_
            self.words.wrong(said, "let them be fractions that sum to 1, none below 0")
        return _apart(names), chances

    def _add_outcome_payoffs(self, before: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """The payoffs collected so far (`before`), plus those of the outcome at this node."""
        number = self.words.whole()
        self.words.skip_text()
        if self.words.is_next("mark", "{"):
            self.outcomes[number] = self.words.numbers(len(self.players))
        if number == 0:
            return before
        if number not in self.outcomes:
            self.words.wrong(
                f"outcome {number} was not described before", "write { } with a number for each player behind it"
            )
        return tuple(a + b for a, b in zip(before, self.outcomes[number], strict=True))

    def _name_sets(self) -> None:
        """Give a different name to each information set that has several nodes or a name in the file."""
        keys = [key for key, found in self.sets.items() if key[0] and (found.members > 1 or found.name.strip())]
        for key, name in zip(
            keys, _apart([self.sets[key].name.strip() or f"{key[0]}:{key[1]}" for key in keys]), strict=True
        ):
            self.sets[key].name = name

    def _inside(self, key: tuple[int, int] | None) -> str:
        if key is None or key[0] == 0 or not self.sets[key].name.strip():
            return ""
        return f" in {_quote_name(self.sets[key].name)}"


# -- strategic games ---------------------------------------------------------------------------------------------------


def _table(words: _Words) -> str:
    """The text of a game file for a strategic game. The file lists payoffs, or the outcome of each cell; the first
    player's strategy changes fastest."""
    title = words.text()
    players = _apart(words.texts(), "Player ")
    if len(players) < 2:
        words.wrong("a table has two players at least", "write a tree: a lone player needs no table")
    strategies = _strategies(words, len(players))
    count = prod(map(len, strategies))
    if count > CELLS:
        words.wrong(f"the table has {count:,} cells, more than {CELLS:,}", "take fewer strategies")
    words.skip_text()  # the comment
    if words.is_next("mark", "{"):
        cells = _outcomes(words, len(players), count)
    else:
        cells = [tuple(words.number() for _ in players) for _ in range(count)]
    words.check_end("table", "take it out")
    backwards = product(*(range(len(own)) for own in reversed(strategies)))
    found = {cell[::-1]: paid for cell, paid in zip(backwards, cells, strict=True)}
    head = _head(title, players) + "matrix\n"
    if len(players) == 2:
        rows = [" ".join(map(_quote_name, strategies[1]))]
        for i, row in enumerate(strategies[0]):
            rows.append(f"{_quote_name(row)} " + " ".join(_vector(found[i, j]) for j in range(len(strategies[1]))))
        return head + "".join(f"    {row}\n" for row in rows)
    lines = (
        f"    {', '.join(_quote_name(own[k]) for own, k in zip(strategies, cell, strict=True))}: "
        f"{_vector(found[cell])}\n"
        for cell in product(*(range(len(own)) for own in strategies))
    )
    return head + "".join(lines)


def _strategies(words: _Words, players: int) -> list[list[str]]:
    """The names of each player's strategies; numbers from 1 if the file gives only how many there are."""
    found: list[list[str]] = []
    for _ in words.items():
        if words.is_next("mark", "{"):
            found.append(_apart(words.texts()))
        else:
            count = words.whole()
            if not 1 <= count <= CELLS:
                words.wrong(f"nobody has {count} strategies here", f"write a number from 1 to {CELLS:,}")
            found.append([str(k + 1) for k in range(count)])
    if len(found) != players or not all(found):
        words.wrong("each player has strategies here", "write their number, or their names in braces, for each player")
    return found


def _outcomes(words: _Words, players: int, count: int) -> list[tuple[Fraction, ...]]:
    """The payoffs of each of the `count` cells, read from a list of outcomes and the number of each cell's outcome;
    outcome 0 pays nothing."""
    known = [(Fraction(0),) * players]
    for _ in words.items():
        words.mark("{")
        words.text()
        known.append(tuple(words.number() for _ in range(players)))
        words.mark("}")
    cells = []
    for _ in range(count):
        number = words.whole()
        if number >= len(known):
            words.wrong(f"there is no outcome {number}", f"write a number from 0 to {len(known) - 1}")
        cells.append(known[number])
    return cells


# -- profiles ---------------------------------------------------------------------------------------------------------


def parse_profile(data: bytes) -> Any:
    """The value in a file of JSON, or in one that pygambit printed. Raises ValueError, as the module json does, if it
    is neither.

    Each player has a list of mixtures, one for each information set in the order in which a walk through the tree,
    first children first, meets them; or one mixture over the strategies of a table. Pygambit 17 names players and
    actions, 16 lists them in their order. Rational numbers stand there as `Rational(1, 3)`. It is data of Python's,
    read as such and never run.
    """
    try:
        return json.loads(data)
    except ValueError:
        text = data[: LONGEST + 1].decode("utf-8", "replace").strip()
        if not text.startswith(("{", "[")) or len(text) > LONGEST:
            raise
        try:
            found = ast.literal_eval(_RATIONAL.sub(r'"\1/\2"', text))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found = None
        if not isinstance(found, dict | list):
            raise
        return found

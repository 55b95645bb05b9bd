"""Gambit's files, read: an extensive game (.efg) or a strategic game (.nfg) as the sections of a game file.

They are a tree or a matrix with their places in Gambit's file, so everything else, checks included, is as for a file of
the user's own. Profiles are read as pygambit prints them.

Source: the file formats as Gambit's documentation describes them ("Game representation formats"), version 2 of .efg
and version 1 of .nfg.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple, NoReturn

from gdl import syntax
from gdl.errors import GameError, Problem, Source, Span, clean, limits
from gdl.errors.deadline import check_deadline
from gdl.game import Number, exact

GAMBIT_FILE = "gambit-file"  # the code of every mistake in such a file
CELLS = 200_000  # cells of a strategic game's table, at most
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[{}])|(?P<word>[^\s{},"]+)|(?P<comma>,)|(?P<end>\Z)|(?P<bad>.))', re.S
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)", re.ASCII)
_DIGITS = 400  # characters of a number
LONGEST = 1 << 20  # letters of a profile that is not JSON
_ESCAPED = re.compile(r"\\\\?(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(000[0-9a-f]{5}))|\\(.)", re.S)  # Gambit doubles a \
_RATIONAL = re.compile(r"Rational\((-?[0-9]{1,400}), ([0-9]{1,400})\)")


def description(text: str, name: str) -> syntax.Description:
    """The game of one of Gambit's files, as the sections of a game file. Raises GameError if the file is damaged, or
    says something that game files cannot say."""
    words = Words(text, name)
    kind, version = words.word(), words.word()
    if (kind, version) not in (("EFG", "2"), ("NFG", "1")):
        words.wrong(
            f"this is version {clean(version)} of {clean(kind)}", "gdl reads EFG 2 and NFG 1: save it anew with Gambit"
        )
    if words.word() not in ("R", "D"):
        words.wrong("here stands how numbers are written", "write R")
    whole = Span(words.source, 0, len(text))
    return syntax.Description(whole, name, tuple(_Tree(words).sections() if kind == "EFG" else _table(words)))


class Word(NamedTuple):
    kind: str  # text, mark, word, end
    value: str
    start: int
    end: int


class Words:
    """Reads the file token by token; commas count as blanks, as in Gambit."""

    def __init__(self, text: str, name: str):
        self.source = Source(name, text)
        self._text, self._at = text, 0
        self.last = Word("end", "", 0, 0)
        self._next: Word | None = None

    def peek(self) -> Word:
        while self._next is None:
            found = _TOKEN.match(self._text, self._at)
            assert found is not None and found.lastgroup is not None
            self._at = found.end()
            kind = found.lastgroup
            word = Word(kind, found.group(kind), found.start(kind), found.end(kind))
            if kind == "bad":
                self.last = word
                self.wrong("a text that does not end", 'write " behind it')
            if kind != "comma":
                self._next = word
        return self._next

    def take(self) -> Word:
        check_deadline()
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
        inside = word.value[1:-1]
        name = _ESCAPED.sub(_unescape, inside) if "\\" in inside else inside
        return clean(name if name.isprintable() else "".join(c if c.isprintable() else " " for c in name))

    def is_next(self, kind: str, value: str | None = None) -> bool:
        word = self.peek()
        return word.kind == kind and value in (None, word.value)

    def mark(self, value: str) -> None:
        if not (self.take().kind == "mark" and self.last.value == value):
            self.wrong(f"'{value}' is due here", f"write {value}")

    def whole_number(self) -> int:
        text = self.word()
        if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
            self.wrong(f"'{clean(text)}' is no whole number of nine digits at most", "write a number such as 1")
        return int(text)

    def number(self) -> Number:
        text = self.word()
        if text.isdecimal() and text.isascii() and len(text) < limits.DIGITS:
            return int(text)
        if len(text) > _DIGITS or not _NUMBER.fullmatch(text) or text.endswith("/0"):
            self.wrong(f"'{clean(text[:40])}' is no number", "write it as 3, 1/18 or 0.25")
        number = Fraction(text)
        if max(abs(number.numerator), number.denominator) >= 10**limits.EXPLICIT_DIGITS:
            self.wrong(f"a number has at most {limits.EXPLICIT_DIGITS} digits", "scale the numbers down")
        return exact(number)

    def numbers(self, count: int) -> tuple[Number, ...]:
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


def _unescape(found: re.Match[str]) -> str:
    return found[4] or chr(int(found[1] or found[2] or found[3], 16))


def _make_distinct(names: Sequence[str], otherwise: str = "") -> list[str]:
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


def _word(text: str, span: Span, kind: str = "NAME") -> syntax.Word:
    return syntax.Word(span, kind, text)


def _vector(numbers: Sequence[Number], span: Span) -> syntax.Word | tuple[syntax.Word, ...]:
    words = tuple([syntax.Word(span, "NUMBER", str(number)) for number in numbers])
    return words[0] if len(words) == 1 else words


def _head(title: str, players: Sequence[str], span: Span) -> Iterator[syntax.Section]:
    if title.strip():
        yield syntax.Game(span, _word(title.strip(), span), None, None)
    yield syntax.Players(span, tuple(_word(name, span) for name in players))


# -- extensive games ---------------------------------------------------------------------------------------------------


@dataclass
class _Set:
    """An information set, by the first node that belongs to it; `chances` are the probabilities if chance moves,
    `labels` its actions as syntax, `members` counts its nodes."""

    mover: syntax.Word
    name: str
    actions: list[str]
    chances: list[Number]
    labels: list[syntax.Label]
    members: int = 0


class _Tree:
    """The tree of an extensive game. Its nodes stand in prefix order: each is followed by its children."""

    def __init__(self, words: Words):
        self.words = words
        self.title = words.text()
        self.players = _make_distinct(words.texts(), "Player ")
        if not self.players:
            words.wrong("a game has players", "name one at least")
        self.head = Span(words.source, 0, words.last.end)
        words.skip_text()  # the comment
        self.sets: dict[tuple[int, int], _Set] = {}  # by player (0: chance) and number
        self.outcomes: dict[int, tuple[Number, ...]] = {}

    def sections(self) -> Iterator[syntax.Section]:
        yield from _head(self.title, self.players, self.head)
        nodes = list(self._nodes())
        self.words.check_end("tree", "take it out, or add it as an action above")
        self._name_sets()
        done: list[syntax.LeafNode | syntax.InnerNode] = []  # from the last to the first, children before their parents
        for label, span, key, paid in reversed(nodes):
            if key is None:
                done.append(syntax.LeafNode(span, label, syntax.Leaf(span, None, _vector(paid, span))))
                continue
            found = self.sets[key]
            known = _word(found.name, span) if key[0] and found.name else None
            head = syntax.Inner(span, found.mover, None, known, None, None)
            first = len(done) - len(found.actions)
            done[first:] = [syntax.InnerNode(span, label, head, tuple(reversed(done[first:])))]
        (root,) = done
        yield syntax.Tree(root.span, root)

    def _nodes(self) -> Iterator[tuple[syntax.Label | None, Span, tuple[int, int] | None, tuple[Number, ...]]]:
        """Each node in the order of the file: the label before it, its place, its set (None: an end), and what was paid
        on the way to it."""
        words, nothing = self.words, (0,) * len(self.players)
        waiting: list[tuple[syntax.Label | None, tuple[Number, ...]]] = [(None, nothing)]  # the next one last
        count = 0
        while waiting:
            label, paid = waiting.pop()
            kind, start = words.word(), words.last.start
            if kind not in ("c", "p", "t"):
                words.wrong(f"'{clean(kind)}' is no kind of node", "write c for chance, p for a player, t for an end")
            count += 1
            if count > limits.NODES:
                words.wrong(f"a tree has at most {limits.NODES:,} nodes", limits.LESS_SOURCE)
            words.text()  # nodes are named by their actions
            key = None if kind == "t" else self._set(0 if kind == "c" else self._player())
            paid = self._add_outcome_payoffs(paid)
            yield label, Span(words.source, start, words.last.end), key, paid
            if key is not None:
                waiting += [(label, paid) for label in reversed(self.sets[key].labels)]

    def _player(self) -> int:
        player = self.words.whole_number()
        if not 1 <= player <= len(self.players):
            self.words.wrong(f"there is no player {player}", f"write a number from 1 to {len(self.players)}")
        return player

    def _set(self, player: int) -> tuple[int, int]:
        words, start = self.words, self.words.last.start
        key = player, words.whole_number()
        name = words.text() if words.is_next("text") else ""
        if words.is_next("mark", "{"):
            actions, chances, places = self._actions(player == 0)
            known = self.sets.get(key)
            if known is None:
                labels = [
                    syntax.Label(span, (_word(action, span), *(_word(str(c), span, "NUMBER") for c in chance)))
                    for action, span, *chance in zip(actions, places, *[chances] * (player == 0), strict=True)
                ]
                span = Span(words.source, start, words.last.end)
                mover = _word(self.players[player - 1], span) if player else _word("chance", span, "CHANCE")
                self.sets[key] = _Set(mover, name.strip(), actions, chances, labels)
            elif known.actions != actions or known.chances != chances:
                words.wrong("other actions than at the node before of this information set", "write the same, or none")
        elif key not in self.sets:
            words.wrong("the first node of an information set lists its actions", 'write { "left" "right" } behind it')
        self.sets[key].members += 1
        return key

    def _actions(self, chance: bool) -> tuple[list[str], list[Number], list[Span]]:
        names, chances, places = [], list[Number](), []
        for _ in self.words.items():
            names.append(self.words.text())
            places.append(Span(self.words.source, self.words.last.start, self.words.last.end))
            if chance:
                chances.append(self.words.number())
        if not names:
            self.words.wrong("a node has an action at least", "write one, or make it an end")
        if chance and (sum(chances) != 1 or min(chances) < 0):
            sum_ = f"these probabilities sum to {clean(str(sum(chances)))}"
            said = f"a probability is {clean(str(min(chances)))}" if min(chances) < 0 else sum_
            self.words.wrong(said, "let them be fractions that sum to 1, none below 0")
        return _make_distinct(names), chances, places

    def _add_outcome_payoffs(self, before: tuple[Number, ...]) -> tuple[Number, ...]:
        """The payoffs collected so far (`before`), plus those of the outcome at this node."""
        words, number = self.words, self.words.whole_number()
        words.skip_text()
        if words.is_next("mark", "{"):
            start, paid = words.peek().start, words.numbers(len(self.players))
            if self.outcomes.setdefault(number, paid) != paid:
                words.last = words.last._replace(start=start)
                first = ", ".join(map(str, self.outcomes[number]))
                words.wrong(f"outcome {number} paid {clean(first)} before", "give one of them another number")
        if number == 0:
            return before
        if number not in self.outcomes:
            words.wrong(
                f"outcome {number} was not described before", "write { } with a number for each player behind it"
            )
        return tuple([a + b for a, b in zip(before, self.outcomes[number], strict=True)])

    def _name_sets(self) -> None:
        """Give a different name to each information set that has several nodes or a name in the file."""
        keys = [key for key, found in self.sets.items() if key[0] and (found.members > 1 or found.name)]
        names = _make_distinct([self.sets[key].name or f"{key[0]}:{key[1]}" for key in keys])
        for key, name in zip(keys, names, strict=True):
            self.sets[key].name = name


# -- strategic games ---------------------------------------------------------------------------------------------------


def _table(words: Words) -> Iterator[syntax.Section]:
    """The sections of a strategic game. The file lists payoffs, or the outcome of each cell; the first player's
    strategy changes fastest."""
    title = words.text()
    players = _make_distinct(words.texts(), "Player ")
    if not players:
        words.wrong("a game has players", "name one at least")
    strategies = _strategies(words, len(players))
    count = prod(map(len, strategies))
    if count > CELLS:
        words.wrong(f"the table has {count:,} cells, more than {CELLS:,}", "take fewer strategies")
    head = Span(words.source, 0, words.last.end)
    yield from _head(title, players, head)
    words.skip_text()  # the comment
    cells = list(
        _outcomes(words, len(players), count) if words.is_next("mark", "{") else _cells(words, len(players), count)
    )
    words.check_end("table", "take it out")
    names = [[_word(name, head) for name in own] for own in strategies]
    backwards = product(*(range(len(own)) for own in reversed(strategies)))
    found = {cell[::-1]: paid for cell, paid in zip(backwards, cells, strict=True)}
    if len(players) == 2:
        across = range(len(names[1]))
        rows = [syntax.Row(head, row, tuple([found[i, j] for j in across])) for i, row in enumerate(names[0])]
        yield syntax.Matrix(head, tuple(names[1]), tuple(rows))
        return
    lines = [
        syntax.MatrixProfile(head, tuple(own[k] for own, k in zip(names, cell, strict=True)), found[cell])
        for cell in product(*(range(len(own)) for own in names))
    ]
    yield syntax.MatrixOfProfiles(head, tuple(lines))


def _strategies(words: Words, players: int) -> list[list[str]]:
    """The names of each player's strategies; numbers from 1 if the file gives only how many there are."""
    found: list[list[str]] = []
    for _ in words.items():
        if words.is_next("mark", "{"):
            found.append(_make_distinct(words.texts()))
        else:
            count = words.whole_number()
            if not 1 <= count <= CELLS:
                words.wrong(f"nobody has {count} strategies here", f"write a number from 1 to {CELLS:,}")
            found.append([str(k + 1) for k in range(count)])
    if len(found) != players or not all(found):
        words.wrong("each player has strategies here", "write their number, or their names in braces, for each player")
    return found


_Cell = syntax.Word | tuple[syntax.Word, ...]


def _cells(words: Words, players: int, count: int) -> Iterator[_Cell]:
    """The payoffs of each of the `count` cells."""
    for _ in range(count):
        paid, start = [words.number()], words.last.start
        paid += [words.number() for _ in range(players - 1)]
        yield _vector(paid, Span(words.source, start, words.last.end))


def _outcomes(words: Words, players: int, count: int) -> Iterator[_Cell]:
    """The payoffs of each of the `count` cells, read from a list of outcomes and the number of each cell's outcome;
    outcome 0 pays nothing."""
    known: list[Sequence[Number]] = [(0,) * players]
    for _ in words.items():
        words.mark("{")
        words.text()
        known.append([words.number() for _ in range(players)])
        words.mark("}")
    for _ in range(count):
        number = words.whole_number()
        if number >= len(known):
            words.wrong(f"there is no outcome {number}", f"write a number from 0 to {len(known) - 1}")
        yield _vector(known[number], Span(words.source, words.last.start, words.last.end))


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

"""A game file while it is being written: its words as they stand, and its names as they were when it last made
sense."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from operator import attrgetter
from pathlib import Path
from typing import Any

from gdl import checker, syntax
from gdl.errors import GameError, Problem, Span
from gdl.inspection import expectations
from gdl.interpreter.reward_totals import can_keep
from gdl.model.games import RulesModel
from gdl.playing import loading
from gdl.syntax import lexer
from gdl.syntax.lexer import Token
from gdl.syntax.parser import normalize_text, parse, parse_sections, source_of
from gdl.wings.editor.symbols import Symbol, find_symbols

_PLAYED = ("action", "chance step", "member", "player")  # the kinds of names that plays are written with
_IN_TEMPLATE = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_WORD = re.compile(r"[^\W\d]\w*")
_LEGEND = re.compile(r"=|^\s*\w+ marked:")  # in a line below a picture or a notation


@dataclass
class Document:
    """An open file: its present `text`, and the analysis of it, which `update` renews; or first `read`, which is enough
    to answer about names and places, and `check` when there is time."""

    name: str
    folder: Path | None = None
    text: str = ""
    typed: str = ""  # the text as the editor has it, with its own line ends and accents
    tokens: list[Token] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    sections: tuple[Any, ...] = ()  # of the last text that could be parsed
    symbols: list[Symbol] = field(default_factory=list)
    known: dict[str, list[tuple[Symbol, int]]] = field(default_factory=dict)  # by name, with the number of the section
    starts: list[int] = field(default_factory=list)  # of the sections
    homes: list[int] = field(default_factory=lambda: [0])  # of each section: the first that shares its local names
    parsed: bool = False  # whether some text could be parsed
    unchecked: bool = False  # whether the present text has been parsed, but not checked
    model: Any = None  # of the last text without an error

    def update(self, text: str) -> None:
        """Read and check a new text."""
        self.read(text)
        self.check()

    def read(self, text: str) -> None:
        """Take over a new text, with its words and symbols. A text that cannot be parsed leaves the symbols as they
        were, or at first gives those of what can be read."""
        before, self.typed, self.text = self.text, text, normalize_text(text)
        self.tokens, self.problems, self.unchecked = _tokens(self.text, self.name), [], True
        try:
            description = parse(self.text, self.name, loading.title(self.name))  # as `check` asks for again
            self.parsed = True
            self._learn(description.sections)
        except GameError as wrong:
            self.problems, self.unchecked = [*wrong.problems], False
            if not self.parsed:  # it was opened with a mistake in it
                with suppress(GameError):
                    self._learn(tuple(parse_sections(source_of(self.name, self.text))[0]))
            else:
                self._move(before)

    def check(self) -> None:
        """Find the problems of the present text, unless they are known. A text with errors leaves the model as it
        was."""
        if not self.unchecked:
            return
        self.unchecked = False
        try:
            description = loading.described(self.text, self.name, self.folder)
            model, warnings = checker.check(description)
            if not isinstance(model, RulesModel) or can_keep(model):
                loading.play(model)  # which may meet a fault of the rules
            self.model = model
            self.problems += [*warnings, *expectations.problems(description)]
        except GameError as wrong:
            self.problems += [problem for problem in wrong.problems if problem not in self.problems]

    def _learn(self, sections: tuple[Any, ...]) -> None:
        """Take over sections that could be parsed, and their symbols."""
        self.sections, self.symbols = sections, find_symbols(sections)
        self.starts = [section.span.start for section in self.sections]
        hooks: dict[str, int] = {}  # the prologues of a body share their names
        self.homes = [0]
        for number, section in enumerate(self.sections, start=1):
            home = hooks.setdefault(section.name.name, number) if isinstance(section, syntax.Prologue) else number
            self.homes.append(home)
        self._index()

    def _move(self, before: str) -> None:
        """Move the symbols of a text that could be parsed with what was written since the text `before`."""
        kept = list(_kept_stretches(before, self.text))
        source = source_of(self.name, self.text)

        def new_place(offset: int) -> int:
            start, end, by = kept[max(0, bisect_right(kept, (offset, len(before) + 1, 0)) - 1)]
            return max(start, min(offset, end)) + by

        def new_span(old: Span, size: int) -> Span:
            return Span(source, new_place(old.start), new_place(old.start) + size)

        symbols = [
            Symbol(name, kind, new_span(span, len(name)), new_span(section, section.end - section.start))
            for name, kind, span, section in self.symbols
        ]
        self.symbols = [one for one in symbols if one.span.text == one.name]
        self.starts = [new_place(offset) for offset in self.starts]
        self._index()

    def _index(self) -> None:
        self.known = {}
        for symbol in self.symbols:
            self.known.setdefault(symbol.name, []).append((symbol, self.section(symbol.span.start)))

    # -- places -------------------------------------------------------------------------------------------------

    def word_at(self, offset: int) -> tuple[str, int, int] | None:
        """The word at a place of the text, with its start and end; None if there is none. It may stand in a template or
        a legend."""
        start = end = offset
        while start and (self.text[start - 1].isalnum() or self.text[start - 1] == "_"):
            start -= 1
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            end += 1
        return (self.text[start:end], start, end) if start < end else None

    def symbol_at(self, offset: int) -> Symbol | None:
        """The symbol that is meant at a place; None if no known name stands there."""
        found = self.word_at(offset)
        if found is None or not any(start <= offset <= end for start, end in self.mentions(found[0])):
            return None
        return self.resolve_symbol(found[0], offset)

    def resolve_symbol(self, name: str, offset: int) -> Symbol | None:
        """The symbol that a name means at a place: a local one of its section, else one of the whole game; None if
        there is none."""
        section, general = self.section(offset), None
        for symbol, number in self.known.get(name, ()):
            if symbol.local and number == section:
                return symbol
            if not symbol.local and general is None:
                general = symbol
        return general

    def occurrences(self, symbol: Symbol) -> list[tuple[int, int]]:
        """The start and end of each place where a symbol's name stands, its declaration among them."""
        places = list(dict.fromkeys(self.mentions(symbol.name)))  # words that several declarations share come twice
        if symbol.kind not in _PLAYED or self._is_written_otherwise(symbol):
            plays = self._plays().items()
            places = [place for place in places if not any(start <= place[0] < end for start, end in plays)]
        meant = [(place, self.resolve_symbol(symbol.name, place[0])) for place in places]
        home = self.section(symbol.span.start)
        if symbol.local:
            return [place for place, found in meant if found and found.local and self.section(place[0]) == home]
        return [place for place, found in meant if found and not found.local]

    def _is_written_otherwise(self, symbol: Symbol) -> bool:
        """True if a step is written in plays by the text behind the `as` of its head, not by its name."""
        for token in self.tokens[bisect_left(self.tokens, symbol.span.end, key=attrgetter("start")) :]:
            if token.kind in ("_AS", "_NL", "_INDENT"):
                return token.kind == "_AS" and symbol.kind in ("action", "chance step")
        return False

    def mentions(self, name: str) -> list[tuple[int, int]]:
        """The start and end of each place where a word stands as a name: in the rules, in the braces of a text, in a
        legend, in the plays and sets of actions of an expectation."""
        return [(start, end) for start, end in self._names() if self.text[start:end] == name]

    def _names(self) -> Iterator[tuple[int, int]]:
        plays = self._plays()
        for token in self.tokens:
            if token.kind == "NAME":
                yield token.start, token.start + len(token.text.partition(".")[0])
            elif token.kind == "STRING" and token.start in plays:
                yield from _words_in(token.text, token.start)
            elif token.kind == "STRING":
                for inner in _IN_TEMPLATE.finditer(token.text):
                    yield from _words_in(inner[1], token.start + inner.start(1))
            elif token.kind == "PICTURE" and _LEGEND.search(token.text):
                yield from _words_of_legend(token)

    def _plays(self) -> dict[int, int]:
        """The start and end of each text in an expectation, and of each name in its answer: these may be actions."""
        found: dict[int, int] = {}
        part = ""  # of an expectation, by the word that it begins with
        for token in self.tokens:
            if (part and token.kind == "STRING") or (part == "_EQUALS" and token.kind == "NAME"):
                found[token.start] = token.end
            elif token.kind[0] == "_" and token.text in lexer.SECTIONS - lexer.YOUNG:
                part = token.kind if token.kind in ("_EXPECT", "_ASK") else ""
            elif (part == "_EXPECT" and token.kind == "_EQUALS") or (part and token.kind in ("_WITH", "_AT")):
                part = token.kind
        return found

    def section(self, offset: int) -> int:
        """The number of the section at a place, from 1, or of the one whose local names it shares; 0 before the
        first."""
        return self.homes[bisect_right(self.starts, offset)]


def _tokens(text: str, name: str) -> list[Token]:
    """The words of a text; [] if its brackets are nested too deeply."""
    try:
        return [token for section in lexer.sections(source_of(name, text))[0] for token in section]
    except GameError:
        return []


def _kept_stretches(before: str, after: str) -> Iterator[tuple[int, int, int]]:
    """The stretches of a text that stand in a later one: start, end, and how far they have moved."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = _count_alike(old, new)
    last = _count_alike(old[first:][::-1], new[first:][::-1])
    middle = SequenceMatcher(None, old[first : len(old) - last], new[first : len(new) - last])
    at, by = sum(map(len, old[:first])), 0
    yield 0, at, 0
    for kind, one, two, three, four in middle.get_opcodes():
        was, now = "".join(old[first + one : first + two]), "".join(new[first + three : first + four])
        longer = len(now) - len(was)
        same = _count_alike(was, now)
        yield at, at + same, by
        if kind != "equal" and (behind := _count_alike(was[same:][::-1], now[same:][::-1])):
            yield at + len(was) - behind, at + len(was), by + longer
        at, by = at + len(was), by + longer
    yield at, len(before), by


def _count_alike(first: Sequence[str], second: Sequence[str]) -> int:
    """How many characters or lines at their beginning two texts share."""
    shorter = min(len(first), len(second))
    return next((at for at in range(shorter) if first[at] != second[at]), shorter)


def _words_in(text: str, start: int) -> Iterator[tuple[int, int]]:
    for word in _WORD.finditer(text):
        yield start + word.start(), start + word.end()


def _words_of_legend(token: Token) -> Iterator[tuple[int, int]]:
    """The places of names in a legend: fields before its colon, as in `man: b = Black`, and values after each sign."""
    fields, colon, _ = token.text.partition(":")
    if colon and "=" not in fields:
        yield from _words_in(fields, token.start)
    for entry in re.finditer(r"=([^,=]*?)(?=,|$|\s\S+\s*=)", token.text):
        yield from _words_in(entry[1], token.start + entry.start(1))


def spans(document: Document, problem: Problem) -> tuple[int, int]:
    """The start and end of a problem in the document; the first character if its place is not there."""
    span: Span | None = problem.span
    if span is None or span.source.name != document.name:
        return 0, min(1, len(document.text))
    return span.start, max(span.end, span.start + 1)

"""A counter of the steps that lexer and parser take for a text, and the texts that are counted."""

import re
from types import SimpleNamespace

from lark.parsers.lalr_parser_state import ParserState
from places import ERRORS, LANGUAGE

import gdl
from gdl.errors import GameError
from gdl.syntax import lark_parser, lexer
from gdl.syntax.parser import parse

FILES = [*sorted(gdl.shipped().values()), *sorted(LANGUAGE.glob("*.game")), *sorted(ERRORS.glob("*.game"))]
SIGNS = re.compile(r'["{}()[\]:]')
A_FEW = 4  # steps of lexer and parser for each sign of a text, at most
ONCE = 100  # steps more, for a text of a few signs


class Counter:
    """Counts the steps of lexer and parser, and stops a text that takes too many."""

    def __init__(self, monkeypatch):
        self.taken = self.most = 0
        patterns = (name for name, pattern in vars(lexer).items() if isinstance(pattern, re.Pattern))
        for name in list(patterns):
            monkeypatch.setattr(lexer, name, self.pattern(getattr(lexer, name)))
        monkeypatch.setattr(ParserState, "feed_token", self.step(ParserState.feed_token))
        monkeypatch.setattr(lark_parser, "extent_of_parts", self.step(lark_parser.extent_of_parts))

    def step(self, function):
        def counted(*arguments):
            self.taken += 1
            assert self.taken <= self.most
            return function(*arguments)

        return counted

    def pattern(self, pattern):
        ways = {name: self.step(getattr(pattern, name)) for name in ("match", "search", "finditer")}
        return SimpleNamespace(**ways)

    def begin(self, text):
        self.taken, self.most = 0, A_FEW * len(text) + ONCE

    def steps(self, text):
        """The steps that it takes to read or to refuse the text."""
        self.begin(text)
        try:
            parse.__wrapped__(text, "broken.game")
        except GameError as error:
            assert error.problems
        return self.taken


def broken(text, places):
    """The text without each of these signs, and cut off behind it."""
    for place in places:
        yield text[:place] + text[place + 1 :]
        yield text[: place + 1]


def signs(file):
    text = file.read_text(encoding="utf-8")
    return text, [found.start() for found in SIGNS.finditer(text)]

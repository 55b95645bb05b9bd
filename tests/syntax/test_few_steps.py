"""A file with a sign too few, or cut off in the middle, is read or refused in a few steps for each of its signs."""

import random
import re
from types import SimpleNamespace

import pytest
from places import ERRORS, LANGUAGE
from sampling import one_in

import gdl
from gdl.errors import GameError
from gdl.syntax import lexer
from gdl.syntax.automaton import Automaton
from gdl.syntax.parser import parse
from gdl.web.document import Document

FILES = [*sorted(gdl.shipped().values()), *sorted(LANGUAGE.glob("*.game")), *sorted(ERRORS.glob("*.game"))]
SIGNS = re.compile(r'["{}()[\]:]')
A_FEW = 4  # steps of lexer and parser for each sign of a text, at most
ONCE = 100  # steps more, for a text of a few signs
TYPED = 30  # signs before and after one that is left out


class Counter:
    """Counts the steps of lexer and parser, and stops a text that takes too many."""

    def __init__(self, monkeypatch):
        self.taken = self.most = 0
        patterns = (name for name, pattern in vars(lexer).items() if isinstance(pattern, re.Pattern))
        for name in list(patterns):
            monkeypatch.setattr(lexer, name, self.pattern(getattr(lexer, name)))
        for name in ("_make_room", "_reduce", "_fits"):
            monkeypatch.setattr(Automaton, name, self.step(getattr(Automaton, name)))

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


@pytest.fixture
def counter(monkeypatch):
    return Counter(monkeypatch)


def refuse_broken(counter, files, places_each):
    rng = random.Random(60)
    for file in files:
        text, places = signs(file)
        assert all(counter.steps(each) for each in broken(text, rng.sample(places, min(places_each, len(places)))))


def test_a_sign_too_few_costs_a_few_steps(counter):
    refuse_broken(counter, FILES[:: len(FILES) // 250], 1)


@pytest.mark.thorough
def test_a_sign_too_few_costs_a_few_steps_in_every_file(counter):
    refuse_broken(counter, FILES, 2)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_sign_too_few_costs_a_few_steps(file, counter):
    refuse_broken(counter, [file], 1 << 20)


def type_letters(counter, file):
    """The language server reads at each letter: here the last ones before a sign that is left out, and those after it."""
    text, places = signs(file)
    document = Document(file.name)
    for place in random.Random(file.stem).sample(places, min(2, len(places))):
        for end in range(max(0, place - TYPED), min(place + TYPED, len(text))):
            counter.begin(text[:end])
            document.read(text[:place] + text[place + 1 : end])  # which asserts by the counter


@pytest.mark.parametrize("file", one_in(3, FILES[::30], first=1), ids=lambda file: file.stem)
def test_each_letter_typed_costs_a_few_steps(file, counter):
    type_letters(counter, file)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_letter_typed_costs_a_few_steps_in_every_file(file, counter):
    type_letters(counter, file)

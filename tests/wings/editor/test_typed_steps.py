"""Each letter that is typed in an editor costs lexer and parser a few steps."""

import random

import pytest
from parser_steps import FILES, Counter, signs
from sampling import one_in

from gdl.wings.editor.document import Document

TYPED = 30  # signs before and after one that is left out


@pytest.fixture
def counter(monkeypatch):
    return Counter(monkeypatch)


def type_letters(counter, file):
    """The language server reads at each letter: here the last ones before a sign that is left out, and those after it."""
    text, places = signs(file)
    document = Document(file.name)
    for place in random.Random(file.stem).sample(places, min(2, len(places))):
        for end in range(max(0, place - TYPED), min(place + TYPED, len(text))):
            counter.begin(text[:end])
            document.read(text[:place] + text[place + 1 : end])  # which asserts by the counter


@pytest.mark.thorough_of("draughts", "steps_after_steps", "slip_ends_at_draw")
@pytest.mark.parametrize("file", one_in(3, FILES[::30], first=1), ids=lambda file: file.stem)
def test_each_letter_typed_costs_a_few_steps(file, counter):
    type_letters(counter, file)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_letter_typed_costs_a_few_steps_in_every_file(file, counter):
    type_letters(counter, file)

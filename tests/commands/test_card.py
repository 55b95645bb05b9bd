"""gdl card: two pages that are true, and a grammar that takes every game."""

import re
from functools import cache
from pathlib import Path

import lark
import pytest
from places import ROOT
from together import together

import gdl
from gdl.commands.carding import GAMES, WIDTH, card_text
from gdl.syntax.decoding import grammar
from gdl.syntax.lexer import QUANTIFIERS
from gdl.syntax.shapes import SHAPES

FILES = [*gdl.shipped().values(), *sorted((ROOT / "tests" / "model" / "language").glob("*.game"))]

card = cache(card_text)


@cache
def parser() -> lark.Lark:
    return lark.Lark(grammar(), parser="lalr")


def test_the_card_has_two_pages():
    lines = card().splitlines()
    assert len(lines) <= 2 * 90
    assert max(map(len, lines)) <= WIDTH


@together(SHAPES)
def test_the_card_says_how_every_line_is_written(word: str):
    assert re.search(rf"^{word} +{re.escape(SHAPES[word])}$", card(), re.MULTILINE)


@pytest.mark.parametrize("word", sorted(QUANTIFIERS))
def test_the_card_has_every_word_before_a_name_and_its_domain(word: str):
    assert f"{word} x in S" in card()


@pytest.mark.parametrize("name", GAMES)
def test_the_games_on_the_card_are_games(name: str):
    title = gdl.load(name).name
    text = card().partition(f"## {title}\n\n")[2].partition("\n## ")[0]
    assert gdl.loads(text).model.players == gdl.load(name).players


@pytest.mark.one_in(4)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_grammar_takes_every_game(file: Path):
    parser().parse(file.read_text(encoding="utf-8").rstrip("\n") + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "Here is the game:\n", "```game\nplayers A\n```\n", "players A\nstte\n    n: 0..3\n",
        'game "open\n', "players (A\n", "players A)\n", "players A\ntree A(1, 2]\n", "",
    ],
)  # fmt: skip
def test_the_grammar_refuses_what_is_no_game_file(text: str):
    with pytest.raises(lark.exceptions.LarkError):
        parser().parse(text)


def test_no_terminal_looks_ahead():
    """Programs that decode under constraint know no such expressions."""
    assert not re.search(r"\(\?[=!<]", grammar())

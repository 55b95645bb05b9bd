"""Recognisers of the compiled engine: pairs of texts, some rules and what a recogniser changes in their module.

`PYTHONPATH=tests/support python tests/compiler/test_recognisers.py` writes the second text of each pair anew; read the
difference before you keep it. (`gdl core FILE --diff RECOGNISER` prints the same for a file.)
"""

from difflib import unified_diff
from typing import Any

import pytest
from places import ROOT
from text_pairs import pairs

import gdl
from gdl.compiler.lower import before_and_after, recogniser_names

FILES = sorted(ROOT.glob("tests/compiler/recognisers/*.txt"))
RULES = """game "Pairs"
players Ann, Bob
board Square = grid(4, 3)
state
    man[s: Square]: Player? = if s = a1 then Ann else none
    kind[s: Square]: 0..2
    wall[s: Square]: Boolean
    left: 0..9 = 9
    last: Square?
    height[n: 1..8]: 0..9
    hand[p: Player]: set of Square
"""
END = """terminal
    left = 0 -> draw
"""


def changes(name: str, rules: str) -> str:
    """The lines of the module that a recogniser takes away (-) and those that it puts in their place (+); what is
    changed alike in several functions is there once."""
    game: Any = gdl.loads(RULES + rules + END).game
    before, now = (text.splitlines() for text in before_and_after(game.model, game, name))
    lines = list(unified_diff(before, now, n=0, lineterm=""))[2:]
    places = "".join("@@" if line.startswith("@@") else f"{line}\n" for line in lines).split("@@")
    return "".join(dict.fromkeys(places))


def test_each_recogniser_has_a_pair() -> None:
    game: Any = gdl.loads(f"{RULES}action wait\n{END}").game
    assert sorted({name for file in FILES for name, _, _ in pairs(file)}) == sorted(recogniser_names(game.model))


@pytest.mark.parametrize(
    ("name", "rules", "changed"), [pytest.param(*pair, id=pair[0]) for file in FILES for pair in pairs(file)]
)
def test_a_recogniser_changes_this(name: str, rules: str, changed: str) -> None:
    assert changed and changes(name, rules) == changed


if __name__ == "__main__":
    for file in FILES:
        parts = [f"{name}\n\n{rules}--\n{changes(name, rules)}--\n" for name, rules, _ in pairs(file)]
        file.write_text("".join(parts), encoding="utf-8")

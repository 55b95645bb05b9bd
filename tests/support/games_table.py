"""The table of the shipped games in gdl/docs/games.md: `python tests/support/games_table.py` writes it anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from shipped import loaded

import gdl
from gdl.game import Traits
from gdl.inspection import expectations
from gdl.states import count
from gdl.syntax import AnswerVector, Expectation, With

PAGE = Path(gdl.__file__).parent / "docs" / "games.md"
HEAD = """# The games that come with gdl

*For players, and whoever looks for an example. You will have found a game, what is known about it, and its file.*

`gdl solve NAME`, `gdl play NAME` and the other commands find these files by name; `gdl games` lists them. The first
comment of each file says what the game is, where it comes from and what is known about it.

The class omits what holds for most games: zero-sum, perfect information and no chance. Lines and tokens are those of
the whole file without comments and empty lines; a token is an identifier, a number, a text or a symbol, but no bracket,
comma or semicolon. States and values are those of the game with its default parameters, or with the parameters given; a
value is the first player's, or one for each player. Facts are the known answers that the file contains and `gdl test`
checks.

| game | name | players | class | lines | tokens | states | value | facts |
|---|---|---|---|---|---|---|---|---|
"""
FOOT = """
**Next:** [play in the browser](../wings/page/docs/in-the-browser.md).
"""
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|#.*')
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\d+\.\d+|\w+|:=|->|\.\.|!=|<=|>=|[^\s\w()\[\]{},;]')


def code(text: str) -> list[str]:
    """The lines of a file without comments and empty lines."""
    plain = _COMMENT.sub(lambda found: found[1] or "", text)
    return [line for line in plain.splitlines() if line.strip()]


def tokens(text: str) -> list[str]:
    """The tokens of a file: identifiers, numbers, texts and symbols, but no comments, brackets, commas or
    semicolons."""
    return _TOKEN.findall("\n".join(code(text)))


def page() -> str:
    return HEAD + "".join(f"{line(name)}\n" for name in gdl.shipped()) + FOOT


def line(name: str) -> str:
    return f"| {' | '.join(row(name))} |"


def row(name: str) -> Iterator[str]:
    """The cells of the table's row for a game."""
    text, game = gdl.read(name)[0], loaded(name).game
    facts = expectations.expectations(loaded(name).description)
    known = [fact.wanted for fact in facts if fact.variant is None]
    traits = game.traits
    yield f"`{name}`"
    yield game.name
    yield str(traits.players)
    yield kind(traits)
    yield str(len(code(text)))
    yield str(len(tokens(text)))
    small = str(count.states(game).states) if traits.states is not None else ""
    yield small or answer(known, "states")
    yield answer(known, "value")
    yield str(len(facts))


def kind(traits: Traits) -> str:
    """The traits in which a game differs from most, in words."""
    said = [
        ("general-sum", traits.zero_sum is False and traits.constant_sum is None and traits.players > 1),
        ("constant sum", traits.zero_sum is False and traits.constant_sum is not None and traits.players > 1),
        ("chance", traits.chance),
        ("hidden information", traits.perfect_information is False and not traits.simultaneous),
        ("moves at once", traits.simultaneous),
        ("imperfect recall", traits.perfect_recall is False),
    ]
    return ", ".join(word for word, holds in said if holds)


def answer(known: list[Expectation], quantity: str) -> str:
    """The value that the file's `expect` lines state for a quantity at the start: with default parameters or, if there
    is none, with parameters that are named beside it."""
    asked = [e for e in known if e.quantity.name == quantity and all(isinstance(c, With) for c in e.conditions)]
    if not asked:
        return ""
    best = min(asked, key=lambda e: len(e.conditions))
    given = ", ".join(f"{b.name.name} = {written(b.value)}" for c in best.conditions for b in c.settings)
    found = written(best.answer)
    found = f"({found.strip('()')})" if isinstance(best.answer, AnswerVector) else found
    return f"{found} with {given}" if given else found


def written(part) -> str:
    """A part of the file as its author wrote it."""
    return " ".join(part.span.source.text[part.span.start : part.span.end].split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

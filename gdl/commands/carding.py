"""gdl card: the game language on two pages, for whoever writes it by example, people and language models."""

from __future__ import annotations

import textwrap
from importlib.resources import files
from string import Template

import click

import gdl
from gdl.commands import console
from gdl.commands.help_pages import Command
from gdl.formats.answer_records import CardAnswer

GAMES = ("nim", "kuhn", "prisoners")  # rules, rules with chance and hidden cards, a matrix
EXPECTED = 2  # lines of known answers that are shown of each
WIDTH = 120


@click.command(cls=Command)
@click.option("--grammar", is_flag=True, help="Print a grammar of game files.")
@console.takes_json("Print it as one JSON object.")
def card(grammar: bool) -> None:
    """Print the game language on two pages.

    With --grammar, print a grammar of game files in Lark's notation, for programs that restrict the output of language
    models. It accepts every game file, and some texts that gdl check then refuses.
    """
    if grammar:
        from gdl.syntax import decoding

        text = decoding.grammar()
    else:
        text = card_text()
    console.answer_as(lambda: CardAnswer(**{"grammar" if grammar else "card": text}), lambda: text)


def card_text() -> str:
    """The card: how lines are written, from the checker's own list, the values, the words, three games, and what to do
    with a file."""
    from gdl.checker.vocabulary import WORDS
    from gdl.syntax.lexer import SECTIONS
    from gdl.syntax.shapes import SHAPES

    width = max(map(len, SHAPES)) + 2
    shapes = {word: f"{word:{width}}{shape}" for word, shape in SHAPES.items()}
    assignment = f"{':=':{width}}disc[c] := mover; several at once: a, b := b, a; one value for all: a, b := 0"
    template = Template(files("gdl.commands").joinpath("card.txt").read_text(encoding="utf-8"))
    return template.substitute(
        sections="\n".join(line for word, line in shapes.items() if word in SECTIONS),
        effects="\n".join([assignment, *(line for word, line in shapes.items() if word not in SECTIONS)]),
        words=textwrap.fill(", ".join(sorted(WORDS)), WIDTH),
        games="\n\n".join(f"## {gdl.load(name).name}\n\n{_game_excerpt(name)}" for name in GAMES),
    )


def _game_excerpt(name: str) -> str:
    """A game that comes with gdl, with few of its known answers."""
    lines = gdl.shipped()[name].read_text(encoding="utf-8").rstrip().splitlines()
    rules = [line for line in lines if not line.startswith(("expect ", "#"))]
    known = [line for line in lines if line.startswith("expect ")][:EXPECTED]
    return "\n".join(["\n".join(rules).rstrip("\n"), "", *known])

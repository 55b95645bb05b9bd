"""gdl card: the game language on two pages, for whoever writes it by example, people and language models."""

from __future__ import annotations

import textwrap

import click

import gdl
from gdl.commands import console
from gdl.commands.help_pages import Command
from gdl.formats.answer_records import CardAnswer

GAMES = ("nim", "kuhn", "prisoners")  # rules, rules with chance and hidden cards, a matrix
EXPECTED = 2  # lines of known answers that are shown of each
WIDTH = 120
LAYOUT = """\
A file is rules, a tree or a matrix. Sections begin at the left margin; what belongs to one stands below it, indented by
four blanks. A comment begins with #. Brackets may go over several lines. Names: letters, digits, _ ; texts: "…".
Who moves next is the other player, or the next one, unless `next` says so. A value outside its range is a fault."""
VALUES = """\
numbers      1, 2.5, 3/4   + - * / div mod, abs(x), min(a, b), max(a, b), number(x): the place of a name in its type
tests        = != < <= > >=, x in S, x not in S, and, or, not; if TEST then A else B
quantifiers  exists x in S: TEST, forall x in S: TEST, count x in S: TEST, sum x in S: N, min x in S: N, max x in S: N,
             first x in S: TEST, those x in S: TEST (a set); several names: x in S, y in T; x in S where TEST
sets         {a, b}, A + B, A * B, A - B, size(A), a in A, 1..6, set of Card
sequences    sequence of Card up to 9: size(s), first(s), last(s), s[2], x in s, s = [a, b]; push(s, x), pop(s),
             append(s, t), rotate(s), insert(s, 1, x), remove(s, 1), shuffle(s), s := []
records      type Offer = record(giver: Player, given: Good); Offer(Ann, wood), offer.given
elements     heap[i], board[column, row], size(list), none: the value that a type with ? also has (Player?)
             board[s] at turn start: before the first step of a turn of several
players      Player, mover, other(mover), x[mover]; everyone chooses at once after `next everyone`, then comes `resolve`
             players North & South, East & West: the type Team; Team(p), score[mover], win mover, each t: score[t]
boards       grid(c, r), hex(n), ring(n), track(n), torus(c, r), graph(a-b, b-c); step(s, north), neighbours(s), row(s),
             column(s), lines(Square, n), ray(s, d), distance(a, b), between(a, b), reach q from S along neighbours
hidden       visible to owner | none | Player when TEST; on actions: public, unseen, seen by p when TEST; say X to p
ends         TEST -> win P | lose P | draw | pay N to P | (1, 0, 2) | each p: N; `no actions`, `forever`"""


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
    effects = [assignment, *(line for word, line in shapes.items() if word not in SECTIONS)]
    parts = [
        "# The game language of gdl on two pages", LAYOUT,
        "## Sections", "\n".join(line for word, line in shapes.items() if word in SECTIONS),
        "## Effects", "\n".join(effects),
        "## Values", VALUES,
        "## Words that are called", textwrap.fill(", ".join(sorted(WORDS)), WIDTH),
        *(f"## {gdl.load(name).name}\n\n{_game_excerpt(name)}" for name in GAMES),
        "## Then", _DEEDS,
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


_DEEDS = """\
gdl check FILE --json   every mistake: code, line, column, message, help, the play that leads to it; mend, check again
gdl guide CODE          what a code means, with a broken file and the same file mended
gdl test FILE           whether the `expect` lines hold: write what is known of the game, and trust nothing else"""


def _game_excerpt(name: str) -> str:
    """A game that comes with gdl, with few of its known answers."""
    lines = gdl.shipped()[name].read_text(encoding="utf-8").rstrip().splitlines()
    rules = [line for line in lines if not line.startswith(("expect ", "#"))]
    known = [line for line in lines if line.startswith("expect ")][:EXPECTED]
    return "\n".join(["\n".join(rules).rstrip("\n"), "", *known])

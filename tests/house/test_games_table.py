"""The table of the shipped games is that of their files."""

import games_table
import pytest

import gdl


def test_the_page_has_a_row_for_every_game():
    """A row for each game under the head; what stands in it is held with the other laws of that game."""
    head, foot, text = games_table.HEAD, games_table.FOOT, games_table.PAGE.read_text(encoding="utf-8")
    assert text.startswith(head) and text.endswith(foot)
    assert [row.split("`")[1] for row in text[len(head) : -len(foot)].splitlines()] == list(gdl.shipped())


@pytest.mark.parametrize(
    ("text", "lines", "tokens"),
    [
        ("# nothing\n\n", 0, 0),
        ("players X, O  # two\n", 1, 3),
        ('action take(s: Square) as "{s} # {s}" when mark[s] = none\n', 1, 12),
        ("    mark[s] := mover\n    3 * 0.005 -> n..7; x != -1\n", 2, 15),
    ],
)
def test_counting(text: str, lines: int, tokens: int):
    """Identifiers, numbers, texts and symbols; no comments, brackets, commas, semicolons."""
    assert len(games_table.code(text)) == lines
    assert len(games_table.tokens(text)) == tokens


@pytest.mark.parametrize(("name", "lines", "tokens"), [("backgammon", 50, 450), ("go", 40, 350)])
def test_sizes(name: str, lines: int, tokens: int):
    """No longer than was aimed at, with notation, variants, expectations and all."""
    text = gdl.read(name)[0]
    assert len(games_table.code(text)) <= lines
    assert len(games_table.tokens(text)) <= tokens


@pytest.mark.parametrize(("part", "lines", "tokens"), [("rules", 100, 950), ("all", 137, 1575)])
def test_the_size_of_chess(part: str, lines: int, tokens: int):
    """110 lines and 1,100 tokens were aimed at: the rules, with what a legal position is, are shorter; what estimates
    positions makes it longer."""
    text = gdl.read("chess")[0]
    text = rules(text) if part == "rules" else text
    assert len(games_table.code(text)) <= lines
    assert len(games_table.tokens(text)) <= tokens


def rules(text: str) -> str:
    """A file without `evaluate` and the definitions in the paragraph before it."""
    parts = text.split("\n\n")
    for at in [k for k, part in enumerate(parts) if part.startswith("evaluate")]:
        begins = at - ("define " in parts[at - 1])
        parts[begins : at + 1] = []
    return "\n\n".join(parts)

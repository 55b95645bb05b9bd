"""Every shipped game: its file is without fault, and its known answers hold."""

import re
from itertools import takewhile

import games_table
import pytest
from places import ROOT
from sampling import one_in
from shipped import loaded

import gdl
from gdl import syntax
from gdl.checker import variant_name
from gdl.compiler.compiled_engine import offer
from gdl.inspection import expectations
from gdl.solvers import solve

GAMES = gdl.shipped()
SOURCE = (
    r"\b1[0-9]{3}s?\b|\b20[0-9]{2}\b|BC\b|century|known in|\bold\)|West Africa|textbook|Winning Ways|Russell and Norvig|"
    r"Stuart Russell|Parlett|Rules:|Henry Dudeney"
)
ROWS = games_table.PAGE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", GAMES)
def test_loads_in_silence(name: str):
    """In every variant, too."""
    assert loaded(name).warnings == ()
    for section in loaded(name).description.sections:
        if isinstance(section, syntax.Variant):
            assert loaded(name, variant_name(section)).warnings == ()


ESTIMATED = ("ataxx",)  # whose evaluation makes the interpreter's `auto` estimate what the compiled engine proves


@pytest.mark.thorough_of(
    "domineering", "chinese_checkers", "bridge_ending", "cheat", "xiangqi", "connect_four", "kalah", "gomoku"
)
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", GAMES)
def test_known_answers_hold(name: str):
    play = (lambda model: offer(gdl.play(model), "auto")) if name in ESTIMATED else gdl.play
    outcomes = list(expectations.run(loaded(name).description, play, solve))
    assert outcomes, "a shipped game says what is known of it"
    assert [(o.text, o.found) for o in outcomes if not o.holds] == []


LARGE_PROGRAMS = {  # what only the extra `lp` finds in reasonable time
    "battleships": "expect value = 3/8",
    "bridge_ending": 'expect value = 3 at squeeze\nexpect best = CA at squeeze after "West {HA, SQ, SK}"',
    "stratego": "expect value = 1/14",
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", one_in(3, LARGE_PROGRAMS, 2))
def test_known_answers_of_large_programs_hold(name: str):
    pytest.importorskip("highspy")
    text, file = gdl.read(name)
    description = gdl.described(f"{text}\n{LARGE_PROGRAMS[name]}\n", file)
    assert [(o.text, o.found) for o in expectations.run(description, gdl.play, solve) if not o.holds] == []


@pytest.mark.parametrize("name", GAMES)
def test_begins_with_what_it_is(name: str):
    """The first comment says what the game is, and lines are no longer than a page is wide."""
    lines = gdl.read(name)[0].splitlines()
    assert lines[0].startswith("# ")
    assert all(len(line) <= 120 or line.startswith("expect") for line in lines)


@pytest.mark.parametrize("name", GAMES)
def test_names_the_source_of_its_rules(name: str):
    """In its first comment: a year or an age, a book, or whose rules they are."""
    lines = takewhile(lambda line: line.startswith("#"), gdl.read(name)[0].splitlines())
    comment = " ".join(line.removeprefix("# ") for line in lines)
    assert re.search(SOURCE, comment), comment


@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(2, GAMES))
def test_its_row_in_the_manual_is_what_the_file_says(name: str):
    """If not: python tests/support/games_table.py"""
    assert games_table.line(name) in ROWS


@pytest.mark.thorough
def test_pig_agrees_with_the_published_value():
    """Whoever begins wins a game to 10 with probability 0.709424322598."""
    solution = solve(gdl.load("pig", settings={"goal": "10"}))
    assert solution.exact
    assert abs((float(solution.value[0]) + 1) / 2 - 0.709424322598) < 1e-11


def test_two_roads_shows_the_mistake_of_averaging():
    solution = solve(gdl.load("two_roads"), "belief")
    assert (solution.best, solution.value, solution.exact) == (("B",), (20,), False)
    assert "its choices secure -40, but the best strategy secures 10" in solution.notes[-1]


def test_hexagons_stand_beside_their_neighbours():
    """b2 touches b3 and c2 above it, a3 and c1 beside it, a2 and b1 below."""
    game = gdl.load("hex")
    assert game.show(game.successor(game.initial(), "b2")) == "   .\n  . .\n . R .\n3 . . c\n 2 . b\n  1 a"


def test_games_are_found_in_the_folder():
    assert set(GAMES) == {path.stem for path in (ROOT / "games").glob("*.game")}

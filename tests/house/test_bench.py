"""The benchmarks work: the yardsticks in C play the same games, and every row names work that gdl knows."""

import shutil
import sys

import pytest
from places import TESTS

sys.path.insert(0, str(TESTS / "bench"))

import contestants
import own_rules
from peers import beside, compared
from rows import ROWS, SMALL_C

from gdl.states import count

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def run(*findings):
    return [contestants.Run(1, 1.0, 0.0, 0.0, found) for found in findings]


@needs_gcc
@pytest.mark.thorough
def test_c_counts_as_gdl_does():
    """In C a game of connect four that is over adds nothing either."""
    in_c = contestants.run(contestants.c("connect_four", "perft", "7", define=SMALL_C), 0)
    assert (
        in_c.found["count"]
        == contestants.run(contestants.ours("perft", "connect_four,columns=5,rows=4", "7", engine="python"), 0).found[
            "count"
        ]
    )


def test_exact_answers_must_be_the_same():
    assert compared("count", run({"count": 7}), run({"count": 7})) == "count 7 = 7"
    assert compared("count", run({"count": 7}), run({"count": 8})) == "count 7 is not 8 DIFFERS"


def test_estimates_must_be_as_close_as_chance_allows():
    assert compared("length", run({"length": [20.0, 10_000]}), run({"length": [20.5, 10_000]})) == "length 20 ~ 20.5"
    assert compared("length", run({"length": [20.0, 10_000]}), run({"length": [25.0, 10_000]})).endswith("DIFFERS")


def test_a_row_says_where_gdl_falls_short():
    line = beside(ROWS[0], run({}), "C", [contestants.Run(1, 0.5, 0.0, 0.0, {})], 1 / 4)
    assert "0.5   0.25  " in line
    assert "short" in beside(ROWS[0], run({}), "C", [contestants.Run(1, 0.1, 0.0, 0.0, {})], 1 / 4)


def test_rows_have_names_of_their_own():
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.thorough
def test_programs_in_python_play_the_newcomers_games():
    """Of all games together, so that it is quick: the moves and ends of a play, and perft of two plies."""
    for name in own_rules.NAMES:
        game, program = own_rules.load_pair(name)
        assert not own_rules.first_difference(game, program, seed=2, most=20), name
        assert count.perft(game, 2) == own_rules.count_sequences(program, program.start(), 2), name


def test_a_program_that_differs_is_told_apart():
    game, program = own_rules.load_pair("unlike")
    program.COLOURS = ("red", "white", "blue")
    assert "a1 blue" in own_rules.first_difference(game, program, seed=2)
    program.COLOURS = ("red", "blue", "white")
    program.result = lambda state: (0, 0)
    assert own_rules.first_difference(game, program, seed=2).startswith("(")


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_runs_or_says_what_is_missing(row):
    try:
        contestants.run(row.ours, 1)
    except contestants.Missing as why:
        assert "Error" not in str(why)

"""Without a solver's name a game is solved exactly where that takes seconds, and only else estimated."""

from fractions import Fraction
from pathlib import Path

import pytest

import gdl
from gdl.commands.engines import offered
from gdl.compiler import wasm
from gdl.solvers import MORE_TRIED_POSITIONS, TRIED_POSITIONS, _tried, solve
from gdl.solvers.auto import pick


def connect_four(columns, rows):
    return offered(gdl.load("connect_four", settings={"columns": str(columns), "rows": str(rows)}).model)


@pytest.mark.parametrize(
    ("columns", "rows", "positions"),
    [(6, 5, MORE_TRIED_POSITIONS), (7, 4, MORE_TRIED_POSITIONS), (7, 6, TRIED_POSITIONS)],
)
def test_boards_within_reach_are_tried_longer(columns, rows, positions):
    assert _tried(connect_four(columns, rows)) == positions


@pytest.mark.slow
@pytest.mark.skipif(not wasm.available(), reason="the trial is for the compiled engine")
@pytest.mark.parametrize(("columns", "rows", "best"), [(6, 5, 6), (5, 6, 5), (7, 4, 1)])
def test_connect_four_on_small_boards_is_solved(columns, rows, best):
    answer = solve(connect_four(columns, rows))
    assert answer.exact
    assert answer.value == (0, 0)
    assert len(answer.best) == best


@pytest.mark.skipif(not wasm.available(), reason="the engine that is asked for")
def test_an_engine_that_was_chosen_refuses_no_trial():
    """Chess asks for earlier positions, which numbering cannot keep; the search that is picked takes it all the same."""
    chess = offered(gdl.load("chess").model, "wasm")
    assert pick(chess, 0.05).solver == "depth-limited"


def test_a_sum_that_is_constant_at_every_end_needs_no_table():
    """The analysis cannot tell that somebody always wins the pot, and not all of 16 cards' positions are looked at."""
    kuhn = gdl.load("kuhn", settings={"cards": "16"})
    assert kuhn.traits.zero_sum is None
    answer = solve(kuhn)
    assert answer.solver == "sequence-form"
    assert answer.traits.zero_sum
    assert answer.value == (Fraction(-29, 480), Fraction(29, 480))


@pytest.mark.slow
def test_a_sum_that_varies_at_a_late_end_is_found_to():
    bonus = gdl.load(Path(__file__).with_name("late_bonus.game"), settings={"cards": "60"})
    assert bonus.traits.zero_sum is None
    answer = solve(bonus)
    assert answer.solver == "nash"
    assert not any(answer.regret)

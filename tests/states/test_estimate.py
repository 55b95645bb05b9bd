"""Estimates of a game's size before the work: right to the order of magnitude, and never slow."""

import pytest

import gdl
from gdl.commands import size_warnings, solving
from gdl.solvers import SOLVERS
from gdl.states import count, estimate


def test_a_tree_without_transpositions_is_measured_as_it_is():
    game = gdl.loads("players MAX, MIN\ntree MAX(MIN(1, 2), MIN(3, 4))").game
    assert estimate.guess_tree_size(game) == estimate.TreeSizeGuess(7, True)


@pytest.mark.parametrize(("name", "plies"), [("tic_tac_toe", 6), ("connect_four", 5), ("kuhn", 3)])
def test_sequences_are_guessed_to_a_fifth(name, plies):
    game = gdl.load(name)
    assert estimate.sequences(game, plies) == pytest.approx(count.perft(game, plies), rel=0.2)


def test_the_state_tells_apart_at_least_what_can_be_reached():
    game = gdl.load("tic_tac_toe")
    assert estimate.state_space_size(game) >= count.states(game).states


def test_joint_moves_are_counted_together():
    game = gdl.load("goofspiel")
    assert estimate.guess_tree_size(game).ended


@pytest.mark.parametrize(
    ("number", "text"), [(7, "7"), (1234, "1,000"), (5_400_000, "5,000,000"), (123 * 10**10, "10^12")]
)
def test_large_numbers_are_told_by_their_order(number, text):
    assert estimate.magnitude_text(number) == text


def test_only_games_that_may_be_too_large_are_told(capsys):
    size_warnings.positions(gdl.load("tic_tac_toe"), "all are counted")
    size_warnings.sequences(gdl.load("tic_tac_toe"), 9)
    assert capsys.readouterr().err == ""
    size_warnings.positions(gdl.load("connect_four"), "5 are counted")
    assert (
        capsys.readouterr().err
        == "note: Connect four may have up to 10^20 positions, and its tree about 10^27 nodes; 5 are counted\n"
    )


@pytest.mark.parametrize("solver", [*SOLVERS, "auto"])
def test_whoever_goes_through_all_positions_of_a_large_game_is_announced(solver, capsys):
    solving.foretell(gdl.load("connect_four"), solver)
    announced = f"{solver} may look at all of them" in capsys.readouterr().err
    assert announced == (solver != "auto" and SOLVERS[solver].extent != "own")

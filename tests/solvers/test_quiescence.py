"""Quiescence: a search that is cut off goes on where play is not quiet, as the file says."""

from __future__ import annotations

import pytest

import gdl
from gdl.game import Game
from gdl.model.games import RulesModel
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.horizon import CONTENT, Horizon, Quiescence
from gdl.solvers.minimax.cut_off import depth_limited

PAWN_IN_REACH = "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1"  # the queen can take a pawn that another defends


def at(name: str, position: str, quiet: bool = True) -> Game[object]:
    """A shipped game at a position; without what it says of quiet play if that is not wanted."""
    model = gdl.loads(*gdl.read(name), position=position).model
    assert isinstance(model, RulesModel)
    return gdl.play(model if quiet else model.copy_with(quiet=None))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("quiet", [True, False])
def test_a_queen_does_not_take_a_defended_pawn(quiet: bool) -> None:
    """Where the search ends in the middle of an exchange, the pawn looks like a gain."""
    answer = depth_limited(at("chess", PAWN_IN_REACH, quiet), depth=1)
    assert (answer.best == ("d1d5",)) is not quiet
    assert ("d1d5" in answer.best) is not quiet


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize(("quiet", "best"), [(True, ("11-15",)), (False, ("11-15", "11-16"))])
def test_a_man_is_not_moved_where_it_must_be_taken(quiet: bool, best: tuple[str, ...]) -> None:
    """In draughts nobody can be content with a position in which a capture is forced."""
    assert depth_limited(at("checkers", "B:W20,32:B11", quiet), depth=1).best == best


@pytest.mark.thorough
def test_auto_takes_the_search_that_goes_on() -> None:
    answer = solve(at("chess", PAWN_IN_REACH), depth=1)
    assert isinstance(answer, Solution)
    assert (answer.solver, answer.line, answer.best) == ("depth-limited", answer.best[:1], ("d1a4",))
    assert "on to quiet positions" in answer.notes[0]


def test_what_the_mover_may_do_past_the_depth() -> None:
    """Be content, or take; a position without captures is an end."""
    game = at("chess", PAWN_IN_REACH)
    search = Quiescence(game, 1)
    quiet = search.successor(search.initial(), "d1a1")
    loud = search.successor(search.initial(), "d1d5")
    assert search.is_cut_off(quiet)
    assert search.node(loud).actions == (CONTENT, "e6d5")  # type: ignore[union-attr]
    assert search.is_cut_off(search.successor(loud, CONTENT))
    assert search.is_cut_off(search.successor(loud, "e6d5"))
    assert Horizon(game, 1).is_cut_off(loud)


def test_the_word_is_free_elsewhere() -> None:
    """A feature may begin with a variable of the name."""
    game = gdl.loads(
        """
players Ann, Bob

state
    quiet: 0..3 = 3

action take
    quiet := quiet - 1

terminal
    quiet = 0 -> lose mover

evaluate
    quiet * 1/10
    quiet - 1
    quiet: quiet mod 2
"""
    ).game
    assert game.evaluate(game.initial()) == (pytest.approx(2.3), pytest.approx(-2.3))

"""Which games can be numbered whole, found out on the compiled engine without numbering those that cannot."""

import pytest

import gdl
from gdl.commands.engines import offer
from gdl.compiler.search_kinds import RETROGRADE
from gdl.solvers.auto import pick
from gdl.solvers.cyclic.numbering import SWOLLEN, RetrogradeNumbering, swells

pytest.importorskip("wasmtime")


def offering(name: str, **settings: str) -> gdl.game.Game:
    game = gdl.load(name, settings=settings)
    return offer(game, "auto")


@pytest.mark.parametrize(
    ("plies", "found"),
    [
        ((), False),
        ((1, 10, 100), False),  # few
        ((1, SWOLLEN), False),  # one ply does not say how it goes on
        ((SWOLLEN // 10, SWOLLEN // 3, SWOLLEN), True),
        ((SWOLLEN // 10, SWOLLEN // 3, SWOLLEN, 1), True),  # the next ply has only begun
        ((SWOLLEN // 10, SWOLLEN // 2, SWOLLEN), False),  # an end is in sight
        ((SWOLLEN // 8, SWOLLEN, SWOLLEN // 8, SWOLLEN), False),  # chance and choice by turns
    ],
)
def test_growth(plies: tuple[int, ...], found: bool):
    assert swells(plies) is found


def test_a_game_is_numbered_as_far_as_is_asked():
    numbers = RetrogradeNumbering(offering("tic_tac_toe"))
    assert numbers.has_more_than(100)
    assert numbers.search.states < 5478
    assert not numbers.has_more_than(5478)
    assert numbers.are_all()
    assert numbers.game.engine.take(RETROGRADE).states == 5478


@pytest.mark.thorough
def test_a_large_game_is_given_up_before_all_room_is_used():
    numbers = RetrogradeNumbering(offering("connect_four"))
    assert not numbers.are_all()
    assert SWOLLEN < numbers.search.states < 5_000_000


def test_nothing_is_numbered_without_the_engine():
    numbers = RetrogradeNumbering(gdl.load("tic_tac_toe"))
    assert not numbers.has_more_than(0)
    assert not numbers.are_all()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["connect_four", pytest.param("kalah", marks=pytest.mark.slow)])
def test_the_engine_does_not_change_the_pick(name: str):
    assert pick(offering(name)) == pick(gdl.load(name))

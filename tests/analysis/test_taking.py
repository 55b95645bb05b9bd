"""Where every action takes a cell for good, and rules that come near it and must not be taken for it."""

from __future__ import annotations

import pytest
from shipped import shipped

import gdl
from gdl.analysis.placement_games import cells

PLACE = """
players Ann, Bob

board Cell = grid(3, 3)

state
    stone[Cell]: Player?
    marked[Cell]: Player?
    count: 0..9

action place(s: Cell) when stone[s] = none
    stone[s] := mover

terminal
    no actions -> draw
"""
ROW = "action place(s: Cell) when stone[s] = none\n    stone[s] := mover\n"


@pytest.mark.parametrize(("name", "count"), [("hex", 9), ("gomoku", 225), ("tic_tac_toe_3d", 27)])
def test_stones_that_are_placed_stay(name: str, count: int) -> None:
    assert shipped(name).promises.taken() == count


@pytest.mark.parametrize(
    "name", "connect_four dots_and_boxes go othello pentago quarto domineering nim breakthrough".split()
)
def test_other_games_are_others(name: str) -> None:
    assert shipped(name).promises.taken() == 0


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (ROW, 9),
        (ROW.replace("= none", "= none and row(s) > 1"), 9),  # asks for what play does not change
        (ROW.replace("= none", "= none and count < 5"), 0),  # for what it does
        (ROW.replace("stone[s] = none", "marked[s] = none"), 0),  # for another array
        (ROW.replace("stone[s] = none", "stone[s] != mover"), 0),  # what was taken can be taken from one
        (ROW.replace(":= mover", ":= Ann"), 0),  # it is not the mover's
        (ROW + "    count := min(count + 1, 9)\n", 0),  # something else happens as well
        (ROW + "\naction wait when count = 0\n    count := 1\n", 0),  # or can be done
        (ROW.replace("place(s: Cell)", "place(s: Cell, t: 1..2)"), 0),
    ],
)
def test_near_it(rules: str, count: int) -> None:
    assert cells(gdl.loads(PLACE.replace(ROW, rules)).game.model) == count

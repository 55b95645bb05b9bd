"""The value that a move gives away, and its mark: by what is proved, and by chances."""

from __future__ import annotations

import pytest
from shipped import shipped

import gdl
from gdl.compiler import wasm
from gdl.states.random_numbers import Generator
from gdl.wings.arena import judging
from gdl.wings.arena.judging import JudgingScale, PositionWorth, scale
from gdl.wings.arena.random_evaluations import evaluations

PLAIN = JudgingScale(((-1.0, 1.0), (-1.0, 1.0)), 0.04, False)
DICE = JudgingScale(((-1.0, 1.0), (-1.0, 1.0)), 0.04, True)
WIDE = JudgingScale(((-64.0, 64.0), (-64.0, 64.0)), 12.0, False)


def zero_sum(value: float, exact: bool = True, evaluated: bool = False) -> PositionWorth:
    return PositionWorth((value, -value), exact, (), evaluated)


@pytest.mark.parametrize(
    ("where", "best", "made", "mark"),
    [
        (PLAIN, 1, 0, "??"),
        (PLAIN, 0, -1, "??"),
        (PLAIN, 1, 1, ""),
        (WIDE, 20, 18, "?!"),  # still won, but proved to be less
        (WIDE, 20, -2, "??"),  # a win is given away, though it is a sixth of the scale
        (WIDE, 40, 10, "??"),
        (DICE, 0.1, -0.01, "?!"),  # means of chance: what is given away counts alone
        (DICE, 0.05, -0.01, ""),
    ],
)
def test_what_is_proved_is_marked_by_what_it_changes(where: JudgingScale, best: float, made: float, mark: str):
    assert where.mark(zero_sum(best), zero_sum(made), 0) == mark
    assert where.mark(zero_sum(-best), zero_sum(-made), 1) == mark


def test_estimates_are_marked_by_the_chances_that_they_stand_for():
    """The curve is steep in the middle: a pawn weighs less where one is a queen ahead."""

    def mark(best: float, made: float) -> str:
        return PLAIN.mark(zero_sum(best, False, True), zero_sum(made, False, True), 0)

    assert [mark(0, -pawns * 0.005) for pawns in (0.4, 1, 2, 3)] == ["", "?!", "?", "??"]
    assert mark(0.1, 0.095) == "" and mark(1, 0) == "??"


def test_the_scale_is_met_in_random_play():
    known = scale(gdl.load("pig"))
    assert known.usual > 0 and known.chance and known.bounds == ((-1, 1), (-1, 1))
    plain = scale(gdl.load("tic_tac_toe"))
    assert plain.usual == 0 and not plain.chance


@pytest.mark.skipif(not wasm.available(), reason="needs wasmtime")
@pytest.mark.parametrize("name", ["breakthrough", "pig", "checkers"])
def test_the_engine_meets_the_evaluations_that_the_rules_meet(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judging, "PLAYS", 2)
    game = shipped(name)
    met = [*evaluations(game, game.initial(), judging.PLAYS, judging.PLIES, Generator(1))]
    assert met == [*judging.evaluations_by_rules(game, Generator(1))] != []

"""Passes and recognisers that are switched off change no answer, and one that is wrong is found by halving."""

from unittest.mock import patch

import pytest
from both_engines import told_alike
from sampling import one_in
from shipped import shipped
from switching import all_names, find_culprit, plays_right, without

from gdl.compiler import passes
from gdl.compiler.lower import recognise
from gdl.compiler.passes.hoist import change_heads
from gdl.model.games import RulesModel

GAMES = ("tic_tac_toe", "checkers", "backgammon", "othello", "domineering", "nine_mens_morris")


@pytest.mark.parametrize("name", one_in(16, all_names()))
@pytest.mark.parametrize("game", one_in(3, GAMES))
def test_the_general_way_gives_the_same_plays(game: str, name: str) -> None:
    with without(name):
        assert plays_right(shipped(game), range(2), 40)


def test_definitions_that_are_functions_know_nothing_of_their_callers() -> None:
    """Of a few kinds of pieces all are asked at once; a fault at one matters only if none before it fits."""
    with without("short definitions in place"):
        assert plays_right(shipped("minichess"), range(1), 12)


def test_a_game_that_is_right_has_no_culprit() -> None:
    assert find_culprit(lambda: plays_right(shipped("pong_hau_ki"))) == ""


def drop_conditions(model: RulesModel) -> RulesModel:
    """The model in which later parameters are chosen without any condition."""
    return change_heads(
        model,
        lambda head, _: head.copy_with(
            parameters=(head.parameters[0], *(p.copy_with(guards=()) for p in head.parameters[1:]))
        ),
    )


def test_a_pass_that_is_wrong_is_found() -> None:
    with patch.dict(passes.RULE_PASSES, {"hoist": drop_conditions}):
        assert find_culprit(lambda: plays_right(shipped("pong_hau_ki"))) == "hoist"


def test_a_recogniser_that_is_wrong_is_found() -> None:
    """Lines are taken for held where any of their squares is."""
    right = recognise.along_lines
    with patch.object(
        recognise,
        "along_lines",
        lambda out, holds, vector, rows, every, size: right(out, holds, vector, rows, False, size),
    ):
        assert find_culprit(lambda: plays_right(shipped("tic_tac_toe"))) == "along lines"
    told_alike(shipped("tic_tac_toe"), range(1), 9)  # the module that was wrong is not left for other tests

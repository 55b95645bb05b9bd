"""The signs that a player sees on the squares of a board, by which a man can be named in a reply."""

from __future__ import annotations

import pytest
from beliefs_in_play import alike_positions
from shipped import loaded

import gdl
from gdl.interpreter.rules_game import RulesGame
from gdl.wings.arena.match import board_signs


def rules_of(name: str) -> RulesGame:
    game = loaded(name).game
    assert isinstance(game, RulesGame)
    return game


@pytest.mark.parametrize("name", ["stratego", "battleships", "dark_hex", "blind_tic_tac_toe", "kriegspiel"])
def test_who_knows_the_same_sees_the_same_signs(name: str) -> None:
    game = rules_of(name)
    for state, other, player in alike_positions(game):
        assert board_signs(game, other, player) == board_signs(game, state, player)


def test_what_is_hidden_has_no_sign() -> None:
    game = gdl.load("stratego")
    assert isinstance(game, RulesGame)
    state = game.initial()
    for action in ("deploy flag marshal spy", "deploy spy flag marshal"):
        state = game.successor(state, action)
    assert board_signs(game, state, 0) == {"a1": "R", "b1": "R", "c1": "R", "a2": "B", "b2": "B", "c2": "B"}


def test_signs_are_those_of_the_picture() -> None:
    game = rules_of("chess")
    signs = board_signs(game, game.initial(), 0)
    assert len(signs) == 32
    assert (signs["g1"], signs["g8"], signs["e2"], signs["e7"]) == ("N", "n", "P", "p")

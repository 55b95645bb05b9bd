"""A player's view of a position: as much as they know, and drawn."""

from __future__ import annotations

import pytest
from beliefs_in_play import alike_positions
from shipped import loaded

import gdl
from gdl.interpreter.rules_game import RulesGame

HIDING = [
    "kuhn", "liars_dice", "cheat", "goofspiel", "stratego", "battleships", "bridge_ending", "scrabble", "leduc", "dark_hex",
    "blind_tic_tac_toe", "kriegspiel", "monty_hall", "bandit",
]  # fmt: skip


@pytest.mark.parametrize("name", HIDING)
def test_who_knows_the_same_sees_the_same(name: str) -> None:
    game = loaded(name).game
    assert isinstance(game, RulesGame)
    for state, other, player in alike_positions(game):
        for look in (game.show_to, game.sayings_to):
            assert look(other, player) == look(state, player)


@pytest.mark.parametrize("name", ["chess", "kalah", "ultimate_tic_tac_toe", "hex"])
def test_where_nothing_is_hidden_all_is_drawn(name: str) -> None:
    game = loaded(name).game
    assert isinstance(game, RulesGame)
    assert game.show_to(game.initial(), 1) == game.show(game.initial())


def test_a_question_mark_stands_for_what_is_hidden() -> None:
    game = gdl.load("stratego")
    assert isinstance(game, RulesGame)
    state = game.initial()
    for action in ("deploy flag marshal spy", "deploy spy flag marshal"):
        state = game.successor(state, action)
    assert game.show_to(state, 0).splitlines()[1].endswith("2       ?       ?       ?   2 . . .")


def test_columns_that_players_name_have_their_numbers() -> None:
    assert (
        gdl.load("connect_four").show(gdl.load("connect_four").initial()).endswith("  a b c d e f g\n  1 2 3 4 5 6 7")
    )
    assert gdl.load("tic_tac_toe").show(gdl.load("tic_tac_toe").initial()).endswith("  a b c")
    wide = gdl.loads(gdl.read("connect_four")[0], settings={"columns": "11"}).game
    assert wide.show(wide.initial()).endswith("   a  b  c  d  e  f  g  h  i  j  k\n   1  2  3  4  5  6  7  8  9 10 11")

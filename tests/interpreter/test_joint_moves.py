"""Moves made at once: what each player may do is found once for all combinations."""

from itertools import islice

import pytest

import gdl
from gdl.interpreter.plies import Plies, State
from gdl.interpreter.rulebook import Option
from gdl.states.explore import moves


def test_the_options_of_all_are_found_once_for_all_joint_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game of 99 orders each at once, each of a million joint moves took 60 ms."""
    game, asked, options = gdl.load("tests/bench/games/campaign.game"), list[object](), Plies.options

    def ask(plies: Plies, state: State) -> list[list[Option]]:
        asked.append(state)
        return options(plies, state)

    monkeypatch.setattr(Plies, "options", ask)
    start = game.initial()
    joint = list(islice(moves(game.node(start)), 300))
    after = {game.successor(start, move).cells for move in joint}
    assert len(joint) == 300 and len(after) < 20
    assert asked == [start]

"""Totals that the rules keep are those that positions hold: the same plays end with the same utilities."""

from pathlib import Path
from typing import Any

import pytest
from both_engines import told_alike
from places import LANGUAGE

import gdl
from gdl.game import Terminal
from gdl.interpreter.reward_totals import can_keep, keeping_totals
from gdl.interpreter.rules_game import RulesGame, playable
from gdl.states.explore import moves

FILES = [path for path in sorted(LANGUAGE.glob("*.game")) if "reward " in path.read_text(encoding="utf-8")]
WHOLE = """players Ann, Bob
state
    stage: 0..4
define prize(p: Player, n: 0..2)
    if n > 1
        reward n to p, 1 to Ann
action go(n: 0..2) when stage < 4
    prize(mover, n)
    attempt
        reward 5 to other(mover)
        require n = 1
    refused
        reward -stage to Bob
    stage := stage + 1
    next roll
chance roll(k: 0..1)
    for p in Player
        reward 2 * k to p
    next p after mover
terminal
    stage = 4 -> (stage, 0)
evaluate
    each p: 10 * number(p)
"""


def ends(game: Any, state: Any, play: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
    """The utilities, and the estimates on the way, of every play."""
    node = game.node(state)
    if isinstance(node, Terminal):
        return {play: node.utilities}
    found = {play: game.evaluate(state)}
    for move in moves(node):
        found |= ends(game, game.successor(state, move), (*play, move))
    return found


def test_kept_totals_are_those_of_positions():
    model = gdl.loads(WHOLE).model
    assert can_keep(model)
    held, kept = RulesGame(model), playable(model)
    assert held.model is model and kept.model is not model and kept.model.variables[-1].name == "gained"
    assert held.initial().earned is not None and kept.initial().earned is None
    assert ends(held, held.initial()) == ends(kept, kept.initial())


def test_both_engines_keep_them():
    told_alike(gdl.loads(WHOLE).game, range(20), 20)


def test_rules_without_rewards_are_left_alone():
    model = gdl.loads(*gdl.read("nim")).model
    assert not can_keep(model) and playable(model).model is model


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_play_of_each_game_with_rewards(path: Path):
    model = gdl.loads(path.read_text(encoding="utf-8"), path.name).model
    if can_keep(model):
        game = RulesGame(keeping_totals(model))
        assert game.node(game.initial()) == playable(model).node(playable(model).initial())

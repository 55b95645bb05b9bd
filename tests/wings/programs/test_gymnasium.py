"""Games in Gymnasium, held to its own checker."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from playable import games
from test_fitting import UNFIT

import gdl
from gdl.errors import GameError, Refusal

checker = pytest.importorskip("gymnasium.utils.env_checker")
env = pytest.importorskip("gdl.wings.programs.gymnasium").env

FEW = ["2048", "backgammon", "connect_four", "goofspiel", "pig"]


def conforms(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(env(games(name)[0], steps=name in UNFIT), skip_render_check=True)


@pytest.mark.parametrize("name", FEW)
def test_a_game_conforms(name: str):
    conforms(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_game_conforms(name: str):
    conforms(name)


def played(alone: Any, choose: Any) -> float:
    seen, _ = alone.reset(seed=3)
    total, over = 0.0, False
    while not over:
        seen, gained, over, _, _ = alone.step(choose(seen["action_mask"]))
        total += gained
    return total


def first(mask: Any) -> int:
    return int(mask.argmax())


def test_the_computer_plays_well():
    pytest.importorskip("gdl.wings.arena")
    assert played(env("tic_tac_toe", opponent="auto"), first) <= 0
    assert played(env("nim", settings={"heaps": "2,2"}, opponent="retrograde"), first) == -1.0


def test_where_something_is_hidden_the_computer_plays_an_equilibrium():
    pytest.importorskip("gdl.wings.arena")
    assert played(env("kuhn", player="P2", opponent="auto"), first) in (-2.0, -1.0, 1.0, 2.0)


@pytest.mark.thorough
def test_what_is_not_legal_loses():
    alone = env("tic_tac_toe", player="O", opponent=lambda env: env.legal[0])
    alone.reset()
    _, gained, over, _, info = alone.step(0)
    assert (gained, over, info["illegal"]) == (-1.0, True, True)
    strict = env("tic_tac_toe", player="O", opponent=lambda env: env.legal[0], illegal="raise")
    strict.reset()
    with pytest.raises(GameError, match="no legal action"):
        strict.step(0)


def test_a_player_that_is_not_there_is_refused():
    with pytest.raises(Refusal, match="no player Z: there are X and O"):
        env("tic_tac_toe", player="Z")
    with pytest.raises(Refusal, match="no player 2: there are X and O"):
        env("tic_tac_toe", player=2)


@pytest.mark.parametrize("opponent", ["nobody", 3])
def test_an_opponent_that_is_not_there_is_refused(opponent):
    with pytest.raises(Refusal, match="the opponent is 'random', 'auto', the name of a solver or a function, not"):
        env("tic_tac_toe", opponent=opponent)


@pytest.mark.thorough_of("auto")
@pytest.mark.parametrize("opponent", ["random", "auto"])
def test_a_player_is_asked_step_by_step(opponent: str):
    if opponent == "auto":
        pytest.importorskip("gdl.wings.arena")
    game = env("breakthrough", opponent=opponent, steps=True)
    seen, _ = game.reset(seed=1)
    for _ in range(8):
        assert seen["action_mask"].sum() and seen["observation"].shape == game.observation_space["observation"].shape
        seen, _, over, _, _ = game.step(int(seen["action_mask"].argmax()))
        if over:
            break

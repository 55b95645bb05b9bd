"""Games in PettingZoo, held to its own tests."""

from __future__ import annotations

import warnings

import pytest
from playable import games
from test_fitting import FIT

checks = pytest.importorskip("pettingzoo.test")
adapter = pytest.importorskip("gdl.adapters.pettingzoo")
env, parallel_env = adapter.env, adapter.parallel_env

FEW = ["connect_four", "goofspiel", "leduc", "prisoners"]


def conforms(name: str, cycles: int) -> None:
    game = games(name)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its tests warn of observations that are all zeros, and of one agent
        checks.api_test(env(game), num_cycles=cycles)
        checks.seed_test(lambda: env(game), num_cycles=cycles)
        checks.parallel_api_test(parallel_env(game), num_cycles=cycles)


@pytest.mark.parametrize("name", FEW)
def test_a_game_conforms(name: str):
    conforms(name, 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIT)
def test_every_game_that_fits_conforms(name: str):
    conforms(name, 60)


def test_who_has_no_choice_waits():
    table = parallel_env("tic_tac_toe")
    seen, _ = table.reset(seed=1)
    assert list(seen["X"]["action_mask"]) == [1] * 9 + [0] and list(seen["O"]["action_mask"]) == [0] * 9 + [1]
    table.step({"X": 4, "O": table.waits})
    assert table.render().splitlines()[1].split() == ["2", ".", "X", "."]


def test_moves_at_once_are_one_step():
    table = parallel_env("prisoners")
    seen, _ = table.reset()
    assert all(list(one["action_mask"]) == [1, 1, 0] for one in seen.values())
    _, rewards, ends, _, _ = table.step({"A": 1, "B": 0})
    assert rewards == {"A": 0.0, "B": -3.0} and all(ends.values()) and table.agents == []


@pytest.mark.parametrize("name", ["backgammon", "prisoners"])
def test_a_game_conforms_step_by_step(name: str):
    game = games(name)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checks.api_test(env(game, steps=True), num_cycles=30)
        checks.parallel_api_test(parallel_env(game, steps=True), num_cycles=30)

"""Games in PettingZoo, held to its own tests."""

from __future__ import annotations

import warnings

import pytest
from playable import games
from test_fitting import UNFIT

import gdl
from gdl.errors import GameError

checks = pytest.importorskip("pettingzoo.test")
adapter = pytest.importorskip("gdl.wings.programs.pettingzoo")
env, parallel_env = adapter.env, adapter.parallel_env

FEW = ["backgammon", "connect_four", "goofspiel", "leduc", "prisoners"]


def conforms(name: str, cycles: int) -> None:
    game, steps = games(name)[0], name in UNFIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its tests warn of observations that are all zeros, and of one agent
        checks.api_test(env(game, steps=steps), num_cycles=cycles)
        checks.seed_test(lambda: env(game, steps=steps), num_cycles=cycles)
        checks.parallel_api_test(parallel_env(game, steps=steps), num_cycles=cycles)


@pytest.mark.parametrize("name", FEW)
def test_a_game_conforms(name: str):
    conforms(name, 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_game_conforms(name: str):
    conforms(name, 60)


def test_observations_are_made_by_the_engine(monkeypatch: pytest.MonkeyPatch):
    """The interpreter made them, which took nine tenths of a step."""
    from gdl.wings.programs.planes import RulePlanes

    table = env("tic_tac_toe")
    monkeypatch.setattr(RulePlanes, "of_cells", None)
    table.reset(seed=1)
    table.step(4)
    seen, _, _, _, _ = table.last()
    assert seen["observation"][4].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert seen["observation"].sum() == 9 + 8 + 1 and seen["observation"].flags.writeable


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


def test_what_is_no_action_is_told():
    table = env("tic_tac_toe")
    table.reset(seed=1)
    with pytest.raises(GameError, match="'take\\(b2\\)' is the name of an action, and its number is due"):
        table.step("take(b2)")
    both = parallel_env("prisoners")
    both.reset(seed=1)
    with pytest.raises(GameError, match="None is no legal action of A here"):
        both.step({"B": 0})


def test_an_answer_is_a_policy_by_numbers():
    from gdl.wings.programs.pettingzoo import env, policy_of

    play, policy = env("kuhn"), policy_of(gdl.solve("kuhn"))
    play.reset(seed=1)
    for _ in play.agent_iter():
        observation, _, over, _, _ = play.last()
        if not over:
            row = policy(play)
            assert row.sum() == pytest.approx(1) and all(observation["action_mask"][row > 0])
        play.step(None if over else int(row.argmax()))

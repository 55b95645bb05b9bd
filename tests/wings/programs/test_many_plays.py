"""Many plays as one environment of Gymnasium or PettingZoo, held to single plays and to Gymnasium's own wrappers."""

from __future__ import annotations

from typing import Any

import pytest

import gdl
from gdl.compiler.lower.past import PastKeys
from gdl.errors import GameError, Refusal
from gdl.states.random_numbers import stream
from gdl.wings.programs import compiled

numpy = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
wrappers = pytest.importorskip("gymnasium.wrappers.vector")
PLAYS = 5


def first(mask: Any) -> Any:
    return mask.argmax(axis=1)


@pytest.mark.one_in(16, 14)
@pytest.mark.parametrize(
    "name", ["2048", "awari", "chess", "connect_four", "goofspiel", "kuhn", "prisoners", "stratego"]
)
@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_every_play_is_that_of_an_environment(name: str, autoreset: str):
    vector = gdl.make_vec(name, PLAYS, seed=3, autoreset=autoreset)
    single = [gdl.load(name).environment(seed=stream(3, k)) for k in range(PLAYS)]
    for k, env in enumerate(single):
        env.reset(stream(3, k))
    seen, infos = vector.reset(seed=3)
    began = [False] * PLAYS
    for step in range(80):
        actions = [env.legal[step % len(env.legal)] if not env.over else 0 for env in single]
        acted = [env.player for env in single]
        seen, rewards, over, _, infos = vector.step(numpy.array(actions))
        assert vector.observation_space.contains(seen)
        for k, env in enumerate(single):
            gained = 0.0
            if began[k]:
                env.reset()
            else:
                env.step(actions[k])
                gained = float(env.rewards[acted[k]])
            began[k] = env.over and autoreset == "next_step"
            assert (bool(over[k]), rewards[k]) == (env.over, gained)
            if env.over:
                last = {name: rows[k] for name, rows in seen.items()} if began[k] else infos["final_obs"][k]
                assert (last["observation"] == numpy.array(env.observation(acted[k]))).all()
                assert not last["action_mask"].any()
                if not began[k]:
                    env.reset()
            if not began[k]:
                assert infos["player"][k] == env.player
                assert bytes(seen["action_mask"][k]) == bytes(env.mask)
                assert (seen["observation"][k] == numpy.array(env.observation(env.player))).all()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_without_a_copy_all_is_the_same(autoreset: str):
    copied, shared = (
        gdl.make_vec("tic_tac_toe", PLAYS, seed=1, autoreset=autoreset, copy=copy) for copy in (True, False)
    )
    mine, theirs = copied.reset(seed=1)[0], shared.reset(seed=1)[0]
    for _ in range(30):
        actions, before = first(mine["action_mask"]), theirs["observation"]
        (mine, *rest), (theirs, *others) = copied.step(actions), shared.step(actions)
        assert repr((mine, rest)) == repr((theirs, others)) and theirs["observation"] is before


@pytest.mark.thorough_of("next_step")
@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_wrappers_of_gymnasium_take_it(autoreset: str):
    vector = gdl.make_vec("tic_tac_toe", PLAYS, seed=1, autoreset=autoreset)
    wrapped = wrappers.DictInfoToList(wrappers.RecordEpisodeStatistics(vector))
    if autoreset == "next_step":  # the only one that this wrapper takes
        flat = wrappers.FlattenObservation(vector)
        assert flat.reset(seed=1)[0].shape == (PLAYS, 9 + 5 * 9)
    seen, _ = wrapped.reset(seed=1)
    lengths = []
    for _ in range(30):
        seen, _, over, _, infos = wrapped.step(first(seen["action_mask"]))
        lengths += [int(info["episode"]["l"]) for info, ends in zip(infos, over, strict=True) if ends]
    assert lengths and set(lengths) == {7}  # who takes the first free square each time wins with the seventh


def test_agents_of_pettingzoo_have_rows():
    pytest.importorskip("pettingzoo")
    vector = gdl.make_vec("kuhn", PLAYS, api="pettingzoo", seed=2, autoreset="same_step")
    seen, _ = vector.reset(seed=2)
    ended, total = 0, numpy.zeros(PLAYS)
    for _ in range(20):
        for agent in vector.agents:
            assert vector.observation_space(agent).contains(seen[agent])
        assert sum(seen[agent]["action_mask"].any(axis=1) for agent in vector.agents).tolist() == [1] * PLAYS
        actions = {agent: first(seen[agent]["action_mask"]) for agent in vector.agents}
        seen, rewards, over, _, infos = vector.step(actions)
        total += sum(rewards.values())
        ended += int(over["P1"].sum())
        assert over["P1"].any() == ("final_obs" in infos["P1"])
    assert ended and not total.any()  # zero-sum


@pytest.mark.thorough
def test_what_does_not_fit_is_told():
    for wrong, words in [
        ({"api": "jax"}, "api is gymnasium or pettingzoo, not jax"),
        ({"autoreset": "never"}, "autoreset is next_step or same_step, not never"),
    ]:
        with pytest.raises(Refusal, match=words):
            gdl.make_vec("nim", 2, **wrong)
    with pytest.raises(GameError, match="9 is no legal action in play 1"):
        gdl.make_vec("connect_four", 2).step([0, 9])
    pytest.importorskip("pettingzoo")
    for name, api in [
        ("connect_four", "gymnasium"),
        ("chess", "gymnasium"),
        ("backgammon", "gymnasium"),
        ("kuhn", "pettingzoo"),
    ]:
        plays = gdl.make_vec(name, 2, api=api)
        for wrong in ([0, 0.5], ["a", "b"], [[0], [0]], numpy.array([[0], [0]]), None):
            with pytest.raises(GameError):
                plays.step(wrong if api == "gymnasium" else dict.fromkeys(plays.agents, wrong))
    for actions in ([0, 0], {"P1": [0, 0]}, {"P1": 0, "P2": 0}, {}):
        with pytest.raises(GameError, match=r"no actions of all agents(.|\n)*2 numbers of actions each for P1 and P2"):
            gdl.make_vec("kuhn", 2, api="pettingzoo").step(actions)


@pytest.mark.thorough_of("amazons", "backgammon")
@pytest.mark.parametrize("name", ["amazons", "backgammon", "kuhn"])
def test_plays_step_by_step_are_those_of_environments(name: str):
    game = gdl.load(name)
    plays = game.environments(3, seed=5, steps=True)
    single = [game.environment(steps=True) for _ in range(3)]
    for k, env in enumerate(single):
        env.reset(stream(5, k))
    for step in range(60):
        seen = plays.observations(plays.player)
        for k, env in enumerate(single):
            assert plays.player[k] == env.player and tuple(plays.legal[k, : plays.count[k]].tolist()) == env.legal
            assert bytes(plays.mask[k]) == bytes(env.mask)
            assert (seen[k] == numpy.array(env.observation(env.player))).all()
        numbers = [env.legal[step % len(env.legal)] for env in single]
        plays.step(numbers)
        for env, number in zip(single, numbers, strict=True):
            env.step(number)
            while env.over:
                env.reset()
    with pytest.raises(GameError, match="is no legal step in play 0"):
        plays.step([-1, 0, 0])


@pytest.mark.thorough
def test_what_has_too_many_actions_for_a_mask_is_asked_step_by_step():
    vector = gdl.make_vec("backgammon", PLAYS)
    seen, _ = vector.reset(seed=1)
    assert seen["action_mask"].shape == (PLAYS, 34)
    for _ in range(50):
        seen, *_ = vector.step(first(seen["action_mask"]))
        assert vector.observation_space.contains(seen)


def test_what_is_stepped_one_after_the_other_is_told():
    """Chess came at 400 steps a second, without a word."""
    with pytest.warns(UserWarning, match="plays of Figure 5.2 are stepped one after the other, which is slower: "):
        gdl.make_vec("figure_5_2", 2)


@pytest.mark.thorough
def test_plays_that_give_way_to_one_another_keep_their_earlier_positions(monkeypatch: pytest.MonkeyPatch):
    """Two instances for five plays of chess, of which each ends as soon as a position has come back twice; nobody asks
    for earlier positions as the interpreter holds them, which takes a hundred times as long as a step."""
    monkeypatch.setattr(compiled, "ROOM", 0)
    monkeypatch.setattr(compiled, "FEWEST", 2)
    alone, numbers = gdl.environment(gdl.load("chess")), list[int]()
    while not alone.over:
        knights = ("g1f3", "g8f6", "f3g1", "f6g8")
        name = knights[len(numbers) % 4]
        numbers.append(next(number for number, action in alone.names.items() if str(action) == name))
        alone.step(numbers[-1])
    chess = gdl.load("chess")
    plays = [chess.environment() for _ in range(5)]
    monkeypatch.setattr(PastKeys, "read", None)
    for number in numbers:
        for play in plays:
            play.step(number)
            assert play.over == (number is numbers[-1])

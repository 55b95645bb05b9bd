"""Environments that are pickled or copied are the same again."""

from __future__ import annotations

import copy
import importlib
import pickle
from typing import Any

import pytest

import gdl
from gdl.game import Decision, Node, Terminal
from gdl.wings.programs.batch import PlaysInTurn


class Subtraction(gdl.OwnGame):
    """Take one or two; whoever takes the last one wins."""

    players = ("Ann", "Bob")

    def initial(self) -> Any:
        return 7, 0

    def node(self, state: Any) -> Node:
        left, mover = state
        if not left:
            return Terminal((-1, 1) if mover == 0 else (1, -1))
        return Decision(mover, tuple(f"take {n}" for n in (1, 2) if n <= left))

    def successor(self, state: Any, action: Any) -> Any:
        return state[0] - int(action[-1]), 1 - state[1]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return 0


def twice(thing: Any) -> list[Any]:
    return [pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing), copy.copy(thing)]


def game_of(name: str) -> Any:
    return Subtraction() if name == "own" else gdl.load(name)


@pytest.mark.thorough_of("auto-leduc", "auto-goofspiel", "interpreter-leduc")
@pytest.mark.parametrize("name", ["own", "nim", "leduc", "prisoners", "beer_quiche", "go", "kayles", "goofspiel"])
@pytest.mark.parametrize("engine", ["auto", "interpreter"])
def test_an_environment_is_the_same_again(name: str, engine: str) -> None:
    env = game_of(name).environment(engine=engine, seed=3)
    for _ in range(3):
        if not env.over:
            env.step(env.legal[0])
    copies = twice(env)
    assert all(one == env and one.information(0) == env.information(0) for one in copies)
    if env.over:
        env.undo()
    env.step(env.legal[-1])
    for one in copies:
        if one.over:
            one.undo()
        assert one != env or one.played == env.played
        one.step(one.legal[-1])
        assert one == env and one.state == env.state
        one.undo()
    env.undo()
    assert all(one == env for one in copies)


@pytest.mark.thorough_of("chess-False", "draughts-True", "leduc-False")
@pytest.mark.parametrize(
    ("name", "steps"),
    [("tic_tac_toe", False), ("leduc", False), ("goofspiel", False), ("draughts", True), ("chess", False)],
)
def test_many_plays_are_the_same_again(name: str, steps: bool) -> None:
    if name == "chess":
        pytest.importorskip("numpy")  # plays in turn write their observations into its arrays
    game = gdl.load(name)
    plays: Any = PlaysInTurn(game, 3, 3) if name == "chess" else game.environments(3, seed=3, steps=steps)

    def step(some: Any) -> None:
        for _ in range(3):
            some.step([int(some.legal[k, -1 + int(some.count[k])]) for k in range(3)])

    step(plays)
    same = twice(plays)
    assert all(one == plays for one in same)
    step(plays)
    for one in same:
        assert one != plays
        step(one)
        assert one == plays and one.mask.tolist() == plays.mask.tolist()
        assert [one.state(k) for k in range(3)] == [plays.state(k) for k in range(3)]


@pytest.mark.thorough_of(
    "gymnasium-env-<lambda>-options1", "pettingzoo-make_vec-<lambda>-options5", "gymnasium-make_vec-<lambda>-options2"
)
@pytest.mark.parametrize(
    ("package", "kind", "action", "options"),
    [
        ("gymnasium", "env", lambda k: k, {"opponent": "random"}),
        ("gymnasium", "env", lambda k: k, {"opponent": "auto"}),
        ("gymnasium", "make_vec", lambda k: [k] * 3, {}),
        ("pettingzoo", "env", lambda k: k, {}),
        ("pettingzoo", "parallel_env", lambda k: {"X": 9 if k % 2 else k, "O": k if k % 2 else 9}, {}),
        ("pettingzoo", "make_vec", lambda k: {"X": [k] * 3, "O": [k] * 3}, {}),
    ],
)
def test_an_environment_of_another_package_is_the_same_again(
    package: str, kind: str, action: Any, options: Any
) -> None:
    pytest.importorskip(package)
    if kind == "make_vec":
        env = gdl.make_vec("tic_tac_toe", 3, api=package)
    else:
        env = getattr(importlib.import_module(f"gdl.wings.programs.{package}"), kind)("tic_tac_toe", **options)
    env.reset(seed=1)
    before = copy.deepcopy(env)
    assert before == env and "(<Tic-tac-toe: " in repr(env)
    env.step(action(0))
    same = twice(env)[:2]
    assert all(one == env != before for one in same)
    for k in range(1, 3):
        went_on = repr(env.step(action(k)))
        for one in same:
            assert repr(one.step(action(k))) == went_on and one == env


@pytest.mark.thorough_of("chess-e2e4 e7e5")
@pytest.mark.parametrize(("name", "after"), [("chess", "e2e4 e7e5"), ("prisoners", "silent")])
def test_an_environment_after_some_actions_is_the_same_again(name: str, after: str) -> None:
    env = gdl.load(name, after=after).environment()
    assert env.player == (0 if name == "chess" else 1) and env.observation(0) and env.sight(0)
    for copied in twice(env):
        assert copied == env
    env.step(env.legal[0])

"""The solver that is picked where nobody names one never refuses a game that it is picked for, wherever play begins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from random_rules import written
from shipped import loaded

import gdl
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Game
from gdl.interpreter.position import after_actions
from gdl.solvers import solve
from gdl.states.explore import moves
from gdl.states.game_wrapper import GameWrapper

SEEDS = [pytest.param(seed, marks=pytest.mark.slow if seed == 8 else ()) for seed in range(24)]  # 8: nine seconds
PLIES = 3
NODES = 2_000

OVER_AT_ONCE = """
players Ann, Bob
state
    left: 0..2
start deal
chance deal(n: 1..2)
    left := n
action take
    left := left - 1
terminal
    left = 0 -> draw
"""


def begun(game: Game[Any], seed: int) -> Iterator[Game[Any]]:
    """The game, and what is left of it after each of the first actions of a random play."""
    chosen, state, played = random.Random(seed), game.initial(), list[str]()
    yield game
    for _ in range(PLIES):
        options = moves(game.node(state))
        move = chosen.choice(options) if options else ()
        if not isinstance(move, str):
            return
        state = game.successor(state, move)
        played.append(move)
        yield after_actions(game, played)


def answered(game: Game[Any]) -> None:
    with suppress(LimitReached, GameError):
        solve(game, nodes=NODES)


@pytest.mark.thorough_of("22-over sooner")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("over", [False, True], ids=["", "over sooner"])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_picked_accepts_the_game(seed: int, over: bool):
    text = written(seed).replace("turns > 0", "true") if over else written(seed)
    with suppress(GameError):
        for game in begun(gdl.loads(text, f"random {seed}").game, seed):
            answered(game)


# What is left of leduc's tree takes half a minute of exact arithmetic where the extra `lp` is not installed.
SHIPPED = ["bridge_ending", "kuhn", pytest.param("leduc", marks=pytest.mark.thorough), "repeated_prisoners", "stratego"]


@pytest.mark.thorough_of("bridge_ending")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_picked_accepts_what_is_left_of_a_shipped_game(name: str):
    for game in begun(loaded(name).game, 1):
        answered(game)


def test_a_game_that_is_over_before_the_deal_has_no_chance():
    game = gdl.loads(OVER_AT_ONCE).game
    assert game.traits.chance is False
    assert solve(game).value == (0, 0)
    assert solve(game, "minimax").value == (0, 0)


def test_another_is_taken_where_the_one_that_was_picked_meets_what_it_cannot_use(monkeypatch: pytest.MonkeyPatch):
    from gdl.solvers import auto

    game = gdl.loads(
        OVER_AT_ONCE.replace("left = 0 ->", "no actions ->").replace("action take", "action take when left > 0")
    ).game
    monkeypatch.setattr("gdl.solvers.auto.pick", lambda *_: auto.Pick("minimax", "it is tried"))
    found = solve(game)
    assert found.solver == "expectiminimax"
    assert found.reason == "minimax met what it does not accept"
    monkeypatch.setattr("gdl.solvers.auto.PREFERRED", [])
    with pytest.raises(Refusal, match="minimax needs a game without chance"):
        solve(game)


def test_a_large_tree_whose_traits_say_all_is_not_looked_through():
    from gdl.solvers import auto

    class Unwalked(GameWrapper):
        def successor(self, *move: Any) -> Any:
            pytest.fail("it is looked through")

    game: Any = gdl.tree(("MAX", {"left": 1, "right": ("chance", {"up": (1, 3)})}))
    game.traits = replace(game.traits, states=2_000_000)
    picked = auto.pick(Unwalked(game))
    assert picked.solver == "expectiminimax"
    assert picked.reason == "two players, zero-sum, chance, perfect information, 2,000,000 positions"

"""Proof-number search: values and best actions as minimax has them, proofs that hold, limits and refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from compiled_soon import compiled_after
from shipped import shipped
from small_games import Countdown
from together import together
from trees import MAX, MIN, random_tree, tree, unknown

import gdl
from gdl.commands.engines import offer
from gdl.errors import GameError, LimitReached, Refusal
from gdl.interpreter.position import begin_after
from gdl.solvers import solve
from gdl.solvers.budget import SearchLimits
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.minimax.backward_induction import minimax
from gdl.solvers.minimax.proof_number import proof_number


@together(range(60))
def test_random_trees(seed: int) -> None:
    game = tree(random_tree(random.Random(seed), 4))
    twin, answer = minimax(game), proof_number(game)
    assert (answer.value, set(answer.best), answer.exact) == (twin.value, set(twin.best), True)
    assert answer.strategy is not None
    assert not any(regret(game, answer.strategy).regret)


@pytest.mark.thorough_of("tic_tac_toe-settings0-0")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "settings", "value"),
    [
        ("tic_tac_toe", {}, 0),
        ("connect_four", {"columns": "4", "rows": "3"}, 0),
        ("domineering", {"rows": "3", "columns": "4"}, None),
        ("kalah", {"houses": "3", "seeds": "2"}, 4),
        ("nim", {"heaps": "1,2,3"}, -1),
    ],
)
def test_games(name: str, settings: dict[str, str], value: int | None) -> None:
    game: Any = shipped(name, settings)
    answer = proof_number(game)
    twin = minimax(game)
    assert (answer.value, set(answer.best)) == (twin.value, set(twin.best))
    assert value is None or (answer.value is not None and answer.value[0] == value)


def test_an_end_at_once_and_one_action() -> None:
    assert proof_number(tree(MAX(7))).value == (7, -7)
    assert proof_number(tree(MAX(MIN(-3, -5)))).line == ("1", "2")


def test_the_line_is_best_play() -> None:
    game: Any = gdl.load("kalah", settings={"houses": "3", "seeds": "2"})
    answer = proof_number(game)
    state = game.initial()
    for action in answer.line:
        state = game.successor(state, action)
    assert game.node(state).utilities == answer.value


def test_a_limit_tells_what_was_proved() -> None:
    game: Any = gdl.load("tic_tac_toe")
    with pytest.raises(LimitReached, match="stopped after 2,000 nodes") as stop:
        proof_number(game, SearchLimits(nodes=2000))
    assert stop.value.partial.exact is False  # type: ignore[union-attr]


def test_positions_that_come_again_are_refused() -> None:
    with pytest.raises(Refusal, match="never come again"):
        proof_number(Countdown(3, least=0))


KERNEL = {
    "tic_tac_toe": {},
    "connect_four": {"columns": "4", "rows": "3"},
    "kalah": {"houses": "3", "seeds": "2"},
    "nim": {"heaps": "1,2,3"},
    "domineering": {"rows": "3", "columns": "4"},
}


@pytest.mark.thorough_of("connect_four-wasm", "tic_tac_toe-python")
@pytest.mark.parametrize(
    ("name", "engine"),
    [
        pytest.param(name, engine, marks=pytest.mark.slow if (name, engine) == ("connect_four", "python") else ())
        for name in KERNEL
        for engine in ("wasm", "python")
    ],
)
def test_the_kernel_answers_as_its_twin(name: str, engine: str) -> None:
    pytest.importorskip("wasmtime")
    game: Any = shipped(name, KERNEL[name])
    twin = minimax(game)
    game = offer(game, engine)
    answer = proof_number(game)
    assert (answer.value, set(answer.best), answer.exact) == (twin.value, set(twin.best), True)
    assert "compiled engine" in answer.notes[0]


def test_long_searches_are_compiled() -> None:
    pytest.importorskip("wasmtime")
    game: Any = gdl.load("tic_tac_toe")
    game = offer(game, "auto")
    with compiled_after(100):
        assert len(proof_number(game).best) == 9
        with pytest.raises(LimitReached, match="stopped after 500 nodes"):
            proof_number(game, SearchLimits(nodes=500))


@pytest.mark.parametrize("solver", ["proof-number", "alpha-beta", "depth-limited", "retrograde", "mcts", "minimax"])
def test_a_game_that_is_over_has_its_value(solver: str) -> None:
    """Whoever asked for the compiled engine: there is nothing to search."""
    game: Any = gdl.load("tic_tac_toe")
    over: Any = begin_after(game, "take(a1) take(a2) take(b1) take(b2) take(c1)")
    over = offer(over, "python")
    assert solve(over, solver).value == (1, -1)


def test_a_game_that_is_over_with_an_unknown_utility_is_told_as_such() -> None:
    with pytest.raises(GameError, match="depends on the unknown utility"):
        proof_number(tree(unknown("x")))

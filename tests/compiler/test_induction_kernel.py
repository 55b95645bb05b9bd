"""minimax, expectiminimax and max^n on the compiled engine: everything the readable twin answers, nodes and leaves
included."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from kernel_games import DICE, LADDER, PURSES, ROLLS, at_random, on, written

import gdl
from gdl.commands.engines import offer
from gdl.compiler.compiled_engine import CompiledEngine
from gdl.compiler.search_kinds import VECTORS
from gdl.compiler.searches.vectors_driver import Vectors
from gdl.errors import GameError, LimitReached, Refusal
from gdl.interpreter.position import Continuation
from gdl.solvers import solve
from gdl.solvers.minimax import backward_induction as twin
from gdl.solvers.needs import Unmet

pytest.importorskip("wasmtime")

# A weighted die moves the lead of whoever staked; the utilities sum to 3.
GAMES: dict[str, Callable[[], Any]] = {
    "minimax": lambda: written("tic_tac_toe"),
    "expectiminimax": lambda: gdl.loads(ROLLS).game,
    "maxn": lambda: gdl.loads(DICE, settings={"last": "2"}).game,
}


@pytest.fixture
def no_twin(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on, backward induction is the compiled engine's alone."""

    def never(*args: Any, **options: Any) -> Any:
        raise AssertionError("the twin was asked")

    return lambda: monkeypatch.setattr(twin, "backward_induction", never)


def whole(text: str, engine: str) -> Vectors:
    game = gdl.loads(text).game
    found: Vectors = CompiledEngine(game, game.initial(), engine).search(VECTORS, to_ends=True)
    return found


@pytest.mark.thorough
@pytest.mark.one_in(6)
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("solver", GAMES)
def test_the_answer_is_the_twins(solver: str, engine: str, no_twin: Callable[[], None]) -> None:
    """From the start and from other positions, with one search that begins again there."""
    rng = random.Random(solver)
    plain, fast = GAMES[solver](), on(engine, GAMES[solver]())
    states = [at_random(plain, rng) for _ in range(3)]
    states += [plain.initial()] if engine == "wasm" else []
    answers = [solve(Continuation(plain, state), solver) for state in states]
    no_twin()
    for state, answer in zip(states, answers, strict=True):
        assert solve(Continuation(fast, state), solver) == answer
        assert answer.exact


def test_few_positions_are_left_to_the_twin_unless_the_engine_is_asked_for(no_twin: Callable[[], None]) -> None:
    no_twin()
    few = written("nim", heaps="2,3")
    assert solve(on("wasm", few), "minimax").value == (1, -1)
    with pytest.raises(AssertionError):
        solve(on("auto", few), "minimax")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["auto", "wasm"])
@pytest.mark.parametrize("nodes", [7, 2001, 3000])
def test_a_limit_stops_both_at_the_same_node(nodes: int, engine: str) -> None:
    partial = []
    for game in (GAMES["minimax"](), on(engine, GAMES["minimax"]())):
        with pytest.raises(LimitReached) as stopped:
            solve(game, "minimax", nodes=nodes)
        partial.append((str(stopped.value), stopped.value.partial))
    assert partial[0] == partial[1]


@pytest.mark.parametrize(
    ("text", "solver", "why"),
    [(LADDER, "minimax", "can return to a position"), (PURSES, "minimax", "is general-sum")],
    ids=["comes again", "uneven"],
)
def test_what_does_not_suit_is_refused_as_the_twin_refuses_it(text: str, solver: str, why: str) -> None:
    told = []
    for game in (gdl.loads(text).game, on("wasm", gdl.loads(text).game)):
        with pytest.raises(Unmet, match=why) as unmet:
            twin.minimax(game)
        told.append(str(unmet.value))
    assert told[0] == told[1]


def test_the_kernel_says_itself_what_does_not_suit() -> None:
    with pytest.raises(Refusal, match="positions come again"):
        list(whole(LADDER, "wasm").search())
    game = gdl.loads(PURSES).game
    with pytest.raises(Refusal, match="do not always have the same sum"):
        list(CompiledEngine(game, game.initial(), "wasm").search(VECTORS, to_ends=True, one_sum=True).search())
    with pytest.raises(Refusal, match="without chance"):
        CompiledEngine(game := gdl.loads(ROLLS).game, game.initial(), "wasm").search(
            VECTORS, to_ends=True, chance=False
        )


@pytest.mark.thorough
def test_players_without_a_constant_sum(no_twin: Callable[[], None]) -> None:
    """They are indifferent at times; the values of all nodes are listed."""
    answer = solve(gdl.loads(PURSES, settings={"stones": "6"}).game, "maxn", values=True)
    assert "somewhere a player is indifferent" in answer.notes[0]
    assert len(answer.values) > 50
    no_twin()
    assert solve(on("wasm", gdl.loads(PURSES, settings={"stones": "6"}).game), "maxn", values=True) == answer


def test_numbers_that_do_not_fit_are_left_to_the_twin() -> None:
    text = ROLLS.replace("weight n", "weight 1000003 * n + left")
    with pytest.raises(Refusal, match="its numbers become too large"):
        list(whole(text, "wasm").search())
    assert solve(on("wasm", gdl.loads(text).game), "maxn") == solve(gdl.loads(text).game, "maxn")


def test_a_full_table_stops_the_search() -> None:
    game = offer(GAMES["minimax"](), "wasm", lambda: 1000 * 60)
    with pytest.raises(LimitReached, match="the table of this search was full"):
        solve(game, "minimax")


def test_a_fault_is_told_as_the_twin_tells_it() -> None:
    text = PURSES.replace("0..90", "0..5")
    told = []
    for game in (gdl.loads(text).game, on("wasm", gdl.loads(text).game)):
        with pytest.raises(GameError) as fault:
            solve(game, "maxn")
        told.append(str(fault.value))
    assert told[0] == told[1]
    assert "purse" in told[0]

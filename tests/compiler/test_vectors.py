"""depth-limited on the compiled engine, with chance and any number of players: the readable twin's answer, nodes and
leaves included."""

from __future__ import annotations

import random
from typing import Any

import pytest
from kernel_games import DICE, PIG, RACE, STAR, at_random, on, written

import gdl
from gdl.compiler.compiled_engine import CompiledEngine
from gdl.compiler.search_kinds import VECTORS
from gdl.compiler.searches import vectors_driver
from gdl.errors import GameError, LimitReached, Refusal
from gdl.interpreter.position import Continuation
from gdl.solution import Solution
from gdl.solvers.budget import SearchLimits
from gdl.solvers.minimax import cut_off
from gdl.solvers.minimax.backward_induction import maxn
from gdl.solvers.minimax.cut_off import depth_limited

pytest.importorskip("wasmtime")

# A race of three with a crooked die, for a pot that grows: shares of it are fractions, and so are the odds.
COINS = """
players Ann, Bob

state
    left: 0..30 = 30
    purse[Player]: 0..30

action take(n: 1..3) when n <= left
    left := left - n
    purse[mover] := purse[mover] + n mod 3

terminal
    left = 0 -> each p: purse[p]

evaluate
    each p: purse[p] + left / 8
"""
GAMES = {
    "dice": lambda: gdl.loads(DICE).game,
    "pig": lambda: written("pig", PIG, goal="12"),
    "chinese checkers": lambda: written("chinese_checkers", STAR),
}


finished = cut_off._run_deepening


def only_compiled(deepening: Any, depth: int | None, own_limit: bool) -> Solution:
    assert isinstance(deepening, cut_off._CompiledDeepening)
    return finished(deepening, depth, own_limit)


@pytest.fixture
def no_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_off, "_run_deepening", only_compiled)


@pytest.mark.thorough_of("chinese checkers-python")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("name", GAMES)
def test_the_answer_is_the_twins(name: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the start and from other positions, with one search that begins again there."""
    rng = random.Random(name)
    plain, fast = GAMES[name](), on(engine, GAMES[name]())
    states = [plain.initial(), *(at_random(plain, rng) for _ in range(4))]
    for depth, state in enumerate(states, 1):
        twin = depth_limited(Continuation(plain, state), depth=min(depth, 4))
        with monkeypatch.context() as patch:
            patch.setattr(cut_off, "_run_deepening", only_compiled)
            assert depth_limited(Continuation(fast, state), depth=min(depth, 4)) == twin


@pytest.mark.thorough
def test_positions_that_take_the_interpreter_long_go_to_the_engine_after_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer is the twin's, in which 300 moves of backgammon would take seconds."""
    game, searched = GAMES["dice"](), vectors_driver.Vectors.search
    depths: list[int] = []
    monkeypatch.setattr(cut_off, "BEGUN_SECONDS", -1.0)
    monkeypatch.setattr(
        vectors_driver.Vectors, "search", lambda its, depth: depths.append(depth) or searched(its, depth)
    )
    answer = depth_limited(Continuation(on("wasm", game), game.initial()), depth=2)
    assert depths == [1, 2]
    assert answer == depth_limited(Continuation(game, game.initial()), depth=2)


def test_a_search_to_the_end_is_exact(no_twin: None) -> None:
    game = written("chinese_checkers", STAR, rounds="2")
    answer, whole = depth_limited(on("wasm", game)), maxn(game)
    assert answer.exact
    assert (answer.value, answer.best, answer.nodes) == (whole.value, whole.best, whole.nodes)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("nodes", [301, 1000, 2345])
def test_a_limit_stops_both_at_the_same_node(nodes: int) -> None:
    partial = []
    for game in (GAMES["dice"](), on("wasm", GAMES["dice"]())):
        with pytest.raises(LimitReached) as stopped:
            depth_limited(game, SearchLimits(nodes=nodes))
        partial.append((str(stopped.value), stopped.value.partial))
    assert partial[0] == partial[1]


def test_a_full_table_stops_the_search(monkeypatch: pytest.MonkeyPatch, no_twin: None) -> None:
    monkeypatch.setattr(vectors_driver, "ROOM", 8 * 8 * 500)
    with pytest.raises(LimitReached, match="the table of this search was full") as stopped:
        depth_limited(on("wasm", GAMES["dice"]()), depth=12)
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.value is not None


@pytest.mark.thorough
def test_numbers_that_do_not_fit_are_left_to_the_twin() -> None:
    """The odds have large denominators, and nothing is rounded."""
    text = DICE.replace("weight 2 * n + bold", "weight 1000003 * n + place[turn]")
    twin = depth_limited(gdl.loads(text).game, depth=6)
    assert depth_limited(on("wasm", gdl.loads(text).game), depth=6) == twin
    with pytest.raises(Refusal, match="its numbers become too large"):
        for _ in CompiledEngine(game := gdl.loads(text).game, game.initial(), "wasm").search(VECTORS).search(6):
            pass


def test_a_fault_is_told_as_the_twin_tells_it() -> None:
    text = DICE.replace("pot: 1..40 = 1", "pot: 1..10 = 1")
    told = []
    for game in (gdl.loads(text).game, on("wasm", gdl.loads(text).game)):
        with pytest.raises(GameError) as fault:
            depth_limited(game, depth=8)
        told.append(str(fault.value))
    assert told[0] == told[1]
    assert "pot" in told[0]


def for_each(game: str) -> str:
    """The race, with an evaluation that does not sum to zero as the utilities do."""
    return game.replace("    1/2 * (place[Ann] - place[Bob])", "    each p: place[p]")


@pytest.mark.parametrize("text", [COINS, for_each(RACE)], ids=["utilities", "evaluation"])
def test_two_players_without_a_constant_sum(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alpha-beta does not suit them."""
    twin = depth_limited(gdl.loads(text).game, depth=6)
    monkeypatch.setattr(cut_off, "_run_deepening", only_compiled)
    assert depth_limited(on("wasm", gdl.loads(text).game), depth=6) == twin

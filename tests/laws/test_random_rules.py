"""Whatever rules are written at random: every engine plays, counts and draws as the interpreter does.

`random_rules` writes the games; `PYTHONPATH=tests/support python tests/laws/test_random_rules.py 1000 2000` tries those of many more seeds.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

import pytest
from both_engines import ENGINES, said, told_alike
from compiled_counts import playouts, states
from random_rules import written
from sampling import one_in

import gdl
from gdl.commands.engines import offer
from gdl.compiler.searches.perft import perft
from gdl.errors import GameError, LimitReached, Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.states import count
from gdl.states.count import StateCount
from gdl.states.explore import moves
from gdl.states.playouts import playouts as twin

SEEDS = range(16)
PLAYS, PLIES = 2, 10
STATES = 100
SOLVED = 300  # states of a game that is solved, at most
WAYS = 2_000  # no more are counted
LONG = 60  # plies; games with longer plays are not played at random to their end


@lru_cache(32)
def game(seed: int, plain: bool = False) -> RulesGame | None:
    """The game of that seed, if it is one that the compiled engine takes."""
    with suppress(GameError, Refusal):
        found = gdl.loads(written(seed, plain), f"random {seed}").game
        assert isinstance(found, RulesGame)
        perft(found, found.initial(), 0, "python")
        return found
    return None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_is_told_alike(seed: int):
    found = game(seed)
    if found:
        told_alike(found, range(PLAYS), PLIES)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_engine_counts_the_same(seed: int):
    pytest.importorskip("wasmtime")
    found = game(seed)
    for plies in range(4 if found else 0):
        ways = told(lambda plies=plies: count.perft(found, plies))
        assert {told(lambda e=e, plies=plies: perft(found, found.initial(), plies, e)) for e in ENGINES} == {ways}
        if isinstance(ways, str) or ways > WAYS:
            break


@pytest.mark.thorough_of("10", "1")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_engine_finds_the_same_states(seed: int):
    pytest.importorskip("wasmtime")
    found = game(seed)
    with suppress(Refusal):  # of what the compiled engine does not number
        if found:
            one, other = (told(lambda e=e: states(found, found.initial(), e, STATES)) for e in ENGINES)
            assert one == other
            assert one == told(lambda: count.states(found, STATES)) or isinstance(one, str)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_engine_plays_the_same_at_random(seed: int):
    pytest.importorskip("wasmtime")
    found = game(seed)
    if found and ends(found):
        played = {repr(told(lambda e=e: playouts(found, found.initial(), 5, seed, e, counts=True))) for e in ENGINES}
        assert played == {repr(told(lambda: twin(found, 5, seed, counts=True)))}


SEARCHES: dict[str, dict[str, Any]] = {  # solvers that have searches on the compiled engine, with the work asked for
    "alpha-beta": {}, "proof-number": {}, "retrograde": {},
    "depth-limited": {"depth": 3}, "mcts": {"simulations": 40, "seed": 3},
}  # fmt: skip


@pytest.mark.one_in(7)
@pytest.mark.parametrize("seed", one_in(2, SEEDS))
@pytest.mark.parametrize("solver", SEARCHES)
def test_every_search_answers_the_same(solver: str, seed: int):
    """On the kernels as on their readable twins, where these accept the game; of ties the order is the search's."""
    pytest.importorskip("wasmtime")
    found = game(seed, plain=True)
    if found is None or not isinstance(told(lambda: count.states(found, SOLVED)), StateCount):
        return
    with suppress(Refusal):
        twin = told(lambda: essence(solve(found, solver, **SEARCHES[solver])))
        for engine in ENGINES:
            offered = offer(found, engine)
            assert told(lambda game=offered: essence(solve(game, solver, **SEARCHES[solver]))) == twin


def essence(solution: Solution) -> tuple[Any, ...]:
    """The answer that every engine gives."""
    cut_off = solution.solver == "depth-limited"  # what its order skips decides whether it met an end everywhere
    return solution.value, set(solution.best), cut_off or solution.exact


def told(work: Callable[[], Any]) -> Any:
    """The result of a call; of a fault only the first line of its message, as searches do not all meet it by the same
    play."""
    try:
        found = said(work)
        return found.splitlines()[0] if isinstance(found, str) else found
    except LimitReached as stop:
        return str(stop), stop.partial if isinstance(stop.partial, StateCount) else None


def ends(found: RulesGame) -> bool:
    """True if some random plays soon come to an end, or to a fault."""
    for seed in range(10):
        chosen, state = random.Random(seed), found.initial()
        with suppress(GameError):
            for _ in range(LONG):
                options = moves(found.node(state))
                if not options:
                    break
                state = found.successor(state, chosen.choice(options))
            else:
                return False
    return True


TESTS = (
    test_every_position_is_told_alike,
    test_every_engine_counts_the_same,
    test_every_engine_finds_the_same_states,
    test_every_engine_plays_the_same_at_random,
    *(partial(test_every_search_answers_the_same, solver) for solver in SEARCHES),
)

if __name__ == "__main__":
    for number in range(*map(int, sys.argv[1:])):
        for test in TESTS:
            try:
                test(number)
            except Exception as wrong:
                print(number, test, type(wrong).__name__, str(wrong)[:300], flush=True)

"""Counterfactual regret minimisation by kernel code has the numbers of the reference implementation, to the bit."""

import random
from array import array
from math import inf

import pytest
from broken_engine import loading
from games_by_hand import (
    Leduc,
    LiarsDice,
    dealt,
    inspection,
    kuhn,
    matching_pennies,
    minority,
    prisoners,
    stoc94,
    two_roads,
)
from installed import without_wing

import gdl
from gdl.compiler import wasm
from gdl.errors import Refusal
from gdl.solvers.equilibria import payoffs
from gdl.solvers.equilibria.cfr import CFR
from gdl.solvers.equilibria.payoffs import Payoffs
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret_minimisation import KEPT, ReferenceMinimiser
from gdl.solvers.equilibria.sequences import sequences
from gdl.wings.hidden.regret_minimisation import METHODS, CompiledMinimiser

ENGINES = ["python", *(["wasm"] if wasm.available() else [])]
GAMES = {
    "kuhn": kuhn(),
    "pennies": matching_pennies(),
    "stoc94": stoc94(),
    "inspection 3, 1": inspection(3, 1),
    "leduc with two ranks": Leduc(2),
    "liar's dice with two sides": LiarsDice(2),
    "minority": minority(),
    "two roads": two_roads(),
    "prisoners": prisoners(),
    **{f"dealt {seed}": dealt(random.Random(seed), zero_sum=seed % 2 == 0) for seed in range(6)},
}


def numbers(minimiser):
    """The bytes of all numbers after some iterations, and the payoffs of the averages."""
    minimiser.run(40, inf)
    judged = minimiser.judge_average(10**6) if minimiser.table.amounts else None
    return {name: array("d", minimiser.numbers[name]).tobytes() for name in KEPT}, judged


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_engine_has_the_bytes_of_the_reference(monkeypatch, game, method):
    several = len(game.players) > 1
    monkeypatch.setattr(payoffs, "MANY_ENDS", 1 if several else inf)
    table = Payoffs(sequences(explore(game)), narrow=True).table()
    expected = numbers(ReferenceMinimiser(table, method))
    assert several == (expected[1] is not None)
    for engine in ENGINES:
        assert numbers(CompiledMinimiser(table, method, engine)) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
def test_answers_are_those_of_the_reference(method):
    game = gdl.load("leduc")
    expected = CFR.run(game, method=method, iterations=30)
    with without_wing("hidden"):
        assert CFR.run(game, method=method, iterations=30) == expected


def test_without_webassembly(monkeypatch):
    """Where WebAssembly fails the code runs as Python, and the answer says so; the numbers are the same."""
    pytest.importorskip("wasmtime")
    expected = CFR.run(kuhn(), iterations=20)
    loading(monkeypatch)
    answer = CFR.run(kuhn(), iterations=20)
    assert answer.strategy == expected.strategy
    assert "no such library" in answer.notes[-1]
    assert "report" in answer.notes[-1]


def test_too_little_memory(monkeypatch):
    pytest.importorskip("wasmtime")
    monkeypatch.setattr("gdl.wings.hidden.regret_minimisation.wasm.ADDRESSES", 10)
    with pytest.raises(Refusal, match="would need"):
        CFR.run(kuhn(), iterations=20)

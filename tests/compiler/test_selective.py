"""A selective search finds good actions sooner; what it proves is so, and what a pass leads to is nobody's fault."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from shipped import shipped

import gdl
from gdl.commands.engines import offer
from gdl.compiler.lower import lower
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Decision
from gdl.solution import Solution
from gdl.solvers.budget import SearchLimits
from gdl.solvers.minimax.cut_off import depth_limited

pytest.importorskip("wasmtime")

# Whoever moved last may not move again, and the rules say so by a fault.
TURNS = """
game "Turns"
players Ann, Bob
state
    left: 0..40 = 17
    last: Player?
action take(n: 1..3) when n <= left
    left := left - n - (if last = mover then first k in 1..2: k > 2 else 0)
    last := mover
terminal
    no actions and left = 0 -> lose mover
    no actions -> draw
evaluate
    0.01 * (if mover = Ann then left mod 4 else -(left mod 4))
    quiet: 1
"""


def searched(game: Any, state: Any, nodes: int, engine: str = "wasm", selective: bool = True) -> PrincipalVariation:
    search = PrincipalVariation(game, state, engine, nodes, forgets=True, quiescent=True, selective=selective)
    for _ in search.deepen(None):
        pass
    search.take_unfinished()
    return search


@pytest.mark.thorough
def test_it_looks_as_deep_with_fewer_positions() -> None:
    game = shipped("chess")
    made = []
    for selective in (False, True):
        search = PrincipalVariation(game, game.initial(), "wasm", forgets=True, quiescent=True, selective=selective)
        list(search.deepen(6))
        made.append(search.nodes)
    assert made[1] * 2 < made[0]


@pytest.mark.thorough
def test_both_engines_search_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.compiler.searches.principal_variation.RANDOM_PLIES", 200)
    game: Any = gdl.load("chess", position="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    alike = []
    for engine in ("wasm", "python"):
        search = searched(game, game.initial(), 1_000, engine)
        assert search.answer is not None
        alike.append((search.answer.value, search.answer.best, search.answer.depth, search.nodes))
    assert alike[0] == alike[1]


@pytest.mark.thorough
def test_a_win_that_it_tells_is_one() -> None:
    """Such a value is only ever that of an end: the plain search finds it too, within twice as many plies, as every
    second may be one of those that a threat adds."""
    game: Any = gdl.load("chess", position="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    plain, selective = (
        PrincipalVariation(game, game.initial(), "wasm", forgets=True, quiescent=True, selective=which)
        for which in (False, True)
    )
    random, told = Random(3), 0
    for _ in range(30):
        state = game.initial()
        for _ in range(random.randrange(3, 12)):
            node = game.node(state)
            if isinstance(node, Decision):
                state = game.successor(state, random.choice(node.actions))
        if not isinstance(game.node(state), Decision):
            continue
        found = until_won(selective, state, 3)
        if found in (-1, 1):
            told += 1
            assert until_won(plain, state, 6) == found
    assert told > 3


def until_won(search: PrincipalVariation, state: Any, depth: int) -> Any:
    """The value, so many plies deep at most."""
    search.restart(state)
    for _ in search.deepen(depth):
        if search.answer is not None and search.answer.value in (-1, 1):
            break
    assert search.answer is not None
    return search.answer.value


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "tells"), [("chess", True), ("minichess", True), ("kalah", False), ("checkers", False)]
)
def test_which_rules_tell_a_threat(name: str, tells: bool) -> None:
    """Only where the ends of those who can do nothing differ."""
    game: Any = gdl.load(name)
    assert ("stuck" in lower(game.model, game).module.functions) == tells


def test_a_fault_after_a_pass_is_none_of_the_game() -> None:
    made: Any = gdl.loads(TURNS).game
    with pytest.raises(GameError, match="none"):  # the selective search alone meets it
        searched(made, made.initial(), 100_000)
    game = offer(made, "wasm")
    assert answered(game, selective=True) == answered(game, selective=False)


def answered(game: Any, selective: bool) -> tuple[Any, Any]:
    try:
        found = depth_limited(game, SearchLimits(nodes=5_000), selective=selective)
    except LimitReached as stop:
        assert isinstance(stop.partial, Solution)
        found = stop.partial
    return found.value, found.best[0]


def test_without_quiet_play_it_is_refused() -> None:
    with pytest.raises(Refusal, match="needs `quiet:` in `evaluate`, which Othello does not have"):
        depth_limited(shipped("othello"), SearchLimits(nodes=100), selective=True)

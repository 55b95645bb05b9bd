"""A search that is stopped in the middle of a depth tells what it has found there."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from shipped import shipped

import gdl
from gdl.commands.engines import offer
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.errors import LimitReached
from gdl.solution import Solution
from gdl.solvers.budget import SearchLimits
from gdl.solvers.minimax.cut_off import depth_limited
from gdl.solvers.minimax.long_run import UNFINISHED

pytest.importorskip("wasmtime")

MANY_CAPTURES = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.thorough
def test_an_unfinished_depth_tells_what_it_has_found() -> None:
    """An action that was better when the search was stopped: one that goes on to the next depth finds no less."""
    game = shipped("breakthrough")
    search = PrincipalVariation(game, game.initial(), "wasm")
    better = 0
    for seed in range(40):
        random, state = Random(seed), game.initial()
        for _ in range(14):
            state = game.successor(state, random.choice(game.node(state).actions))
        finished = at_once(search, state, 7000, None)
        search.take_unfinished()
        found = search.answer
        assert finished is not None
        assert found is not None
        if found.best != finished.best:
            better += 1
            deeper = at_once(search, state, 1_000_000, (finished.depth or 0) + 1)
            assert deeper is not None
            assert deeper.value >= found.value if game.node(state).player == 0 else deeper.value <= found.value
    assert better


def at_once(search: PrincipalVariation, state: Any, nodes: int, depth: int | None) -> Any:
    """The result of a search that begins at a state with an empty table."""
    search.most = nodes
    search.restart(state)
    search.module["table_clear"]()
    for _ in search.deepen(depth):
        pass
    return search.answer


@pytest.mark.thorough
def test_the_first_depth_need_not_be_finished() -> None:
    """Search on to quiet positions takes some 400 nodes at the first ply here."""
    with pytest.raises(LimitReached) as stopped:
        depth_limited(offer(gdl.load("chess", position=MANY_CAPTURES), "wasm"), SearchLimits(nodes=350))
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.best
    assert partial.line[:1] == partial.best
    assert UNFINISHED in partial.notes


@pytest.mark.thorough
def test_exchanges_are_not_followed_for_long() -> None:
    """Followed for sixteen plies they took 84,000 nodes at the first ply, where 48 actions are legal."""
    assert depth_limited(offer(gdl.load("chess", position=MANY_CAPTURES), "wasm"), depth=1).nodes < 10_000


@pytest.mark.thorough
def test_depths_that_take_no_time_are_interrupted() -> None:
    """Once mate is found a hundred more depths take some milliseconds each: `stop` came 0.3 seconds late there."""
    game = gdl.load("chess", position="k7/8/1K6/8/8/8/8/6Q1 w - - 0 1")

    def stop(nodes: int) -> None:
        raise LimitReached("stopped")

    with pytest.raises(LimitReached) as stopped:
        depth_limited(offer(game, "wasm"), SearchLimits(progress=stop), depth=120, selective=True)
    assert isinstance(stopped.value.partial, Solution)
    assert (stopped.value.partial.depth or 0) < 60

"""A search that deepens ends before its time where the best action has long been the same."""

from __future__ import annotations

from collections.abc import Generator
from types import SimpleNamespace

import pytest
from late_clock import clock_replaced
from shipped import shipped

from gdl.commands.engines import offer
from gdl.errors import LimitReached
from gdl.solvers import solve
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.minimax.cut_off import FlexibleDeadline, depth_limited, until_decided


@pytest.mark.parametrize(
    ("best", "looks"),
    [
        ("abcdefghijkl", 10),  # the whole time, of ten looks
        ("aaaaaaaaaaaa", 4),  # 0.35 of it
        ("abcdaaaaaaaa", 7),  # two depths have kept it then
        ("aabbccddeeff", 8),
    ],
)
def test_the_longer_the_best_has_been_the_same_the_sooner(best: str, looks: int) -> None:
    now = 0.0
    search = SimpleNamespace(answer=None)
    clock = FlexibleDeadline(1.0)
    clock.end = 1.0
    ended = []

    def deepening() -> Generator[None, None, None]:
        nonlocal now
        try:
            for depth, action in enumerate(best, 1):
                now += 0.1000001
                search.answer = SimpleNamespace(depth=depth, best=(action,))
                yield
        finally:
            ended.append(now)

    with clock_replaced(lambda: now):
        assert sum(1 for _ in until_decided(search, deepening(), Budget(None, clock))) == looks
    assert len(ended) == 1


def test_another_clock_is_spent() -> None:
    search = SimpleNamespace(answer=SimpleNamespace(depth=1, best=("a",)))
    for time in (None, 1e-9):
        assert sum(1 for _ in until_decided(search, (None for _ in range(9)), Budget(None, time))) == 9


@pytest.mark.thorough
def test_an_answer_that_is_decided_is_no_limit() -> None:
    pytest.importorskip("wasmtime")
    game = offer(shipped("breakthrough"), "wasm")
    with pytest.raises(LimitReached):
        depth_limited(game, SearchLimits(time=0.1))
    found = solve(game, "depth-limited", time=FlexibleDeadline.starting_now(1.0))
    assert found.best
    assert not found.exact

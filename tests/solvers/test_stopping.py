"""Tree search that stops before its limit: the same action where it is decided, and where the value of going on is low."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from shipped import shipped

from gdl.commands.engines import offer
from gdl.errors import Refusal
from gdl.solvers import solve
from gdl.solvers.mcts import stopping
from gdl.solvers.mcts.stopping import Enough, Stopping


class Node:
    """A node of a tree, with visits and the mean of the first of two players."""

    def __init__(self, visits: int, mean: float = 0.0, children: tuple[Node | None, ...] = (), proven: Any = None):
        self.N, self.W, self.children, self.proven = visits, [visits * mean, -visits * mean], children, proven


class Grown(NamedTuple):
    """A tree that has grown by so many simulations."""

    root: Any
    simulations: int


def is_enough(rule: Any, done: int, wanted: int, *children: Node | None) -> bool:
    root = Node(done, 0.0, children)
    try:
        Stopping(shipped("tic_tac_toe"), rule, wanted, None).look([Grown(root, done)])
    except Enough:
        return True
    return False


def test_it_is_decided_where_nobody_can_catch_up():
    assert is_enough("decided", 100, 150, Node(76), Node(24))
    assert not is_enough("decided", 100, 160, Node(76), Node(24), None)
    assert is_enough("decided", 100, 160, Node(76), Node(12), Node(12), None)
    assert not is_enough("decided", 5, 6, Node(5), None)  # too few visits say nothing
    assert not is_enough("decided", 100, 101, Node(100, proven=(1, -1)), None)


def test_the_value_of_a_simulation_falls_with_visits_and_with_the_gap():
    assert not is_enough("value", 200, 10_000, Node(100, 0.1), Node(100, 0.0))
    assert is_enough("value", 4000, 10_000, Node(3000, 0.9), Node(1000, -0.5))
    assert not is_enough("value", 3001, 10_000, Node(3000, 0.9), Node(1, -0.5))


@pytest.mark.parametrize("rule", ["decided", "value"])
def test_every_engine_stops_at_the_same_simulation(rule: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stopping, "COST", 0.05)
    for engine in ("interpreter", "wasm"):
        game = offer(shipped("tic_tac_toe"), engine)
        early, late = (solve(game, "mcts", simulations=100, seed=0, stop=stop) for stop in (rule, None))
        assert (early.leaves, late.leaves) == ({"decided": 90, "value": 80}[rule], 100)
        assert early.best == late.best


def test_two_trees_stop_together():
    found = solve(offer(shipped("tic_tac_toe"), "wasm"), "mcts", simulations=800, seed=3, stop="decided", threads=2)
    assert found.leaves < 800


def test_where_utilities_have_no_bounds_the_value_is_not_known(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stopping, "surely_at", lambda game, state: ((None, None), (None, None)))
    with pytest.raises(Refusal, match="--stop value needs utilities with bounds"):
        solve(shipped("tic_tac_toe"), "mcts", simulations=10, stop="value")

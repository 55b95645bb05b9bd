"""The verifier where two numbers are equal: on which side of a condition a tie falls."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

import gdl
from gdl.solvers.beliefs.signals import signals, unintuitive
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.verify import verify

SIGNALS = dedent("""\
    players S, R
    tree
        chance
            one 1/2: S in one
                a: R in a (x: (2, 0), y: (1, -1))
                b: R in b (l: ({one}, 1), r: (0, 0))
            two 1/2: S in two
                a: R in a (x: (2, 0), y: (1, -1))
                b: R in b (l: ({two}, 0), r: (0, 1))
""")


@pytest.mark.parametrize(
    ("one", "two", "passes"),
    [
        pytest.param(3, 1, False, id="one-would-gain"),
        pytest.param(2, 1, True, id="one-would-get-as-much"),
        pytest.param(3, 2, True, id="two-could-get-as-much"),
    ],
)
def test_the_intuitive_criterion(one: int, two: int, passes: bool) -> None:
    """Both types send a, and get 2. Who hears b replies r, believing that type two sent it."""
    game: Any = gdl.loads(SIGNALS.format(one=one, two=two)).game
    positions = explore(game)
    rows = [(1, 0) if "a" in found.actions or found.name == "a" else (0, 1) for found in positions.information_sets]
    assert (not list(unintuitive(signals(positions), rows))) is passes
    even = {"one > a": "1/2", "two > a": "1/2"}
    told = {
        "game": game.name,
        "concept": "intuitive",
        "exact": True,
        "equilibria": [{"S": {"one": {"a": 1}, "two": {"a": 1}}, "R": {"a": {"x": 1}, "b": {"r": 1}}}],
        "beliefs": [{"S": {"one": {"one": 1}, "two": {"two": 1}}, "R": {"a": even, "b": {"two > b": 1}}}],
    }
    verdict = verify(game, told)
    assert verdict.ok is passes, verdict.lines


@pytest.mark.parametrize(("b", "ok"), [(2, True), (5, True), (3, False)])
def test_ties_may_be_broken_in_any_way(b: int, ok: bool) -> None:
    game = gdl.loads("players A, B\ntree\n    A (l: (1, 2), r: (1, 5), s: (0, 3))\n").game
    told = {"game": game.name, "solver": "maxn", "exact": True, "value": {"A": 1, "B": b}}
    assert verify(game, told).ok is ok

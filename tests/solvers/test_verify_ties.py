"""The verifier where two numbers are equal: on which side of a condition a tie falls."""

from __future__ import annotations

import json
from textwrap import dedent
from typing import Any

import pytest
from games_by_hand import bimatrix

import gdl
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.beliefs.signals import signals, unintuitive
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.verify import verify
from gdl.solvers.verify.complete import find_undominated_cell
from gdl.solvers.verify.plans import VerifierPlans
from gdl.solvers.verify.position_graph import collect
from gdl.solvers.verify.value import compare_interval

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


def test_of_two_players_perfection_is_shown() -> None:
    game = gdl.load("stag_hunt")
    assert verify(game, to_object(solve(game, concept="perfect"))).status("concept") is True


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        pytest.param([[4, 0], [0, 4], [2, 2]], [[1, 0], [1, 0], [0, 9]], id="as-good-as-a-mixture"),
        pytest.param([[1, 0], [0, 0]], [[1, 0], [0, 1]], id="weakly"),
    ],
)
def test_only_what_is_always_worse_is_dominated(rows: Any, columns: Any) -> None:
    table = VerifierPlans(collect(bimatrix(rows, columns), 100).positions).table
    assert find_undominated_cell(table, [len(rows), 2]) is None


def test_combinations_that_are_never_drawn_may_be_listed_and_ends_of_the_table_are_enclosed() -> None:
    game = gdl.load("chicken")
    told = json.loads(json.dumps(to_object(solve(game, concept="correlated")), default=str))
    told["distribution"].append({"profile": {"Ann": "go_on", "Bob": "go_on"}, "probability": 0})
    told["equilibria"] = [{"distribution": told["distribution"]}]
    paid = list(VerifierPlans(collect(game, 100).positions).table.values())
    for player, name in enumerate(game.players):
        column = [vector[player] for vector in paid]
        told.setdefault("interval", {})[name] = [min(column), max(column)]
    verdict = verify(game, told)
    assert verdict.ok and verdict.status("interval") is True, verdict.lines


@pytest.mark.parametrize(("together", "ok"), [(0, True), (1, False)])
def test_a_mutant_that_does_as_well_is_not_resisted(together: int, ok: bool) -> None:
    """Half of the second and half of the third may do as well against themselves as the first does against them."""
    rows = [[0, 0, 0], [0, -1, together], [0, together, -1]]
    game = bimatrix(rows, rows)
    first = {"Row": {"r1": 1}, "Column": {"c1": 1}}
    told = {"game": game.name, "concept": "evolutionary", "exact": True, "equilibria": [first]}
    assert verify(game, told).ok is ok


@pytest.mark.parametrize(
    ("ends", "known", "ok"),
    [
        pytest.param((1, 2), (1, 2), True, id="the-same"),
        pytest.param((1, 1), (1, 1), True, id="a-point"),
        pytest.param((2, 3), (1, 2), None, id="they-meet-above"),
        pytest.param((0, 1), (1, 2), None, id="they-meet-below"),
        pytest.param((2, 1), (1, 2), False, id="turned-round"),
        pytest.param((3, 4), (1, 2), False, id="apart"),
    ],
)
def test_an_interval_beside_what_is_known(ends: tuple[int, int], known: tuple[int, int], ok: bool | None) -> None:
    assert compare_interval("A", ends, known).ok is ok

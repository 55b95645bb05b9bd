"""Whatever stops a solver of a listed tree or matrix, what its payoffs prove remains."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

import gdl
from gdl.game import Game, exact
from gdl.solvers import CONCEPTS, SOLVERS
from gdl.solvers.budget import partial_answer
from gdl.solvers.secured import bounds_of_ends, bounds_of_shares, security_levels


def _matrix(rows: list[list[int]]) -> Game[Any]:
    head = "players A, B\nmatrix\n      " + " ".join(f"c{k}" for k in range(len(rows[0])))
    return gdl.loads("\n".join([head, *(f"    r{j} " + " ".join(map(str, row)) for j, row in enumerate(rows))])).game


def _tree(depth: int, chance: Random) -> str:
    if depth == 0:
        return f"({chance.randint(0, 99)}, {chance.randint(0, 99)})"
    return f"{'AB'[depth % 2]}({_tree(depth - 1, chance)}, {_tree(depth - 1, chance)})"


def _three(pays: Callable[[tuple[str, ...]], tuple[int, ...]]) -> Game[Any]:
    lines = (f"    {', '.join(joint)}: {pays(joint)}" for joint in product("yn", repeat=3))
    return gdl.loads("players A, B, C\nmatrix\n" + "\n".join(lines)).game


@pytest.mark.parametrize("seed", range(10))
def test_security_levels_are_those_of_the_definition_and_enclose_the_value(seed: int) -> None:
    chance = Random(seed)
    wide, high = chance.randint(1, 6), chance.randint(1, 6)
    rows = [[chance.randint(-9, 9) for _ in range(wide)] for _ in range(high)]
    game = _matrix(rows)
    columns = list(zip(*rows, strict=True))
    low = max(max(map(min, rows)), exact(min(Fraction(sum(column), high) for column in columns)))
    least_high = min(min(map(max, columns)), exact(max(Fraction(sum(row), wide) for row in rows)))
    found = partial_answer(game, "nash", None, "stopped")
    assert found.interval == ((low, least_high), (-least_high, -low))
    value = gdl.solve(game, "nash").value
    assert value is not None and low <= value[0] <= least_high
    (_, row), (_, column) = security_levels(game)
    assert not row or min(rows[int(row[1:])]) == low
    assert not column or max(columns[int(column[1:])]) == least_high
    assert row in str(found.notes) and column in str(found.notes)


@pytest.mark.parametrize("seed", range(6))
def test_every_concept_pays_what_its_bounds_allow(seed: int) -> None:
    chance = Random(seed)
    game = _three(lambda _: tuple(chance.randint(-5, 9) for _ in "ABC"))
    asked = {"nash", "correlated", "coarse-correlated", "welfare", "coalition", "perfect"}
    for concept in asked.intersection(CONCEPTS):
        value, interval = (
            gdl.solve(game, concept=concept).value,
            partial_answer(game, concept, None, "stopped").interval,
        )
        assert interval is not None
        for paid, (low, high) in zip(value or (), interval, strict=bool(value)):
            assert low is not None and high is not None and low <= paid <= high, (concept, paid, low, high)


def test_shares_of_a_coalition_may_be_more_than_any_end_pays() -> None:
    pytest.importorskip("gdl.wings.theory")
    game = _three(lambda joint: (int(joint[0] == "y"),) * 3)
    value = gdl.solve(game, concept="coalition").value
    assert value is not None and value[0] > 1 == max(high or 0 for _, high in bounds_of_ends(game))
    assert bounds_of_shares(game) == ((0, 3),) * 3


STOPPED = {"subgame-perfect", "commitment", "proper", "quantal", "global-newton", "maxn"}


@pytest.mark.parametrize("solver", sorted(STOPPED.intersection(SOLVERS)))
def test_a_stopped_solver_of_a_tree_tells_what_ends_pay(solver: str) -> None:
    game = gdl.loads("players A, B\ntree " + _tree(7, Random(8))).game
    found = gdl.solve(game, solver, nodes=3)
    assert found.limit is not None and found.interval is not None
    for (low, high), (least, most) in zip(found.interval, bounds_of_ends(game), strict=True):
        assert None not in (low, high, least, most) and least <= low <= high <= most  # type: ignore[operator]


def test_bounds_of_ends_are_the_least_and_the_most() -> None:
    payoffs = list(product((3, -4, 7), (1, 9)))
    game = gdl.loads("players A, B\ntree A(" + ", ".join(f"({a}, {b})" for a, b in payoffs) + ")").game
    assert bounds_of_ends(game) == ((-4, 7), (1, 9))

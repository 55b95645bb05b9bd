"""A table worked out as by hand: supports and paths come to the equilibria that the vertices have."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from games_by_hand import bimatrix

import gdl
from gdl.errors import LimitReached
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.worked import work_out_equilibria


def test_supports_of_one_size_find_every_equilibrium_of_a_game_that_is_not_degenerate() -> None:
    for seed in range(15):
        dice = random.Random(seed)
        rows, columns = ([[dice.randint(-9999, 9999) for _ in range(3)] for _ in range(4)] for _ in range(2))
        known = extreme_equilibria(rows, columns)
        found = work_out_equilibria(bimatrix(rows, columns))
        assert not known.degenerate and found.supports is not None
        mixes = {tried.mixes for tried in found.supports if tried.are_mixtures and tried.better is None}
        assert mixes == set(known.equilibria), seed
        assert {path[-1].mixes for path in found.paths.values()} <= mixes and len(found.paths) == 7


def test_each_pivot_gains_the_label_that_the_next_one_drops() -> None:
    for label, path in work_out_equilibria(gdl.load("rock_paper_scissors")).paths.items():
        assert path[0].dropped == label == path[-1].gained
        assert [each.gained for each in path[:-1]] == [each.dropped for each in path[1:]]


def test_equations_without_a_single_solution_and_probabilities_that_are_none_are_told() -> None:
    same = work_out_equilibria(bimatrix([[1, 1], [1, 1]], [[1, 0], [0, 1]])).supports
    assert same is not None and same[-1].mixes == ((Fraction(1, 2), Fraction(1, 2)), None)
    beer = work_out_equilibria(gdl.load("beer_quiche")).supports
    assert beer is not None
    tried = {each.plans: each for each in beer}[(0, 1), (1, 2)]
    assert tried.mixes[0] == (5, -4, 0, 0) and not tried.are_mixtures


def test_a_plan_outside_that_pays_more_is_named() -> None:
    tried = work_out_equilibria(gdl.load("matching_pennies")).supports
    assert tried is not None
    assert tried[0].plans == ((0,), (0,)) and tried[0].better == (1, 1)
    assert tried[-1].mixes == ((Fraction(1, 2), Fraction(1, 2)),) * 2 and tried[-1].better is None


def test_three_players_have_rounds_alone() -> None:
    found = work_out_equilibria(gdl.load("seltens_horse"))
    assert found.supports is None and not found.paths and len(found.payoffs) == 8


def test_a_large_table_is_not_worked_out() -> None:
    with pytest.raises(LimitReached):
        work_out_equilibria(gdl.load("kuhn"))

"""The logit curve of a table: the same payoffs and derivatives as by its positions."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod

import pytest

import gdl
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.logit import LogitCurve
from gdl.solvers.equilibria.positions import PositionGraph, explore
from gdl.solvers.equilibria.table_curve import TableCurve, curve_of


def random_table(widths: list[int], seed: int) -> PositionGraph:
    dice = random.Random(seed)
    players = " ".join(f'"P{p}"' for p in range(len(widths)))
    payoffs = " ".join(str(dice.randint(0, 20)) for _ in range(len(widths) * prod(widths)))
    text = f'NFG 1 R "T" {{ {players} }} {{ {" ".join(map(str, widths))} }}\n{payoffs}\n'
    return explore(gdl.loads(text, "t.nfg").game)


@pytest.mark.parametrize("widths", [[2, 3], [3, 2, 2], [2, 2, 3, 2]])
def test_payoffs_and_derivatives_are_those_of_the_positions(widths: list[int]) -> None:
    dice = random.Random(len(widths))
    positions = random_table(widths, 1)
    slow, fast = LogitCurve(positions, Budget()), curve_of(positions, Budget())
    assert isinstance(fast, TableCurve)
    point = [dice.uniform(-1, 1) for _ in range(slow.unknowns)] + [0.7]
    rows = slow.rows(point)
    for own, other in zip(slow.pays(rows), fast.pays(rows), strict=True):
        assert own == pytest.approx(other)
    for line, other in zip(slow.derivatives(point), fast.derivatives(point), strict=True):
        assert line == pytest.approx(other, abs=1e-4)


def test_slopes_of_gaps_are_computed_as_differences_would_show() -> None:
    positions = random_table([2, 3, 2], 3)
    slow, fast = LogitCurve(positions, Budget()), curve_of(positions, Budget())
    rows, mixed = [[0.25, 0.75], [0.5, 0.0, 0.5], [0.4, 0.6]], [(0, [0, 1]), (1, [0, 2]), (2, [0, 1])]
    assert slow.pay_gaps(rows, mixed) == pytest.approx(fast.pay_gaps(rows, mixed))
    for one, other in zip(slow.gap_slopes(rows, mixed), fast.gap_slopes(rows, mixed), strict=True):
        assert one == pytest.approx(other, abs=1e-4)


def test_what_nobody_plays_is_left_out_exactly() -> None:
    positions = random_table([2, 3, 2], 2)
    half, third, none = Fraction(1, 2), Fraction(1, 3), Fraction(0)
    rows = [[half, half], [third, none, 1 - third], [none, Fraction(1)]]
    slow, fast = LogitCurve(positions, Budget(), exactly=True), curve_of(positions, Budget(), exactly=True)
    assert slow.pays(rows) == fast.pays(rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["centipede", "kuhn"])
def test_trees_are_no_tables(name: str) -> None:
    assert not isinstance(curve_of(explore(gdl.load(name)), Budget()), TableCurve)

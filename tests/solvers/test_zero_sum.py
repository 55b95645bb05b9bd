"""Tables of two opponents: what floating point finds is proved exactly, or told with what it secures."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from installed import without_module

import gdl
from gdl.errors import LimitReached
from gdl.solvers.budget import Budget
from gdl.solvers.certificate import UNTIED
from gdl.solvers.equilibria import highs, zero_sum
from gdl.solvers.equilibria.simplex import minimax

Table = list[list[int]]


def random_table(seed: int, most: int, payoff: int) -> Table:
    dice = random.Random(seed)
    rows, columns = dice.randint(2, most), dice.randint(2, most)
    return [[dice.randint(-payoff, payoff) for _ in range(columns)] for _ in range(rows)]


def written(table: Table) -> str:
    """The table as a game file."""
    lines = [" " * 8 + " ".join(f"c{j}" for j in range(len(table[0])))]
    lines += [f"    r{i}  " + " ".join(map(str, row)) for i, row in enumerate(table)]
    return "\n".join(['game "T"', "players A, B", "", "matrix", *lines, ""])


@pytest.mark.parametrize("payoff", [1, 2, 50])  # small payoffs make degenerate tables
def test_values_and_mixtures_are_those_of_the_exact_simplex(payoff: int) -> None:
    for seed in range(40):
        table = random_table(seed, 7, payoff)
        found = zero_sum.optimal_mixtures(table, Budget())
        assert found is not None and found.low == found.high == minimax(table).value
        assert sum(found.row) == sum(found.column) == 1


@pytest.mark.skipif(not highs.is_installed(), reason="needs gdl[lp]")
@pytest.mark.parametrize("payoff", [3, 10**6])
def test_highs_and_the_own_simplex_give_the_same_value(payoff: int) -> None:
    dice = random.Random(payoff)
    table = [[dice.randint(-payoff, payoff) for _ in range(zero_sum.LARGE)] for _ in range(zero_sum.LARGE)]
    other = zero_sum.optimal_mixtures(table, Budget())
    with without_module("highspy"):
        own = zero_sum.optimal_mixtures(table, Budget())
    assert own is not None and other is not None and own.low == own.high == other.low == other.high


def test_a_large_table_is_solved_without_listing_its_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(5)
    table = [[dice.randint(-9, 9) for _ in range(25)] for _ in range(25)]
    monkeypatch.setattr("gdl.solvers.equilibria.sequence_form.explore_or_sample", None)
    answer = gdl.solve(gdl.loads(written(table)), solver="sequence-form")
    assert answer.exact and answer.value is not None and answer.value[0] == minimax(table).value
    assert answer.regret == (0, 0)


def test_what_is_stopped_before_the_proof_encloses_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise LimitReached("the time was over")

    table = random_table(3, 9, 50)
    monkeypatch.setattr(zero_sum, "prove_basis", stop)
    answer = gdl.solve(gdl.loads(written(table)), solver="sequence-form")
    assert answer.interval is not None and not answer.exact and answer.limit == "the time was over"
    low, high = answer.interval[0]
    assert low is not None and high is not None and low <= minimax(table).value <= high
    assert high - low <= Fraction(100, 10**9)


def test_moves_that_go_on_and_sums_that_vary_are_no_table() -> None:
    assert zero_sum.table_of_opponents(gdl.load("prisoners"), Budget(None)) is None
    assert zero_sum.table_of_opponents(gdl.load("tic_tac_toe"), Budget(None)) is None
    pennies = zero_sum.table_of_opponents(gdl.load("matching_pennies"), Budget(None))
    assert pennies is not None and pennies.total == 0


def test_a_second_row_as_good_as_the_first_is_told() -> None:
    tied, alone = (
        gdl.solve(gdl.loads(written(table)), solver="sequence-form") for table in ([[1, 2], [1, 3]], [[1, 2], [0, 1]])
    )
    assert (tied.best, alone.best) == (("r0",), ("r0",))
    assert UNTIED in tied.notes and UNTIED not in alone.notes
    assert tied.traits.constant_sum == 0


@pytest.mark.skipif(not highs.is_installed(), reason="needs gdl[lp]")
def test_a_large_table_that_is_stopped_leaves_a_narrow_interval() -> None:
    """The weights that HiGHS found are improved at its basis: to the last digits, whatever tolerance it kept."""
    for seed in range(5):
        dice, told = random.Random(seed), list[zero_sum.SecuredMixtures]()
        table = [[dice.randint(-50, 50) for _ in range(zero_sum.LARGE)] for _ in range(zero_sum.LARGE)]
        proved = zero_sum.optimal_mixtures(table, Budget(), told.append)
        assert proved is not None and all(one.low <= one.value <= one.high for one in told)
        assert all(one.low <= proved.value <= one.high for one in told)
        assert min(one.high - one.low for one in told) <= Fraction(1, 10**12)

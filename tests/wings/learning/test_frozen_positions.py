"""Positions by which a learned evaluation is judged: always the same ones, their values those of long search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

import gdl
from gdl.compiler.compiled_engine import by_rules
from gdl.interpreter.position import Continuation
from gdl.solvers import solve
from gdl.wings.learning import learned_strength
from gdl.wings.learning.learned_strength import FrozenPositions, freeze_positions


@dataclass
class Place:
    """A position that holds nothing but its number."""

    turn: int
    cells: list[int] = field(default_factory=list)


@dataclass
class Estimator:
    """An evaluation by a list of numbers, one for each position."""

    numbers: list[float]

    def estimate(self, turn: int, cells: Any) -> tuple[float, ...]:
        return (self.numbers[turn],)


def judged(values: list[float], numbers: list[float]) -> tuple[float, float]:
    return FrozenPositions([Place(k) for k in range(len(values))], values).judge(Estimator(numbers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("numbers", "right"), [([5.0, 6.0, 7.0, 8.0], 1.0), ([8.0, 7.0, 6.0, 5.0], 0.0), ([3.0] * 4, 0.5), ([0.0, 9.0, 1.0, 2.0], 0.5)]
)  # fmt: skip
def test_pairs_in_the_right_order_are_counted(numbers: list[float], right: float):
    """Values that lie close together say nothing of the order: here each of the first two is below each of the last."""
    assert judged([-1.0, -0.9, 0.9, 1.0], numbers)[0] == right


def test_the_error_is_that_of_a_sample():
    """Of 40 positions that are right each in half of the pairs or in all, the mean is known to a tenth or so."""
    values = [-1.0, 1.0] * 20
    right, error = judged(values, [value if k % 4 < 2 else 0.0 for k, value in enumerate(values)])
    assert right == 0.875 and 0.05 < error < 0.2
    assert judged([0.0, 0.0], [1.0, 2.0]) == (0.5, 0.5)


@pytest.mark.thorough
def test_positions_are_drawn_by_the_seed_and_valued_as_they_are_worth(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(learned_strength, "POSITIONS", 12)
    game, start = by_rules(gdl.load("tic_tac_toe"))
    frozen = freeze_positions(game, start, 3, 60_000)
    assert frozen == freeze_positions(game, start, 3, 60_000) and len({*frozen.states}) > 6
    assert [*frozen.states] != [*freeze_positions(game, start, 4, 60_000).states]
    for state, value in zip(frozen.states, frozen.values, strict=True):
        exact = solve(Continuation(game, state), "alpha-beta").value
        assert exact is not None and value == pytest.approx(exact[0], abs=0.25)

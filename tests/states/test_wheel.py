"""Outcomes are drawn with their exact probabilities, however fine these are."""

from collections import Counter, OrderedDict
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.game import Chance
from gdl.states import random_numbers
from gdl.states.random_numbers import Generator, draw_outcome


class Given:
    """Turns the wheel by numbers that are given."""

    def __init__(self, *numbers: int):
        self.numbers = list(numbers)

    def draw_below(self, count: int) -> int:
        return self.numbers.pop(0)


def test_each_sector_is_as_wide_as_its_outcome_is_probable():
    node = Chance((("a", Fraction(1, 2)), ("none", 0), ("b", Fraction(1, 3)), ("c", Fraction(1, 6))))
    assert [draw_outcome(node, Given(number)) for number in range(6)] == [0, 0, 0, 2, 2, 3]


@pytest.mark.parametrize(
    "finest", [Fraction(1, 10), Fraction(1, 10**9 + 7), Fraction(1, 2**61 - 1), Fraction(1, 7**40)]
)
def test_frequencies(finest: Fraction):
    node = Chance((("rare", finest), ("half", Fraction(1, 2)), ("rest", Fraction(1, 2) - finest)))
    generator = Generator(1)
    drawn = Counter(draw_outcome(node, generator) for _ in range(4000))
    assert drawn[1] == pytest.approx(2000, abs=150)
    assert drawn[0] == pytest.approx(4000 * finest, abs=80)


def test_a_wheel_of_many_outcomes_is_measured_once(monkeypatch: pytest.MonkeyPatch):
    measured = []
    monkeypatch.setattr(random_numbers, "_kept", OrderedDict())
    monkeypatch.setattr(
        random_numbers, "_sector_ends", lambda outcomes: measured.append(len(outcomes)) or [len(outcomes)]
    )
    many = [Chance(tuple((str(k), Fraction(1, size)) for k in range(size))) for size in (100, 101, 102, 103, 104)]
    generator = Generator(1)
    for node in (many[0], many[0], *many, many[4], many[0]):
        draw_outcome(node, generator)
    assert measured == [100, 101, 102, 103, 104, 100]


@pytest.mark.parametrize("count", [1, 2**31, 2**62, 2**62 + 1, 10**300])
def test_numbers_below(count: int):
    numbers = [Generator(seed).draw_below(count) for seed in range(200)]
    assert 0 <= min(numbers) <= max(numbers) < count
    assert count == 1 or min(numbers) < count // 10 < 9 * (count // 10) < max(numbers)


LARGE = """
game "Large weights"
players Ann
state
    shown: 0..3
    left: 0..3 = 3
start roll
chance roll(k: 0..3) weight if k = 0 then 1073741824 else 536870912
    shown := k
    left := left - 1
    if left = 0
        next Ann
    else
        next roll
action stop
    left := 0
terminal
    left = 0 -> shown
"""


@pytest.mark.thorough
@pytest.mark.parametrize("line", ["playouts --count 100", "solve --solver mcts --simulations 50"])
def test_large_weights_with_a_common_factor_are_drawn_alike_by_all_engines(line: str, tmp_path: Path) -> None:
    (tmp_path / "large.game").write_text(LARGE)
    command, *options = line.split()
    words = [command, str(tmp_path / "large.game"), *options, "--seed", "3", "--engine"]
    told = [CliRunner().invoke(commands, [*words, engine]).stdout for engine in ("wasm", "interpreter")]
    assert told[0] == told[1] != ""

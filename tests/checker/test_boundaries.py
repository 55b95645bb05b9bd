"""Where two numbers of a file are equal: on which side of a condition of the checker that falls."""

from __future__ import annotations

import pytest

import gdl
from gdl.checker.types import NUMBER, arithmetic_type
from gdl.errors import GameError
from gdl.model.domains import Range

COUNTER = """players A
state
    n: 1..3
action add when {condition}
    n := n mod 3 + 1
terminal
    n = 2 -> 1
    forever -> 0
"""


@pytest.mark.parametrize(
    ("condition", "never"),
    [
        ("n < 1", True), ("n < 2", False), ("n <= 0", True), ("n <= 1", False),
        ("n > 3", True), ("n > 2", False), ("n >= 4", True), ("n >= 3", False),
        ("n = 0", True), ("n = 1", False), ("n = 3", False), ("n = 4", True),
    ],
)  # fmt: skip
def test_comparisons_that_are_never_true(condition: str, never: bool) -> None:
    found = [problem.message for problem in gdl.loads(COUNTER.format(condition=condition)).warnings]
    assert any("is never" in message for message in found) is never


def test_a_probability_may_be_zero() -> None:
    game = gdl.loads("players A\ntree\n    chance(a 0: 1, b 1: 2)\n").game
    assert game.node(game.initial()).outcomes == (("a", 0), ("b", 1))


def test_the_rest_of_a_probability_may_be_zero() -> None:
    assert gdl.loads("players A\ntree\n    chance(a ?p: 1, b 1: 2, c: 3)\n").game.traits.unknowns
    with pytest.raises(GameError) as wrong:
        gdl.loads("players A\ntree\n    chance(a ?p: 1, b 1: 2)\n")
    assert wrong.value.problems[0].note == ""


@pytest.mark.parametrize(
    ("sign", "divisor", "known"),
    [("mod", (0, 3), False), ("mod", (1, 3), True), ("div", (0, 3), False), ("div", (-3, 0), False), ("div", (-3, -1), True)],
)  # fmt: skip
def test_what_may_divide_by_zero_has_no_range(sign: str, divisor: tuple[int, int], known: bool) -> None:
    assert (arithmetic_type(sign, Range(0, 5), Range(*divisor)) is not NUMBER) is known


GAINS = """players A
state
    n: 0..1
action go
    reward 1 to A
    n := 1 - n
terminal
    n = 1 -> 0
discount {discount}
"""


def test_a_discount_is_above_0_and_at_most_1() -> None:
    assert gdl.loads(GAINS.format(discount="1")).warnings == ()
    with pytest.raises(GameError, match="above 0 and at most 1"):
        gdl.loads(GAINS.format(discount="0"))


def test_play_that_counts_in_full_ends() -> None:
    endless = GAINS.replace("terminal\n    n = 1 -> 0\n", "")
    assert gdl.loads(endless.format(discount="1/2")).warnings == ()
    with pytest.raises(GameError, match="never ends"):
        gdl.loads(endless.format(discount="1"))

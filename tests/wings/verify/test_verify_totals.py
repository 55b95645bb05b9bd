"""Totals of random games of two players, in which play can come back to a position and nothing is discounted: what is
solved is verified, and another value fails."""

from random import Random

import pytest
from verification import verify

import gdl
from gdl.errors import Refusal
from gdl.formats import answer
from gdl.solvers import solve


def written(seed: int) -> str:
    """The text of a random game: at each position a few actions of one player, with gains, chance, and where they
    lead."""
    draw = Random(seed)
    size = draw.choice([3, 4, 5, 6])
    movers = ["A", *(draw.choice("AB") for _ in range(1, size)), "A"]
    gains = draw.choice([[0, -1], [0, 1, -1], [-1, -2, 0, 0], [-1]])

    def lead(indent: str) -> list[str]:
        after = draw.randint(0, size)
        return [f"{indent}n := {after}", f"{indent}next {movers[after]}"]

    lines = ["players A, B", "state", f"    n: 0..{size}"]
    for n in range(size):
        for k in range(draw.choice([1, 2, 2, 3])):
            gain = draw.choice(gains)
            lines += [f"action a{n}{k} when n = {n}", f"    reward {gain} to A, {-gain} to B"]
            if draw.random() < 0.7:
                lines += lead("    ")
                continue
            lines += [f"    next c{n}{k}", f"chance c{n}{k}(h: 0..1)", "    if h = 0", *lead("        ")]
            lines += ["    else", *lead("        ")]
    end, price = draw.randint(-2, 2), draw.randint(-3, 3)
    lines += ["terminal", f"    n = {size} -> ({end}, {-end})"]
    return "\n".join([*lines, *([f"    forever -> ({price}, {-price})"] if seed % 3 else []), ""])


@pytest.mark.parametrize("seed", range(0, 100, 5))
def test_totals_stand_by_the_strategies(seed: int):
    game = gdl.loads(written(seed)).game
    try:
        found = solve(game)
    except Refusal as refused:
        assert "there is no total" in str(refused) or "needs to know what endless play" in str(refused)
        return
    right = answer.to_object(found)
    assert verify(game, right).ok
    if verify(game, right).status("value"):
        wrong = {**right, "value": {"A": 17, "B": -17}}
        assert verify(game, wrong).status("value") is False

"""Lemke's method on the sequence form: what it finds leaves nobody a better plan, by trying all of them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from games_by_hand import bimatrix, dealt, kuhn

import gdl
from gdl.formats.answer import to_object
from gdl.game import Chance, Terminal
from solvers import solve
from solvers.budget import Budget
from solvers.equilibria.positions import Positions, explore
from solvers.equilibria.regret import judge
from solvers.equilibria.sequence_lcp import equilibrium
from solvers.verify import verify


def worth(positions: Positions, rows: dict[int, Any], player: int) -> Fraction:
    """What a player gets, by plain recursion."""

    def of(position: int) -> Fraction:
        node, after = positions.nodes[position], positions.successors[position]
        if isinstance(node, Terminal):
            return Fraction(node.utilities[player])  # type: ignore[arg-type]
        row = [p for _, p in node.outcomes] if isinstance(node, Chance) else rows[positions.sets[position] or 0]
        return sum((p * of(a) for p, a in zip(row, after, strict=True) if p), Fraction(0))

    return of(0)


def test_nobody_has_a_better_plan_in_random_games_of_cards() -> None:
    for seed in range(25):
        positions = explore(dealt(random.Random(seed)))
        found = equilibrium(positions, Budget())
        assert found is not None, seed
        rows = dict(enumerate(found))
        for player in (0, 1):
            own = positions.sets_of(player)
            sizes = [len(positions.information_sets[h].actions) for h in own]
            got = worth(positions, rows, player)
            for plan in product(*map(range, sizes)):
                pure = {
                    h: [int(k == choice) for k in range(size)] for h, choice, size in zip(own, plan, sizes, strict=True)
                }
                assert worth(positions, rows | pure, player) <= got, (seed, player)


@pytest.mark.parametrize("game", [kuhn(), gdl.load("one_card_poker")], ids=["kuhn", "one card poker"])
def test_of_constant_sum_it_pays_the_value(game: Any) -> None:
    positions = explore(game)
    found = equilibrium(positions, Budget())
    assert found is not None
    assert judge(positions, found).value == solve(game, "sequence-form").value


AUCTION = """
game "First-price auction" (top = 4)
players Ann, Bob
state
    value[Player]: 0..top?  visible to owner
    bid[Player]: 0..top?  visible to none
start draw
chance draw(a: 0..top, b: 0..top)
    value[Ann] := a
    value[Bob] := b
    next Ann
action offer(n: 0..top) unseen
    bid[mover] := n
terminal
    bid[Bob] != none and bid[Ann] > bid[Bob] -> (value[Ann] - bid[Ann], 0)
    bid[Bob] != none and bid[Ann] < bid[Bob] -> (0, value[Bob] - bid[Bob])
    bid[Bob] != none -> ((value[Ann] - bid[Ann]) / 2, (value[Bob] - bid[Bob]) / 2)
"""


def test_an_auction_of_five_values() -> None:
    """3,125 plans of each: no table. Bids are half the value or less, as in the game with a continuum."""
    game = gdl.loads(AUCTION).game
    found = solve(game)
    assert found.solver == "nash" and found.exact and found.complete is None
    assert len(found.equilibria) == 1 and found.regret == (0, 0)
    assert verify(game, to_object(found)).ok


def test_a_table_that_is_allowed_is_preferred() -> None:
    game = bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    assert len(solve(game, "nash").equilibria) == 3
    assert len(solve(game, "nash", cells=3).equilibria) == 1

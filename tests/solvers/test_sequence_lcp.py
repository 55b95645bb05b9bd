"""Lemke's method on the sequence form: what it finds leaves nobody a better plan, by trying all of them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from games_by_hand import bimatrix, dealt, kuhn
from verification import verify

import gdl
from gdl.formats.answer import to_object
from gdl.game import Chance, Terminal
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import PositionGraph, explore
from gdl.solvers.equilibria.regret import judge
from gdl.solvers.equilibria.sequence_lcp import equilibrium


def worth(positions: PositionGraph, rows: dict[int, Any], player: int) -> Fraction:
    """A player's payoff, by plain recursion."""

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


TRADE = """
game "Trade"
players Ann, Bob
type Taste = reader, dandy
state
    taste[Player]: Taste visible to owner
    books: 0..1?
    hats: 0..2?
    asked: Boolean
    dealt: Boolean?
define worth(p: Player, b: 0..1, h: 0..2) = if taste[p] = reader then 6 * b + 2 * h else 2 * b + 4 * h
start draw
chance draw(a: Taste, b: Taste) as "{a}-{b}"
    taste[Ann] := a
    taste[Bob] := b
    next Ann
action offer(b: 0..1, h: 0..2) when books = none public
    books := b
    hats := h
action accept when books != none public
    dealt := true
action ask(b: 0..1, h: 0..2) when mover = Bob and not asked public
    books := b
    hats := h
    asked := true
action refuse when asked public
    dealt := false
terminal
    dealt = true -> (worth(Ann, 1 - books, 2 - hats), worth(Bob, books, hats))
    dealt = false -> (0, 0)
"""


@pytest.mark.slow
def test_a_trade_over_a_book_and_two_hats() -> None:
    """Deal or no deal (Lewis and others, 2017) with an answer to the first offer: 485 histories, too many plans."""
    game = gdl.loads(TRADE).game
    positions = explore(game)
    assert (len(positions.nodes), len(positions.sets_of(0)), len(positions.sets_of(1))) == (485, 74, 12)
    found = solve(game)
    assert len(found.equilibria) == 1 and found.regret == (0, 0) and found.payoffs == ((Fraction(7, 2), 8),)
    assert verify(game, to_object(found)).ok


@pytest.mark.slow
def test_cournot_with_thirteen_amounts() -> None:
    """Each replies to q with half of what is left: 4 and 4, and their neighbours as amounts are whole."""
    pays = [[max(0, 12 - i - j) * i for j in range(13)] for i in range(13)]
    game = bimatrix(pays, [list(column) for column in zip(*pays, strict=True)])
    found = solve(game)
    assert (4 * 4, 4 * 4) in found.payoffs and found.regret == (0, 0) and verify(game, to_object(found)).ok


def test_a_table_that_is_allowed_is_preferred() -> None:
    game = bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    assert len(solve(game, "nash").equilibria) == 3
    assert len(solve(game, "nash", cells=3).equilibria) == 1

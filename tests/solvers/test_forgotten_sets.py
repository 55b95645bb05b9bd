"""Games in which all forget: subgames that share an information set, and recall that is not perfect."""

from __future__ import annotations

import gdl
from gdl.solvers import solve
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.subgame_perfect import subgame_roots

FORGOTTEN = """
players Ann, Bob
state
    t: 0..2
    a[Player]: 0..2 visible to owner
start deal
chance deal(i: 0..1)
    a[Ann] := i
action act(n: 1..2)
    t := t + 1
    a[mover] := n
    forget
terminal
    t = 2 -> (if a[Ann] = a[Bob] then 1 else 0, 0)
"""
AT_ONCE = """
players Ann, Bob
state
    t: 0..2
    a[Player]: 0..1
start deal
chance deal(i: 0..1)
    a[Ann] := i
    next everyone
action act(n: 0..1)
    a[mover] := n
resolve
    t := t + 1
    forget
terminal
    t = 2 -> if a[Ann] = a[Bob] then 1 else 0
"""


def test_subgames_that_share_a_set_are_none() -> None:
    """Bob's set can be reached from both of Ann's positions, so neither begins a subgame; only ends and the start do."""
    game = gdl.loads(FORGOTTEN).game
    positions = explore(game)
    assert all(positions.sets[root] is None for root in subgame_roots(positions))
    found = solve(game, "subgame-perfect")
    assert found.regret == (0, 0)
    told = [repr(one) for one in found.equilibria]
    assert len(told) == len(set(told))


def test_all_payoffs_equal_list_nothing_twice() -> None:
    game = gdl.loads(FORGOTTEN.replace("if a[Ann] = a[Bob] then 1 else 0, 0", "0, 0")).game
    told = [repr(one) for one in solve(game, "subgame-perfect").equilibria]
    assert len(told) == len(set(told)) == 8


def test_recall_is_not_perfect_where_all_forget() -> None:
    """Ann's last move does not tell which of two earlier ones it follows, though every position is known."""
    game = gdl.loads(AT_ONCE).game
    assert game.traits.perfect_recall is False
    assert solve(game, "subgame-perfect").value[0] == solve(game).value[0]

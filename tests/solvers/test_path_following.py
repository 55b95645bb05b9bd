"""Paths of equilibria, held to the definition of an equilibrium, to supports, to published examples and to Gambit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from tables import random_table
from verification import verify

import gdl
from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria import nash
from gdl.solvers.equilibria.newton_paths import follow_rays
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.strategic_form import strategic_form

NINE = """players A, B, C
matrix
    1, 1, 1: (9, 8, 12)
    2, 1, 1: (0, 0, 0)
    1, 2, 1: (0, 0, 0)
    2, 2, 1: (9, 8, 2)
    1, 1, 2: (0, 0, 0)
    2, 1, 2: (3, 4, 6)
    1, 2, 2: (3, 4, 6)
    2, 2, 2: (0, 0, 0)
"""


def test_the_nine_equilibria_of_mckelvey_and_mclennan() -> None:
    game = gdl.loads(NINE).game
    found = solve(game, "global-newton")
    assert len(found.equilibria) == 9 and found.exact and found.complete is None
    assert {repr(one) for one in found.equilibria} == {repr(one) for one in solve(game, "nash").equilibria}
    assert verify(game, to_object(found)).ok


@pytest.mark.parametrize("sizes", [(2, 2), (3, 4), (2, 3, 2), (3, 3, 3), (2, 2, 2, 2)])
def test_what_a_path_meets_is_an_equilibrium_by_definition(sizes: tuple[int, ...]) -> None:
    for seed in range(2):
        game, cells = random_table(seed, *sizes, most=1_000)
        form = strategic_form(explore(game, Budget()))
        met = list(follow_rays(form, 1, Budget()))
        assert len(met) % 2 == 1  # almost always
        for found in met:
            rows = [dict(zip(*pair, strict=True)) for pair in zip(found.support, found.weights, strict=True)]
            pays = [[0.0] * size for size in sizes]
            for cell in product(*map(range, sizes)):
                for p, plan in enumerate(cell):
                    weight = 1.0
                    for q, other in enumerate(cell):
                        weight *= 1.0 if q == p else rows[q].get(other, 0.0)
                    pays[p][plan] += weight * cells[cell][p]
            for p, row in enumerate(rows):
                assert sum(row.values()) == pytest.approx(1) and min(row.values()) > -1e-9
                assert all(pays[p][plan] == pytest.approx(max(pays[p]), abs=1e-5) for plan in row)


def test_every_extreme_equilibrium_of_two_players_that_it_finds_is_listed() -> None:
    for seed in range(6):
        game, _ = random_table(seed, 4, 4, most=100)
        every = {repr(one) for one in solve(game, "nash").equilibria}
        found = solve(game, "global-newton", rays=4)
        assert found.exact and {repr(one) for one in found.equilibria} <= every


@pytest.mark.thorough
def test_large_tables_have_many_and_nash_falls_back_on_paths() -> None:
    game, _ = random_table(2, 4, 4, 4, most=1_000)
    found = solve(game, "nash")
    assert any("along 4 rays of the global Newton method" in note for note in found.notes)
    assert len(found.equilibria) > 3 and verify(game, to_object(found)).ok


@pytest.mark.thorough
def test_a_limit_leaves_what_was_found_and_others_are_refused() -> None:
    game, _ = random_table(0, 4, 4, 4, most=1_000)
    with pytest.raises(LimitReached) as stop:
        solve(game, "global-newton", rays=1_000, time=1.0)
    assert stop.value.partial is not None and verify(game, to_object(stop.value.partial)).ok
    with pytest.raises(Refusal, match="global-newton needs"):
        solve(gdl.loads("players A\ntree A(1, 2)\n").game, "global-newton")


@pytest.mark.thorough_of("sizes5")
@pytest.mark.parametrize("sizes", [(2, 2), (3, 4), (2, 2, 2), (3, 3, 3), (2, 2, 2, 2), (5, 5, 5)])
def test_logit_equilibria_lead_where_those_of_gambit_lead(sizes: tuple[int, ...]) -> None:
    pygambit, numpy = pytest.importorskip("pygambit"), pytest.importorskip("numpy")
    for seed in range(2):
        game, cells = random_table(seed, *sizes, most=100)
        found = solve(game, "logit")
        assert verify(game, to_object(found)).ok
        arrays = [numpy.empty(sizes, dtype=int) for _ in sizes]
        for cell, paid in cells.items():
            for array, amount in zip(arrays, paid, strict=True):
                array[cell] = amount
        peer = pygambit.Game.from_arrays(*arrays)
        (profile,) = pygambit.nash.logit_solve(peer, use_strategic=True).equilibria
        theirs = [float(profile[s]) for p in peer.players for s in p.strategies]
        (ours,) = found.equilibria
        mixtures = [p for own in ours.values() for mixture in own.values() for p in mixture.values()]
        assert [float(p) for p in mixtures] == pytest.approx(theirs, abs=0.01)


def test_logit_equilibria_lead_on_where_no_support_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    cycle = {(a, b, c): (int(a != b), int(b != c), int(c != a)) for a, b, c in product(range(2), repeat=3)}
    game = gdl.matrix({tuple("xy"[k] for k in cell): paid for cell, paid in cycle.items()}, players=["A", "B", "C"])
    monkeypatch.setattr(nash, "candidates", lambda *_: ())
    found = solve(game, "nash")
    assert found.exact and {
        p for one in found.equilibria for own in one.values() for m in own.values() for p in m.values()
    } == {Fraction(1, 2)}
    assert any("Traced from random play along logit equilibria" in note for note in found.notes)


@pytest.mark.thorough
def test_degenerate_tables_end() -> None:
    flat = gdl.loads(
        "players A, B, C\nmatrix\n"
        + "".join(f"    a{i}, b{j}, c{k}: (1, 1, 1)\n" for i, j, k in product(range(2), repeat=3))
    ).game
    found = solve(flat, "global-newton", rays=2)
    assert not any(found.regret or ()) and verify(flat, to_object(found)).ok
    for seed in range(3):
        game, _ = random_table(seed, 3, 3, 3, most=1)
        assert verify(game, to_object(solve(game, "global-newton", rays=2))).ok


RACE = (
    "players A, B\nstate\n    n: 0..7\naction one\n    n := n + 1\naction two\n    n := n + 2\nterminal\n    n >= 6 -> "
)


@pytest.mark.thorough
def test_edges_of_a_degenerate_table_are_equilibria_and_an_empty_list_is_refused() -> None:
    game = gdl.loads(RACE + "lose mover").game
    found = solve(game, "global-newton", rays=2)
    assert found.equilibria and found.exact and not any(found.regret or ())
    assert verify(game, to_object(found)).ok
    with pytest.raises(Refusal, match="0 rays of bonuses lead to no equilibrium"):
        solve(game, "global-newton", rays=0)

"""Published values of boards that take the compiled search: alpha-beta with a table of positions.

Sources: John Tromp for connect four; Irving, Donkers and Uiterwijk for kalah; Chris Weninger and Ryan Hayward, and Erik
van der Werf, for go; Joel Feinstein for othello.
"""

from __future__ import annotations

import pytest
from notation import play

from gdl.commands.engines import offer
from gdl.compiler import wasm
from gdl.solvers import solve

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not wasm.available(), reason="wasmtime is missing")]

ALL = None  # whatever is best is as good
VALUES = [  # game, variant, settings, value, the best first moves
    ("connect_four", None, {"columns": 4, "rows": 4}, 0, ALL),
    ("connect_four", None, {"columns": 5, "rows": 4}, 0, ALL),
    ("connect_four", None, {"columns": 5, "rows": 5}, 0, {f"drop({c})" for c in range(1, 6)}),
    ("connect_four", None, {"columns": 6, "rows": 4}, -1, {f"drop({c})" for c in range(1, 7)}),
    ("tic_tac_toe", None, {"columns": 4, "rows": 3}, 1, ALL),
    ("tic_tac_toe", None, {"columns": 4, "rows": 4, "run": 4}, 0, ALL),
    ("tic_tac_toe_3d", None, {}, 1, {"b2_2"}),
    ("hex", None, {"n": 4}, 1, {"a4", "b3", "c2", "d1"}),
    ("go", "superko", {"columns": 4, "rows": 1}, 4, {"b1", "c1"}),
    ("go", "superko", {"columns": 5, "rows": 1}, 0, ALL),
    ("go", "superko", {"columns": 2, "rows": 2}, 1, {"a1", "b1", "a2", "b2"}),
    ("kalah", None, {"houses": 3, "seeds": 3}, 2, ALL),
    ("kalah", None, {"houses": 3, "seeds": 6}, -8, ALL),
    ("othello", None, {"n": 4}, -8, ALL),
    ("dots_and_boxes", None, {}, 2, {"b1", "d1", "a2", "e2", "a4", "e4", "b5", "d5"}),
]


@pytest.mark.parametrize("row", VALUES, ids=lambda row: " ".join(map(str, (row[0], *row[2].values()))))
def test_value(row):
    name, variant, settings, value, best = row
    game = play(name, variant, **settings)
    game = offer(game, "wasm")
    found = solve(game, "alpha-beta")
    assert found.exact
    assert found.value == (value, -value)
    assert best is ALL or set(found.best) == best


@pytest.mark.parametrize(("depth", "mates"), [(5, False), (6, True)])
def test_rook_mates_in_six_plies(depth: int, mates: bool):
    game = play("chess", position="k7/7R/2K5/8/8/8/8/8 b - - 0 1")
    game = offer(game, "wasm")
    assert (solve(game, "alpha-beta", depth=depth).value == (1, -1)) == mates

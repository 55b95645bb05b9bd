"""A fault of the rules that is met where symmetric positions are one is told with a play that leads there."""

import pytest
from deep_fault import leads_there

import gdl
from gdl.compiler import wasm
from gdl.compiler.searches.enumeration import Enumeration
from gdl.errors import GameError
from gdl.wings.symmetry.group import find_symmetries, generate_group
from gdl.wings.symmetry.group_folding import GroupFolding

ENGINES = ["python", pytest.param("wasm", marks=pytest.mark.skipif(not wasm.available(), reason="needs wasmtime"))]

LINES = """players Ann, Bob

board Square = grid(3, 3)

state
    stone[Square]: Player?
    n: 0..20

action put(s: Square) when stone[s] = none
    stone[s] := mover
    n := n + (1 div (if n = 5 and stone[b2] = Bob and (count t in {a1, a3, c1, c3}: stone[t] = Ann) = 3 then 0 else 1))

terminal
    exists line in lines(Square, 3): forall s in line: stone[s] = Ann -> win Ann
    n = 7 -> draw
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_where_symmetric_positions_are_one(engine):
    loaded = gdl.loads(LINES, "lines.game")
    game = loaded.game
    with pytest.raises(GameError) as fault:
        Enumeration(
            game, game.initial(), engine, folding=GroupFolding(generate_group(find_symmetries(loaded.model).keeping, 8))
        ).result()
    assert len(fault.value.problems[0].play) == 6
    assert leads_there(game, fault.value)

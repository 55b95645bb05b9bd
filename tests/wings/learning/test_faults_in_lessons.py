"""A fault of the rules that learning meets is told with a play that leads there."""

from __future__ import annotations

import pytest
from deep_fault import DEEP, leads_there

import gdl
from gdl.compiler import wasm
from gdl.errors import GameError
from gdl.wings.learning.temporal_differences import TdSelfPlay, inputs_for

ENGINES = ["python", pytest.param("wasm", marks=pytest.mark.skipif(not wasm.available(), reason="needs wasmtime"))]


@pytest.mark.parametrize("engine", ENGINES)
def test_in_games_that_teach(engine):
    game = gdl.loads(DEEP, "deep.game").game
    with pytest.raises(GameError) as fault:
        inputs = inputs_for(game, tuples=False, work=0)
        list(TdSelfPlay(game, game.initial(), engine, inputs).teach(500, 1))
    assert leads_there(game, fault.value)

"""A number beyond an array's range is a fault wherever it is an index, on every engine; none as an index gives none."""

from __future__ import annotations

from functools import partial

import pytest
from both_engines import said, told_alike
from elements_out_of_range import FAULTS, LEFT, NO_FAULTS, SET_GAMES, counted, written, written_of_sets

from gdl.compiler.searches.perft import perft
from gdl.errors import GameError, Refusal


@pytest.mark.parametrize("parts", FAULTS.values(), ids=FAULTS)
def test_it_is_a_fault_on_every_engine(parts: dict[str, str]):
    game = written(parts)
    with pytest.raises(GameError, match=r"(pile|wall|row) has no element 0"):
        counted(game, game.initial(), 2)
    told_alike(game, range(8), 4)
    for engine in ("python", "wasm"):  # which count without working out names
        assert "NAME" in parts or "has no element 0" in str(said(partial(perft, game, game.initial(), 2, engine)))


@pytest.mark.parametrize("parts", NO_FAULTS.values(), ids=NO_FAULTS)
def test_none_is_no_fault_on_any_engine(parts: dict[str, str]):
    game = written(parts)
    told_alike(game, range(8), 4)
    assert {perft(game, game.initial(), 2, engine) for engine in ("python", "wasm")} == {
        counted(game, game.initial(), 2)
    }


TOLD_APART = ("none", "not empty")  # which ask whether it is none, so that these games meet no fault


@pytest.mark.parametrize("name", SET_GAMES)
def test_none_is_no_set(name: str):
    """The compiled engine leaves those games to the interpreter in which none may be kept, or told from a set."""
    game = written_of_sets(*SET_GAMES[name])
    found = str(said(partial(counted, game, game.initial(), 1)))
    assert found == "2" if name in TOLD_APART else "a set is due here, and this is none" in found
    for engine in ("python", "wasm"):
        if name in LEFT:
            with pytest.raises(Refusal, match="does not take hand"):
                perft(game, game.initial(), 1, engine)
        else:
            assert "a set is due here, and this is none" in str(said(partial(perft, game, game.initial(), 2, engine)))
    if name not in LEFT:
        told_alike(game, range(4), 3)

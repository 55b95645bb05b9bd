"""The k-th of the ways, which are counted without being listed, is what the k-th listed row does; and of the states
that they lead to, what can have become true since is all that there is to ask."""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from places import LANGUAGE

import gdl
from gdl.analysis.traits import accumulates
from gdl.compiler import compiled
from gdl.compiler.python import Trap
from gdl.model.games import RulesModel

PLIES = 60
SIZES = {"hex": {"n": "11"}, "amazons": {"n": "6"}}  # hex with sets of two words
EXAMPLES = sorted(LANGUAGE.glob("*.game"))
GAMES = [name for name in gdl.shipped() if "\nterminal" in gdl.read(name)[0]]  # those given by rules
COUNTED = "breakthrough connect_four hex othello pig tic_tac_toe".split()


def left(module: dict[str, Any], before: bytes, function: str, k: int) -> bytes:
    """What the k-th leaves of a state."""
    module["s"][:] = memoryview(before).cast("i")
    module[function](k)
    return bytes(module["s"])


def ended(module: dict[str, Any], state: bytes, function: str, *last: int) -> Any:
    """What a state is, and what it pays if it is the end; or the fault that looking at it meets."""
    module["s"][:] = memoryview(state).cast("i")
    try:
        kind = module[function](*last)
    except Trap as fault:
        return fault.code
    return kind, (list(module["util"]) if kind == 3 else None)


def walk(model: RulesModel, seed: int) -> None:
    """A random play; every state's ways are looked at."""
    module, chosen = compiled(model).module, random.Random(seed)
    module["start"]()
    for _ in range(PLIES):
        kind = module["status"]()
        if kind > 1:
            return
        before, rows = bytes(module["s"]), module["moves"]()
        if rows == 0:
            return
        listed = [left(module, before, "apply", k) for k in range(rows)]
        module["s"][:] = memoryview(before).cast("i")
        assert module["ways"]() == rows
        assert [left(module, before, "take", k) for k in range(rows)] == listed
        last = memoryview(before).cast("i")[1]
        for state in listed if kind < 2 else ():
            assert ended(module, state, "status_after", last) == ended(module, state, "status")
        module["s"][:] = memoryview(chosen.choice(listed)).cast("i")


def model_of(text: str, name: str, settings: dict[str, str] | None = None) -> RulesModel | None:
    """The model of a game by rules that does not ask for earlier positions, which are no part of `s`, and pays at its
    ends alone, as the compiled engine wants it."""
    model = gdl.loads(text, name, settings=settings).model
    return model if isinstance(model, RulesModel) and not model.times and not accumulates(model) else None


@pytest.mark.parametrize("name", GAMES)
def test_ways_of_games(name: str):
    model = model_of(*gdl.read(name), SIZES.get(name))
    if model is not None and name not in ("chinese_checkers", "scrabble"):
        walk(model, 1)


@pytest.mark.parametrize("file", EXAMPLES, ids=[file.stem for file in EXAMPLES])
def test_ways_of_constructs(file: Path):
    model = model_of(file.read_text(encoding="utf-8"), file.name)
    if model is None:
        return
    with suppress(Trap):  # a fault of the rules, which other tests look at
        walk(model, 1)


@pytest.mark.parametrize("name", COUNTED)
def test_nothing_is_listed(name: str):
    """These games' ways are sets."""
    model = model_of(*gdl.read(name))
    assert model is not None
    module = compiled(model).module
    del module["moves"]
    module["start"]()
    assert module["ways"]() > 0

"""The k-th of the ways, which are counted without being listed, is what the k-th listed row does; and of the states
that they lead to, what can have become true since is all that there is to ask."""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from compiled_game import CompiledGame
from places import LANGUAGE
from shipped import shipped, texts, written_in

import gdl
from gdl.analysis.traits import accumulates
from gdl.compiler.python import Trap
from gdl.compiler.searches.perft import perft
from gdl.interpreter.rules_game import RulesGame

PLIES = 60
SIZES = {"hex": {"n": "11"}, "amazons": {"n": "6"}}  # hex with sets of two words
EXAMPLES = sorted(LANGUAGE.glob("*.game"))
GAMES = [name for name, text in texts().items() if "\nterminal" in text]  # those given by rules
COUNTED = "breakthrough connect_four hex othello pig tic_tac_toe".split()


def left(module: dict[str, Any], before: bytes, function: str, k: int) -> bytes:
    """The state after the k-th way of a state."""
    module["s"][:] = memoryview(before).cast("i")
    module[function](k)
    return bytes(module["s"])


def ended(module: dict[str, Any], state: bytes, function: str, *last: int) -> Any:
    """The kind of a state, and the utilities if it is an end; or the fault that the question meets."""
    module["s"][:] = memoryview(state).cast("i")
    try:
        kind = module[function](*last)
    except Trap as fault:
        return fault.code
    return kind, (list(module["util"]) if kind == 3 else None)


def walk(game: RulesGame, seed: int) -> None:
    """A random play; every state's ways are looked at."""
    module, chosen = CompiledGame(game).module, random.Random(seed)
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


def suits(game: Any) -> bool:
    """True if the game is by rules that do not ask for earlier positions, which are no part of `s`, and pays at its
    ends alone, as the compiled engine requires."""
    return isinstance(game, RulesGame) and not game.model.times and not accumulates(game.model)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", GAMES)
def test_ways_of_games(name: str):
    game = shipped(name, SIZES.get(name))
    if suits(game) and name not in ("chinese_checkers", "scrabble"):
        walk(game, 1)


@pytest.mark.thorough_of("deck_in_order")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("file", EXAMPLES, ids=[file.stem for file in EXAMPLES])
def test_ways_of_constructs(file: Path):
    if suits(game := written_in(file)):
        with suppress(Trap):  # a fault of the rules, which other tests look at
            walk(game, 1)


@pytest.mark.parametrize("name", COUNTED)
def test_nothing_is_listed(name: str):
    """These games' ways are sets."""
    game = shipped(name)
    assert suits(game)
    module = CompiledGame(game).module
    del module["moves"]
    module["start"]()
    assert module["ways"]() > 0


def test_a_fault_of_an_end_that_pays_less_is_told_to_who_looks_for_wins():
    game = gdl.loads(
        "players Ann, Bob\nstate\n    left: 0..5 = 5\n    mark[1..3]: 0..1\n"
        "action take(n: 1..2) when n <= left\n    left := left - n\n"
        "terminal\n    left = 0 -> win Ann\n    mark[left] = 1 -> win Bob\n"
    ).game
    module = CompiledGame(game).module
    module["start"]()
    module["moves"]()
    after_one = left(module, bytes(module["s"]), "apply", 0)
    assert isinstance(ended(module, after_one, "won_after", 0), int), "there is no mark[4]"


def test_more_is_to_be_chosen_than_there_can_be():
    pytest.importorskip("wasmtime")
    game = gdl.loads((LANGUAGE / "too_few_to_choose.game").read_text(encoding="utf-8")).game
    assert perft(game, game.initial(), 1, "wasm") == 1

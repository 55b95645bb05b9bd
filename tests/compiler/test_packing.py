"""Packed keys: what they tell is the whole state, and nothing more."""

import ast
import random
from array import array
from pathlib import Path

import pytest
from both_engines import ENGINES
from kernel_games import pays_on_the_way
from places import LANGUAGE
from sampling import one_in
from shipped import shipped, texts, written_in

import gdl
from gdl.compiler.joining import Kernel, KernelPart
from gdl.compiler.searches.slices import KernelSearch
from gdl.errors import GameError
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves

pytest.importorskip("wasmtime")

PLAYS, PLIES = 2, 30
SMALLER = {"amazons": {"n": "6"}}
EXAMPLES = sorted(LANGUAGE.glob("*.game"))
GAMES = [name for name, text in texts().items() if "\nterminal" in text]  # those given by rules
WORDS = {  # game, settings -> words of a key
    ("connect_four", "columns=5 rows=4"): 1,
    ("connect_four", "columns=6 rows=5"): 1,
    ("connect_four", ""): 2,
    ("tic_tac_toe_3d", ""): 1,
    ("breakthrough", "columns=5 rows=6"): 1,
    ("othello", ""): 3,
    ("pig", ""): 1,
    ("kalah", ""): 2,
}
_PACKED = '''
def packed_run(budget: i32) -> i32:
    """Pack the state."""
    pack()
    return 0
'''
_KERNEL = Kernel((KernelPart(__file__, ast.parse(_PACKED)),), frozenset(("pack",)))


def positions(game: RulesGame) -> set[object]:
    """States of some random plays."""
    met = set()
    for seed in range(PLAYS):
        chosen, state = random.Random(seed), game.initial()
        try:
            for _ in range(PLIES):
                met.add(state._replace(memories=None))
                options = moves(game.node(state))
                if not options:
                    break
                state = game.successor(state, chosen.choice(options))
        except GameError:  # a game that shows a fault
            pass
    return met


def check(game: RulesGame, engine: str) -> None:
    """Every state is restored from its key, and no two have the same."""
    search = KernelSearch(game, game.initial(), engine)
    search.load(_KERNEL, "packed_run", "unpack", "key_hash")
    module = search.module
    states = [array("i", search.lowered.layout.words_of_state(state.turn, state.cells)) for state in positions(game)]
    keys, hashes = [], set()
    for state in states:
        module["s"][:] = memoryview(state)
        module["packed_run"](1)
        keys.append(tuple(module["key"]))
        hashes.add(module["key_hash"]())
    assert len(set(keys)) == len(hashes) == len(states)
    for state, key in zip(states, keys, strict=True):  # each over what the one before it has left
        module["key"][:] = memoryview(array("q", key))
        module["unpack"]()
        assert list(module["s"]) == list(state)


@pytest.mark.thorough_of("crazyhouse", "pentago", "checkers")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_states_are_restored_from_their_keys(name: str):
    game = shipped(name, SMALLER.get(name))
    check(game, "python")


@pytest.mark.thorough_of("deck_in_order-wasm", "counts_along_lines-python", "look-wasm")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("file", one_in(2, EXAMPLES), ids=lambda file: file.stem)
def test_all_kinds_of_variables_are_packed(file: Path, engine: str):
    game = written_in(file)
    if isinstance(game, RulesGame) and not pays_on_the_way(game):
        check(game, engine)


@pytest.mark.thorough_of("backgammon")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["connect_four", "othello", "pig", "checkers", "kalah", "hex", "backgammon"])
def test_webassembly_packs_the_same(name: str):
    check(shipped(name), "wasm")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "settings"), WORDS)
def test_keys_are_short(name: str, settings: str):
    given = dict(part.split("=") for part in settings.split())
    game = gdl.loads(*gdl.read(name), settings=given).game
    search = KernelSearch(game, game.initial(), "python")
    search.load(_KERNEL, "packed_run")
    assert search.module["KEY"] == WORDS[name, settings]

"""Every kernel, joined with whatever rules, can be translated to WebAssembly, which is then valid; nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from runpy import run_path
from typing import Any

import pytest
from places import LANGUAGE, ROOT
from random_rules import written
from shipped import written_in

import gdl
from gdl.compiler import searches, wasm
from gdl.compiler.emit import emit
from gdl.compiler.packed_game import PackedGame
from gdl.compiler.searches.enumeration import Enumeration
from gdl.compiler.searches.mcts_driver import KernelMctsTree, MctsTreeOptions
from gdl.compiler.searches.path_search import PathSearch
from gdl.compiler.searches.perft import Perft
from gdl.compiler.searches.playouts_driver import Playing
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.compiler.searches.proof_number_driver import ProofNumber
from gdl.compiler.searches.retrograde import Retrograde
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.searches.star_driver import Star, alpha_beta_search
from gdl.compiler.searches.state_nodes_driver import StateNodes
from gdl.compiler.searches.vectors_driver import Vectors
from gdl.errors import GameError, Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers.mcts.mcts import TreeSettings

wasmtime = pytest.importorskip("wasmtime")

FILES = [*gdl.shipped().values(), *sorted(LANGUAGE.glob("*.game"))]
SEEDS = range(4)  # every search is translated once, as each game takes one in four
MANY = [*range(24), *range(1000, 1200)]

MANNER = MctsTreeOptions((), 1000, 1000, 16, 3, patience=(100, 10, 2), few_visits=100, amaf=1.0)  # of trees that are
# translated and not grown


def tree(game: Any, start: Any, engine: str) -> KernelMctsTree:
    """A tree of a hundred simulations."""
    manner = MANNER._replace(price=game.model.forever)
    return KernelMctsTree(game, start, engine, TreeSettings(100, None, 1, (1.0, 1.0)), manner)


MADE: dict[
    type[KernelSearch], tuple[Callable[[Any, Any, str], Any], ...]
] = {  # each search, with what changes its code
    Perft: (lambda game, start, engine: Perft(game, start, 3, engine),),
    Playing: tuple(
        lambda game, start, engine, counts=counts: Playing(game, start, 9, 1, engine, counts)
        for counts in (False, True)
    ),
    Enumeration: (Enumeration,),
    Retrograde: (
        Retrograde,
        lambda game, start, engine: Retrograde(game, start, engine, maximiser=len(game.players) - 1),
    ),
    PrincipalVariation: tuple(
        lambda game, start, engine, options=options: PrincipalVariation(game, start, engine, **options)
        for options in ({}, {"forgets": True}, {"threads": 2})
    ),
    ProofNumber: (ProofNumber,),
    Star: (
        *(
            lambda game, start, engine, strictly=strictly, depth=depth: alpha_beta_search(
                game, start, engine, strictly, depth
            )
            for strictly, depth in ((False, None), (True, 2))
        ),
        *(
            lambda game, start, engine, options=options: Star(
                game, start, engine, player=len(game.players) - 1, **options
            )
            for options in (
                {},
                {"probing": True, "strictly": True},
                {"depth": 2, "one_sum": True},
                {"depth": 2, "probing": True, "room": 1 << 20},
            )
        ),
    ),
    Vectors: tuple(
        lambda game, start, engine, options=options: Vectors(game, start, engine, **options)
        for options in ({}, {"to_ends": True}, {"to_ends": True, "one_sum": True})
    ),
    KernelMctsTree: (tree,),
    StateNodes: (lambda game, start, engine: StateNodes(game, PackedGame(game), engine),),
}
SHARED = {KernelSearch, PathSearch}  # what some of them have in common
for file in sorted(ROOT.glob("tests/wings/*/translated.py")):  # and those of wings
    wing = run_path(str(file))
    SHARED |= wing.get("SHARED", set())
    for search, ways in wing["TRANSLATED"].items():
        MADE[search] = (*MADE.get(search, ()), *ways)


class Translated(BaseException):
    """The module has been made."""


@pytest.fixture
def only_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules are translated and checked to be valid, and that is all."""
    engine = wasmtime.Engine()

    def load(source: str, *entries: Any, **options: Any) -> None:
        wasmtime.Module.validate(engine, emit(source, *entries[:1]).binary)
        raise Translated

    monkeypatch.setattr(wasm, "load", load)


def translate(game: Any, first: int = 0, each: int = 1) -> None:
    """Translate the game joined with every kernel that takes it, or with one in so many of these, from the first on."""
    for make in [make for ways in MADE.values() for make in ways][first % each :: each]:
        with suppress(Refusal, Translated):
            make(game, game.initial(), "wasm")


def translate_seed(seed: int, each: int = 1) -> None:
    for plain in (False, True):
        try:
            game = gdl.loads(written(seed, plain), f"random {seed}").game
            game.initial()
        except GameError:
            continue
        with suppress(GameError):  # of what the rules say of no state in particular
            translate(game, seed, each)


@pytest.mark.thorough
@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_are_translated(only_translated: None, seed: int):
    translate_seed(seed, each=4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_every_random_game_is_translated(only_translated: None, seed: int):
    translate_seed(seed)


def of_rules(file: Path) -> Any:
    """The game of a file, if it is given by rules."""
    game = written_in(file)
    return game if isinstance(game, RulesGame) else None


@pytest.mark.thorough_of("2048")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("number", range(0, len(FILES), 12), ids=lambda number: FILES[number].stem)
def test_games_are_translated(only_translated: None, number: int):
    """One file in twelve, each with another quarter of the searches."""
    if game := of_rules(FILES[number]):
        with suppress(GameError):
            translate(game, number // 12, each=4)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_game_is_translated(only_translated: None, file: Path):
    if game := of_rules(file):
        with suppress(GameError):
            translate(game)


def test_every_search_is_among_them():
    for module in iter_modules([str(Path(searches.__file__).parent)]):
        import_module(f"gdl.compiler.searches.{module.name}")
    found, work = set(), [KernelSearch]
    while work:
        found.add(work[0])
        work += work.pop(0).__subclasses__()
    ours = {search for search in found if search.__module__.startswith("gdl.")}
    assert ours == {*MADE, *SHARED}, "list each search in MADE above, or in translated.py of its wing's tests"

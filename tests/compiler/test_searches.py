"""Searches in kernel code: the same numbers on every engine, and known facts."""

import _thread
import importlib
import math
from dataclasses import replace
from pathlib import Path

import pytest
from both_engines import ENGINES
from compiled_counts import playouts
from installed import without_module
from kernel_games import pays_on_the_way
from places import LANGUAGE
from sampling import one_in
from shipped import shipped, texts, written_in

import gdl
from gdl.compiler.searches.perft import Division, Perft, perft
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.errors import GameError, Interrupted, Refusal
from gdl.game import Terminal
from gdl.interpreter.rules_game import RulesGame
from gdl.states import count
from gdl.states.playouts import playouts as twin
from gdl.states.random_numbers import Generator

pytest.importorskip("wasmtime")

PLIES = {"tic_tac_toe": 5, "connect_four": 4, "kuhn": 6, "pig": 6, "kalah": 4, "nim": 4, "goofspiel": 4, "amazons": 1}
QUICK = (
    "connect_four dots_and_boxes goofspiel kalah kuhn leduc liars_dice monty_hall nim othello pig quarto "
    "rock_paper_scissors tic_tac_toe"
).split()  # to play for the interpreter
ENDING = "chance draws ranges shares".split()  # whose plays all end
SMALLER = {"amazons": {"n": "6"}}
EXAMPLES = sorted(LANGUAGE.glob("*.game"))
GAMES = [name for name, text in texts().items() if "\nterminal" in text]  # those given by rules

LOTTERY = """game "Lottery"
players Ann, Bob

state
    luck: 0..2

start draw

chance draw(d: 1..2) as "{d}" weight 5 * d - 4
    luck := d

action pass

terminal
    luck = 1 -> win Ann
    luck = 2 -> draw
"""
FAULT = """game "Fault"
players Ann, Bob

state
    sum: 0..5

action up
    sum := sum + 3

action more
    sum := sum + 1

terminal
    sum = 5 -> win mover
"""


def game(name: str, **settings: str) -> RulesGame:
    return shipped(name, settings or SMALLER.get(name))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in GAMES])
def test_both_count_the_same_ways(name: str):
    found = game(name)
    for plies in range(PLIES.get(name, 2) + 1):
        assert perft(found, found.initial(), plies, "wasm") == count.perft(found, plies)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("file", one_in(2, EXAMPLES), ids=lambda file: file.stem)
def test_constructs_are_counted_and_played(file: Path):
    """Small games that each show some constructs."""
    found = written_in(file)
    if not isinstance(found, RulesGame) or pays_on_the_way(found):
        return
    ways = [perft(found, found.initial(), plies, "wasm") for plies in range(4)]
    assert ways == [count.perft(found, plies) for plies in range(4)]
    if file.stem in ENDING:
        kernel = [playouts(found, found.initial(), 20, 2, engine, counts=True) for engine in ENGINES]
        assert kernel[0] == kernel[1] == twin(found, 20, 2, counts=True)


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn", "goofspiel", "kalah", "dots_and_boxes"])
def test_kernel_python_counts_the_same_nodes(name: str):
    found = game(name)
    assert len({perft(found, found.initial(), 4, engine) for engine in ENGINES}) == 1


@pytest.mark.parametrize(
    ("name", "plies", "known"),
    [
        ("tic_tac_toe", 9, 127_872),  # complete plays of nine moves
        ("connect_four", 6, 117_649),
        ("connect_four", 8, 5_673_234),
        ("othello", 6, 8_200),
        ("rock_paper_scissors", 2, 9),
        ("rock_paper_scissors", 1, 3),
        ("breakthrough", 2, 22 * 22),
    ],
)
def test_known_counts(name: str, plies: int, known: int):
    found = game(name)
    assert perft(found, found.initial(), plies, "wasm") == known


def test_a_count_from_a_later_position():
    found = game("tic_tac_toe")
    start = found.successor(found.initial(), "take(b2)")
    assert perft(found, start, 3, "wasm") == 8 * 7 * 6


def test_sequences_that_are_counted_again_are_as_many() -> None:
    found = gdl.load("tic_tac_toe")
    for search in (Perft(found, found.initial(), 3, "wasm"), Division(found, found.initial(), 3, "wasm")):
        assert [[list(search), search.count][1] for _ in range(2)] == [504, 504]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", QUICK)
def test_all_engines_play_the_same_at_random(name: str):
    found = game(name)
    kernel = [playouts(found, found.initial(), 3, 7, engine, counts=True) for engine in ENGINES]
    assert kernel[0] == kernel[1] == twin(found, 3, 7, counts=True)
    plain = playouts(found, found.initial(), 3, 7, "wasm")
    assert plain == twin(found, 3, 7) == replace(kernel[0], statistics=None)


@pytest.mark.thorough
def test_playouts_of_tic_tac_toe_have_the_known_mean():
    """Random play wins 0.5849 of all games for X and 0.2881 for O: sums over all plays, each by its probability."""
    found = game("tic_tac_toe")
    result = playouts(found, found.initial(), 200_000, 3, "wasm", counts=True)
    exact = _worth(found, found.initial(), {})
    assert result.playouts == 200_000
    assert abs(result.value["X"] - exact) < 5 * result.error["X"]
    assert result.value["O"] == -result.value["X"]
    assert math.isclose(result.error["X"], 0.882 / math.sqrt(200_000), rel_tol=0.05)
    assert abs(result.statistics.wins["X"] - 0.5849) < 0.005
    assert abs(result.statistics.wins["O"] - 0.2881) < 0.005
    assert (result.statistics.shortest, result.statistics.longest) == (5, 9)


def _worth(found: RulesGame, state: object, known: dict[object, float]) -> float:
    """The exact value of uniformly random play to the first player."""
    if state not in known:
        node = found.node(state)
        if isinstance(node, Terminal):
            known[state] = float(node.utilities[0])
        else:
            after = [_worth(found, found.successor(state, action), known) for action in node.actions]
            known[state] = sum(after) / len(after)
    return known[state]


def test_chance_is_weighted():
    """A lottery of unequal parts."""
    found = gdl.loads(LOTTERY).game
    assert isinstance(found, RulesGame)
    kernel = playouts(found, found.initial(), 20_000, 1, "wasm")
    assert abs(kernel.value["Ann"] - 1 / 7) < 5 * kernel.error["Ann"]
    assert playouts(found, found.initial(), 50, 1, "wasm") == twin(found, 50, 1)


def test_the_seed_decides():
    found = game("connect_four")
    one, two, three = (playouts(found, found.initial(), 50, seed, "wasm") for seed in (1, 1, 2))
    assert one == two != three


def test_the_generator_is_splitmix64():
    """The first numbers of seed 1234567, as they are published for the algorithm."""
    generator = Generator(1234567)
    assert [generator.bits() for _ in range(2)] == [6457827717110365317 >> 33, 3203168211198807973 >> 33]


def test_ctrl_c_keeps_the_plays_that_are_complete():
    found = game("connect_four")
    with pytest.raises(Interrupted) as caught:
        playouts(found, found.initial(), 1 << 40, 1, "wasm", lambda done: done > 100 and _thread.interrupt_main())
    assert caught.value.partial.playouts > 100


def test_a_fault_is_told_as_the_interpreter_tells_it():
    found = gdl.loads(FAULT).game
    assert isinstance(found, RulesGame)
    messages = []
    for work in (
        lambda: count.perft(found, 6),
        lambda: perft(found, found.initial(), 6, "wasm"),
        lambda: perft(found, found.initial(), 6, "python"),
        lambda: playouts(found, found.initial(), 1000, 1, "wasm"),
    ):
        with pytest.raises(GameError) as caught:
            work()
        messages.append(caught.value.problems[0].message)
    assert len(set(messages)) == 1


def test_wasm_missing_is_a_refusal():
    found = game("nim")
    with without_module("wasmtime"), pytest.raises(Refusal, match="there is no engine 'wasm' here"):
        perft(found, found.initial(), 2, "wasm")


LONG = """
players Ann, Bob
state
    n: 0..1
action flip
    n := 1 - n
terminal
    times(n) = 9000 -> 0
"""


@pytest.mark.slow
def test_a_play_that_remembers_its_positions_has_a_longest():
    found = gdl.loads(LONG).game
    assert isinstance(found, RulesGame)
    with pytest.raises(Refusal, match="a play that remembers its positions takes more than 8,192 plies"):
        playouts(found, found.initial(), 1, 1, "wasm")


def test_playouts_by_several_are_the_same(monkeypatch: pytest.MonkeyPatch):
    """Streams of random numbers belong to the playouts, not to those who play them."""
    searches = importlib.import_module("gdl.compiler.searches.playouts_driver")
    found = game("tic_tac_toe")
    alone = playouts(found, found.initial(), 5000, 3, "wasm", counts=True)
    assert playouts(found, found.initial(), 700, 3, "python", counts=True) == twin(found, 700, 3, counts=True)
    monkeypatch.setattr(searches, "ALONE", -1.0)
    monkeypatch.setattr(searches, "SECONDS_WORTH_A_THREAD", -1.0)
    monkeypatch.setattr(searches, "processors", lambda: 2)
    called = []
    monkeypatch.setattr(searches.Playing, "split_off_half", _counted(searches.Playing.split_off_half, called))
    assert playouts(found, found.initial(), 5000, 3, "wasm", counts=True) == alone
    assert len(called) == 1


def _counted(method, called):
    def counting(self):
        called.append(self)
        other = method(self)
        assert other is not None
        return other

    return counting


class Identifying(PrincipalVariation):
    """A search whose kernel can be asked by which number it knows a move."""

    def join(self, *names, entries=(), **settings):
        super().join(*names, entries=(*entries, "identity"), **settings)


@pytest.mark.thorough
def test_moves_are_known_by_where_they_lead():
    """Knowledge about a move applies in another position too, where the move is another row of a longer listing."""
    chess = shipped("chess")
    before = chess.initial()
    after = [chess.successor(chess.successor(before, first), "a7a6") for first in ("e2e4", "a2a3", "g1f3")]
    search = Identifying(chess, before, "wasm", quiescent=True)
    known: dict[str, int] = {}
    for state in (before, *after):
        search.restart(state)
        rows = search.module["moves"]()
        names = {str(action): search.module["identity"](row) for row, action in enumerate(search.actions)}
        assert len(names) == rows
        assert all(known.setdefault(name, number) == number for name, number in names.items())
    assert len(set(known.values())) > 0.9 * len(known)

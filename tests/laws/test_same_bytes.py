"""Every engine prints the same bytes: random plays of every shipped game by rules, the answers of those soon solved, and
games in which engines once differed."""

import json

import pytest
from click.testing import CliRunner
from sampling import one_in
from shipped import texts

from gdl.commands import cli
from gdl.compiler import wasm
from gdl.solvers import SOLVERS

pytestmark = pytest.mark.skipif(not wasm.available(), reason="the compiled engine runs as WebAssembly")

ENDLESS = {"minichess"}  # random play of which goes on for thousands of moves
LONG = (  # and for seconds
    "2048", "monopoly", "chess", "backgammon", "yahtzee", "amazons", "draughts", "tablut", "shogi", "xiangqi",
    "crazyhouse", "atomic", "checkers", "pentago",
)  # fmt: skip
GAMES = [
    name
    for name, text in texts().items()
    if name not in ENDLESS and "\nterminal" in text  # those given by rules
]
SHORT = [name for name in GAMES if name not in LONG]
SOLVED = {  # by a search whose nodes are the definition's: solver -> games
    "minimax": ("nim", "tic_tac_toe", "kayles", "wythoff", "toads_and_frogs", "hex"),
    "alpha-beta": ("chomp", "tic_tac_toe"),
    "expectiminimax": ("dice_roll", "coin_flip"),
    "maxn": ("ultimatum", "centipede", "entry"),
    "retrograde": ("pong_hau_ki",),
    "mcts": ("connect_four", "awari"),
}
REMEMBERED = """players Ann, Bob
board Square = graph(x-y, y-z, z-x, z-w)
state
    turn: 0..4
    n: 0..7 = 2 visible to none

action put(s: Square)
    turn := turn + 1
    for i in 1..3
        n := (n + 1) mod 8

terminal
    turn >= 4 -> draw
"""
REMEMBERED_AND_SEEN = REMEMBERED.replace("turn := turn + 1", "turn := turn + 1\n    next p after mover where hid[p] < 1 or p = mover").replace(
    "visible to none\n", "visible to none\n    hid[Player]: 0..9 = 2 visible to none\n")  # fmt: skip
LARGE = """players Ann, Bob
state
    turn: 0..4
    sum: 0..2000000000 = 876965928

action more(k: 1..3)
    turn := turn + 1
    sum := sum + k * 33333331

terminal
    turn >= 4 -> (sum * 1000003 / 7, -sum * 1000003 / 7)
"""


def answers(*words, engines=("interpreter", "wasm"), stdin=None):
    """The output of each engine."""
    asked = {engine: [*words, "--engine", engine] for engine in engines}
    return {engine: CliRunner().invoke(cli.commands, line, input=stdin).stdout for engine, line in asked.items()}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", one_in(3, SHORT, 1))
def test_random_plays_are_the_same(name):
    found = answers("playouts", name, "--count", "2", "--seed", "5", "--json")
    assert len(set(found.values())) == 1
    assert json.loads(found["wasm"])["playouts"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_random_plays_are_the_same(name):
    test_random_plays_are_the_same(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_plays_are_the_same_as_python(name):
    assert len(set(answers("playouts", name, "--count", "2", engines=("wasm", "python")).values())) == 1


@pytest.mark.thorough_of("minimax-nim")
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("solver", "name"),
    [
        pytest.param(solver, name, marks=pytest.mark.slow if at else ())
        for solver, names in SOLVED.items()
        for at, name in enumerate(names)
    ],
)
def test_answers_are_the_same(solver, name):
    limit = ("--simulations", "200") if solver == "mcts" else ()
    found = answers("solve", name, "--solver", solver, "--json", *limit, engines=("interpreter", "auto"))
    assert len(set(found.values())) == 1
    assert json.loads(found["auto"])["nodes"]


def test_what_players_remember_tells_positions_apart_on_every_engine():
    """The compiled engine once merged what the definition keeps apart: 5 nodes in place of 341."""
    found = answers("solve", "-", "--json", engines=("interpreter", "auto", "wasm"), stdin=REMEMBERED)
    assert json.loads(found["interpreter"])["nodes"] == 341
    assert found["auto"] == found["interpreter"]
    assert json.loads(found["wasm"])["problems"][0]["code"] == "no-solver"  # it says that it does not


COUNTING = (
    "minimax", "expectiminimax", "maxn", "alpha-beta", "depth-limited", "proof-number", "star1", "star2", "paranoid",
    "retrograde", "mcts", *(["mccfr"] if "mccfr" in [*SOLVERS] else []),
)  # fmt: skip
COMPARED = {
    "proof-number": ("exact", "value", "best")
}  # depth first on the compiled engine, which tells that it counts so
WITHIN = {"depth-limited": ("--depth", "4"), "mcts": ("--simulations", "30"), "mccfr": ("--iterations", "30")}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "solver",
    [pytest.param(s, marks=() if s in ("minimax", "maxn", "retrograde") else pytest.mark.slow) for s in COUNTING],
)
def test_small_games_are_counted_alike_by_every_engine(solver):
    """The whole answers, of each engine that takes the game: of one in which only memories tell positions apart, though
    nothing is hidden in the end, and of others."""
    small, compared = ["kayles", "kuhn", "nim", "centipede", "pong_hau_ki"], 0
    asked = [("-", REMEMBERED_AND_SEEN), ("-", REMEMBERED), ("-", LARGE), *((name, None) for name in small)]
    for name, text in asked:
        smaller = ("--set", "heaps=1,2,2") if name == "nim" else ("--set", "row=5") if name == "kayles" else ()
        words = ("solve", name, *smaller, "--solver", solver, "--json", *WITHIN.get(solver, ()))
        told = answers(*words, engines=("interpreter", "python", "wasm"), stdin=text)
        found = {engine: json.loads(answer) for engine, answer in told.items()}
        assert told["python"] == told["wasm"], name
        if "solver" in found["wasm"]:  # an engine that is asked for by name may refuse what it does not take
            keys = COMPARED.get(solver, [*found["interpreter"]])
            assert [found["wasm"].get(key) for key in keys] == [found["interpreter"].get(key) for key in keys], name
            compared += 1
    assert compared, "every engine refuses all of them"


@pytest.mark.parametrize("json_or_text", [("--json",), ()])
def test_the_mean_of_large_utilities_has_the_same_digits(json_or_text):
    words = ("playouts", "-", "--count", "20", "--seed", "3", *json_or_text)
    found = answers(*words, engines=("interpreter", "python", "wasm"), stdin=LARGE)
    assert len(set(found.values())) == 1

"""--engine: every engine prints the same bytes, and one that does not fit says so."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from compiled_soon import compiled_after
from installed import without_module
from late_clock import all_clocks_replaced

import gdl
from gdl.commands import cli, engines
from gdl.compiler.compiled_engine import CHOICES
from gdl.states import count

pytest.importorskip("wasmtime")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.commands, words)


@pytest.mark.thorough_of("test subtraction prisoners kuhn figure_5_2")
@pytest.mark.one_in(7)
@pytest.mark.parametrize(
    "words",
    [
        ("perft", "tic_tac_toe", "5"),
        ("perft", "tic_tac_toe", "3", "--after", "take(b2) take(a1)", "--json"),
        ("perft", "rock_paper_scissors", "1"),
        ("playouts", "kuhn", "--count", "50", "--seed", "4", "--json"),
        ("playouts", "goofspiel", "--count", "20"),
        ("playouts", "tic_tac_toe", "--after", "take(b2)", "--count", "50"),
        ("playouts", "awari", "--count", "8"),
        ("playouts", "go", "--variant", "superko", "--set", "columns=2", "--set", "rows=2", "--count", "5"),
        pytest.param(("playouts", "scrabble", "--count", "3"), marks=pytest.mark.slow),
        ("solve", "awari", "--solver", "mcts", "--simulations", "8", "--seed", "2"),
        ("states", "go", "--variant", "superko", "--set", "columns=2", "--set", "rows=1"),
        pytest.param(("playouts", "chinese_checkers", "--set", "k=2", "--count", "1"), marks=pytest.mark.slow),
        ("perft", "chess", "2", "--variant", "perft"),
        pytest.param(("perft", "chess", "1", "--variant", "perft", "--position", "kiwipete"), marks=pytest.mark.slow),
        ("test", "subtraction", "prisoners", "kuhn", "figure_5_2"),
    ],
    ids=" ".join,
)
def test_every_engine_answers_the_same(words: tuple[str, ...]):
    answers = {run(*words, "--engine", engine).stdout for engine in CHOICES}
    assert len(answers) == 1
    assert answers != {""}


@pytest.fixture
def turns_at_once() -> Iterator[None]:
    """The interpreter has no time of its own before kernel code takes turns with it."""
    with compiled_after(10):
        yield


def test_auto_has_both_engines_work_by_turns(turns_at_once: None):
    """Whichever is first: many ways to few states are the interpreter's, many states kernel code's."""
    assert "exactly 60 plies" in run("perft", "pong_hau_ki", "60").stdout
    assert "5,673,234 action sequences" in run("perft", "connect_four", "8").stdout


def test_a_limit_leaves_the_count_of_shorter_sequences():
    """Once it left nothing but the number of positions that were looked at."""
    asked = "perft", "tic_tac_toe", "5", "--engine", "interpreter", "--nodes", "200"
    stopped = run(*asked)
    assert stopped.exit_code == 4
    assert "504 action sequences of exactly 3 plies" in stopped.stdout
    assert "Longer sequences were not counted to the end." in stopped.stdout
    divided = json.loads(run(*asked, "--json", "--divide").stdout.splitlines()[0])
    assert (divided["depth"], divided["complete"], sum(divided["divide"].values())) == (3, False, 504)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("divide", [(), ("--divide",)])
def test_the_clock_does_not_say_where_a_limit_of_positions_stops(
    divide: tuple[str, ...], turns_at_once: None, monkeypatch: pytest.MonkeyPatch
):
    """On a busy machine kernel code had once counted to the end what the interpreter was to be stopped in."""
    asked = "perft", "chess", "3", "--nodes", "3", "--json", *divide
    alone = run(*asked, "--engine", "interpreter").stdout
    monkeypatch.setattr(engines, "KERNEL_SHARE", 1_000_000)
    assert run(*asked).stdout == alone
    assert '"depth": 1' in alone


def test_the_last_ply_but_one_asks_the_compiled_engine_too():
    """Each of its positions may take the interpreter a second; once only the plies before were counted as progress."""
    met: list[int] = []
    assert count.perft(gdl.load("tic_tac_toe"), 2, met.append) == 72
    assert met == list(range(1, 11))


def test_kernel_code_works_longer_where_the_interpreter_is_slow(monkeypatch: pytest.MonkeyPatch):
    """A rule that takes the interpreter as long as ten slices gets kernel code forty of them before the next."""
    now, done = 0.0, []

    class Slices:
        def __iter__(self):
            nonlocal now
            for slice_ in range(100):
                now += engines._SLICE
                done.append(slice_)
                yield
            raise AssertionError("more than its share")

    def slow(game, depth, progress):
        nonlocal now
        for met in range(2):
            now += 0.5
            progress(met)
        return 7

    monkeypatch.setattr(engines, "_search", lambda *asked: Slices())
    with all_clocks_replaced(lambda: now):
        assert engines._by_turns(slow, "Perft", gdl.load("nim"), 2, None) == 7
    assert len(done) == pytest.approx(2 * 0.5 * engines.KERNEL_SHARE / engines._SLICE, abs=2)


def test_without_wasmtime_auto_still_answers():
    wanted = [run("perft", "nim", "4").stdout, run("playouts", "nim").stdout]
    with without_module("wasmtime"), compiled_after(10):
        assert [run("perft", "nim", "4").stdout, run("playouts", "nim").stdout] == wanted
        assert run("perft", "nim", "4", "--engine", "wasm").exit_code == 5


@pytest.mark.thorough_of("goofspiel-depths3-wasm")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("engine", ["python", "wasm", "auto"])
@pytest.mark.parametrize(
    ("game", "depths"),
    [("nim", range(5)), ("rock_paper_scissors", range(6)), ("pig", (3,)), ("goofspiel", (1, 2, 3, 5))],
)
def test_perft_is_divided_by_the_first_action(game: str, depths: Sequence[int], engine: str):
    for depth in depths:
        asked = "perft", game, str(depth), "--divide", "--json", "--engine"
        assert run(*asked, engine).stdout == run(*asked, "interpreter").stdout


def test_playouts_as_json():
    found = json.loads(run("playouts", "rock_paper_scissors", "--count", "7", "--json").stdout)
    assert list(found) == ["schema", "playouts", "plies", "value", "wins", "draws", "length", "branching"]
    assert found["length"] == {"shortest": 2, "quartiles": [2, 2, 2], "mean": 2.0, "longest": 2}
    assert found["branching"] == 3
    assert (found["playouts"], found["plies"]) == (7, 14)
    assert list(found["value"]) == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("perft", "prisoners", "2", "--engine", "wasm"), 5),
        (("perft", "nim", "2", "--engine", "steam"), 2),
        (("playouts", "prisoners", "--engine", "python"), 5),
        (("playouts", "nim", "--count", "0"), 2),
    ],
)
def test_what_does_not_fit_is_refused(words: tuple[str, ...], status: int):
    assert run(*words).exit_code == status


MANY = """players Ann, Bob

board Square = grid(3, 4)

state
    stone[Square]: Player?

action put(s: Square) when stone[s] = none
    stone[s] := mover

terminal
    exists line in lines(Square, 3): forall s in line: stone[s] = Ann -> win Ann
    exists line in lines(Square, 3): forall s in line: stone[s] = Bob -> win Bob
    no actions -> draw

expect states = 111973
expect ends = 32410
expect perft(7) = 3499200
expect value = 1
"""


@pytest.mark.thorough
def test_what_a_file_expects_is_counted_on_the_compiled_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "many.game"
    file.write_text(MANY)
    met: list[str] = []
    enumeration = engines._enumeration
    monkeypatch.setattr(engines, "_enumeration", lambda *asked: met.append(asked[1]) or enumeration(*asked))
    assert run("test", str(file)).stdout == "1 game, 4 expectations, all hold\n"
    assert met == ["wasm"]


@pytest.mark.slow
def test_where_the_engine_that_was_asked_for_gives_up_that_is_said_beside_the_answer():
    words = ("solve", "twenty_one", "--solver", "expectiminimax")
    plain, asked = run(*words), run(*words, "--engine", "wasm")
    assert plain.stdout == asked.stdout
    assert "compiled" not in plain.stderr
    assert asked.stderr.splitlines()[0] == (  # on a slow machine progress is told below
        "the compiled search does not suit Twenty-one: its numbers become too large; "
        "the search is made without the compiled engine"
    )

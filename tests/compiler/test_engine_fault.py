"""Where the compiled engine fails, whoever did not ask for it by name gets the interpreter's answer, and a warning."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from broken_engine import (
    ASKED_FOR,
    WARNING,
    Break,
    every_loading,
    instantiation,
    loading,
    lowering,
    run,
    running,
    translation,
)
from click.testing import Result
from compiled_soon import compiled_after
from places import LANGUAGE
from sampling import one_in

from gdl import errors
from gdl.compiler.fault import engine_faults

pytest.importorskip("wasmtime")

PRODUCTS = str(LANGUAGE / "large_numbers.game")
BREAKS: tuple[Break, ...] = (translation, lowering, instantiation, loading, running)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("perft", "tic_tac_toe", "4"),
    ("perft", "tic_tac_toe", "4", "--divide"),
    ("states", "nim"),
    ("playouts", "nim", "--count", "20"),
    ("playouts", PRODUCTS, "--json"),
    ("solve", PRODUCTS),
    ("solve", "tic_tac_toe", "--solver", "minimax", "--after", "take(b2) take(a1)"),
    ("solve", "tic_tac_toe", "--solver", "alpha-beta", "--after", "take(b2)"),
    ("solve", "tic_tac_toe", "--solver", "proof-number", "--after", "take(b2) take(a1)"),
    ("solve", "nim", "--solver", "mcts", "--simulations", "200"),
    ("solve", "connect_four", "--nodes", "500", "--solver", "mcts"),
    ("solve", "pong_hau_ki", "--solver", "retrograde"),
    ("solve", "breakthrough", "--solver", "depth-limited", "--depth", "2", "--set", "columns=3", "--set", "rows=4"),
)


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """The compiled engine is asked for its help from the first node on."""
    with compiled_after(10):
        yield


def told(result: Result) -> tuple[str, str, int]:
    return result.stdout, result.stderr, result.exit_code


@cache
def interpreted(words: tuple[str, ...]) -> Result:
    """The interpreter's answer to the command."""
    return run(*words, "--engine", "interpreter")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("words", one_in(2, COMMANDS), ids=" ".join)
def test_the_interpreter_does_the_work(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    wanted = interpreted(words)
    translation(monkeypatch)
    found = run(*words)
    warning, _, rest = found.stderr.partition(ASKED_FOR)
    assert warning.startswith(WARNING)
    assert warning.endswith(" (ValueError: narrowing is written i32(e)); the interpreter does the work. ")
    assert (found.stdout, rest, found.exit_code) == told(wanted)


@pytest.mark.one_in(16, 14)
@pytest.mark.parametrize("words", COMMANDS[2:5] + COMMANDS[7:8], ids=" ".join)
@pytest.mark.parametrize("broken", BREAKS[1:])
def test_whatever_it_is_that_fails(broken: Break, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    wanted = interpreted(words)
    broken(monkeypatch)
    found = run(*words)
    assert (found.stdout, found.exit_code) == (wanted.stdout, wanted.exit_code)
    assert (found.stderr.count(WARNING), found.stderr.count(ASKED_FOR), found.stderr.count("\n")) == (1, 1, 1)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_engine_that_was_asked_for_by_name_is_not_replaced(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    translation(monkeypatch)
    found = run(*words, "--engine", "wasm")
    assert found.exit_code == 70
    assert '"code": "engine"' in found.stdout if "--json" in words else found.stdout == ""
    assert found.stderr.startswith("error: the compiled engine fails on ")
    assert "\nhelp: without --engine another does the work" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize("broken", BREAKS)
def test_expectations_hold_without_it(broken: Break, monkeypatch: pytest.MonkeyPatch):
    """One line of warning, however many are asked."""
    broken(monkeypatch)
    found = run("test", PRODUCTS)
    assert (found.stdout, found.exit_code) == ("1 game, 4 expectations, all hold\n", 0)
    assert found.stderr.count("\n") == 1


FAULTY = """players Ann, Bob

state
    left: 0..30 = 30

action take(n: 1..3)
    left := left - n

terminal
    left = 1 -> win mover
"""


@pytest.mark.parametrize("command", ["playouts", "states", "solve"])
def test_a_fault_of_the_rules_is_no_fault_of_the_engine(command: str, tmp_path: Path):
    file = tmp_path / "faulty.game"
    file.write_text(FAULTY)
    found, wanted = run(command, str(file)), run(command, str(file), "--engine", "interpreter")
    assert found.exit_code == 3
    assert WARNING not in found.stderr
    assert found.stderr.splitlines()[0] == wanted.stderr.splitlines()[0]


FAR = """players Ann, Bob

state
    turns: 0..12
    low: 0..9

action go(n: 1..3)
    let x = 1/3
    for i in 1..24 + turns * 3
        x := x * 2
    if x > 400000000
        low := n
    turns := turns + 1

terminal
    turns = 9 -> low - 1
"""


@pytest.mark.parametrize("words", [("playouts", "--count", "9"), ("states",), ("perft", "7")], ids=" ".join)
def test_what_the_engine_refuses_in_the_middle_is_done_by_the_interpreter(words: tuple[str, ...], tmp_path: Path):
    """A number grows beyond what it holds: then nobody is to blame."""
    file = tmp_path / "far.game"
    file.write_text(FAR)
    asked = words[0], str(file), *words[1:]
    assert told(run(*asked)) == told(run(*asked, "--engine", "interpreter"))
    assert run(*asked, "--engine", "wasm").exit_code == 5


def test_the_place_of_the_fault_is_shown_to_whoever_asks(monkeypatch: pytest.MonkeyPatch):
    translation(monkeypatch)
    monkeypatch.setenv("GDL_DEBUG", "1")
    found = run("playouts", "nim", "--count", "5")
    assert found.exit_code == 0
    assert found.stderr.startswith("Traceback")


@pytest.mark.parametrize(
    ("error", "words"),
    [(ValueError("two\n\x1b[1mlines\n"), "ValueError: \ufffd[1mlines"), (KeyError(), "KeyError")],
)
def test_a_fault_says_one_line_of_what_went_wrong(error: Exception, words: str):
    with pytest.raises(errors.EngineFault) as fault, engine_faults("a\u202eb"):
        raise error
    assert str(fault.value) == f"the compiled engine fails on a\ufffdb ({words})"
    assert fault.value.__cause__ is error


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("no instance:\nCannot allocate memory (os error 12)"),
        MemoryError(),
        OSError("(os error 1455)"),
        RuntimeError("mmap failed to reserve 0x104000000 bytes"),
    ],
)
def test_too_little_memory_is_nothing_to_report(monkeypatch: pytest.MonkeyPatch, error: Exception):
    every_loading(monkeypatch, error)
    found = run("solve", "tic_tac_toe")
    assert found.exit_code == 0, found.stderr
    assert "too little memory or address space for the compiled engine" in found.stderr
    assert found.stderr.rstrip().endswith("; the interpreter does the work.")
    asked = run("playouts", "tic_tac_toe", "--count", "5", "--engine", "python")
    assert (asked.exit_code, "report" in asked.stderr) == (4, False)
    assert asked.stderr.endswith("without --engine another does the work, where one can\n")

"""Rules that run away: loops without end, crowds, giant boards and numbers. Whatever a stranger's file asks for, no
command crashes, exceeds its limit of memory, or leaves Ctrl-C unanswered."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from places import RUNAWAY

from gdl.commands import cli
from gdl.commands.limiting import MEBIBYTE, memory_in_use

GAMES = sorted(RUNAWAY.glob("*.game"))
IN_ORDER = {0, 3, 4, 5, 130}  # exit statuses: done, a fault of the rules, a limit, no solver, interrupted
MOST = 400  # MiB
SLACK = 100  # MiB by which the memory may grow between two looks
WAIT = 3.0  # seconds before Ctrl-C
ANSWER = 5.0  # seconds that the answer to it may take on a machine with much else to do; alone it is 0.2

COMMANDS = [
    "solve",
    *(
        f"solve --solver {name}"
        for name in ("minimax", "maxn", "expectiminimax", "alpha-beta", "retrograde", "nash", "dominance",
                     "subgame-perfect", "sequence-form", "belief", "mcts --simulations 1000000000")
    ),
    *(f"states --limit 1000000000 --engine {engine}" for engine in ("auto", "interpreter", "wasm")),
    "states --histories --limit 1000000000",
    *(f"playouts --count 1000000000 --engine {engine}" for engine in ("auto", "interpreter", "python")),
    "graph --limit 1000000000 --format json",
    "judge --profile uniform",
    "check",
    "test",
]  # fmt: skip
QUICK = {"choices": "solve", "crowd": "states", "heavy": "playouts"}  # file -> what is tried whenever tests run
PERFT = [f"--engine {engine}" for engine in ("auto", "interpreter", "python", "wasm")]


def named(file):
    return file.stem


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("command", "file"),
    [
        pytest.param(c, f, marks=() if c.split()[0] == QUICK.get(f.stem) else pytest.mark.slow, id=f"{c}-{f.stem}")
        for c in ("solve", "states", "playouts --count 1000000000")
        for f in GAMES
    ],
)
def test_time_stops_it(file, command):
    process = start([*command.split(), str(file), "--time", "0.2"])
    _, said = process.communicate()
    assert process.returncode in IN_ORDER, said
    assert "bug" not in said
    assert "Traceback" not in said


@pytest.mark.thorough_of("solve")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "command", ["solve", "states", "graph", "perft --engine interpreter", "solve --solver retrograde"]
)
def test_a_crowd_has_more_joint_moves_than_can_be_listed(command):
    words = [*command.split(), "tests/commands/runaway/crowd.game", *(["50"] if command.startswith("perft") else [])]
    result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert result.exit_code in (4, 5)
    told = "one position has 10^67 joint moves" in result.stderr
    assert result.exit_code == 5 or told or "iterations of regret minimisation by samples" in result.stdout


@pytest.mark.one_in(2)
@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_a_crowd_has_more_sequences_than_a_word_can_count(engine):
    """Fifty to the twelfth was told modulo two to the sixty-fourth."""
    if engine == "wasm":
        pytest.importorskip("wasmtime")

    def said(plies, engine):
        words = ["perft", "tests/commands/runaway/crowd.game", plies, "--engine", engine]
        return CliRunner().invoke(cli.commands, words, prog_name="gdl")

    assert f"{50**11:,}" in said("11", engine).stdout
    many = said("12", engine)
    assert (many.exit_code, many.stdout) == (5, "")
    assert "Crowd has more action sequences than the compiled engine can count" in many.stderr
    assert f"{50**12:,}" in said("12", "auto").stdout


def start(words):
    command = [sys.executable, "-m", "gdl", *words, "--memory", str(MOST)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def ended(process):
    """The exit status and the most MiB that the process held."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss / 1024


@pytest.mark.slow
@pytest.mark.parametrize("file", GAMES, ids=named)
@pytest.mark.parametrize("command", [*COMMANDS, *(f"perft {engine}" for engine in PERFT)])
def test_ctrl_c_is_answered_and_memory_kept(file, command):
    words = [*command.split(), str(file), *(["60"] if command.startswith("perft") else [])]
    process = start(words)
    assert process.stderr is not None
    before = time.monotonic()
    while process.poll() is None and time.monotonic() - before < WAIT:
        time.sleep(0.05)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        code, most = ended(process)
        assert time.monotonic() - asked < ANSWER
        assert most < MOST + SLACK
    else:
        code = process.returncode
    said = process.stderr.read()
    assert code in IN_ORDER, said
    assert "bug" not in said and "Traceback" not in said


@pytest.mark.thorough
def test_ctrl_c_is_answered_where_one_position_takes_seconds():
    """The proven bounds are told without another look at the position."""
    process = start(["solve", "--solver", "nash", str(RUNAWAY / "heavy.game")])
    time.sleep(WAIT)
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    process.communicate()
    assert process.returncode == 130 and time.monotonic() - asked < ANSWER


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["states --engine interpreter", "states --engine wasm", "solve --solver minimax", "graph"]
)
def test_memory_stops_it(command):
    limit = 150
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "gdl",
            *command.split(),
            "connect_four",
            "--memory",
            str(limit),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    code, most = ended(process)
    assert code == 4, process.stderr.read()
    assert most < limit + SLACK


def test_what_a_process_holds_is_told_in_bytes():
    assert 5 * MEBIBYTE < memory_in_use() < 100_000 * MEBIBYTE


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["playouts", "playouts --engine interpreter"])
def test_a_play_without_end_is_told(command: str, tmp_path):
    """Work that no play ends says so once, and how it could end."""
    file = tmp_path / "walk.game"
    file.write_text(
        "players Ann, Bob\nstate\n    n: 0..9\naction go(k: 0..9)\n    n := k\nterminal\n    n = 10 -> draw\n"
    )
    name, *rest = command.split()
    result = CliRunner().invoke(cli.commands, [name, str(file), *rest, "--time", "3"])
    assert result.exit_code in (4, 130)
    assert result.stderr.count("has not ended in 20,000 plies; Ctrl-C or a limit of time stops it") == 1


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["wasm", "interpreter"])
def test_of_a_play_that_a_limit_cuts_nothing_is_counted(engine: str, tmp_path):
    file = tmp_path / "half.game"
    file.write_text(
        "players Ann, Bob\nstate\n    n: 0..2\naction stay\n    n := 1\naction leave when n = 0\n    n := 2\n"
        "terminal\n    n = 2 -> win Ann\n"
    )
    words = ["playouts", str(file), "--count", "40", "--time", "1", "--engine", engine]
    some = json.loads(CliRunner().invoke(cli.commands, [*words, "--json"]).stdout)
    assert some["playouts"] and some["plies"] == some["playouts"] and some["length"]["mean"] == 1
    file.write_text(file.read_text().replace("when n = 0", "when n = 2"))
    assert json.loads(CliRunner().invoke(cli.commands, [*words, "--json"]).stdout)["value"] == {}
    assert CliRunner().invoke(cli.commands, words).stdout == "half: no random playout came to its end.\n"

"""A report by several workers: the same bytes; a worker that is lost ends it, and none outlives the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.errors import GameError, LimitReached, Problem
from gdl.wings.report.play_workers import results_by_workers

PLAYS = ["report", "tic_tac_toe", "--agents", "random", "--games", "8", "--lead", "none"]
LONGER = ["report", "connect_four", "--agents", "mcts:9000", "--games", "100000"]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


def squares(about: int) -> Callable[[int], tuple[int, int]]:
    def square(number: int) -> tuple[int, int]:
        if number == 13:
            raise GameError(Problem("thirteen", help="leave it out"))
        if number == 17:
            os.kill(os.getpid(), signal.SIGKILL)
        return about, number * number

    return square


@pytest.mark.slow
def test_the_same_bytes_by_one_two_and_four_workers():
    command = ["report", "tic_tac_toe", "--agents", "mcts:50,random", "--games", "30", "--seed", "1"]
    plain = run(*command)
    for workers in (1, 2, 4):
        assert run(*command, "--workers", str(workers)) == plain


@pytest.mark.slow
@pytest.mark.parametrize(
    "compared",
    [
        ["nim", "--sweep", "heaps=1,2", "--ladder", "50", "--agents", "mcts:50"],
        ["tic_tac_toe", "--without", "take(b2)", "--seat", "X", "--agents", "random", "--lead", "none"],
    ],
)
def test_workers_make_the_plays_of_comparisons_too(compared: list[str]):
    command = ["report", *compared, "--games", "6"]
    assert run(*command, "--workers", "2") == run(*command)


@pytest.mark.slow
def test_a_fault_is_raised_when_its_turn_comes():
    found = results_by_workers(2, squares, 7, range(8, 16))
    assert [next(found) for _ in range(4)] == [(7, n * n) for n in range(8, 12)]
    with pytest.raises(GameError) as fault:
        list(found)
    assert fault.value.problems[0].help == "leave it out"


@pytest.mark.slow
def test_a_worker_that_is_lost_is_told():
    with pytest.raises(LimitReached, match="a worker was lost"):
        list(results_by_workers(2, squares, 7, range(14, 30)))


def test_a_cluster_is_told_what_to_write_in_its_place():
    assert "--workers N" in run(*PLAYS, "--cluster", "local:2", status=2)
    assert "--games and --seed" in run(*PLAYS, "--checkpoint", "kept", status=2)


@pytest.mark.slow
def test_workers_end_with_the_command_that_is_killed():
    command = subprocess.Popen([sys.executable, "-m", "gdl", *LONGER, "--workers", "2"], stdout=subprocess.DEVNULL)
    while len(workers := [pid for pid in _children(command.pid) if b"spawn_main" in _text(pid, "cmdline")]) < 2:
        time.sleep(0.05)
    command.kill()
    command.wait()
    while any(_text(pid, "stat").rpartition(b")")[2].split()[:1] not in ([], [b"Z"]) for pid in workers):
        time.sleep(0.05)


def _children(pid: int) -> list[int]:
    return [
        int(entry.name)
        for entry in Path("/proc").glob("[0-9]*")
        if _text(int(entry.name), "stat").rpartition(b")")[2].split()[1:2] == [b"%d" % pid]
    ]


def _text(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""

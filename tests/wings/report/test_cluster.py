"""Work in pieces: the same bytes by any number of workers of any kind, whoever is killed, and no file is believed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from killing import descendants

from gdl.commands import cli
from gdl.errors import DamagedData, GameError, Problem, Refusal
from gdl.wings.report.cluster.journal import journal
from gdl.wings.report.cluster.pieces import Job, LocalWorker, in_order
from gdl.wings.report.cluster.processes import ProcessWorkers

PLAYS = ["report", "tic_tac_toe", "--agents", "random", "--games", "8", "--lead", "none"]
LONGER = ["report", "connect_four", "--agents", "mcts:9000", "--games", "100000"]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


def squares(about: int):
    def do(common, piece):
        if piece == 13:
            raise GameError(Problem("thirteen", help="leave it out"))
        return [about, common, piece * piece]

    return do


# -- pieces -----------------------------------------------------------------------------------------------------


def test_results_come_in_the_order_of_the_pieces_and_few_are_handed_out_before():
    handed = []
    results = in_order(lambda piece: handed.append(piece) or piece, lambda piece: (-piece, None), range(9), 2)
    assert next(results) == 0 and handed == [0, 1, 2, 3]
    assert [*results] == [-n for n in range(1, 9)]


def test_this_process_does_all_by_itself():
    assert [*LocalWorker().map(Job(squares, 7), [1, 2], "c")] == [[7, "c", 1], [7, "c", 4]]


# -- what is kept -----------------------------------------------------------------------------------------------


def results(file: Path, pieces, known=None):
    with journal(file, known or {"of": "squares"}, "a test") as kept:
        return [*kept.results(LocalWorker(), Job(squares, 0), pieces)]


def test_what_was_done_is_not_done_again(tmp_path: Path):
    file = tmp_path / "kept"
    first = results(file, [1, 2, 3])
    whole = file.read_bytes()
    with journal(file, {"of": "squares"}, "a test") as kept:
        assert [*kept.results(LocalWorker(), Job(None, 0), [1, 2, 3])] == first  # nobody could do it
    assert results(file, [1, 2, 3, 4]) == [*first, [0, None, 16]]
    assert file.read_bytes().startswith(whole)


@pytest.mark.parametrize("cut", [1, 5, 9])
def test_a_line_that_a_kill_has_left_is_done_again(tmp_path: Path, cut: int):
    file = tmp_path / "kept"
    wanted = results(file, [1, 2, 3])
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    assert results(file, [1, 2, 3]) == wanted and file.read_bytes() == whole


def test_a_checkpoint_of_other_work_is_refused_and_a_damaged_one_told(tmp_path: Path):
    file = tmp_path / "kept"
    results(file, [1, 2, 3])
    with pytest.raises(Refusal, match="of other options"):
        results(file, [1], {"of": "cubes"})
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(DamagedData, match="damaged"):
        results(file, [1, 2, 3])
    for text in (b"", b"game", b"\xff" * 100, b"[" * 100_000):
        file.write_bytes(text)
        with pytest.raises(DamagedData, match="no checkpoint"):
            results(file, [1, 2, 3])


# -- the command line -------------------------------------------------------------------------------------------


def test_what_is_no_cluster_is_told():
    for where in ("local:0", "local:x", "ray:", "here", "local:99999"):
        assert "neither local:N nor ray://HOST:PORT" in run(*PLAYS, "--cluster", where, status=2)
    assert "do not go together" in run(*PLAYS, "--cluster", "local:1", "--workers", "2", status=2)


# -- several workers --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_a_piece_raises_is_raised_when_its_turn_comes():
    workers = ProcessWorkers(2)
    try:
        found = workers.map(Job(squares, 0), [12, 13, 14])
        assert next(found) == [0, None, 144]
        with pytest.raises(GameError) as fault:
            next(found)
        assert fault.value.problems[0].help == "leave it out"
    finally:
        workers.close()


def started(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gdl", *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


@pytest.mark.slow
def test_workers_end_with_the_head_that_is_killed():
    head = started([*LONGER, "--workers", "2"])
    while not (workers := [pid for pid, line in descendants(head.pid).items() if "spawn_main" in line]):
        time.sleep(0.05)
    head.kill()
    head.wait()
    while any(map(is_alive, workers)):
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

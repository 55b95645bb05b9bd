"""Work in pieces: the same bytes by any number of workers of any kind, whoever is killed, and no file is believed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType, SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from click.testing import CliRunner
from killing import descendants

import gdl
import gdl.solvers
from gdl.commands import cli
from gdl.errors import DamagedData, GameError, Problem, Refusal
from gdl.solvers.cluster.journal import journal
from gdl.solvers.cluster.pieces import Job, LocalWorker, in_order
from gdl.solvers.cluster.processes import ProcessWorkers
from gdl.wings.tables import ray_workers as on_ray

PLAYS = ["playouts", "tic_tac_toe", "--count", "2000", "--seed", "5"]
REPORT = ["report", "tic_tac_toe", "--agents", "mcts:50,random", "--games", "30", "--seed", "1"]
LONGER = ["report", "connect_four", "--agents", "mcts:800", "--games", "48", "--seed", "1", "--lead", "none"]
LEARN = ["learn", "connect_four", "--model", "net", "--games", "512", "--seed", "3"]
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")


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


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "command", [PLAYS, ["report", "tic_tac_toe", "--agents", "random", "--games", "4", "--lead", "none"]]
)
def test_a_hostile_checkpoint_is_told_as_damaged(tmp_path: Path, command: list[str]):
    file = tmp_path / "kept"
    plain = run(*command)
    assert run(*command, "--checkpoint", str(file)) == plain == run(*command, "--checkpoint", str(file))
    header, *rest = file.read_bytes().splitlines(keepends=True)
    honest = json.loads(rest[0].partition(b" ")[2])
    for lie in (*lies(honest), 5, {}, [], [[]], "x"):
        text = json.dumps(lie).encode()
        file.write_bytes(header + b"%d %s\n" % (crc32(text), text))
        assert "checkpoint" in run(*command, "--checkpoint", str(file), status=6), lie


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "compared",
    [
        ["nim", "--sweep", "heaps=1,2", "--ladder", "50", "--agents", "mcts:50"],
        ["tic_tac_toe", "--without", "take(b2)", "--seat", "X", "--agents", "random", "--lead", "none"],
    ],
)
def test_comparisons_are_cut_into_pieces_too(tmp_path: Path, compared: list[str]):
    command = ["report", *compared, "--games", "6"]
    assert run(*command, "--checkpoint", str(tmp_path / "kept")) == run(*command)


def lies(honest: list):
    """The honest answer with one number or text changed to something impossible."""
    if isinstance(honest[0], dict):
        yield [{**honest[0], "seats": [7, 0]}]
        yield [{**honest[0], "utilities": ["1e999999999", "0"]}]
        yield [{**honest[0], "judged": [[1.0]]}]
        yield [{**honest[0], "choices": [[0, "a", "a", 0, []]]}]
    else:
        yield [-1, *honest[1:]]
        yield [*honest[:2], ["1/0", *honest[2][1:]], *honest[3:]]
        yield [*honest[:2], ["1e999999999", *honest[2][1:]], *honest[3:]]
        yield [*honest[:4], [[99_999, 1]], *honest[5:]]


# -- the command line -------------------------------------------------------------------------------------------


def test_what_is_no_cluster_is_told():
    for where in ("local:0", "local:x", "ray:", "here", "local:99999"):
        assert "neither local:N nor ray://HOST:PORT" in run(*PLAYS, "--cluster", where, status=2)
    assert "do not go together" in run(*PLAYS, "--cluster", "local:1", "--workers", "2", status=2)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'gdl[cluster]'" in run(*PLAYS, "--cluster", "local:1", status=5)
    assert run(*PLAYS)


class EmptyCluster(ModuleType):
    """Ray with a cluster to which no worker has come, and whose head is lost when it is asked for something."""

    class exceptions:  # as Ray names them
        RayError, WorkerCrashedError, OutOfMemoryError = RuntimeError, BlockingIOError, BrokenPipeError

    cpus = 0
    refusals = 0  # how many connections are ended at once

    def init(self, where: str, **quiet: object) -> None:
        if self.refusals:
            self.refusals -= 1
            warnings.warn("Ray Client connection timed out. Ensure that it is reachable", stacklevel=2)
            raise ConnectionAbortedError("Initialization failure from server:\npsutil.ZombieProcess")

    def shutdown(self) -> None:
        pass

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.cpus)} if self.cpus else {}

    def remote(self, **settings: object) -> Any:
        return lambda work: SimpleNamespace(remote=lambda *given: given)

    def put(self, thing: object) -> object:
        return thing

    def get(self, handed: object) -> object:
        raise RuntimeError("Client is shutting down.\nsaid at length")


@pytest.mark.parametrize(
    "command",
    [
        [*PLAYS, "--checkpoint"],
        ["solve", "kuhn", "--solver", "mccfr", "--iterations", "900", "--checkpoint"],
        ["learn", "tic_tac_toe", "--model", "net", "--games", "64", "--output"],
    ],
)
def test_a_cluster_without_processors_and_one_that_is_lost_are_told(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    cluster = EmptyCluster("ray")
    monkeypatch.setitem(sys.modules, "ray", cluster)
    monkeypatch.setattr(on_ray, "PATIENCE", 1)
    where, kept = ("--cluster", "ray://head:1"), str(tmp_path / "kept")
    assert "has no processors: no worker has come in 1 seconds" in run(*command, kept, *where, status=5)
    cluster.cpus = 2
    told = run(*command, kept, *where, status=5)
    assert f"the cluster is lost: Client is shutting down; with --workers the command goes on from {kept}" in told


def test_a_cluster_that_ends_a_connection_is_asked_again(monkeypatch: pytest.MonkeyPatch, recwarn: Any):
    cluster = EmptyCluster("ray")
    monkeypatch.setitem(sys.modules, "ray", cluster)
    monkeypatch.setattr(on_ray, "PATIENCE", 1)
    monkeypatch.setattr(on_ray, "sleep", lambda seconds: None)
    cluster.refusals = 2
    assert "has no processors" in run(*PLAYS, "--cluster", "ray://head:1", status=5)
    cluster.refusals = 3
    told = run(*PLAYS, "--cluster", "ray://head:1", status=5)
    assert "no cluster answers at ray://head:1: Initialization failure from server: psutil.ZombieProcess" in told
    assert "if it asks for a token, set RAY_AUTH_TOKEN" in told and not recwarn


@needs_ray
@pytest.mark.slow
def test_a_cluster_of_this_machine_leaves_no_token_behind(tmp_path: Path):
    words = [sys.executable, "-m", "gdl", *PLAYS, "--cluster", "local:1"]
    done = subprocess.run(words, env=os.environ | {"HOME": str(tmp_path)}, capture_output=True, text=True, timeout=120)
    assert done.stdout == run(*PLAYS) and not (tmp_path / ".ray").exists()


@pytest.fixture
def two_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A cluster: its address, and the two nodes that have a processor each, as processes."""
    monkeypatch.setenv("HOME", str(tmp_path))  # where Ray looks for a token
    ray, kept = [sys.executable, "-m", "ray.scripts.scripts"], mkdtemp(prefix="ray", dir="/tmp")
    port, doors = free_port(), free_port()
    usual = [*ray, "start", "--block", "--disable-usage-stats", "--object-store-memory=100000000"]
    head = ["--head", "--num-cpus=0", f"--port={port}", f"--ray-client-server-port={doors}", f"--temp-dir={kept}"]
    calls = [[*head, "--include-dashboard=false"], *[[f"--address=127.0.0.1:{port}", "--num-cpus=1"]] * 2]
    nodes = []
    try:
        for call in calls:
            nodes.append(subprocess.Popen([*usual, *call], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            while not any("raylet/raylet" in line for line in descendants(nodes[-1].pid).values()):
                assert nodes[-1].poll() is None
                time.sleep(0.2)
        yield f"ray://127.0.0.1:{doors}", nodes[1:]
    finally:
        for node in reversed(nodes):
            for pid in [*descendants(node.pid), node.pid]:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            node.wait()
        shutil.rmtree(kept, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


SAMPLED = ["solve", "leduc", "--solver", "mccfr", "--iterations", "40000", "--seed", "1"]


@needs_ray
@pytest.mark.slow
@pytest.mark.parametrize("command", [SAMPLED], ids=["mccfr"])
def test_a_cluster_goes_on_when_a_node_is_killed(command: list[str], two_nodes: Any, tmp_path: Path):
    address, nodes = two_nodes
    found = []
    for name, where in (("here", ["--workers", "2"]), ("there", ["--cluster", address])):
        folder = tmp_path / name
        folder.mkdir()
        words = [sys.executable, "-m", "gdl", *command, *where]
        working = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while name == "there" and working.poll() is None:
            lines = descendants(nodes[0].pid)
            if any("ray::attempt" in line for line in lines.values()):
                (raylet,) = (pid for pid, line in lines.items() if "raylet/raylet" in line)
                os.kill(raylet, signal.SIGKILL)
                break
            time.sleep(0.02)
        out, error = working.communicate(timeout=600)
        assert working.returncode == 0, error
        files = {file.name: file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
        found.append((re.sub(r"[\d.,]+ (s|MiB)\b", "", out), files))
    assert nodes[0].poll() is not None or not any("raylet" in line for line in descendants(nodes[0].pid).values())
    assert found[0] == found[1]


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


KINDS = [("--workers", ""), pytest.param(("--cluster", "local:"), marks=needs_ray)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=["processes", "ray"])
@pytest.mark.parametrize("command", [PLAYS, REPORT], ids=["playouts", "report"])
def test_the_same_bytes_by_one_two_and_four_workers(kind: tuple[str, str], command: list[str]):
    plain = run(*command)
    for workers in (1, 2, 4):
        assert run(*command, kind[0], f"{kind[1]}{workers}") == plain


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


@pytest.mark.slow
def test_a_net_is_the_same_by_any_number_of_workers(tmp_path: Path):
    wanted = learned(tmp_path / "one", "--workers", "1")
    assert learned(tmp_path / "four", "--workers", "4") == wanted
    if find_spec("ray"):
        assert learned(tmp_path / "ray", "--cluster", "local:2") == wanted


@pytest.mark.slow
def test_a_net_by_few_simulations_is_the_same_by_any_number_of_workers(tmp_path: Path):
    few = ("--simulations", "16", "--games", "128", "--set", "columns=5", "--set", "rows=4")
    wanted = learned(tmp_path / "one", *few, "--workers", "1")
    assert learned(tmp_path / "two", *few, "--workers", "2") == wanted
    assert learned(tmp_path / "four", *few, "--workers", "4") == wanted


def learned(file: Path, *workers: str) -> bytes:
    run(*LEARN, "-o", str(file), *workers)
    return file.read_bytes()


def test_only_a_net_is_learned_by_several():
    assert "--model net only" in run("learn", "othello", "--workers", "2", "-o", "-", status=2)


def test_only_a_net_is_learned_by_so_many_simulations():
    said = run("learn", "othello", "--model", "tuples", "--simulations", "16", "-o", "-", status=2)
    assert "--simulations is for a net that plays against itself" in said


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_ray_is_named_in_one_file_alone():
    rooms = [Path(package.__file__).parent for package in (gdl, gdl.solvers)]
    assert [
        file.name for room in rooms for file in room.rglob("*.py") if 'import_module("ray")' in file.read_text()
    ] == ["ray_workers.py"]

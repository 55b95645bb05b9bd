"""Work in pieces on a cluster of Ray: what is missing or lost is told, and the bytes are those of one process."""

from __future__ import annotations

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

import pytest
from click.testing import CliRunner
from killing import descendants

import gdl
import gdl.solvers
from gdl.commands import cli
from gdl.wings.report.cluster import ray_workers

PLAYS = ["report", "tic_tac_toe", "--agents", "random", "--games", "40", "--lead", "none"]
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


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


@pytest.mark.thorough
def test_a_cluster_without_processors_and_one_that_is_lost_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    command = [*PLAYS, "--checkpoint"]
    cluster = EmptyCluster("ray")
    monkeypatch.setitem(sys.modules, "ray", cluster)
    monkeypatch.setattr(ray_workers, "PATIENCE", 1)
    where, kept = ("--cluster", "ray://head:1"), str(tmp_path / "kept")
    assert "has no processors: no worker has come in 1 seconds" in run(*command, kept, *where, status=5)
    cluster.cpus = 2
    told = run(*command, kept, *where, status=5)
    assert f"the cluster is lost: Client is shutting down; with --workers the command goes on from {kept}" in told


def test_a_cluster_that_ends_a_connection_is_asked_again(monkeypatch: pytest.MonkeyPatch, recwarn: Any):
    cluster = EmptyCluster("ray")
    monkeypatch.setitem(sys.modules, "ray", cluster)
    monkeypatch.setattr(ray_workers, "PATIENCE", 1)
    monkeypatch.setattr(ray_workers, "sleep", lambda seconds: None)
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


REPORT = ["report", "tic_tac_toe", "--agents", "mcts:200", "--games", "200", "--lead", "none"]


@needs_ray
@pytest.mark.slow
@pytest.mark.parametrize("command", [REPORT], ids=["report"])
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


@needs_ray
@pytest.mark.slow
def test_the_same_bytes_by_one_two_and_four_workers_of_a_cluster():
    plain = run(*PLAYS)
    for workers in (1, 2, 4):
        assert run(*PLAYS, "--cluster", f"local:{workers}") == plain


def test_ray_is_named_in_one_file_alone():
    rooms = [Path(package.__file__).parent for package in (gdl, gdl.solvers)]
    assert [
        file.name for room in rooms for file in room.rglob("*.py") if 'import_module("ray")' in file.read_text()
    ] == ["ray_workers.py"]

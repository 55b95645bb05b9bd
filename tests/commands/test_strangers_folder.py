"""Whatever lies in the folder in which gdl is started, nothing of it is imported: not by the command, nor by any process
that it starts. The way to start Python is in one file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT
from strangers_folder import MARK, OTHERS, imported, installed, strange

PLAYS = ["report", "tic_tac_toe", "--agents", "random", "--games", "8", "--lead", "none"]
COMMANDS = {
    "a file in it": ["solve", "own.game"],
    "workers": [*PLAYS, "--workers", "2"],
}


@pytest.fixture
def started(tmp_path: Path) -> list[str]:
    return installed(tmp_path)


def run(words: list[str], folder: Path, status: int = 0) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, input="quit\n", timeout=300)
    assert done.returncode == status, done.stderr
    assert imported(folder) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_of_it_is_imported(name: str, started: list[str], tmp_path: Path):
    if name != "a file in it":
        pytest.importorskip("gdl.wings.report")
    folder = tmp_path / "stranger"
    folder.mkdir()
    (strange(folder) / "own.game").write_bytes((ROOT / "games" / "nim.game").read_bytes())
    run([*started, *COMMANDS[name]], folder)


@pytest.mark.thorough
def test_nor_where_python_is_told_to_look_there_by_m(tmp_path: Path):
    """Of what Python imports before it comes to gdl the folder decides, not gdl."""
    pytest.importorskip("gdl.wings.report")
    before = subprocess.run(
        [sys.executable, "-c", "import runpy, importlib.util, sys; print(*sys.modules)"], capture_output=True, text=True
    )
    late = sorted({*sys.stdlib_module_names, *OTHERS} - {*before.stdout.split(), "gdl"})
    assert {"json", "typing", "__future__", "click", "solvers", "multiprocessing"} <= {*late}
    strange(tmp_path, late)
    run([sys.executable, "-m", "gdl", *PLAYS, "--workers", "2"], tmp_path)


@pytest.mark.thorough
def test_where_gdl_is_found_by_the_environment_it_is_found_by_workers(started: list[str], tmp_path: Path):
    pytest.importorskip("gdl.wings.report")
    environment = {"PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": ""}
    words = [*started, *PLAYS, "--workers", "2"]
    assert subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True).returncode == 0


def test_python_is_started_by_one_file_alone():
    """Another way to start it would have to think of the folder again."""
    starts = re.compile(r"sys\.executable|[\"']-[cm][\"']|python_exe|os\.(exec|spawn|posix_spawn|system|popen)|runpy")
    pools = re.compile(r"ProcessPool|get_context|multiprocessing\.(Process|Pool)")
    found, guarded = set(), set()
    for file in [*ROOT.glob("gdl/**/*.py"), *ROOT.glob("solvers/**/*.py")]:
        name, text = file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")
        if starts.search(re.sub(r"python_command\([^)]*\)", "", text)):
            found.add(name)
        guarded |= {name} if "with safe_path():" in text else set()
        if pools.search(text):
            assert name in guarded, f"{name} starts processes without safe_path"
    assert found == {"gdl/processes.py", "gdl/errors/__init__.py"}  # which only names the running Python's pip
    assert all("/wings/" in name for name in guarded)


def test_the_mark_is_made(tmp_path: Path):
    """So that the tests above can fail."""
    strange(tmp_path)
    subprocess.run([sys.executable, "-c", "import click"], cwd=tmp_path)
    assert "click" in imported(tmp_path) and (tmp_path / MARK).exists()

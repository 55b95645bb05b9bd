"""gdl page and gdl site keep the core's promises: memory, and files of strangers beside them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from strangers_folder import imported, installed, strange

from gdl.commands.cli import COMMANDS, commands
from gdl.commands.limiting import MEBIBYTE, SEARCHING


@pytest.mark.parametrize("name", ["page", "site"])
def test_memory_is_limited(name: str) -> None:
    told = CliRunner().invoke(commands, [name, "--help-all"]).stdout
    assert f"{SEARCHING // MEBIBYTE} by default" in " ".join(told.split())


@pytest.mark.thorough
def test_the_example_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(commands, COMMANDS["page"].example.split()[1:]).exit_code == 0


@pytest.mark.thorough
def test_nothing_of_a_strangers_folder_is_imported(tmp_path: Path) -> None:
    started, folder = installed(tmp_path), tmp_path / "stranger"
    folder.mkdir()
    words = [*started, "page", "tic_tac_toe", "-o", "page.html"]
    done = subprocess.run(words, cwd=strange(folder), capture_output=True, text=True, timeout=300)
    assert (done.returncode, imported(folder)) == (0, []), done.stderr

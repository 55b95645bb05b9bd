"""The matches of tests/bench/matches: they are played, kept, gone on with, and skipped where a program is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

SCRIPT = ROOT / "tests" / "bench" / "matches" / "match.py"


def played(*words: str) -> str:
    command = [sys.executable, str(SCRIPT), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_match_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    kept = tmp_path / "games"
    words = ("tic_tac_toe", "mcts:simulations=200", "mcts:simulations=2", "--file", str(kept))
    first = played(*words, "--games", "2")
    lines = kept.read_text().splitlines()
    assert [json.loads(line)["game"] for line in lines] == [0, 1]
    assert first.startswith("tic_tac_toe: mcts:simulations=200 against mcts:simulations=2: +")
    played(*words, "--games", "4")
    assert kept.read_text().splitlines()[:2] == lines
    assert len(kept.read_text().splitlines()) == 4


@pytest.mark.slow
def test_what_is_missing_is_told() -> None:
    assert played("go", "gtp:no-such-program", "mcts:simulations=2") == "skipped: there is no program no-such-program\n"

"""Files saved by earlier versions are read, or refused by name: tests/formats/saved holds answers, tables and weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT

from gdl.commands import cli

SAVED = Path(__file__).with_name("saved")
ASKED = {"nim": ["--set", "heaps=2,3"], "pig": ["--set", "goal=6"]}
BOARD = ["connect_four", "--set", "columns=3", "--set", "rows=3", "--set", "run=3"]


def run(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout if result.exit_code == 0 else result.output


@pytest.mark.one_in(3)
@pytest.mark.parametrize("answer", sorted(SAVED.glob("*.json")), ids=lambda file: file.stem)
def test_an_answer_is_verified(answer: Path):
    """None has a fingerprint, which is named; nothing in it fails."""
    told = run("verify", answer.stem, *ASKED.get(answer.stem, []), str(answer))
    assert "FAILS" not in told
    assert told.startswith(("The answer holds.", "Value, strategy and line hold; not checked: best."))
    assert "the answer was made before answers had fingerprints" in told


def test_a_table_is_read():
    pytest.importorskip("wasmtime")
    assert run("verify", *BOARD, str(SAVED / "connect_four")).startswith("The table holds.\nAll 694 positions")
    found = json.loads(run("solve", *BOARD, "--table", str(SAVED / "connect_four"), "--json"))
    again = json.loads(run("solve", *BOARD, "--solver", "retrograde", "--json"))
    assert (found["solver"], found["value"], found["exact"]) == ("table", again["value"], True)
    assert found["best"] == again["best"]


@pytest.mark.parametrize("format", [2, 3])
def test_a_table_of_another_format_is_refused_by_name(format: int):
    told = run("solve", *BOARD, "--table", str(SAVED / f"connect_four_{format}"), status=5)
    assert f"was made by another version of gdl: it has format {format}, and this version reads format 4" in told


def test_a_table_outlives_changes_of_words(tmp_path: Path):
    """Comments, layout and the title say nothing about the rules."""
    text = (ROOT / "games" / "connect_four.game").read_text(encoding="utf-8")
    file = tmp_path / "mine.game"
    file.write_text("# My own copy.\n" + text.replace("# the board is full", ""), encoding="utf-8")
    told = run("solve", str(file), *BOARD[1:], "--table", str(SAVED / "connect_four"), "--json")
    assert json.loads(told)["solver"] == "table"


def test_a_table_of_other_rules_is_refused_by_name(tmp_path: Path):
    shutil.copytree(SAVED / "connect_four", tmp_path / "table")
    told = run("solve", "connect_four", "--set", "columns=3", "--table", str(tmp_path / "table"), status=5)
    assert "is of Connect four by other rules" in told


def test_weights_of_features_are_refused_by_name():
    words = ["breakthrough", "--solver", "depth-limited", "--depth", "1"]
    told = run("solve", *words, "--weights", str(SAVED / "breakthrough.weights"), status=6)
    assert "breakthrough.weights was not written by gdl learn; weights of your own are written behind evaluate" in told

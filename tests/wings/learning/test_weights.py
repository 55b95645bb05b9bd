"""Files of weights: one process writes them, whole or not at all, and they are part of the game of an answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from failing_writes import FOUR, check_that_no_file_is_damaged

from gdl.commands import cli
from gdl.formats import files

SAVED = Path(__file__).with_name("saved")


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, arguments, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")
def test_a_second_learner_does_not_write_the_weights_of_the_first(tmp_path: Path):
    """The two once took turns in one file of what is unfinished, and the last one's weights stayed."""
    (tmp_path / "four.game").write_text(FOUR)
    file = tmp_path / "weights"
    words = ["learn", str(tmp_path / "four.game"), "--games", "16", "--output", str(file)]
    with files.lock_file(file, "which is first"):
        result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
        assert (result.exit_code, result.stdout) == (6, "")
        assert "weights is being written by process" in result.stderr
    assert CliRunner().invoke(cli.commands, words, prog_name="gdl").exit_code == 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["four.game", "weights"]


@pytest.mark.thorough
def test_whichever_write_fails_no_file_is_damaged(tmp_path: Path):
    command = ("learn", "{}/four.game", "--games", "16", "--engine", "python", "--output", "{}/W/weights")
    check_that_no_file_is_damaged(command, tmp_path)


@pytest.mark.thorough
def test_weights_are_part_of_the_game(tmp_path: Path):
    small = ["breakthrough", "--set", "rows=4", "--set", "columns=4"]
    weights = tmp_path / "mine.safetensors"
    run("learn", *small, "--model", "linear", "--games", "16", "-o", str(weights))
    asked = [*small, "--weights", str(weights)]
    file = str(tmp_path / "answer.json")
    Path(file).write_text(run("solve", *asked, "--solver", "depth-limited", "--depth", "1", "--json"), encoding="utf-8")
    assert json.loads(Path(file).read_text(encoding="utf-8"))["weights"] == "mine.safetensors"
    pytest.importorskip("gdl.wings.verify")
    assert run("verify", *asked, file).startswith("An estimate: value, best and line hold")
    assert "made with --weights mine.safetensors, and is looked at with no --weights" in run(
        "verify", *small, file, status=1
    )


def test_weights_of_features_are_refused_by_name():
    words = ["breakthrough", "--solver", "depth-limited", "--depth", "1"]
    told = run("solve", *words, "--weights", str(SAVED / "breakthrough.weights"), status=6)
    assert "breakthrough.weights was not written by gdl learn; weights of your own are written behind evaluate" in told

"""Answers that gdl gives out of what it made before are answers of the game, too; what would be waited for is refused."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli


def run(*words: str) -> str:
    return CliRunner().invoke(cli.commands, words).output


def test_an_answer_out_of_a_table_holds(tmp_path: Path) -> None:
    table, answer = str(tmp_path / "table"), tmp_path / "answer.json"
    solve = ("solve", "nim", "--set", "heaps=1,2", "--table", table, "--json")
    run(*solve)
    answer.write_text(run(*solve), encoding="utf-8")
    told = json.loads(answer.read_text(encoding="utf-8"))
    assert told["solver"] == "table"
    assert "The answer holds; not checked: states." in run("verify", "nim", str(answer))
    told["value"] = {name: -value for name, value in told["value"].items()}
    answer.write_text(json.dumps(told), encoding="utf-8")
    assert "FAILS" in run("verify", "nim", str(answer))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.game")
    assert "is a named pipe" in run("solve", str(tmp_path / "pipe.game"), "--time", "1")

"""Tables saved by earlier versions are read, or refused by name; a table that is made is written whole, by one process."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from broken_engine import loading
from click.testing import CliRunner
from failing_writes import check_that_no_file_is_damaged
from places import ROOT

from gdl.commands import cli
from gdl.formats import files

SAVED = Path(__file__).with_name("saved")
BOARD = ["connect_four", "--set", "columns=3", "--set", "rows=3", "--set", "run=3"]


def run(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout if result.exit_code == 0 else result.output


@pytest.mark.thorough
def test_a_table_is_read():
    pytest.importorskip("wasmtime")
    found = json.loads(run("solve", *BOARD, "--table", str(SAVED / "connect_four"), "--json"))
    again = json.loads(run("solve", *BOARD, "--solver", "retrograde", "--json"))
    assert (found["solver"], found["value"], found["exact"]) == ("table", again["value"], True)
    assert found["best"] == again["best"]
    pytest.importorskip("gdl.wings.verify")
    assert run("verify", *BOARD, str(SAVED / "connect_four")).startswith("The table holds.\nAll 694 positions")


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


# ---- Tables that are written ---------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")
def test_a_second_solver_does_not_write_into_the_table_of_the_first(tmp_path: Path):
    words = ["solve", "nim", "--set", "heaps=2,2", "--table", str(tmp_path)]
    with files.lock_folder(tmp_path, "which waits"):
        told = run(*words, status=6)
        assert f"is being written by process {os.getpid()}, which waits" in told
    run(*words)
    assert "lock" not in [file.name for file in tmp_path.iterdir()]


def test_a_table_that_cannot_be_written_is_told_before_the_work(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("")
    told = run("solve", "nim", "--table", str(file), status=2)
    assert told == f"error: the table cannot be written to {file}: File exists; name a folder\n"


@pytest.mark.thorough
def test_whichever_write_fails_no_table_is_damaged(tmp_path: Path):
    command = ("solve", "nim", "--set", "heaps=1,2", "--engine", "python", "--table", "{}/W")
    check_that_no_file_is_damaged(command, tmp_path)


WALK = """players Ann, Bob

state
    at: -5..5 = 0

action step(n: 1..2)
    at := at + (if mover = Ann then n else -n)

terminal
    at >= 4 -> win Ann
    at <= -4 -> win Bob
    forever -> draw
"""


def test_where_the_compiled_engine_fails_a_table_is_made_by_its_code_as_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "walk.game"
    file.write_text(WALK)
    wanted = run("solve", str(file), "--table", str(tmp_path / "wanted"))

    loading(monkeypatch)
    found = CliRunner().invoke(cli.commands, ["solve", str(file), "--table", str(tmp_path / "table")])
    assert (found.stdout, found.exit_code) == (wanted, 0)
    assert "; its code runs as Python, which is slow." in found.stderr
    run("solve", str(file), "--table", str(tmp_path / "x"), "--engine", "wasm", status=70)
    made, other = ((tmp_path / name / "values.bin").read_bytes() for name in ("wanted", "table"))
    assert made == other


# ---- Answers out of a table ----------------------------------------------------------------------------------------


def test_an_answer_out_of_a_table_holds(tmp_path: Path) -> None:
    table, answer = str(tmp_path / "table"), tmp_path / "answer.json"
    solve = ("solve", "nim", "--set", "heaps=1,2", "--table", table, "--json")
    run(*solve)
    answer.write_text(run(*solve), encoding="utf-8")
    told = json.loads(answer.read_text(encoding="utf-8"))
    assert told["solver"] == "table"
    pytest.importorskip("gdl.wings.verify")
    assert "The answer holds; not checked: states." in run("verify", "nim", str(answer))
    answer.write_text(json.dumps(told | {"states": 1}), encoding="utf-8")
    assert "The answer holds; not checked: states." in run("verify", "nim", str(answer))
    told["value"] = {name: -value for name, value in told["value"].items()}
    answer.write_text(json.dumps(told), encoding="utf-8")
    assert "FAILS" in run("verify", "nim", str(answer), status=1)

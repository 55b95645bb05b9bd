"""The exam desk's commands keep the core's promises: time, files, codes, examples; and an answer in Python is graded."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from failing_writes import Failing
from terminal import Watched

import gdl
from gdl.commands.cli import COMMANDS, commands
from gdl.commands.limiting import LOOKING, MEBIBYTE
from gdl.errors import GameError, LimitReached, Refusal


def run(words: str) -> Result:
    return CliRunner().invoke(commands, shlex.split(words), prog_name="gdl")


def spin() -> None:
    """Works without ever looking at a limit."""
    end = time.monotonic() + 20.0
    while time.monotonic() < end:
        pass
    pytest.fail("nothing stopped it")


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("slow", ["question.question", "sheet.draw_question"])
def test_a_sheet_is_made_within_the_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, slow: str) -> None:
    """A sheet of hex took three times as long."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"gdl.wings.exam.{slow}", lambda *of_anything, **of_that: spin())
    told = run("sheet figure_5_2 -o sheet.html --time 1")
    assert told.exit_code == 4 and "the limit set" in told.stderr
    assert "MAX wins 3" in told.stdout  # what cannot be drawn can be read


@pytest.mark.thorough
def test_what_is_known_of_an_unfinished_search_is_told(tmp_path: Path) -> None:
    """The picture of such a search cannot be drawn."""
    told = run(f"sheet gomoku:winner -o {tmp_path}/sheet.html --time 1.5")
    assert told.exit_code == 4 and "proven    Black -1 to 1, White -1 to 1" in told.stdout


@pytest.mark.one_in(2)
@pytest.mark.parametrize("words", ["sheet figure_5_2 -o {}/a.html", "quiz -o {}"])
def test_a_command_that_writes_names_its_file_and_keeps_the_old_one(words: str, tmp_path: Path) -> None:
    assert run(words.format(tmp_path)).exit_code == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with Failing(2):
        result = run(words.format(tmp_path))
    assert (result.exit_code, result.stderr.startswith(f"error: {tmp_path}{os.sep}")) == (2, True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    "name", [pytest.param("quiz", marks=pytest.mark.slow), "sheet"]
)  # the example of grade needs a file
def test_an_example_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(COMMANDS[name].example.removeprefix("gdl ")).exit_code == 0


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_whoever_watches_is_told_how_many_trees_were_tried() -> None:
    process = Watched("quiz", "--depth", "6", "--want", "90 cuts")
    process.wait_for(r"[0-9]+ attempts, [0-9,]+ a second, [0-9,]+ MiB, [0-9]+ s")
    process.press_ctrl_c()
    assert process.end().status == 130


def test_a_range_that_is_empty_is_a_wrong_value() -> None:
    result = run("quiz --branching 3..2 --json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], result.exit_code) == ("wrong-value", 2)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="has no file whose reading fails")
def test_a_file_whose_reading_fails_is_named() -> None:
    found = run("grade prisoners /proc/self/mem")
    assert found.output.startswith("error: /proc/self/mem: ") and found.exit_code == 2


def test_the_guide_names_the_command_for_another_word() -> None:
    assert "gdl sheet" in run("guide worksheet").stdout
    assert run("guide wrksheet").stderr.endswith("\nhelp: write 'worksheet'\n")


# ---- In Python ------------------------------------------------------------------------------------------------------


def test_an_answer_is_graded() -> None:
    answer = gdl.solve(gdl.loads("players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))"))
    assert "right" in answer.grade("1 = 3")
    with pytest.raises((GameError, Refusal), match="5 is no sheet of answers"):
        answer.grade(5)  # type: ignore[arg-type]


def test_marking_keeps_a_limit() -> None:
    with pytest.raises(LimitReached, match=r"stopped after 0.05 seconds"):
        gdl.solve("nim").grade("", time=0.05)


UNNAMED = "players MAX, MIN\ntree\n MAX A\n  MIN B\n   MAX D (5, 3)\n   MAX E (6, 9)\n  MIN C\n   MAX F (2, 4)\n   MAX G (7, 0)\n"


@pytest.mark.parametrize("written", ["best: B", "best move: B", "Best action : B"])
def test_the_best_action_is_read_however_it_is_headed(written: str) -> None:
    """And nodes with names are called by them where actions are but numbers."""
    told = gdl.solve(gdl.loads(UNNAMED), "alpha-beta").grade(written)
    assert "right  best  B" in told and "not read" not in told
    assert "A = 5: MAX chooses among B = 5 and C <= 4" in told


@pytest.mark.parametrize("name", ["quiz", "sheet", "grade"])
def test_memory_is_limited_as_of_commands_that_search_little(name: str) -> None:
    assert f"{LOOKING // MEBIBYTE} by default" in " ".join(run(f"{name} --help-all").stdout.split())


def test_a_quiz_takes_no_game_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.game").write_text("players A, B\ntree A(1, 2)")
    told = run("quiz --seed 1 -o mine.game")
    assert told.exit_code == 2 and "'mine.game' is there already" in told.stderr
    assert (tmp_path / "mine.game").read_text() == "players A, B\ntree A(1, 2)"
    assert run("quiz --seed 1 -o new.game").exit_code == 0 and run("quiz --seed 2 -o new.game").exit_code == 0

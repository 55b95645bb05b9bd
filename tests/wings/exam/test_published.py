"""Questions of public exams and homework, as files of facts: what is asked, by which options, and the published answers,
each of which is set on a sheet, answered by its key, and marked as right."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

FILES = sorted((Path(__file__).parent / "published").glob("*.txt"))


def parts(file: Path) -> dict[str, str]:
    found = re.split(r"^(source|ask|options|answers|game):", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: dedent(text).strip() for name, text in zip(found[1::2], found[2::2], strict=True)}


def run(*words: str) -> Any:
    return CliRunner().invoke(commands, list(words))


@pytest.mark.thorough_of(
    "psu-math486-2004-midterm1-1",
    "psu-math486-2003-midterm1-1",
    "berkeley-stat155-midterm-1",
    "ucla-math167-midterm1-2",
    "psu-math486-2003-midterm2-1",
)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_published_question_is_set_answered_and_marked(file: Path, tmp_path: Path) -> None:
    told = parts(file)
    game, answers, kind = tmp_path / "own.game", tmp_path / "answers.txt", told.get("ask", "")
    game.write_text(told["game"] + "\n")
    answers.write_text(told["answers"] + "\n")
    options = told.get("options", "").split()
    done = run("grade", str(game), str(answers), "--json", *(["--ask", kind] if kind else []), *options)
    assert done.exit_code in (0, 1), done.output
    marks = [one for one in json.loads(done.stdout)["items"] if one["given"] is not None]
    assert marks and all(one["correct"] for one in marks), [(m["item"], m["right"], m["given"]) for m in marks]
    sheet, key = tmp_path / "exam.html", tmp_path / "key.html"
    runs = run("test", str(game)), run("sheet", f"{game}:{kind}", "-o", str(sheet), "--key", str(key), *options)
    assert not any(done.exit_code for done in runs), [done.output for done in runs]
    shown = key.read_text().casefold()
    assert all(one["item"].casefold() in shown or one["right"].casefold() in shown for one in marks)

"""The marks are told in the language of the exam, and no item that may have been answered is blank."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.exam.phrases import LANGUAGES, Words

EXAM = 'exam "Q"\nquestion 1: figure_5_2: alpha-beta\nquestion 2: figure_5_2: line\n'
WRITTEN = "Name: Ann\nQuestion 1: B=3 C=2 A=3 cut: c2 c3 best: a1\nQuestion 2: value: three or maybe four with a1 b1\n"


def graded(folder: Path, *words: str) -> Any:
    (folder / "q.exam").write_text(EXAM, encoding="utf-8")
    (folder / "ann.txt").write_text(WRITTEN, encoding="utf-8")
    return CliRunner().invoke(commands, ["grade", str(folder / "q.exam"), str(folder / "ann.txt"), *words]).stdout


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_marks_of_a_student_are_in_the_language_of_the_exam(tmp_path: Path, language: str) -> None:
    told, words = graded(tmp_path, "--language", language), Words(language)
    assert all(words[f"why {sort}"] in told for sort in ("right", "wrong", "blank")) and "\ufffd" not in told
    assert f"{words['question']} 1. " in told and not {"right", "wrong", "blank", "step", "of"} & {*told.split()}
    assert "right is" not in graded(tmp_path, "--language", language, "--csv")


def test_what_may_stand_in_an_unclear_answer_is_not_blank(tmp_path: Path) -> None:
    value, line = json.loads(graded(tmp_path, "--json"))["students"][0]["items"][-2:]
    assert value["ambiguous"] and line["ambiguous"] and "may stand in" in line["why"]


def test_a_decision_on_an_unclear_answer_may_answer_other_items(tmp_path: Path) -> None:
    course = tmp_path / "own.txt"
    graded(tmp_path, "--words", str(course))
    kept = course.read_text(encoding="utf-8")
    assert 'question 2, value: "3 or maybe 4 with a1 b1" = ?' in kept
    course.write_text(kept.replace("= ?", "= read value: 3; line: a1 b1"), encoding="utf-8")
    told = graded(tmp_path, "--words", str(course))
    assert "Question 2. 2 of 2 right." in told
    course.write_text(kept.replace("= ?", "= right"), encoding="utf-8")
    assert "Question 2. 1 of " in graded(tmp_path, "--words", str(course))

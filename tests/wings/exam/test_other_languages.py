"""Answers of classes in German and Arabic, as invented for an exam of each: headings, words, intervals are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

EXAM = """exam "K"
question 1: open: interval with assume = "1 <= x <= 4"
question 2: ucb "links: 3, 5; mitte: 2, 4; rechts: 0, 0" with c = 1
question 3: playouts "links a: 1, 0; links b: 1; rechts c: 0; rechts d: 1"
question 4: table
question 5: table: dominance
"""
OPEN = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 3, b2: ?x), a2: MIN C (c1: 1, c2: 8))\n"
TABLE = "players Anna, Bernd\nmatrix\n          Kino    Oper\n    Kino (3, 2)  (1, 1)\n    Oper (0, 0)  (2, 3)\n"

# A question; an answer, and its points.
WRITTEN: list[tuple[int, str, Any]] = [
    (1, "Frage 1: [1, 3]; c2", 3),
    (1, "Aufgabe 1: zwischen 1 und 3; abgeschnitten: c2", 3),
    (1, "السؤال 1: بين ١ و ٣، المقطوعة: c2", 3),
    (1, "السؤال ١: من ١ إلى ٣، مقطوع c2", 3),
    (2, "Frage 2: links 1,26; mitte 1,24; rechts unendlich; also rechts", 4),
    (2, "Question 2: links 1.26, mitte 1.24, rechts infinite, rechts", 4),
    (3, "Frage 3: W/N: links 2/3; a 1/2; b 0/1; rechts 1/2; c 1/1; d 0/1; c", 7),
    (3, "Frage 3: links: 2 von 3, a: 1 von 2, b: 0 von 1, rechts: 1 von 2, c: 1 von 1, d: 0 von 1. Als nächstes c", 7),
    (4, "Frage 4: Gleichgewichte: beide Kino, beide Oper", 2),
    (4, "السؤال 4: كلاهما Kino، كلاهما Oper", 2),
    (5, "Frage 5: Gestrichen: keine; übrig: alle", 2),
    (5, "Frage 5: Es gibt keine dominierten Aktionen.", 1),
    (5, "السؤال 5: لا شيء، الباقي: الكل", 2),
]


@pytest.mark.parametrize(("question", "text", "points"), WRITTEN)
def test_what_a_class_writes_is_read(tmp_path: Path, question: int, text: str, points: Any) -> None:
    for name, told in (("k.exam", EXAM), ("open.game", OPEN), ("table.game", TABLE)):
        (tmp_path / name).write_text(told, encoding="utf-8")
    (tmp_path / "ann.txt").write_text(f"الاسم: ليلى\n{text}\n", encoding="utf-8")
    done = CliRunner().invoke(commands, ["grade", str(tmp_path / "k.exam"), str(tmp_path / "ann.txt"), "--json"])
    (student,) = json.loads(done.stdout)["students"]
    marks = [one for one in student["items"] if one["question"] == question]
    assert sum(one["points"] for one in marks if not isinstance(one["points"], str)) == points, marks
    assert student["name"] == "ليلى" and not [one for one in marks if one["ambiguous"] and one["given"]]


def test_a_teachers_arabic_text_runs_from_the_right_on_any_sheet(tmp_path: Path) -> None:
    exam = tmp_path / "k.exam"
    exam.write_text(
        'exam "K"\nquestion 1: figure_5_2: line\n    text "اكتب القيمة."\n    note "Take MAX."\n', encoding="utf-8"
    )
    done = CliRunner().invoke(commands, ["sheet", str(exam), "-o", str(tmp_path / "k.html")])
    page = (tmp_path / "k.html").read_text(encoding="utf-8")
    assert done.exit_code == 0 and '<p dir="rtl">اكتب القيمة.</p>' in page and "<p>Take MAX.</p>" in page

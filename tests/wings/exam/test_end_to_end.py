"""An exam of eight questions for 200 students, from the file to the marks, as the manual tells it in one transcript."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import pytest
from transcripts import answer, read

import gdl

PAGE = Path(gdl.__file__).parent / "wings/exam/docs/exams.md"
STUDENTS = 200
SILENT = ["", "", "", "I do not know"]
SLIPS = [(r"\b3\b", "12"), (r"<=", "="), (r"cut: .*? best", "cut: none best"), (r"Second", "First"), (r"betray", "silent"),
         (r"a1", "a2"), (r"\b9\b", "8")]  # fmt: skip
REASONS = ["More cuts", "With the best first it prunes most", "b^(m/2)", "Because"]


def class_of(bank: Path, count: int) -> list[list[str]]:
    """The table of a class as Moodle exports it; who is better has more right answers, and nobody writes them alike."""
    draw = random.Random(67)
    rows = list(csv.DictReader(bank.read_text().splitlines()))
    rights = {
        variant: [row["right"].lstrip("'") for row in rows if row["variant"] == variant] for variant in ("1", "2")
    }
    found = [["Surname", "First name", "ID number", "Variant", *(f"Response {number}" for number in range(1, 9))]]
    for number in range(1, count + 1):
        able, variant = draw.random(), draw.choice("12")
        told = [written(right, draw, draw.random() < able) for right in rights[variant][:7]]
        found.append([f"Student {number}", "Ann", str(4000 + number), variant, *told, draw.choice(REASONS)])
    return found


def written(right: str, draw: random.Random, knows: bool) -> str:
    """An answer, right if the student knows it, as one or another writes it."""
    if not knows and draw.random() < 0.3:
        return draw.choice(SILENT)
    right = right.split("; ", 1)[0] if "cut:" in right else right.replace("; ", "\n")
    for slip, other in () if knows else draw.sample(SLIPS, 4):
        right = re.sub(slip, other, right)
    changes = [(r"=(?=\d)", " = "), (r"<=", "≤"), (r"cut:", "pruned:"), (r"$", "."), (r" (?=[A-H][<=])", ", ")]
    for pattern, other in draw.sample(changes, 2):
        right = re.sub(pattern, other, right)
    return f"<p>{right}</p>" if draw.random() < 0.2 else right


def decide(own: Path) -> None:
    """Decisions on all answers that a person is to look at: for reasons four points, else none."""
    lines = own.read_text().splitlines()
    told = [
        re.sub(r"\?(  # \d+ students?, of \S+)$", "4\\1" if "question 8" in one else "wrong\\1", one) for one in lines
    ]
    own.write_text("\n".join(told))


@pytest.mark.thorough
def test_the_transcript_of_the_manual_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text()
    block = re.search(r"^```text\n(\$ gdl check midterm\.exam\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exam = re.search(r"^```answers midterm\.exam\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert block is not None and exam is not None
    monkeypatch.chdir(tmp_path)
    Path("midterm.exam").write_text(exam[1])
    Path("midterm.secret").write_text("of this test\n")
    steps = read(block[1])[1]
    for step in steps:
        if "class.csv" in step.command and not Path("class.csv").exists():
            with open("class.csv", "w", newline="") as out:
                csv.writer(out).writerows(class_of(Path("bank.csv"), STUDENTS))
        elif "class.csv" in step.command:
            decide(Path("own.txt"))
        found = answer(step)
        shown = [line.removeprefix("2> ") for line in found if line != "[1]"]
        assert shown == step.answer, "\n".join(shown)
    assert "<h2>8. (10 points)</h2>" in Path("midterm.html").read_text()
    assert len(Path("midterm.html").read_text().split("<article")) == 1 + 2 * (3 + 1)  # groups and formulas

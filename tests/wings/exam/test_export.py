"""An exam is written for learning platforms, and the answers that come from there are graded."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from moodle_importer import Imported, import_questions

from gdl.commands.cli import commands

EXAM = """exam "A/B <Test> & more" (variants = 2)
question 1 (6 points): figure_5_2
    text "Look at {1:NUMERICAL:=3} * ~ } first."
question 2 (5 points): quiz "1 cut" with depth = 2
question 3 (5 points): figure_5_2: orders
question 4 (3 points): figure_5_2: choice
question 5 (2 points): nim: winner with heaps = 1, 2
question 6 (2 points): figure_5_2: transform with transform = "u/7"
question 7 (4 points): prisoners: dominance
question 8 (4 points): own "Why <so>?"
    key "Because & so"
formulas
    "W/N + c √(ln N / N) <>&"
"""
KINDS = ["essay", "essay", "cloze", "multichoice", "cloze", "cloze", "essay", "essay"]


def run(*words: str) -> Any:
    return CliRunner().invoke(commands, list(words))


@cache
def written(ending: str) -> bytes:
    with TemporaryDirectory() as folder:
        exam = Path(folder, "test.exam")
        exam.write_text(EXAM)
        done = run("export", str(exam), "--seed", "7", "-o", f"{folder}/bank{ending}")
        assert done.exit_code == 0, done.output
        return Path(folder, f"bank{ending}").read_bytes()


def answer_of(question: Imported) -> str:
    """A right answer in the words of Moodle's table."""
    if question.kind == "essay":
        search, *lines = (re.sub("<[^>]*>", "", line).replace("&lt;", "<") for line in question.key.split("</p>"))
        return search if "cut:" in search else "\n".join([search, *lines])
    if question.fields:
        return "; ".join(f"part {at}: {answer_of(one)}" for at, one in enumerate(question.fields, start=1))
    return next(told for told, fraction in question.answers if fraction == 1).replace("\\*", "*")


def test_moodle_reads_every_question_with_its_picture_and_points() -> None:
    found = import_questions(written(".xml").decode())
    assert [category for category, _ in found] == [f"$course$/top/A//B <Test> & more/Variant {n}" for n in (1, 2)
                                                   for _ in range(9)]  # fmt: skip
    sheet, *questions = [one for _, one in found[:9]]
    assert (sheet.kind, sheet.text) == ("description", "<p>W/N + c √(ln N / N) &lt;&gt;&amp;</p>")
    assert [one.kind for one in questions] == KINDS
    assert [one.mark for one in questions] == [6, 5, 4, 3, 2, 3, 4, 4]
    assert [one.name for one in questions][:2] == ["Question 1", "Question 2"]
    assert set(questions[0].files) == {"question-1-1.svg", "key-1-1.svg"}
    assert questions[0].files["question-1-1.svg"].startswith(b"<svg")
    assert "A game tree of 13 nodes, 9 of them ends." in questions[0].text
    assert questions[0].template.splitlines()[:2] == ["A =", "B ="]
    assert questions[3].answers == [("(A) 2", 0), ("(B) 3", 1), ("(C) 6", 0), ("(D) 14", 0)]
    assert questions[7].key == "<p>Because &amp; so</p>"


def test_the_answers_that_come_back_from_moodle_get_all_points(tmp_path: Path) -> None:
    found = import_questions(written(".xml").decode())
    rows = [["Surname", "First name", "Variant", *(f"Response {number}" for number in range(1, 9))]]
    for variant in (1, 2):
        own = [one for category, one in found if category.endswith(str(variant)) and one.kind != "description"]
        rows.append(["Lee", "Ann", str(variant), *map(answer_of, own)])
    rows.append(["Ray", "Bob", "1", *("\n".join(one.template.splitlines()) for one in own)])  # nothing filled in
    with (tmp_path / "class.csv").open("w", newline="") as out:
        csv.writer(out).writerows(rows)
    (tmp_path / "test.exam").write_text(EXAM)
    told = json.loads(run("grade", str(tmp_path / "test.exam"), str(tmp_path / "class.csv"), "--seed", "7",
                          "--json").stdout)  # fmt: skip
    assert [student["score"] for student in told["students"]] == [27, 27, 0]
    assert {one["question"] for one in told["look"]} == {8}


def test_a_package_of_qti_is_whole_and_the_same_each_time() -> None:
    package = written(".zip")
    written.cache_clear()
    assert package == written(".zip")
    archive = zipfile.ZipFile(io.BytesIO(package))
    files = {name: archive.read(name) for name in archive.namelist()}
    manifest = ElementTree.fromstring(files["imsmanifest.xml"])
    listed = [one.attrib["href"] for one in manifest.findall(".//{*}file")]
    assert sorted(listed) == sorted(set(files) - {"imsmanifest.xml"})
    names = [one.attrib["identifier"] for one in manifest.findall(".//{*}resource")]
    assert len(set(names)) == len(names) == 2 * 9
    assert {one.attrib["identifierref"] for one in manifest.findall(".//{*}dependency")} <= set(names)
    for name, content in files.items():
        if name.startswith("question") and name.endswith(".xml"):
            item = ElementTree.fromstring(content)
            declared = [one.attrib["identifier"] for one in item.findall("{*}responseDeclaration")]
            used = [one.attrib["responseIdentifier"] for one in item.iter() if "responseIdentifier" in one.attrib]
            assert declared == used and all(one.attrib["src"] in files for one in item.findall(".//{*}img"))
            options = {one.attrib["identifier"] for one in item.findall(".//{*}simpleChoice")}
            rights = [one.text for one in item.iterfind("{*}responseDeclaration/{*}correctResponse/{*}value")]
            assert not options or options.issuperset(rights)


def test_a_table_has_a_row_for_each_question() -> None:
    rows = list(csv.DictReader(io.StringIO(written(".csv").decode())))
    assert len(rows) == 16 and rows[0]["right"].startswith("B=3 C<=2")
    assert [row["type"] for row in rows][:8] == ["essay", "essay", "several", "choice", "several", "several", "essay",
                                                 "essay"]  # fmt: skip


@pytest.mark.parametrize(("file", "said"), [("bank.pdf", "'bank.pdf' has no ending"), ("bank", "'bank' has no ending")])
def test_another_ending_is_refused(file: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "test.exam").write_text(EXAM)
    done = run("export", str(tmp_path / "test.exam"), "--seed", "1", "-o", file)
    assert done.exit_code == 2 and said in done.stderr and ".zip for QTI 2.1" in done.stderr


def test_the_text_for_a_picture_has_no_signs_of_its_file() -> None:
    """A sheet's picture has an empty title, which is no beginning of its description."""
    with zipfile.ZipFile(io.BytesIO(written(".zip"))) as package:
        text = written(".xml").decode() + package.read("question-1-1.xml").decode()
    alternatives = re.findall(r'alt="([^"]*)"', html.unescape(html.unescape(text)))
    assert len(alternatives) > 10 and alternatives[0].startswith("A game tree of 13 nodes")
    assert not [one for one in alternatives if re.search(r"<(?:desc|title)", one)]

"""A class's answers to an exam file are read from folders and from the tables of platforms, and marked."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.errors import Source, WrongRequest
from gdl.wings.exam.class_answers import read_class
from gdl.wings.exam.decisions import read_decisions
from gdl.wings.exam.phrases import LANGUAGES, NO_ISOLATES, Words

EXAM = """exam "Test" (total = 20)
question 1 (12 points): figure_5_2
question 2 (3 points): figure_5_2: leaves
question 3 (5 points): own "Why?"
"""
RIGHT = "B=3 C<=2 D=2 A=3 cut: c2 c3 best: a1", "7 leaves: 3, 12, 8, 2, 14, 5, 2", "because"
HEADS = {
    "Moodle": (["Surname", "First name", "Email address", "Grade/20.00", "Q. 1 /12.00", "Question 1", "Response 1",
                "Right answer 1", "Response 2", "Response 3"], "First name", "Ann Lee", (6, 8, 9)),
    "Canvas": (["name", "id", "submitted", "71234: 1. Figure 5.2 (12 points)", "12.0", "71235: 2. Figure 5.2", "3.0",
                "71236: 3. (5 points) Why?", "5.0", "score"], "name", "Ann Lee", (3, 5, 7)),
    "Blackboard": (["Username", "Last Name", "First Name", "Question ID 1", "Question 1", "Answer 1", "Possible Points 1",
                    "Answer 2", "Answer 3"], "First Name", "Ann Lee", (5, 7, 8)),
    "Moodle in German": (["Nachname", "Vorname", "Matrikelnummer", "Frage 1", "Antwort 1", "Antwort 2", "Antwort 3"],
                         "Vorname", "Ann Lee", (4, 5, 6)),
    "Moodle in Spanish": (["Apellidos", "Nombre", "Pregunta 1", "Respuesta 1", "Respuesta 2", "Respuesta 3"],
                          "Nombre", "Ann Lee", (3, 4, 5)),
    "Google Forms": (["Timestamp", "Email Address", "Score", "Name", "1. Figure 5.2", "1. Figure 5.2 [Score]",
                      "2. Leaves", "3. Why?"], "Name", "Ann Lee", (4, 6, 7)),
    "Gradescope": (["First Name", "Last Name", "SID", "Question 1 Response", "Question 2.1 Response",
                    "Question 3 Response"], "First Name", "Ann Lee", (3, 4, 5)),
}  # fmt: skip


def run(folder: Path, *words: str) -> Any:
    (folder / "test.exam").write_text(EXAM)
    return CliRunner().invoke(commands, ["grade", str(folder / "test.exam"), *words])


def row_of(heads: list[str], columns: tuple[int, ...], answers: tuple[str, ...]) -> list[str]:
    known = {"first name": "Ann", "last name": "Lee", "surname": "Lee", "name": "Ann Lee"}
    known |= {"vorname": "Ann", "nachname": "Lee", "nombre": "Ann", "apellidos": "Lee"}
    row = [known.get(head.lower(), "12.0") for head in heads]
    for column, answer in zip(columns, answers, strict=True):
        row[column] = answer
    return row


@pytest.mark.parametrize("platform", HEADS)
def test_the_answers_in_the_tables_of_platforms_are_found_by_name(platform: str, tmp_path: Path) -> None:
    heads, _, name, columns = HEADS[platform]
    file = tmp_path / "class.csv"
    with file.open("w", newline="", encoding="utf-16" if platform == "Blackboard" else "utf-8") as out:
        writer = csv.writer(out, delimiter="\t" if platform == "Blackboard" else ",")
        writer.writerows([heads, row_of(heads, columns, ("<p>A=3<br>C&lt;=2</p>", "7", "because"))])
    (found,) = read_class([str(file)], 3)
    assert found.name == name
    assert found.answers == {1: "A=3\nC<=2", 2: "7", 3: "because"}


def test_reasons_are_in_the_language_of_the_exam(tmp_path: Path) -> None:
    (tmp_path / "ann.txt").write_text("Question 1: B=12 C=2 D=2 A=3 cut: c2 c3 best: a1\n")
    english, german = (run(tmp_path, str(tmp_path / "ann.txt"), "--language", one).output for one in ("en", "de"))
    assert "MIN takes the least here" in english and "MIN nimmt hier das Kleinste" in german
    assert "is only a bound" not in german and "ist nur eine Schranke" in german


def test_a_table_without_columns_of_answers_says_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("name,points\nAnn,3\n")
    done = run(tmp_path, str(tmp_path / "class.csv"))
    assert done.exit_code == 2 and "it has name and points" in done.stderr and '"Question 1"' in done.stderr


def test_the_row_of_means_that_moodle_writes_below_is_no_student(tmp_path: Path) -> None:
    table = tmp_path / "class.csv"
    table.write_text(
        "Surname,First name,Email address,Grade/20.00,Response 1,Response 2,Response 3\n"
        "Lee,Ann,ann@x.org,12.00,B=3,,\nRay,Bob,bob@x.org,-,,,\nOverall average,,,12.00,,,\n"
    )
    assert [one.name for one in read_class([str(table)], 3)] == ["Ann Lee", "Bob Ray"]


def test_an_answer_that_spills_into_the_next_column_is_refused(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("name;Question 1;Question 2\nAnn;A=3;7;;\nBob;A=3; C<=2;7\n")
    done = run(tmp_path, str(tmp_path / "class.csv"))
    assert done.exit_code == 2 and "row 2 of" in done.stderr and "has 4 cells, below 3 headings" in done.stderr


def test_a_folder_has_a_file_for_each_student(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    (folder / "Bob_77_file").mkdir(parents=True)
    pieces = [f"Question {number}:\n{answer}\n" for number, answer in enumerate(RIGHT, start=1)]
    (folder / "ann.txt").write_text("Name: Ann Lee\n" + "".join(pieces))
    (folder / "Bob_77_file" / "answers.txt").write_text(pieces[0].replace("A=3", "A=5") + pieces[1])
    done = run(tmp_path, str(folder), "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert [(one["name"], one["score"], one["of"]) for one in told["students"]] == [
        ("Bob_77_file", 13, 20),
        ("Ann Lee", 15, 20),
    ]
    assert told["look"] == [
        {"question": 3, "variant": 1, "item": "answer", "answer": "because", "points": 5, "students": 1}
    ]
    assert [one["difficulty"] for one in told["questions"]] == [0.917, 1.0, 0.0]
    assert told["questions"][0]["wrong"] == ["A: = 5 (1 time)"]
    text = run(tmp_path, str(folder / "ann.txt")).stdout
    assert text.startswith("Ann Lee: 15 of 20 points.") and "Question 1. 12 of 12 right." in text


def test_answers_behind_bare_numbers_are_those_of_the_questions(tmp_path: Path) -> None:
    (tmp_path / "bob.txt").write_text("Bob Ray, Variante 2\n1. A=3 B=3\n 2) 7.5 leaves\n3. because")
    (found,) = read_class([str(tmp_path / "bob.txt")], 3)
    answers = {number: told.strip() for number, told in found.answers.items()}
    assert (answers, found.variant) == ({1: "A=3 B=3", 2: "7.5 leaves", 3: "because"}, 2)
    (tmp_path / "bob.txt").write_text("A=3\n2. step: B=3")
    (found,) = read_class([str(tmp_path / "bob.txt")], 3)
    assert found.answers == {1: "A=3\n2. step: B=3"}
    (tmp_path / "bob.txt").write_text("Name: Bob\n3) because\n1) A=3")
    (found,) = read_class([str(tmp_path / "bob.txt")], 3)
    assert {number: told.strip() for number, told in found.answers.items()} == {3: "because", 1: "A=3"}
    (tmp_path / "bob.txt").write_text("Aufgabe 2: 7")
    assert read_class([str(tmp_path / "bob.txt")], 3)[0].answers == {2: " 7"}


def test_a_lone_question_mark_is_no_answer_and_points_are_decimals(tmp_path: Path) -> None:
    (tmp_path / "ann.txt").write_text("Question 1: B=3 C<=2 D=2 cut: c2 c3 best: a1\nQuestion 2: ?\n")
    (tmp_path / "seven.exam").write_text(EXAM.replace("12 points", "7 points").replace("20", "15"))
    done = CliRunner().invoke(commands, ["grade", str(tmp_path / "seven.exam"), str(tmp_path / "ann.txt")])
    assert "Question 1. 5.83 of 7 right." in done.stdout and "asked" not in done.stdout, done.stdout


def put_class(folder: Path, answers: Sequence[str], head: str = "Question 3") -> Path:
    """A table of students, who answer the other questions rightly."""
    with (folder / "class.csv").open("w", newline="", encoding="utf-8") as out:
        rows = [[str(number), *RIGHT[:2], answer] for number, answer in enumerate(answers)]
        csv.writer(out).writerows([["ID", "Question 1", "Question 2", head], *rows])
    return folder / "class.csv"


def test_a_teacher_decides_on_each_answer_once_for_the_whole_class(tmp_path: Path) -> None:
    table, words = put_class(tmp_path, ["so it is", "So  it is.", 'a "bound"', "so it is"]), tmp_path / "own.txt"
    assert run(tmp_path, str(table)).stdout.endswith(
        "Please look at these 2 different answers: --words FILE lists them, to decide on each.\n"
    )
    words.write_bytes(b"# ours\r\ncut = Cutoffs\r\n")
    assert f"decide on each in {words}, and grade again." in run(tmp_path, str(table), "--words", str(words)).stdout
    _, *lines = words.read_bytes().decode().split("\r\n")[2:]
    assert lines[1:] == ['question 3, answer: "so it is" = ?  # 3 students, of 5',
                         'question 3, answer: "a \\"bound\\"" = ?  # 1 student, of 5', ""]  # fmt: skip
    words.write_bytes(words.read_bytes().replace(b"?  # 3", b"4 points # 3").replace(b'"" = ?', b'"" = wrong'))
    before = words.read_bytes().split(b"\r\n")
    done = run(tmp_path, str(table), "--words", str(words), "--csv")
    heads, *marks = csv.reader(done.stdout.splitlines())
    assert heads == ["ID", "variant", "1", "2", "3", "total", "of", "look at", "reasons"]
    assert [row[4:8] for row in marks] == [["4", "19", "20", ""]] * 2 + [["0", "15", "20", ""], ["4", "19", "20", ""]]
    assert [row[8] for row in marks][1:3] == [
        "3 answer: So  it is., right is : decided by hand", '3 answer: a "bound", right is : decided by hand'
    ]  # fmt: skip
    assert words.read_bytes().split(b"\r\n") == [*before[:3], *before[4:]]  # the request is gone, all else is there
    put_class(tmp_path, ["so it is", "new\u202etxt\x07"])
    assert "this answer: decide" in run(tmp_path, str(table), "--words", str(words)).stdout
    assert words.read_text().endswith('"new\ufffdtxt\ufffd" = ?  # 1 student, of 5\n')
    words.write_text(words.read_text().replace("?  # 1", "right # 1"))
    assert run(tmp_path, str(table), "--words", str(words), "--json").stdout.count('"score": 20') == 1


def test_a_remark_behind_an_open_answer_stays(tmp_path: Path) -> None:
    table, words = put_class(tmp_path, ["so it is"]), tmp_path / "own.txt"
    words.write_text('question 3: "new" = ?  # 1 student, of 5\n# Please look at my own notes\ncut = Cutoffs\n')
    run(tmp_path, str(table), "--words", str(words))
    assert words.read_text().startswith("# Please look at my own notes\ncut = Cutoffs\n")


def test_a_decision_without_an_item_is_on_the_item_with_the_answer(tmp_path: Path) -> None:
    table, words = put_class(tmp_path, ["so it is", "so it is"]), tmp_path / "own.txt"
    words.write_text('question 3: "so it is" = 4 points\n')
    done = run(tmp_path, str(table), "--words", str(words), "--csv").stdout
    assert done.count("decided by hand") == 2 and "Please look" not in done


def test_long_blanks_in_a_decision_are_read_at_once() -> None:
    blanks = " " * 200_000
    for line in (f"= 1{blanks}x", f"= 1{blanks}pointsx", f"={blanks}#"):
        with pytest.raises(WrongRequest):
            read_decisions(Source("own.txt", f'question 3: "a" {line}'))


def test_words_that_cannot_be_read_are_decided_once_for_all_variants(tmp_path: Path) -> None:
    (tmp_path / "two.exam").write_text('exam "Two" (variants = 2)\nquestion 1 (6 points): figure_5_2\n')
    table, own = tmp_path / "class.csv", tmp_path / "own.txt"
    table.write_text(
        'Name;Variant;Answer 1\nAnn;1;"A=3\nnobody bothers with the others"\n;;\nBob;2;"NOBODY bothers  with the others!"\n',
        "cp1252",
    )
    words = ["grade", str(tmp_path / "two.exam"), str(table), "--seed", "1", "--words", str(own)]
    found = json.loads(CliRunner().invoke(commands, [*words, "--json"]).stdout)["look"]
    assert found == [
        {
            "question": 1,
            "variant": 1,
            "item": "",
            "answer": "nobody bothers with the others",
            "points": 6,
            "students": 2,
        }
    ]
    for verdict, scores in {"read cut: c2 c3": [2, 1], "right": [6, 6], "wrong": [1, 0], "2,5": ["7/2", "5/2"]}.items():
        own.write_text(f'QUESTION 1: "nobody bothers with the others" = {verdict}')
        told = CliRunner().invoke(commands, [*words, "--json"]).stdout
        assert [one["score"] for one in json.loads(told)["students"]] == scores, verdict
        assert told.count("bothers with the others") >= 2 and json.loads(told)["look"] == []


def test_an_answer_with_two_strange_phrases_waits_for_the_other_one(tmp_path: Path) -> None:
    (tmp_path / "ann.txt").write_text("A=3 B=3 C<=2 D=2\nnobody cares\nbest: a1\nall is quiet\n")
    own, words = tmp_path / "own.txt", ["grade", "figure_5_2", str(tmp_path / "ann.txt"), "--words"]
    own.write_text('question 1: "Nobody cares" = wrong\n')
    assert "this answer" in CliRunner().invoke(commands, [*words, str(own)]).stdout
    assert own.read_text().endswith('\nquestion 1: "all is quiet" = ?  # 1 student, of 1\n')
    own.write_text(own.read_text().replace("= ?", "= read as cut: c2 c3"))
    done = CliRunner().invoke(commands, [*words, str(own), "--csv"]).stdout
    assert done.endswith("nobody cares; all is quiet (read by hand as cut: c2 c3); nobody cares (decided by hand); "
                         "all is quiet (read by hand as cut: c2 c3)\n"), done  # fmt: skip


def test_a_decision_on_an_item_may_read_it_in_other_words(tmp_path: Path) -> None:
    (tmp_path / "ann.txt").write_text("Name: Ann\nA=3 B=3 C<=2 D=2\ncut: c2, the other\nbest: a1\n")
    own, words = tmp_path / "own.txt", ["grade", "figure_5_2", str(tmp_path / "ann.txt"), "--words"]
    own.write_text('question 1, cut: "c2, the OTHER" = read as c2 c3 # so it was meant\n')
    done = CliRunner().invoke(commands, [*words, str(own)])
    assert done.stdout.startswith("6 of 6 right.") and "c2, the other (read by hand as c2 c3)" in done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_statistics_are_in_the_language_of_the_exam(language: str, tmp_path: Path) -> None:
    (tmp_path / "two.exam").write_text('exam "Two" (variants = 2)\nquestion 1 (1 point): quiz "1 cut" with depth = 2\n')
    table = tmp_path / "class.csv"
    table.write_text("Name,Variant,Answer 1\nAnn,,a1 = 99\nBob,2,a1 = 99\nCyd,9,all is quiet\n")
    words = ["grade", str(tmp_path / "two.exam"), str(table), "--seed", "1", "--language", language]
    told = CliRunner().invoke(commands, words).stdout
    known = Words(language)
    for part in known["why class table"].split(" | "):
        assert part in told
    assert known.why_of("guessed", 2).translate(NO_ISOLATES) in told
    assert told.startswith(known.why("class", count="3", mean="0", of="1").translate(NO_ISOLATES)), told
    deed = known.why("look nowhere")
    assert known.why_of("look", 1, deed=deed).translate(NO_ISOLATES) in told, told
    assert language == "en" or not re.search("student|point|average|time|look", told.replace("--words", "")), told


def test_who_names_no_variant_of_several_is_marked_by_the_best_and_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "two.exam").write_text('exam "Two" (variants = 2)\nquestion 1 (1 point): quiz "1 cut" with depth = 2\n')
    table = tmp_path / "class.csv"
    table.write_text("Name,Variant,Answer 1\nAnn,,7\nBob,2,7\nCyd,9,7\n")
    words = ["grade", str(tmp_path / "two.exam"), str(table), "--seed", "1"]
    told = CliRunner().invoke(commands, words).stdout
    assert told.endswith("2 students named no variant: that in which most is right was taken.\n")
    rows = list(csv.reader(CliRunner().invoke(commands, [*words, "--csv"]).stdout.splitlines()))
    assert [row[1].endswith("?") for row in rows[1:]] == [True, False, True]
    found = json.loads(CliRunner().invoke(commands, [*words, "--json"]).stdout)["students"]
    assert [one["is_guessed"] for one in found] == [True, False, True]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('question 3, answer: "so it is" = 99', "1:34: error: this is worth 5 at most"),
        ('question 3, answer: "so it is" = -2', "1:34: error: '-2' is no decision"),
        ('question 3, answer: "so it is" = reed c2', "1:34: error: 'reed c2' is no decision"),
        ('question 3, answer: "so it is"', "1:31: error: this line cannot be read from here on"),
        ("question 3, answer: so it is = right", "1:37: error: this line cannot be read from here on"),
        ('questoin 3: "so it is" = right', "1:1: error: this line cannot be read from here on"),
        ('# a\r\nquestion 3: "x" = right\r\nquestion 3: "X." = 2', "3:1: error: line 2 decides on this answer too"),
        ('question 3, answer: "so it is" = read 3', "1:34: error: '3' cannot be read as an answer"),
        ("cutt = Cutoffs\nline {", "1:1: error: no phrase is called 'cutt'"),
    ],
)
def test_a_line_that_is_no_decision_is_told_at_its_place_and_kept(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "own.txt").write_text(line)
    result = run(tmp_path, str(put_class(tmp_path, ["so it is"])), "--words", str(tmp_path / "own.txt"))
    assert result.exit_code == 2 and f"own.txt:{said}" in result.stderr and "^" in result.stderr
    assert (tmp_path / "own.txt").read_text() == line.replace("\r\n", "\n")


def test_an_empty_table_is_told(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("")
    result = run(tmp_path, str(tmp_path / "class.csv"))
    assert result.exit_code == 2 and "is no table: it is empty" in result.stderr

"""A class's answers to an exam file are read from folders and from the tables of platforms, and marked."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.exam.class_answers import read_class

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


def test_a_table_without_columns_of_answers_says_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("name,points\nAnn,3\n")
    done = run(tmp_path, str(tmp_path / "class.csv"))
    assert done.exit_code == 2 and "it has name and points" in done.stderr and '"Question 1"' in done.stderr


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
    assert told["look"] == [{"question": 3, "variant": 1, "item": "answer", "answer": "because", "students": 1}]
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


def test_a_person_decides_on_each_answer_once_for_the_whole_class(tmp_path: Path) -> None:
    table, look = tmp_path / "class.csv", tmp_path / "look.csv"
    rows = [["ID", "Question 1", "Question 2", "Question 3"], *([str(number), *RIGHT] for number in range(3))]
    with table.open("w", newline="") as out:
        csv.writer(out).writerows(rows)
    assert (
        "3 answers (1 different) are for a person to look at" in run(tmp_path, str(table), "--look", str(look)).stdout
    )
    assert look.read_text() == "question,variant,item,answer,students,of,points\n3,1,answer,because,3,5,\n"
    look.write_text(look.read_text().replace("3,5,\n", "3,5,4\n"))
    done = run(tmp_path, str(table), "--look", str(look), "--csv")
    head, *marks = csv.reader(done.stdout.splitlines())
    assert head == ["ID", "variant", "1", "2", "3", "total", "of", "look at", "reasons"]
    assert [row[2:8] for row in marks] == [["12", "3", "4", "19", "20", ""]] * 3
    assert look.read_text().endswith("3,1,answer,because,3,5,4\n")


def test_what_cannot_be_read_is_listed_as_a_whole_and_decided_once_for_all_variants(tmp_path: Path) -> None:
    (tmp_path / "two.exam").write_text('exam "Two" (variants = 2)\nquestion 1 (6 points): figure_5_2\n')
    table, look = tmp_path / "class.csv", tmp_path / "look.csv"
    table.write_text('Name,Variant,Answer 1\nAnn,1,"A=3, all b, c"\nBob,2,"A=3, all b, c"\nCyd,2,A=5\n')
    words = ["grade", str(tmp_path / "two.exam"), str(table), "--seed", "1", "--look", str(look)]
    assert "2 answers (1 different) are" in CliRunner().invoke(commands, words).stdout
    assert look.read_text() == 'question,variant,item,answer,students,of,points\n1,1,whole,"A=3, all b, c",2,6,\n'
    look.write_text(look.read_text().replace(",2,6,", ",2,6,2.5"))
    found = json.loads(CliRunner().invoke(commands, [*words, "--json"]).stdout)["students"]
    assert [(one["score"], len(one["items"])) for one in found] == [("5/2", 1), ("5/2", 1), (0, 6)]


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
    ("written", "said"),
    [
        ("notes\nkeep me\n", "is no list of answers to look at"),
        ("question,variant,item,answer,students,of,points\n3,1,answer,because,1,5,99\n", "question 3 has 5 points"),
        ("question,variant,item,answer,students,of,points\nx,1,answer,because,1,5,2\n", "row 2 of"),
        ("question,variant,item,answer,students,of,points\n3,1,answer,because,1,5,-2\n", "row 2 of"),
        ("", "is no table: it is empty"),
    ],
)
def test_a_file_that_is_no_list_of_decisions_is_refused_and_kept(tmp_path: Path, written: str, said: str) -> None:
    table, look = tmp_path / "class.csv", tmp_path / "look.csv"
    table.write_text("Name,Answer 1,Answer 2,Answer 3\nAnn,,,because\n")
    look.write_text(written)
    result = run(tmp_path, str(table), "--look", str(look))
    assert result.exit_code == 2 and said in result.stderr
    assert look.read_text() == written


def test_an_empty_table_is_told(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("")
    result = run(tmp_path, str(tmp_path / "class.csv"))
    assert result.exit_code == 2 and "is no table: it is empty" in result.stderr

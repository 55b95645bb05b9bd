"""Questions of an exam about a table that it gives, about an opponent with a purpose, roots, counts of positions."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.errors import Refusal
from gdl.game import Number
from gdl.wings.exam.exam_command import PosedExam
from gdl.wings.exam.exam_file import read_exam
from gdl.wings.exam.phrases import LANGUAGES, Words
from gdl.wings.exam.purposes import read_purpose

NEAR = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 190, b2: 100, b3: 188), a2: MIN C (c1: 150, c2: 200))\n"
GOAL = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 170, b2: 200), a2: MIN C (c1: ?A, c2: 160, c3: 300))\n"
HEXAGONS = """players MIN, HEX
tree HEX R (a: MIN A (a1: HEX D(4, -2, 7), a2: HEX E(-5, 1, 0, 9), a3: HEX F(3, 6)),
            b: MIN B (b1: HEX G(-6, 5), b2: HEX H(-1, 2)), c: MIN C (c1: HEX I(-9,8), c2: HEX J(?w, 3, 2)))
"""
OPEN = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 3, b2: ?x), a2: MIN C (c1: ?y, c2: 8))\n"

# A question; the parts that are asked, with the right answers.
ROWS: list[tuple[str, dict[str, str]]] = [
    ('ucb "a1: 3, 5; a2: 6, 10" with c = 1', {"bound a1": "1.34", "bound a2": "1.12", "next": "a1"}),
    ('evaluation "weights of pawns, rooks: 1, 5; A: 8, 2; B: 8, 1"', {"A": "18", "B": "13", "best position": "A"}),
    ('evaluation "w: 1/2, 3; A: 8, 2"', {"A": "10"}),
    ('figure_5_2: transform with transform = "sqrt(u)"', {"value": "1.73", "best": "a1", "before": "a1"}),
    ('figure_5_2: transform with transform = "√(3*u)"', {"value": "3", "best": "a1", "before": "a1"}),
    ('figure_5_2: transform with transform = "-|u - 6|"', {"value": "-4", "best": "a2", "before": "a1"}),
    ("tic_tac_toe: counts", {"without table": "549946", "with table": "5478"}),
    ("nim: counts with heaps = 1, 2", {"without table": "12", "with table": "8"}),
    ("othello: deepening with depth = 1", {"depth 1": "3/5 d3"}),
    ('ucb "a1: 3, 5; a2: 6, 10" with c = 1, total = 16', {"bound a1": "1.34", "bound a2": "1.13", "next": "a1"}),
    ('ucb "a1: 3, 5; a2: 0, 0" with c = 1', {"bound a1": "1.17", "bound a2": "∞", "next": "a2"}),
    ('playouts "a1 b1: 1, 0; a1 b2: 0; a2 c1: 1, 1; a2 c2: 1/2; a3: 0; a4:"',
     {"a1": "1/3", "b1": "1/2", "b2": "1/1", "a2": "2.5/3", "c1": "0/2", "c2": "0.5/1", "a3": "0/1", "a4": "0/0",
      "next": "a4"}),
    ('playouts "a1 b1: 1, 0; a1 b2: 0; a2 c1: 1, 1; a2 c2: 1/2; a3: 0" with c = 0.5',
     {"a1": "1/3", "b1": "1/2", "b2": "1/1", "a2": "2.5/3", "c1": "0/2", "c2": "0.5/1", "a3": "0/1", "next": "c2"}),
    ('playouts "l l: 3; l r: 5, 4; r: 6" with players = 1, c = 0',
     {"l": "12/3", "l-l": "3/1", "l-r": "9/2", "r": "6/1", "next": "r"}),
    ('evaluation "w: 1, 5; A: 8, 2; B: 8, 1" with game = chess, A = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"',
     {"A": "18", "B": "13", "best position": "A"}),
    ('open: interval with assume = "2 <= x <= 5 and 0 <= y <= 1"', {"least": "2", "greatest": "3", "cut": "c2"}),
    ('open: interval with assume = "2 <= x <= 5 and 0 <= y <= 7"', {"least": "2", "greatest": "7", "cut": "none"}),
    ('goal with opponent = "-(u - 188)^2"',
     {"best": "a1: A <= 200 or A > 216; a2: 200 <= A <= 216", "value": "200: A <= 200 or A > 216; A: 200 <= A <= 216"}),
    ('goal with opponent = "-|u - 188|", most = 0, assume = "A > 200"',
     {"best": "a1: A > 216; a2: A <= 216", "value": "A: A <= 216; 200: A > 216", "cut": "none"}),
    ('goal: shallow with opponent = "-|2*u - 376|", assume = "A >= 188"',
     {"best": "a1: A <= 200 or A > 216; a2: 200 <= A <= 216", "value": "200: A <= 200 or A > 216; A: 200 <= A <= 216",
      "cut": "c2: A <= 200; c3: A <= 200"}),
    ('goal: shallow with opponent = "7 - 3*u"', {"best": "a1", "value": "170", "cut": "c2: A <= 170; c3"}),
    ('goal: statements with opponent = "-u"', {"c2": "sometimes", "c3": "always"}),
    ('goal: shallow with opponent = "u*u - 376*u"',
     {"best": "a1: A <= 76; a2: A > 76", "value": "170: A <= 76; 300: 76 < A <= 300; A: A >= 300", "cut": "none"}),
    ('goal: largest with opponent = "-|u - 188|", assume = "A <= 190"', {"greatest": "175", "least": "none"}),
    ('hexagons: shallow with opponent = "-|u|"',
     {"best": "b: w <= -1 or w >= 1; c: -1 <= w <= 1", "value": "-1: w <= -1 or w >= 1; w: -1 <= w < 1",
      "cut": "a.a2.3; a.a2.4; c.c2.2: w = 0; c.c2.3: w = 0"}),
]  # fmt: skip


def posed(folder: Path, question: str, language: str = "en", near: str = NEAR) -> Any:
    (folder / "near.game").write_text(near, encoding="utf-8")
    (folder / "open.game").write_text(OPEN, encoding="utf-8")
    (folder / "goal.game").write_text(GOAL, encoding="utf-8")
    (folder / "hexagons.game").write_text(HEXAGONS, encoding="utf-8")
    exam = read_exam(f'exam "E"\nquestion 1: {question}\n', "e.exam")
    return PosedExam(exam, folder, Words(language), lambda: "secret").variants[0][0].question


@pytest.mark.thorough_of("othello: deepening with depth = 1-due8")
@pytest.mark.parametrize(("question", "due"), ROWS)
def test_what_is_asked_and_what_is_right(tmp_path: Path, question: str, due: dict[str, str]) -> None:
    parts = posed(tmp_path, question).parts
    assert {part.item: part.right for part in parts} == due
    assert all(part.judge(part.right) == 1 for part in parts)


def test_the_interval_of_costs_begins_with_the_lesser_number(tmp_path: Path) -> None:
    """The open numbers are costs of MAX, whose value falls as they rise."""
    costs = "players MAX, MIN\nutility is cost\ntree MAX A (a1: MIN B (b1: ?x, b2: 3), a2: MIN C (c1: 1, c2: 7))\n"
    parts = posed(tmp_path, 'near: interval with assume = "2 <= x <= 5"', near=costs).parts
    assert {part.item: part.right for part in parts} == {"least": "-5", "greatest": "-3", "cut": "none"}


def test_an_opponent_has_a_purpose_that_is_a_function_of_mine(tmp_path: Path) -> None:
    """MIN wants to come near to 188: at B 188 itself, at C 200, which is better for MAX."""
    for purpose in ("-(u - 188)^2", "-|u - 188|"):
        key = posed(tmp_path, f'near with opponent = "{purpose}"').key
        assert next(key.value(path) for path in key.nodes) == "= (188, 0)" and key.best == ("a2",)


def test_an_opponent_who_has_the_most_there_is_looks_no_further(tmp_path: Path) -> None:
    """MIN finds 188 itself at the second leaf of B; nothing could be nearer. The sheet says what is known."""
    near = NEAR.replace("b2: 100, b3: 188", "b2: 188, b3: 100")
    found = posed(tmp_path, 'near with opponent = "-(u - 188)^2", most = 0', near=near)
    assert found.key.cut() == "b3" and "MIN never gets more than 0" in "".join(found.text)
    assert posed(tmp_path, 'near with opponent = "-(u - 188)^2"', near=near).key.prunes is False


def test_a_purpose_prunes_and_is_asked_and_drawn_in_numbers_at_the_ends(tmp_path: Path) -> None:
    """MIN wants little, HEX what is nearest to zero. At E, D has given MIN -2, and HEX goes no farther than 1."""
    found = posed(tmp_path, 'hexagons: shallow with opponent = "-|u|", w = 4')
    due = "D=-2 F=3 A=-2 G=5 H=-1 B=-1 I=8 J=2 C=2 R=-1 cut=a.a2.3 a.a2.4 best=b"
    assert " ".join(f"{one.item}={one.right.removeprefix('= ')}" for one in found.asked.asked) == due
    assert found.text[0].startswith("HEX wants -|u| to be") and "MIN wants u itself to be small" in found.text[0]


def test_what_is_known_of_open_numbers_stands_in_the_question(tmp_path: Path) -> None:
    for kind in (":interval", ":statements", ""):
        text = posed(tmp_path, f'open{kind} with assume = "2 <= x <= 5 and 0 <= y <= 1"'.replace(":", ": ")).text
        assert text[-1] == "It is known that 2 ≤ x ≤ 5 and 0 ≤ y ≤ 1."


def test_the_boards_of_compared_positions_stand_side_by_side(tmp_path: Path) -> None:
    boards = 'A = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", B = "4k2r/8/8/8/8/8/8/R3K2R w - - 0 1"'
    text = f'exam "E"\nquestion 1: evaluation "w: 1, 5; A: 8, 2; B: 8, 1" with game = chess, {boards}\n'
    (tmp_path / "e.exam").write_text(text, encoding="utf-8")
    for words in (["sheet", "-o", str(tmp_path / "s.html")], ["sheet", "--practice", "-o", str(tmp_path / "p.html")]):
        done = CliRunner().invoke(commands, [words[0], str(tmp_path / "e.exam"), *words[1:]])
        assert done.exit_code == 0, done.output
        page = Path(words[-1]).read_text(encoding="utf-8")
        assert len(re.findall(r'<svg x="[0-9.]+" y="20"', page)) == 2 and re.search(
            r">A</text>.*>B</text>", page, re.DOTALL
        )
    done = CliRunner().invoke(commands, ["sheet", str(tmp_path / "e.exam"), "-o", str(tmp_path / "s.tex")])
    assert done.exit_code == 0 and "LaTeX has no pictures of positions" in done.output


def test_each_row_of_a_table_is_a_line_of_its_own(tmp_path: Path) -> None:
    text = posed(tmp_path, 'ucb "a1: 3, 5; a2: 6, 10" with c = 1').text
    assert text[1:3] == ("W(a1) = 3, N(a1) = 5;", "W(a2) = 6, N(a2) = 10.") and text[3].startswith("Compute")


# A question; an answer, and its points by item.
WRITTEN: list[tuple[str, str, list[Any]]] = [
    ('near with opponent = "-(u - 188)^2"', "B = 188, C = 200, A = 200; best: a2", [1, 1, 1, 1]),
    ('near with opponent = "-(u - 188)^2"', "B = (188, 0), C = 150, A = -144; best: a2", [1, 0, 0, 1]),
    ('ucb "a: 7, 10; b: 0, 0" with c = 1.5', "a: 1.42, b: infinite, choose b", [1, 1, 1]),
    ('ucb "a: 7, 10; b: 0, 0" with c = 1.5', "a: 1.42; b: ∞; b", [1, 1, 1]),
    ('ucb "a: 7, 10; b: 0, 0" with c = 1.5', "a: 1.42; b: 0; a", [1, 0, 0]),
    ('evaluation "w: 1, 5; A: 8, 2; B: 8, 1"', "A = 8 + 10 = 18, B = 8 + 5 = 13. A is better", [1, 1, 1]),
    ('evaluation "w: 1, 5; A: 8, 2; B: 8, 1"', "A = 18; B = 8 + 5 = 13. So B it is", [1, 1, 0]),
    ('playouts "a b: 1, 0; c: 1/2" with c = 1', "a 1/2, b = 1 of 2, c: 0,5/1; next c", [1, 1, 1, 1]),
    ('playouts "a b: 1, 0; c: 1/2" with c = 1', "a: 1/3; b: 1/2; c: 1; b", ["1/2", 1, 0, 0]),
    ('open: interval with assume = "2 <= x <= 5 and 0 <= y <= 1"', "least 2, greatest 5, pruned: c2", [1, 0, 1]),
]


@pytest.mark.parametrize(("question", "text", "due"), WRITTEN)
def test_what_is_written_is_marked(tmp_path: Path, question: str, text: str, due: list[Any]) -> None:
    posed(tmp_path, question)  # writes the game
    (tmp_path / "e.exam").write_text(f'exam "E"\nquestion 1: {question}\n', encoding="utf-8")
    (tmp_path / "ann.txt").write_text(f"Question 1: {text}\n", encoding="utf-8")
    done = CliRunner().invoke(commands, ["grade", str(tmp_path / "e.exam"), str(tmp_path / "ann.txt"), "--json"])
    marks = {one["item"]: one["points"] for one in json.loads(done.stdout)["students"][0]["items"]}
    assert list(marks.values()) == due, done.stdout


# Published tables of W and N, and the action that is selected: figure 5.10 of Russell and Norvig (4th edition), whose
# text says that c decides; the tests of two programs; an exercise of a course.
SELECTED = [
    ('ucb "left: 60, 79; middle: 1, 10; right: 2, 11" with c = 1.4', "left"),
    ('ucb "left: 60, 79; middle: 1, 10; right: 2, 11" with c = 1.5', "right"),
    ('ucb "0: 1, 2; 1: 3, 8" with c = 1.5', "0"),
    ('ucb "a: 1, 2; b: 0, 0" with c = 1', "b"),
    ('ucb "0: 0.1, 1; 1: 0.5, 1; 2: 0.2, 1" with total = 4', "1"),
]


@pytest.mark.parametrize(("question", "selected"), SELECTED)
def test_the_published_action_is_selected(tmp_path: Path, question: str, selected: str) -> None:
    parts = {part.item: part.right for part in posed(tmp_path, question).parts}
    assert parts["next"] == selected


@pytest.mark.thorough_of("el", "fa", "vi", "zh", "en")
@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_asked_in_every_language(tmp_path: Path, language: str) -> None:
    texts = [posed(tmp_path, question, language).text for question, _ in ROWS]
    assert all(text and "{" not in "".join(text) for text in texts)


def test_roots_are_rounded_where_somebody_reads_them(tmp_path: Path) -> None:
    text = 'exam "E"\nquestion 1: figure_5_2 with transform = "sqrt(u)"\nquestion 2: figure_5_2: windows with transform = "sqrt(u)"\n'
    (tmp_path / "e.exam").write_text(text, encoding="utf-8")
    (tmp_path / "ann.txt").write_text("Question 1: B = 1.732, C = 2", encoding="utf-8")
    graded = CliRunner().invoke(commands, ["grade", str(tmp_path / "e.exam"), str(tmp_path / "ann.txt")]).output
    assert "C <= ≈1.41421: MIN chooses among c1 ≈ 1.41421" in graded and "right is [≈1.73205, inf]" in graded
    CliRunner().invoke(commands, ["sheet", str(tmp_path / "e.exam"), "-o", str(tmp_path / "s.html"), "--key",
                                  str(tmp_path / "k.html")])  # fmt: skip
    pages = graded + "".join((tmp_path / name).read_text(encoding="utf-8") for name in ("s.html", "k.html"))
    assert "= 1.73205" in pages and not re.search(r"\d{9}/\d", pages)


def test_roots_keep_the_order_of_all_numbers() -> None:
    root, some = read_purpose("sqrt(u)"), sorted({Fraction(n, d) for n in range(60) for d in range(1, 30)})
    roots: list[Number] = [root(one) for one in some]
    assert roots == sorted(set(roots)) and root(Fraction(4, 9)) == Fraction(2, 3) and root(49) == 7
    with pytest.raises(Refusal, match="-1 has no root"):
        root(-1)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ('ucb "a1: 3, 5"', "is no table with rows"),
        ('ucb "a1: 3, 5; a2: 6"', "is no table with rows"),
        ('ucb "a1: 3, x; a2: 6, 1"', "is no table with rows"),
        ('ucb "a1: 3, 0; a2: 6, 1"', "write W and N for each action"),
        ('ucb "a1: 0, 0; a2: 0, 0"', "at least one action has been tried"),
        ('ucb "a1: 3, 5; a2: 6, 10" with total = 9', "the total is at least 15"),
        ('ucb "a1: 1, 1/10; a2: 1, 1/5"', "N from 1 on"),
        ('playouts "a1: x"', "is no row of playouts"),
        ('playouts "a1: 2"', "from 0 to 1"),
        ('playouts "a1: 1; a1: 0"', "a way of its own"),
        ('playouts "a1:; a2:"', "at least one result is needed"),
        ('playouts "a1: 1" with total = 3', "such a question has no setting 'total'"),
        ('evaluation "w: 1; A: 8" with game = chess, A = "nothing"', "nothing"),
        ('evaluation "w: 1; A: 8" with game = figure_5_2, A = "x"', ""),
        ("open: interval", "the bounds of each number left open are needed"),
        ('open: interval with assume = "x >= 2"', "the bounds of each number left open are needed"),
        ("figure_5_2: interval", "a number is to be left open"),
        ('ucb "a1: 3, 5; a1: 6, 10; a2: 1, 2"', "has two rows of one name"),
        (f'ucb "a1: {"9" * 400}, 5; a2: 6, 10"', "the numbers of a table are at most 1,000,000"),
        ('ucb "a1: 3, 5; a2: 6, 10" with c = nan', "c is a number from 0"),
        (f'figure_5_2 with opponent = "{"sqrt(" * 3000}u{")" * 3000}"', "is no formula of u"),
        ('evaluation "w: 1, 5; A: 8, 2" with c = 1', "such a question has no setting 'c'"),
        ('figure_5_2 with opponent = "-u", most = -3', "most is at least -2"),
        ('figure_5_2 with opponent = "-u", most = x', "'x' is no number"),
        ('three_players with opponent = "u"', "an opponent has a purpose in a game of two players"),
        ('figure_5_2 with opponent = "log(u)"', "is no formula of u"),
        (f'figure_5_2 with opponent = "{"(" * 8}u{"^9*u)" * 7}^9)"', "is no formula of u"),
        ('figure_5_2 with opponent = "abs()"', "is no formula of u"),
        ('figure_5_2: transform with transform = "sqrt()"', "is no formula of u"),
        ('open: leaves with opponent = "-u"', "such a question needs known numbers; give them, as in with x = 3"),
        ('open: interval with opponent = "-u", assume = "2 <= x <= 5 and 0 <= y <= 1"', "the value need not rise with"),
        ('open with opponent = "u^3"', "'u^3' is neither linear, nor a square, nor an absolute value"),
        ('open with opponent = "0*u"', "is neither linear"),
        ('figure_5_2: shallow with opponent = "sqrt(u)"', "is neither linear"),
        ('open with opponent = "-|u|", most = -1', "most is at least 0, what the opponent could get by a number left"),
        ('open with opponent = "|u|", most = 9', "most is at least ∞"),
        ('open with opponent = "-|u|", assume = "x < 3 and x > 4"', "what is assumed can never hold"),
        ('figure_5_2: transform with transform = "sqrt(-u)"', "has no root"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(tmp_path: Path, question: str, message: str) -> None:
    (tmp_path / "open.game").write_text(OPEN, encoding="utf-8")
    (tmp_path / "e.exam").write_text(f'exam "E"\nquestion 1: {question}\n', encoding="utf-8")
    done = CliRunner().invoke(commands, ["check", str(tmp_path / "e.exam")])
    assert done.exit_code == 3 and message in done.output and re.search(r"e\.exam:2:\d+: error", done.output)


@pytest.mark.thorough
def test_they_are_printed_practised_exported_and_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, tree in (("open", OPEN), ("goal", GOAL), ("hexagons", HEXAGONS)):
        Path(f"{name}.game").write_text(tree, encoding="utf-8")
    some = [question for question, _ in ROWS]
    text = "".join(f"question {number}: {question}\n" for number, question in enumerate(some, start=1))
    Path("e.exam").write_text(f'exam "E"\n{text}', encoding="utf-8")
    for words in ("sheet e.exam -o s.html --key k.html", "sheet e.exam --practice -o p.html", "export e.exam -o b.xml"):
        done = CliRunner().invoke(commands, words.split())
        assert done.exit_code == 0, done.output
    (tmp_path / "ann.txt").write_text(
        "Name: Ann\nQuestion 1: a1: 1.34, a2: 1.12, choose a1\nQuestion 2:\nAt A: 18\nAt B: 13\nBest position: A\n"
        "Question 4: value: 1.7\nbest: a1\nQuestion 7: Without a table: 549946\nWith a table: 5478\n", encoding="utf-8",
    )  # fmt: skip
    done = CliRunner().invoke(commands, ["grade", "e.exam", "ann.txt", "--csv"])
    assert done.exit_code == 1 and ",3,3,0,2,0,0,2,0,0," in done.output, done.output

"""The notations of lectures are read; what is not read is asked about, never blank; where
max^n has several right answers, each is right."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from click.testing import CliRunner, Result

import gdl
from gdl.commands.cli import commands
from gdl.game import Terminal

CLASS = """game "Quiz 41"
players MAX, MIN

tree
    MAX A
        a1: MIN B
            b1: MAX D (d1: 1, d2: 5, d3: 2)
            b2: MAX E (e1: 8, e2: 0, e3: 2)
        a2: MIN C
            c1: MAX F (f1: 5, f2: 9)
            c2: MAX G (g1: 8, g2: 6)
            c3: MAX H (h1: 6, h2: 7, h3: 0)
"""
TIES = "players A, B, C\ntree A(l: B X((3,5,9),(3,1,1)), r: B Y((3,7,8),(0,1,1)))\n"
TIES_BELOW = "players A, B, C\ntree A(l: B X(m: C Z((1,4,2),(5,4,2)), n: (0,3,9)), r: (2,2,2))\n"
LOTTERY = "players MAX, MIN\ntree MAX A (l: chance B (x 1/3: 4, y 2/3: 5), r: chance C(1/2: 1, 1/2: 2))\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(commands, list(words))


def graded(folder: Path, game: str, text: str, *options: str) -> Any:
    (folder / "own.game").write_text(game)
    (folder / "answers.txt").write_text(text)
    done = run("grade", str(folder / "own.game"), str(folder / "answers.txt"), "--json", *options)
    assert done.exit_code in (0, 1), done.stderr
    return json.loads(done.stdout)


REST = "cut: e2 e3\nbest: a2"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (CLASS, f"A=[7,7] B=[5,5] C=[7,7] D=[5,5] E=[8,+inf) F=[9,9] G=[8,8] H=[7,7]\n{REST}"),
        (CLASS, f"A: [7;7], B: [5,5], C: [7,7], D: [5,5], E: [8, ∞], F: [9,9], G: [8,8], H: [7,7]\n{REST}"),
        (CLASS, f"A [7,7], B [5,5], C [7,7], D [5,5], E [8,inf), F [9,9], G [8,8], H [7,7]\n{REST}"),
        (CLASS, f"A ∈ [7,7], B in [5,5], C=7 D=5 E: [8,infinity), F=9 G=8 H=7\n{REST}"),
        (CLASS, "$A = 7$, $B = 5$, $C = 7$, $D = 5$, $E \\ge 8$, $F = 9$, $G = 8$, $H = 7$. Pruned: $e_2, e_3$. Best: $a_2$."),
        (LOTTERY, "A = 4 2/3, B: 4 2/3, C is 1 1/2\nbest: l"),
        (TIES, "X=⟨3 5 9⟩ Y=<3, 7, 8> root: \\langle 3,5,9 \\rangle best: l"),
        (TIES, "X: 3,5,9\nY: 3 7 8\nroot = 3, 5, 9\nbest: l"),
    ],
)  # fmt: skip
def test_the_notations_of_lectures_are_read(game: str, text: str, tmp_path: Path) -> None:
    data = graded(tmp_path, game, text)
    assert data["score"] == data["of"], [one for one in data["items"] if not one["correct"]]


@pytest.mark.parametrize(
    ("game", "text", "wrong"),
    [
        (CLASS, f"A=[7,7] B=[4,4] C=[-inf,7] D=[5,5] E=[8,8] F=[9,9] G=[8,8] H=[7,7]\n{REST}", ["E", "B", "C"]),
        (LOTTERY, "A = 4 1/3, B = 4 2/3, C = 3/2, best: l", ["A"]),
        (TIES, "X=3,1,1 Y=3,7,8 root=3,5,9 best: l", ["X"]),
    ],
)
def test_what_is_wrong_in_these_notations_is_wrong(game: str, text: str, wrong: list[str], tmp_path: Path) -> None:
    items = graded(tmp_path, game, text)["items"]
    assert [one["item"] for one in items if not one["correct"]] == wrong


@pytest.mark.parametrize(
    "words", ["Wert von", "der Wert von", "valeur de", "la valeur de", "valor de", "el valor de", "o valor de"]
)
def test_value_of_is_read_in_other_languages(words: str, tmp_path: Path) -> None:
    data = graded(tmp_path, LOTTERY, f"{words} A = 14/3, {words} B = 14/3, {words} C = 3/2, best: l")
    assert data["score"] == data["of"] and "?" not in {one["item"] for one in data["items"]}


def test_windows_stay_windows_where_they_are_asked_for(tmp_path: Path) -> None:
    data = graded(tmp_path, CLASS, "A [-inf, inf] E: [-inf, 5] D: [5, 5]", "--bounds", "nodes")
    right = {one["item"] for one in data["items"] if one["correct"]}
    assert right == {"A window", "E window", "D"}


@pytest.mark.parametrize("said", ["zapped: e2 e3", "karsittu e2 e3", "thrown out: e2, e3", "e2, e3 (gone)"])
def test_an_answer_with_text_left_over_has_no_blank_item(said: str, tmp_path: Path) -> None:
    data = graded(tmp_path, CLASS, f"A=7 B=5 C=7 D=5 E>=8 F=9 G=8 H=7\n{said}\nbest: a2")
    cut = next(one for one in data["items"] if one["item"] == "cut")
    assert cut["given"] is None and cut["ambiguous"] and (data["score"], data["of"]) == (9, 10)
    told = run("grade", str(tmp_path / "own.game"), str(tmp_path / "answers.txt"), "--csv").stdout
    rows = dict(zip(*csv.reader(told.splitlines()), strict=True))
    assert rows["cut"] == "?" and rows["D"] == "1" and rows["unread"] == said.replace(",", "")


def test_a_node_that_is_not_there_may_be_a_missing_one(tmp_path: Path) -> None:
    items = {one["item"]: one for one in graded(tmp_path, CLASS, "A=7 a7=5 C=7")["items"]}
    assert items["B"]["ambiguous"] and not items["A"]["ambiguous"]
    assert not any(one["ambiguous"] for one in graded(tmp_path, CLASS, "A=7 C=7")["items"]), "blank is blank"


def test_lines_left_over_make_blank_items_unclear(tmp_path: Path) -> None:
    items = graded(tmp_path, CLASS, "about seven of them\nseen: d1", "--ask", "leaves")["items"]
    assert items[0]["item"] == "count" and items[0]["ambiguous"]


# ---- Ties of several players -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "score"),
    [
        (TIES, "X=(3,5,9) Y=(3,7,8) root=(3,7,8) best: r", 4),
        (TIES, "X=(3,5,9) Y=(3,7,8) root=(3,5,9) best: l", 4),
        (TIES, "X=(3,5,9) Y=(0,1,1) root=(0,1,1) best: r", 2),
        (TIES_BELOW, "Z=(5,4,2) X=(5,4,2) root=(5,4,2) best: l", 4),
        (TIES_BELOW, "Z=(1,4,2) X=(1,4,2) root=(2,2,2) best: r", 4),
        (TIES_BELOW, "Z=(1,4,2) X=(0,3,9) root=(1,4,2) best: r", 2),
    ],
)
def test_any_vector_that_follows_from_ties_is_right(game: str, text: str, score: int, tmp_path: Path) -> None:
    data = graded(tmp_path, game, text)
    assert (data["score"], data["of"]) == (score, 4), data["items"]


def vectors(game: Any, state: Any) -> set[Any]:
    """All vectors that max^n may return from a state, by trying each choice among equals."""
    node = game.node(state)
    if isinstance(node, Terminal):
        return {node.utilities}
    below = [vectors(game, game.successor(state, action)) for action in node.actions]
    plays = [[]]
    for some in below:
        plays = [[*play, one] for play in plays for one in some]
    return {one for play in plays for one in play if one[node.player] == max(other[node.player] for other in play)}


@pytest.mark.parametrize("seed", range(6))
def test_trees_for_three_players_have_one_right_answer(seed: int, tmp_path: Path) -> None:
    text = run("quiz", "--want", "three players", "--seed", str(seed)).stdout
    game = gdl.loads(text[: text.index("\n# Key")]).game
    assert len(vectors(game, game.initial())) == 1


# ---- Tables -----------------------------------------------------------------------------------------------------------

REPLIES = "replies: She | fight: fight; She | ballet: ballet; He | fight: fight; He | ballet: ballet"


def test_a_name_within_another_is_not_meant_by_it(tmp_path: Path) -> None:
    """`He | fight` stands within `She | fight`."""
    asked = "battle_of_the_sexes", str(tmp_path / "ann.txt")
    (tmp_path / "ann.txt").write_text(f"{REPLIES}. Equilibria: (fight, fight)\n")
    replies, equilibria = json.loads(run("grade", *asked, "--json").stdout)["items"]
    assert replies["correct"] and equilibria["points"] == 1
    (tmp_path / "ann.txt").write_text(f"{REPLIES}\nequilibria: (f, f), (b, b), p=2/3 q=1/3\n")
    replies, equilibria = json.loads(run("grade", *asked, "--json").stdout)["items"]
    assert replies["correct"] and equilibria["ambiguous"], "(f, f) is asked about, not wrong"


def test_an_answer_before_its_heading_is_listed_for_a_person(tmp_path: Path) -> None:
    """A heading with nothing behind it is no answer that could be asked about."""
    said = "Erst A silent, dann B silent"
    (tmp_path / "ann.txt").write_text(f"{said} gestrichen. Übrig bleibt (betray, betray).\n", encoding="utf-8")
    words = "grade", "prisoners", str(tmp_path / "ann.txt"), "--ask", "dominance"
    removed, left, *_ = json.loads(run(*words, "--json").stdout)["items"]
    assert removed["given"] is None and said in removed["why"] and left["correct"]
    run(*words, "--words", str(tmp_path / "own.txt"))
    assert f'"{said}" = ?' in (tmp_path / "own.txt").read_text(encoding="utf-8")


# ---- Classes, titles, files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        "Surname,First name,ID number,Email address,State,Response 1,Response 2",
        "Name;Matrikelnummer;Frage 1\nA;1;x",
        "Timestamp,Email Address,Question 1",
        "SID\tName\tAnswer 1",
    ],
)
def test_the_table_of_a_class_is_no_student(head: str, tmp_path: Path) -> None:
    (tmp_path / "own.game").write_text(CLASS)
    (tmp_path / "class.csv").write_text(f"{head}\nLi,Wei,7,A=7,A=7,A=7,A=7\n")
    done = run("grade", str(tmp_path / "own.game"), str(tmp_path / "class.csv"))
    assert done.exit_code == 2 and "a row for each student" in done.stderr and "answers/*.txt" in done.stderr


def test_the_table_of_one_student_is_read(tmp_path: Path) -> None:
    table = "node,value\nA,7\nB,5\nC,7\nD,5\nE,>=8\nF,9\nG,8\nH,7\ncut,e2 e3\nbest,a2\n"
    assert graded(tmp_path, CLASS, table)["score"] >= 8


def test_titles_do_not_hold_the_seed(tmp_path: Path) -> None:
    text = run("quiz", "--seed", "4711").stdout
    assert "4711" not in text and text.startswith('game "Quiz 1"')


def test_a_tree_is_written_to_the_file_that_was_named(tmp_path: Path) -> None:
    file = tmp_path / "ab.game"
    assert run("quiz", "-o", str(file)).exit_code == 0
    assert file.is_file() and "cut: none" not in (tmp_path / "ab.key").read_text()
    assert run("solve", str(file)).exit_code == 0
    assert run("quiz", "--batch", "3", "-o", str(file)).exit_code == 2


@pytest.mark.thorough
def test_trees_have_something_to_prune_unless_asked_otherwise() -> None:
    told = run("quiz", "--batch", "30").stdout
    assert told.count("# Key") == 30 and "cut: none" not in told
    assert "cut: none" in run("quiz", "--want", "no cuts").stdout
    assert run("quiz", "--depth", "1").exit_code == 0, "where nothing can be pruned, nothing need be"


def test_nobody_is_asked_for_a_first_move_where_all_lose(tmp_path: Path) -> None:
    sheet = tmp_path / "nim.html"
    for heaps, asked in (("1,2,3", False), ("1,2", True), ("2,2", False)):
        assert run("sheet", "nim:winner", "--set", f"heaps={heaps}", "-o", str(sheet)).exit_code == 0
        assert ("First move" in sheet.read_text()) is asked, heaps


def test_there_is_no_greatest_number_where_nothing_bounds_it(tmp_path: Path) -> None:
    game = "players MAX, MIN\ntree MAX(MIN(3, 12), MIN(?x, 4))\n"
    for said in ("there is no greatest", "∞", "unbounded", "none", "κανένα", "-"):
        data = graded(tmp_path, game, f"greatest: {said}\nleast: 4", "--ask", "largest")
        assert data["score"] == 2, said
    assert graded(tmp_path, game, "greatest: any", "--ask", "largest")["score"] == 0
    assert graded(tmp_path, game, "greatest: 100", "--ask", "largest")["score"] == 0


def test_a_rule_on_a_sheet_in_latex_reads_from_left_to_right(tmp_path: Path) -> None:
    (tmp_path / "own.game").write_text(CLASS)
    for cut, sign in (("ge", "\\ge"), ("gt", "greater")):
        sheet = tmp_path / "fa.tex"
        assert (
            run("sheet", str(tmp_path / "own.game"), "--language", "fa", "--cut", cut, "-o", str(sheet)).exit_code == 0
        )
        (rule,) = re.findall(
            r"\{\\selectlanguage\{english\}\\textdir TLT ([^\n]*?\\beta[^\n]*?)\}[.]", sheet.read_text()
        )
        assert "alpha" in rule.partition(sign)[0] and "beta" in rule.partition(sign)[2]


@pytest.mark.parametrize(
    ("game", "unit", "asked"),
    [
        (CLASS, "½", ()),
        pytest.param(CLASS, "cut ", (), marks=pytest.mark.thorough),
        (TIES, "½", ()),
        ("prisoners", "½", ("--ask", "dominance")),
    ],
)
def test_long_nonsense_is_read_in_a_time_that_grows_with_its_length(
    tmp_path: Path, game: str, unit: str, asked: tuple[str, ...]
) -> None:
    (tmp_path / "own.game").write_text(game)
    (tmp_path / "answers.txt").write_text(unit * (16_000 // len(unit.encode())))
    began = process_time()
    run("grade", str(tmp_path / "own.game") if "\n" in game else game, str(tmp_path / "answers.txt"), *asked)
    assert process_time() - began < 12


ACES = """game "Aces"
players Ann, Bob
tree
    chance
        ace 1/2: Ann in ace (north: Bob in b (left: 3, right: 2), south: Bob in b (left: 1, right: 0))
        king 1/2: Ann in king (north: Bob in b (left: -3, right: -4), south: Bob in b (left: -1, right: -2))
"""


@pytest.mark.parametrize(
    "text",
    [
        "Ann: if she doesn't have the ace north, otherwise south; Bob: right",
        "Ann: north if ace is not held, otherwise south; Bob: right",
        "Ann: not ace: north, otherwise south; Bob: right",
        "si elle n'a pas l'ace, north, sinon south; Bob: right",
        "Ann: avoid north if ace, otherwise south; Bob: right",
        "Ann: north if Bob has the ace, otherwise south; Bob: right",
        "It is wrong that Ann: north if ace, otherwise south; Bob: right",
        "Ann: north if ace, otherwise south; Bob: wouldn't play right",
        "Ann at ace: north, at king: south; Bob can't play right",
        f"Ann: north if {'a ' * 30}quux, otherwise south; Bob: right",
    ],
)
def test_a_plan_with_words_that_nobody_knows_is_asked_about(text: str, tmp_path: Path):
    """Such words may turn it round, as denials do: the first of these plans is the opposite of the right one."""
    (mark,) = graded(tmp_path, ACES, text)["items"]
    assert mark["ambiguous"]


OPEN = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 4, b2: 7), a2: MIN C (c1: ?x, c2: 9, c3: 6))\n"


@pytest.mark.parametrize(
    ("item", "text", "share"),
    [
        ("value", "4 if x <= 3, 4 if 3 < x <= 4, x if 4 < x < 6, otherwise 6", 1),  # in an instant
        ("best", "a1 if 0 < x < 1 or 1 < x < 2 or 2 < x < 3 or 3 < x < 4, otherwise a2", 0),
        ("cut", "nothing if x > 4, otherwise c2 and c3", 1),
        ("cut", "nothing if x > 3; c2 and c3 if x <= 4", Fraction(1, 2)),
        ("cut", "c2, c3 if x <= 4, else c2, c3", 0),
        ("cut", "c2 and c3 otherwise nothing if x <= 4", None),
    ],
)
def test_otherwise_stands_for_what_the_other_cases_leave(item: str, text: str, share: Any, tmp_path: Path):
    marks = {mark["item"]: mark for mark in graded(tmp_path, OPEN, f"{item}: {text}")["items"]}
    assert marks[item]["ambiguous"] if share is None else Fraction(marks[item]["points"]) == share


@pytest.mark.parametrize(
    "text", ["premier: take(1,2)", "pierwszy: take(1,2)", "erster Zug: take(1,2)", "First: take(1,2)"]
)
def test_the_first_move_tells_nobody_who_wins(text: str, tmp_path: Path):
    (tmp_path / "answers.txt").write_text(text)
    done = run("grade", "nim", str(tmp_path / "answers.txt"), "--ask", "winner", "--set", "heaps=3,4,5", "--csv")
    (row,) = csv.DictReader(done.stdout.splitlines())
    assert (row["winner"], row["first"]) == ("", "1")

"""A class of thirty is marked as a teacher would: fifteen ways of writing what is right, and ten typical mistakes."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.explain.key import Key, key
from gdl.solvers import solve
from gdl.wings.exam.grade import GradeReport, grade
from gdl.wings.exam.phrases import Words
from gdl.wings.exam.question import question
from gdl.wings.exam.reading import read

TREE = """
players MAX, MIN
tree
    MAX A
        a1: MIN B
            b1: MAX D (d1: 3, d2: 1)
            b2: MAX E (e1: 10, e2: 9, e3: 2)
        a2: MIN C
            c1: MAX G (g1: 8, g2: 4)
            c2: MAX F (f1: 12, f2: 11)
"""
HALF = Fraction(1, 2)
SPELLINGS = {
    "as the key": "D=3 E>=10 B=3 G=8 F>=12 C=8 A=8 cut: e2 e3 f2 best: a2",
    "colons": "A: 8; B: 3; C: 8; D: 3; E: >= 10; F: >=12; G: 8\nskipped e2 e3 f2\nanswer a2",
    "arrows": "A -> 8\nB → 3, C ⇒ 8\nD -> 3, E ≥ 10, F ≥ 12, G -> 8\nCut: e2, e3 and f2.\nBest -> a2",
    "ranges": "A=8, B=3, C=8, D=3, E=10+, F=12+, G=8. cut: e2-e3, f2; best = C",
    "leaf values": "a=8 b=3 c=8 d=3 e>=10 f>=12 g=8; pruned: 9, 2, 11; best: a2 then c1",
    "words": "A is 8, B is 3, C is 8, D equals 3, E at least 10, F at least 12, G is 8\nNever looked at: e2 to e3, f2\n"
    "MAX should play a2",
    "functions": "v(A) = 8, v(B) = 3, v(C) = 8, v(D) = 3, v(E) >= 10, v(F) ≥ 12, v(G) = 8\npruned leaves: e2, e3, f2\n"
    "best move is a2",
    "worked": "D = max(3, 1) = 3\nE >= 10\nB = min(3, 10) = 3\nG = 8\nF >= 12\nC = min(8, 12) = 8\nA = max(3, 8) = 8\n"
    "pruned branches: E>e2, E>e3, c2>f2\nbest action: a2",
    "Persian": "A=۸ B=۳ C=۸ D=۳ E≥۱۰ F≥۱۲ G=۸\ncut: e۲، e۳، f۲\nbest: a۲",
    "Arabic": "A = ٨، B = ٣، C = ٨، D = ٣، E ≥ ١٠، F ≥ ١٢، G = ٨\ncut: e2، e3 و f2\nbest: a2",
    "Chinese": "A＝８，B＝３，C：８，D＝三，E≥10，F≥十二，G＝８；\n从未查看：e2、e3 和 f2\n最佳行动：a2",
    "Greek": "Α=8· Β=3· C=8· D=3· Ε≥10· F τουλάχιστον 12· G=8\nΔεν εξετάζονται: e2, e3 και f2\nΚαλύτερη κίνηση: a2",
    "German": "A=8,0 B=3 C=8 D=3 E mindestens 10 F>=12 G=8\nNie betrachtet: e2 bis e3 und f2\nBester Zug: a2 – c1",
    "decimals": "A := 8.0; B == 3; C=8/1; D=3; E=>10; F=>12; G=8; cut = e2, e3, f2; best: 'a2'",
    "the other way": "best a2\ncut e3, f2, e2\nG 8\nA=8\nB=3\nC=8\nD=3\nF≧12\nE⩾10\nG=8\n",
}
RIGHT = dict.fromkeys(("D", "E", "B", "G", "F", "C", "A", "cut", "best"), 1)
ALL = SPELLINGS["as the key"]
MISTAKES: dict[str, tuple[str, dict[str, Any], str]] = {
    "a bound taken for a value": (ALL.replace("E>=10", "E=10"), {"E": 0}, "E >= 10 is only a bound"),
    "a strict bound": (ALL.replace("E>=10 ", "E>10 ").replace("F>=12", "F > 12"), {"E": HALF, "F": HALF}, "as it may be 10"),
    "the wrong extreme": (ALL.replace("B=3", "B=10"), {"B": 0}, "MIN takes the least here"),
    "a value taken for a bound": (ALL.replace("C=8", "C<=8"), {"C": 0}, "C = 8 is its value, not only a bound"),
    "something skipped is left out": (ALL.replace("e3 f2", "e3"), {"cut": HALF}, "so f2 is never looked at"),
    "something is named that is looked at": (ALL.replace("f2 b", "f2 g2 b"), {"cut": HALF}, "g2 is looked at"),
    "another action": (ALL.replace("best: a2", "answer a1"), {"best": 0}, "MAX chooses among a1 = 3 and a2 = 8"),
    "nothing is written": (ALL.replace("G=8 ", ""), {"G": 0}, "G = 8"),
    "another number": (ALL.replace("D=3", "D=4"), {"D": 0}, "MAX chooses among d1 = 3 and d2 = 1"),
    "no number": (ALL.replace("A=8", "A=a2"), {"A": 0}, "'a2' is no number"),
}  # fmt: skip


def exam_key(tree: str = TREE) -> Key:
    game = gdl.loads(tree).game
    return key(game, solve(game, "alpha-beta"))


def marked(text: str, tree: str = TREE) -> GradeReport:
    right = exam_key(tree)
    return grade(right, read(text, right.names))


def shares(report: GradeReport) -> dict[str, Any]:
    return {mark.item: mark.share for mark in report.marks}


VALUES = ALL.partition("cut")[0]
CUTS = "\ncut: e2 e3 f2 best: a2"
HANDS = {
    "table md": "| node | value |\n|---|---|\n| D | 3 |\n| E | ≥ 10 |\n| B | 3 |\n| G | 8 |\n| F | ≥12 |\n| C | 8 |\n| A | 8 |" + CUTS,
    "csv": "D,3;E,>=10;B,3;G,8;F,>=12;C,8;A,8\ncut,e2,e3,f2\nbest,a2",
    "csv lines": "D,3\nE,>=10\nB,3\nG,8\nF,>=12\nC,8\nA,8\ncut,e2,e3,f2\nbest,a2",
    "brackets": "(D) 3 (E) ≥10 (B) 3 (G) 8 (F) ≥12 (C) 8 (A) 8" + CUTS,
    "in interval": "D=3 B=3 G=8 C=8 A=8\nE in [10, inf)\nF ∈ [12, ∞)" + CUTS,
    "interval with a colon": "D=3 B=3 G=8 C=8 A=8\nE: [10, ∞)\nF: [12, ∞)" + CUTS,
    "french": VALUES + "\nélagués : e2, e3 et f2\nmeilleur coup : a2",
    "spanish": VALUES + "\npodados: e2, e3 y f2\nmejor jugada: a2",
    "or more": "D: 3, B: 3, G: 8, C: 8, A: 8\nE: 10 or more\nF: at least 12" + CUTS,
    "comment": "D = 3\nE >= 10 (cut e2, e3)\nB = 3 (from D)\nG = 8\nF >= 12 (cut f2)\nC = 8 (from G)\nA = 8 (via C)\nbest: a2",
    "latex": r"$D = 3$, $E \geq 10$, $B=3$, $G=8$, $F \ge 12$, $C=8$, $A=8$" + CUTS,
    "json": '{"D": 3, "E": ">=10", "B": 3, "G": 8, "F": ">=12", "C": 8, "A": 8}' + CUTS,
    "who": "D (MAX) = 3, E (MAX) >= 10, B (MIN) = 3, G (MAX) = 8, F (MAX) >= 12, C (MIN) = 8, A (MAX) = 8" + CUTS,
    "reversed": "3 = D, 10 <= E, 3 = B, 8 = G, 12 <= F, 8 = C, 8 = A" + CUTS,
    "entity": VALUES.replace(">=","&ge;") + CUTS,
    "slash": VALUES + "\nCut e2/e3/f2\nbest a2",
    "german3": VALUES + "\nAbgeschnitten werden e2, e3 und f2.\nMAX zieht a2.",
    "german4": VALUES + "\ngestrichen: e2 e3 f2\nBeste Aktion: a2",
    "edges": VALUES + "\ncut edges: E-e2, E-e3, F-f2\nbest: A-a2",
    "edges2": VALUES + "\ncut: (E,e2), (E,e3), (F,f2)\nbest: a2",
    "optimal2": VALUES + "\nPruned e2, e3, and f2.\nThe optimal action is a2.",
    "chooses": VALUES + "\nPrune: e2; e3; f2\nMAX's best move: a2",
    "alpha beta cut": VALUES + "\nbeta cut at E: e2, e3\nbeta cut at F: f2\nbest: a2",
    "leaf with name": VALUES + "\npruned: e2 (9), e3 (2), f2 (11)\nbest: a2 (8)",
    "line of play": VALUES + "\ncut: e2 e3 f2\nline: a2 c1 g1",
    "pv": VALUES + "\ncut: e2 e3 f2\nPV: a2, c1, g1",
    "best 8": VALUES + "\ncut: e2 e3 f2\nbest move a2 with value 8",
    "equals text": "D has value 3\nE has value >= 10\nB has value 3\nG has value 8\nF has value at least 12\nC has value 8\nA has value 8" + CUTS,
    "returns": "D returns 3, E returns >=10, B returns 3, G returns 8, F returns >= 12, C returns 8, A returns 8" + CUTS,
    "minimax()": "minimax(D)=3 minimax(E)>=10 minimax(B)=3 minimax(G)=8 minimax(F)>=12 minimax(C)=8 minimax(A)=8" + CUTS,
    "V_D": "V_D = 3, V_E >= 10, V_B = 3, V_G = 8, V_F >= 12, V_C = 8, V_A = 8" + CUTS,
    "latex marks": VALUES + "\ncut: $e_2$, $e_{3}$, $f_2$\nbest: $a_2$",
    "as was": VALUES + "\nA equals 8. e2 was cut off, as was e3. Cut: f2.\nSo best is a2.",
    "scissors": VALUES + "\n✂ e2, e3, f2\nbest → a2",
    "not explored": VALUES + "\nnot explored: e2, e3, f2\nbest: a2",
    "unexplored": VALUES + "\nnot evaluated: e2, e3, f2\nbest choice: a2",
    "space ge": "D = 3 E > = 10 B = 3 G = 8 F > = 12 C = 8 A = 8" + CUTS,
    "cut none other line": VALUES + "\ncut:\ne2\ne3\nf2\nbest:\na2",
    "go right": VALUES + "\ncut: e2 e3 f2\nbest: A -> C",
    "json lists": json.dumps({"D": 3, "E": ">=10", "B": 3, "G": 8, "F": ">=12", "C": 8, "A": 8, "cut": ["e2", "e3", "f2"], "best": "a2"}),
    "latex words": VALUES + "\n\\textbf{cut}: e2, e3, f2\n\\emph{best}: a2",
    "close arrows": "D→3, E→≥10, B->3, G→8, F→≥12, C→8, A→8" + CUTS,
    "all sides of max": "D = max(3, 1) = 3\nE = max(10, ..) >= 10\nB = min(3, >=10) = 3\nG = 8\nF = max(12, …) >= 12\nC = 8\nA = 8\n"
    "Cut e2 because 10 >= 3; cut e3 because 10 >= 3; cut f2 because 12 >= 8.\noptimal: a2",
    "plus": VALUES + "\ncut: e2+e3+f2\nbest: a2",
    "no less": VALUES.replace("E>=10", "E is no less than 10;") + CUTS,
    "numbering": "a) D=3 E>=10 B=3\nb) G=8 F>=12 C=8\nc) A=8\nd) cut: e2 e3 f2\ne) best: a2",
}  # fmt: skip


@pytest.mark.parametrize("hand", HANDS)
def test_what_students_write_by_hand_is_read(hand: str) -> None:
    assert shares(marked(HANDS[hand])) == RIGHT


@pytest.mark.parametrize(
    "text",
    [
        f"{VALUES}\nalpha-beta cut-offs: e2, e3, f2\nbest: a2",
        f"{VALUES}\nwe prune e2, e3 and f2\nMAX plays a2 because 8 > 3",
        f"{VALUES}\ne2 & e3 & f2 are never visited.\na2 is best",
        f"{VALUES}\ne2, e3 (under E) and f2 (under F) are pruned\nbest: a2 (value 8)",
        ALL.replace("A=8", "A = max{3,8} = 8\n").replace("B=3", "\nB = min{3, 10} = 3\n"),
        "\n".join(f"- {one}" for one in VALUES.split()) + "\n8. cut: e2 e3 f2\n9) best: a2",
    ],
)
def test_sentences_and_lists_are_read_without_a_rest(text: str) -> None:
    report = marked(text)
    assert shares(report) == RIGHT, report


@pytest.mark.parametrize("way", SPELLINGS)
def test_what_is_right_is_right_in_every_spelling(way: str) -> None:
    assert shares(marked(SPELLINGS[way])) == RIGHT


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_typical_mistake_costs_its_item_alone_and_is_called_by_its_name(mistake: str) -> None:
    text, wrong, why = MISTAKES[mistake]
    report = marked(text)
    assert shares(report) == RIGHT | wrong
    assert {mark.mistake for mark in report.marks if mark.share < 1} == {mistake}
    assert why in next(mark.why for mark in report.marks if mark.share < 1)


@pytest.mark.parametrize("text", ["not cut: e2 e3 f2", "best: a2 is not best", "best: not a2", "best: c1",
                                  "Not so: e2 was cut off, as was e3. cut f2", "e2 e3 f2 were not cut, as was a2"])  # fmt: skip
def test_what_is_denied_or_lies_further_down_is_not_right(text: str) -> None:
    assert not any(mark.correct for mark in marked(text).marks)


def test_what_may_be_meant_in_several_ways_is_asked_about_and_not_counted_against() -> None:
    """9 is the value of a leaf that is looked at and of one that is not."""
    report = marked("cut: e2 9 f2 A=8", TREE.replace("f2: 11", "f2: 9"))
    (cut,) = (mark for mark in report.marks if mark.item == "cut")
    assert cut.ambiguous == ("9 may be e2 or f2",)
    assert report.possible == 8 and report.score == 1
    assert cut.to_record().to_object()["read"] == "e2 9 f2"
    both = marked(ALL.replace("e2 e3 f2", "9, 2, 9"), TREE.replace("f2: 11", "f2: 9"))
    assert shares(both) == RIGHT


def test_a_name_of_several_nodes_is_asked_about() -> None:
    report = marked("N=3 B=3", "players MAX, MIN\ntree MAX A (a1: MIN B (x: MAX N (1, 3), y: MAX N (5, 6)), a2: 2)")
    unclear = [mark for mark in report.marks if mark.ambiguous]
    assert [mark.ambiguous for mark in unclear] == [("a1.x", "a1.y")] * 2
    assert not any("no node is called" in mark.why for mark in report.marks)


def test_each_reading_is_told_back(tmp_path: Path) -> None:
    (tmp_path / "tree.game").write_text(TREE)
    (tmp_path / "ann.txt").write_text(SPELLINGS["leaf values"])
    done = CliRunner().invoke(commands, ["grade", str(tmp_path / "tree.game"), str(tmp_path / "ann.txt"), "--json"])
    items = {item["item"]: item for item in json.loads(done.stdout)["items"]}
    assert (items["cut"]["given"], items["cut"]["read"]) == ("9, 2, 11", "e2 e3 f2")
    assert (items["best"]["given"], items["best"]["read"]) == ("a2 then c1", "a2")
    assert (items["E"]["read"], items["E"]["points"]) == ("E >= 10", 1)


def test_a_class_of_thirty_is_marked_in_one_table(tmp_path: Path) -> None:
    (tmp_path / "tree.game").write_text(TREE)
    wrong = [*MISTAKES.values(), *[MISTAKES["a strict bound"]] * 5]
    texts = [*SPELLINGS.values(), *(text for text, _, _ in wrong)]
    for number, text in enumerate(texts):
        name = "Name: Ann Lee\n" if number == 0 else f"Matrikelnummer: {4000 + number}\n" if number < 29 else ""
        (tmp_path / f"{number:02}.txt").write_text(name + text, encoding="utf-8")
    files = [str(file) for file in sorted(tmp_path.glob("*.txt"))]
    done = CliRunner().invoke(commands, ["grade", str(tmp_path / "tree.game"), *files, "--csv"])
    head, *rows = [line.split(",") for line in done.stdout.splitlines()]
    assert head == ["student", "points", "of", "D", "E", "B", "G", "F", "C", "A", "cut", "best", "unread"]
    assert len(rows) == 30 and (rows[0][0], rows[1][0], rows[29][0]) == ("Ann Lee", "4001", "29")
    assert [row[1] for row in rows[:15]] == ["9"] * 15
    assert [row[1] for row in rows[15:]] == ["8", "8", "8", "8", "8.5", "8.5", "8", "8", "8", "8", *["8"] * 5]
    told = CliRunner().invoke(commands, ["grade", str(tmp_path / "tree.game"), *files]).stdout
    assert told.splitlines()[-1] == (
        "30 students, 8.53 of 9 points on average. E failed most, 7 of 30 times; 6 of these: a strict bound."
    )


def test_a_class_whose_answers_are_all_unclear_has_no_commonest_mistake(tmp_path: Path) -> None:
    for name in ("ann.txt", "bob.txt"):
        (tmp_path / name).write_text("A three, pruned the two after c1, best a1")
    told = (
        CliRunner().invoke(commands, ["grade", "figure_5_2", *(f"{tmp_path}/{n}.txt" for n in ("ann", "bob"))]).stdout
    )
    assert "B failed most, 2 of 2 times.\n" in told


TIED = "players MAX, MIN\ntree MAX A (a1: MIN B (3, 5), a2: MIN C (3, 1), a3: MIN D (3, 4))"


def test_a_key_asks_only_for_what_the_search_can_know_of_ties() -> None:
    """For alpha-beta a2 and a3 are both at most 3; the key asked for a1 and a3, and gave that as the reason."""
    right = exam_key(TIED)
    assert right.text() == "B=3 C<=3 D<=3 A=3 cut: a2.2 a3.2 best: a1"
    assert (right.to_play, right.ties, right.to_record().to_object()["ties"]) == (("a1",), ("a3",), ["a3"])
    found = {text: marked(f"best: {text}", TIED).marks[-1] for text in ("a1", "a3", "a1 a3", "a2", "a1 a2")}
    assert [mark.share for mark in found.values()] == [1, 1, 1, 0, 0]
    assert found["a3"].why == "as good as a1, which the search cannot know" and found["a1"].why == ""
    game = gdl.loads(TIED).game
    assert key(game, solve(game, "minimax", values=True)).text().endswith("best: a1 a3")
    assert question(game, solve(game, "alpha-beta"), Words()).lines[1].right == "a1 (= a3)"
    assert list(solve(game, "alpha-beta").best) == ["a1", "a3"]


NONE = (
    "cut: {}", "cut: ∅", "cut: -", "nothing is pruned", "No branch is pruned.", "No pruning", "nichts abgeschnitten",
    "Es wird abgeschnitten: nichts", "Nie betrachtet: keine", "Không được xét: không có", "cut: none",
)  # fmt: skip


@pytest.mark.parametrize("text", NONE)
def test_that_nothing_is_pruned_is_read_in_every_way(text: str) -> None:
    tree = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 3, b2: 12), a2: MIN C (c1: 9, c2: 8))"
    assert marked(f"B=3 C=8 A=8\n{text}\nbest: a2", tree).score == 5


@pytest.mark.thorough_of("text1", "text0", "text2")
@pytest.mark.parametrize(
    "text", ["." * 8000, "a-" * 4000, "(cut " * 2000, "D,3;" * 2000, "=[" * 4000, " " * 8000 + "x"]
)
def test_a_hostile_line_is_read_at_once_and_gets_nothing_wrong(text: str) -> None:
    assert marked(text).possible == 9


def test_a_remark_in_brackets_and_a_number_without_a_colon_are_no_answers() -> None:
    report = marked(f"Matr. 4711\n{ALL}")
    assert report.student == "4711" and shares(report) == RIGHT
    report = marked("f2 was cut (because of alpha)\n")
    assert [mark.given for mark in report.marks if mark.item == "cut"] == ["f2"]


def test_no_room_is_left_at_nodes_whose_values_are_not_asked_for(tmp_path: Path) -> None:
    file, sheet = tmp_path / "own.game", tmp_path / "exam.html"
    file.write_text(TREE)
    for kind, is_left in (("", True), (":windows", False), (":orders", False), (":line", False)):
        assert CliRunner().invoke(commands, ["sheet", f"{file}{kind}", "-o", str(sheet)]).exit_code == 0
        picture = sheet.read_text().partition("<svg ")[2].partition("</svg>")[0]
        assert ("____" in picture) is is_left, kind


@pytest.mark.parametrize("heads", ["Name;Email;Question 1", '"Surname","First name",State', "SID\tanswer 1\tpoints"])
def test_the_table_of_a_class_is_known_by_its_headings(heads: str, tmp_path: Path) -> None:
    (tmp_path / "class.txt").write_text(f"{heads}\nAnn\n")
    done = CliRunner().invoke(commands, ["grade", "figure_5_2", str(tmp_path / "class.txt")])
    assert done.exit_code == 2 and "a row for each student" in done.stderr


def test_answers_of_a_student_may_stand_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "ann.csv").write_text("B=3, C<=2, D=2, A=3, cut: c2 c3, best: a1\n")
    done = CliRunner().invoke(commands, ["grade", "figure_5_2", str(tmp_path / "ann.csv")])
    assert (done.exit_code, done.stderr) == (0, "")

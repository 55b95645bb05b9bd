"""The exam desk: keys are right, trees have what was wanted, answers are marked, sheets show and hide."""

from __future__ import annotations

import inspect
import json
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path as File
from typing import Any

import pytest
from click.testing import CliRunner
from exam_answers import ANSWERS, FOLDER, SEARCHED, rules, search_options
from trees import MAX, MIN, node, tree

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.explain.key import key
from gdl.game import Decision, Number
from gdl.render.node_names import Nodes
from gdl.solution import Path
from gdl.solvers import solve
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import maxn
from gdl.wings.exam.grade import grade, graded_text, read
from gdl.wings.exam.quiz import Quiz, draw_tree, pruning_rules, quiz, search_tree, try_quickly, write_tree
from gdl.wings.exam.wishes import (
    PROPERTIES,
    ExamTreeShape,
    ExamTrial,
    ExamWish,
    UnknownExamWish,
    impossible,
)
from gdl.wings.exam.wishes import read as wanted


def run(*arguments: str, stdin: str = "") -> Any:
    separate = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
    return CliRunner(**separate).invoke(commands, list(arguments), prog_name="gdl", input=stdin)


def loaded(text: str) -> Any:
    return gdl.loads(text).game


# ---- Keys against brute force ---------------------------------------------------------------------------------------


class Searched:
    """Alpha-beta and minimax of an explicit tree, written down once more and simply, for MAX's numbers."""

    def __init__(self, game: Any, cut: str):
        self.nodes = game.model.nodes
        self.first = game.players.index("MAX")
        self.cut = cut
        self.leaves: list[Path] = []
        self.skipped: list[Path] = []
        self.returned: dict[Path, Number] = {}
        self.run(0, (), -inf, inf)

    def run(self, index: int, where: Path, alpha: Any, beta: Any) -> Any:
        item = self.nodes[index]
        if not item.children:
            self.leaves.append(where)
            return item.utilities[self.first]
        up = item.player == self.first
        best = -inf if up else inf
        for k, child in enumerate(item.children):
            best = (max if up else min)(best, self.run(child, (*where, k), alpha, beta))
            beyond = best - beta if up else alpha - best
            if beyond > 0 or (self.cut == "ge" and beyond == 0):
                self.skipped += [(*where, later) for later in range(k + 1, len(item.children))]
                break
            alpha, beta = (max(alpha, best), beta) if up else (alpha, min(beta, best))
        self.returned[where] = best
        return best

    def true_value(self, index: int = 0) -> Number:
        item = self.nodes[index]
        if not item.children:
            return item.utilities[self.first]
        return (max if item.player == self.first else min)(map(self.true_value, item.children))

    def at(self, where: Path) -> int:
        index = 0
        for position in where:
            index = self.nodes[index].children[position]
        return index


def shapes(count: int) -> Any:
    rng = random.Random(2024)
    for number in range(count):
        low = rng.randint(1, 3)
        shape = ExamTreeShape(
            rng.randint(1, 3), (low, rng.randint(low, 4)), (0, rng.choice([3, 9, 20])), rng.choice(["MAX", "MIN"])
        )
        drawn = draw_tree(shape, ExamWish(), random.Random(f"brute {number}"))
        yield shape, write_tree(drawn, shape, ExamWish(), f"tree {number}")


@pytest.mark.thorough
@pytest.mark.parametrize("count", [120, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_keys_of_many_trees_agree_with_brute_force_under_both_rules(count: int) -> None:
    skipped = 0
    for _, text in shapes(count):
        game = loaded(text)
        for cut in ("ge", "gt"):
            found = key(game, alpha_beta(game, cut=cut))
            plain = Searched(game, cut)
            assert [one.event.node for one in found.told if one.event.event == "leaf"] == plain.leaves
            assert list(found.skipped) == sorted(plain.skipped, key=list(found.skipped).index)
            assert {where: event.value for where, event in found.nodes.items()} == plain.returned
            for where, event in found.nodes.items():
                value = plain.true_value(plain.at(where))
                true = {"exact": event.value == value, "lower": event.value <= value, "upper": event.value >= value}
                assert true[event.bound]
            worth = [plain.true_value(child) for child in game.model.nodes[0].children]
            best = (max if game.model.nodes[0].player == plain.first else min)(worth)
            assert sorted(found.best) == [f"a{k}" for k, value in enumerate(worth, start=1) if value == best]
            skipped += len(found.skipped)
    assert skipped > count


@pytest.mark.thorough
def test_a_key_written_by_a_student_is_all_right() -> None:
    rng = random.Random(5)
    wishes = ["", "2 cuts", "chance", "chance, at least 1 cuts", "three players", "three players, 1 cuts"]
    for number, wish in enumerate(wishes * 3):
        made = quiz(ExamTreeShape(3, (2, 3)), wanted(wish), number, 1)
        right = read(made.key.text(), made.key.names)
        marks = grade(made.key, right)
        assert (marks.score, marks.first_wrong, right.unread) == (marks.possible, None, [])
        assert all(mark.correct and mark.right is not None for mark in marks.marks)
        name = rng.choice(list(right.claims))
        sign = right.claims[name].sign
        wrong = made.key.text().replace(f"{name}{sign}", f"{name}{'<=' if sign == '=' else '='}", 1)
        again = grade(made.key, read(wrong, made.key.names))
        assert again.score == marks.possible - 1
        assert again.first_wrong is not None
        assert again.first_wrong.item == name


# ---- Published problems ---------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SEARCHED)
def test_one_command_draws_a_published_problem_without_and_with_its_answers(name: str, tmp_path: File) -> None:
    sheet, solved = tmp_path / "exam.html", tmp_path / "key.html"
    cut = rules(name)[0]
    result = run(
        "sheet", str(FOLDER / f"{name}.game"), "-o", str(sheet), "--key", str(solved), *search_options(name, cut)
    )
    assert result.exit_code == 0, result.stderr
    blank, answered = sheet.read_text(), solved.read_text()
    pruned = ANSWERS[name].get("runs", {}).get(cut) or ANSWERS[name].get("runs", {}).get("both", {"pruned": []})
    assert (">cut: never looked at<" in answered) == (bool(pruned["pruned"]) and ANSWERS[name]["kind"] == "alphabeta")
    assert "best play" in answered
    assert ">cut: never looked at<" not in blank
    assert "best play" not in blank


# ---- Quizzes --------------------------------------------------------------------------------------------------------


def made(wish: str, seed: int = 1, **shape: Any) -> list[Quiz]:
    return [quiz(ExamTreeShape(**shape), wanted(wish), seed, number) for number in range(1, 6)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("wish", "least", "most"), [("2 cuts", 2, 2), ("at least 3 cuts", 3, 99), ("1..2 cuts", 1, 2), ("no cuts", 0, 0)]
)
def test_as_many_cuts_as_wanted(wish: str, least: int, most: int) -> None:
    for each in made(wish):
        assert least <= len(Searched(loaded(each.text), "ge").skipped) <= most


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("two cut-offs; no equal values", "2 cuts, no ties"), ("max^n", "three players"), ("expectiminimax", "chance"),
        ("at most 3 prunings", "0..3 cuts"), ("cuts", "at least 1 cuts"),
        ("no pruning and one best action", "no cuts, unique best"), ("Three players, some cuts", "3 players, at least 1 cuts"),
        ("chance nodes, exactly 1 pruned branches", "chance, 1 cuts"), ("14 leaves visited, deep cuts", "14 leaves, a deep cut"),
    ],
)  # fmt: skip
def test_a_wish_in_other_words(words: str, ours: str) -> None:
    found, due = wanted(words), wanted(ours)
    assert (found.cuts, found.players, found.chance, found.phrases) == (due.cuts, due.players, due.chance, due.phrases)
    assert len(found.tests) == len(due.tests)


@pytest.mark.thorough
def test_no_ties_and_a_unique_best() -> None:
    for each in made("no ties, best not first", values=(0, 30)):
        game = loaded(each.text)
        plain = Searched(game, "ge")
        for item in game.model.nodes:
            worth = [plain.true_value(child) for child in item.children]
            assert len(set(worth)) == len(worth)
        assert each.key.best not in ((), ("a1",))
    assert all(len(each.key.best) == 1 for each in made("unique best"))


def test_rules_that_differ() -> None:
    for each in made("rules differ"):
        game = loaded(each.text)
        assert Searched(game, "ge").skipped != Searched(game, "gt").skipped


def test_a_deep_cut_has_its_limit_from_far_above() -> None:
    """At the parent of the cut node the limit held from the start: no child of the parent set it."""
    for each in made("a deep cut", depth=4, branching=(2, 2)):
        solution = each.key.solution
        entry = {visit.path: (visit.alpha, visit.beta) for visit in solution.visits}
        deep = [
            cut
            for cut in solution.cuts
            if cut.skipped and len(cut.node) >= 2
            and ((cut.alpha is not None and cut.alpha == entry[cut.node[:-1]][0]) or (cut.beta is not None and cut.beta == entry[cut.node[:-1]][1]))
        ]  # fmt: skip
        assert deep


@pytest.mark.thorough
def test_chance_and_three_players() -> None:
    for each in made("chance, no ties"):
        game = loaded(each.text)
        assert game.traits.chance
        assert each.key.solution.solver == "expectiminimax"
    for each in made("three players, unique best"):
        assert len(loaded(each.text).players) == 3
        assert each.key.solution.value == maxn(loaded(each.text)).value
    assert made("chance, 1 cuts")[0].key.solution.solver == "star1"
    assert made("three players, 1 cuts")[0].key.solution.solver == "shallow"


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_tree_and_numbers_make_others() -> None:
    one, two = made("1 cuts"), made("1 cuts")
    assert [each.text for each in one] == [each.text for each in two]
    assert len({each.text for each in one}) == 5
    assert made("1 cuts", seed=2)[0].text != one[0].text


def test_who_begins_and_which_rule() -> None:
    each = made("rules differ", first="MIN", cut="gt")[0]
    assert "MIN A" in each.text
    assert each.key.solution.rule is not None
    assert each.key.solution.rule.cut == "gt"
    assert each.key.to_record().to_object()["rule"] == {"cut": "gt", "order": "given"}


@pytest.mark.thorough
def test_wishes_that_cannot_be_read_or_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.wings.exam.quiz.TRIES", 20)
    with pytest.raises(UnknownExamWish, match="did you mean 'no ties'"):
        wanted("no tie")
    with pytest.raises(LimitReached, match="none of"):
        quiz(ExamTreeShape(1, (2, 2)), wanted("3 cuts"), 1, 1)
    result = run("quiz", "--depth", "1", "--want", "three players, 30 cuts")
    assert (result.exit_code, result.stdout) == (4, "")


@pytest.mark.parametrize(
    ("options", "wish", "told"),
    [
        ("--depth 3 --want", "deep cut", "no tree of depth 3 has a deep cut; write --depth 4, or more"),
        ("--depth 1 --want", "2 cuts", "no tree of depth 1 has a cut; write --depth 2, or more"),
        ("--want", "28 leaves", "a tree that looks so has at most 27 leaves; ask for fewer, or "),
        ("--want", "0 leaves", "no property of trees is called '0 leaves'; "),
        ("--want", "5 leaves, 6 leaves", "no tree has both 5 and 6 leaves; ask for one of them"),
        ("--depth 2 --want", "50 cuts", "a tree that looks so has at most 4 cuts; ask for fewer, or "),
        ("--want", "no cuts, at least 1 cuts", "these numbers of cuts exclude each other; ask for one of them"),
        ("--want", "1..2 cuts, 3..4 cuts", "these numbers of cuts exclude each other; ask for one of them"),
        ("--branching 1 --want", "rules differ", "no tree without siblings has cuts in which the rules differ; "),
        ("--branching 3 --values 0..1 --want", "no ties", "of 3 children some tie where they share 2 values; "),
        ("--values 5..5 --want", "unique best", "no action is better than another where all leaves have one value; "),
        ("--values 5..5 --want", "best not first", "the first action is as good as any here; "),
    ],
)
def test_what_no_tree_can_have_is_told_at_once(options: str, wish: str, told: str) -> None:
    result = run("quiz", *options.split(), wish)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.replace("\nhelp: ", "; ").startswith(f"error: {told}")


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("first", ["MAX", "MIN"])
@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_what_is_said_to_be_impossible_is_never_met(first: str, cut: str, count: int) -> None:
    """Nor is anything refused that trees have."""
    deep = 0
    for seed in range(count):
        shape = ExamTreeShape(2 + seed % 3, (1, 3), (0, 3), first, cut)
        text = write_tree(draw_tree(shape, wanted(""), random.Random(seed)), shape, wanted(""), "tree")
        solution = solve(loaded(text), "alpha-beta", cut=cut)
        found = len(solution.pruned)
        assert impossible(shape, wanted(f"{found} cuts")) is None
        if not PROPERTIES["deep cut"](ExamTrial(solution, partial(replace, solution), [])):
            deep += 1
            assert shape.depth >= 4
    assert deep
    widest = alpha_beta(tree(MAX(MIN(3, 3, 3), MIN(1, 3, 3), MIN(1, 3, 3))))
    assert len(widest.pruned) == 4
    assert impossible(ExamTreeShape(2, (3, 3)), wanted("4 cuts")) is None
    assert impossible(ExamTreeShape(2, (3, 3)), wanted("5 cuts")) is not None


@pytest.mark.thorough
def test_a_batch_goes_to_a_folder_or_to_json(tmp_path: File) -> None:
    result = run("quiz", "--want", "1 cuts", "--seed", "5", "--batch", "3", "-o", str(tmp_path / "quizzes"))
    assert result.exit_code == 0, result.stderr
    files = sorted(file.name for file in (tmp_path / "quizzes").iterdir())
    assert files == [f"quiz-00{n}.{kind}" for n in (1, 2, 3) for kind in ("game", "key")]
    for number in (1, 2, 3):
        game, answers = (str(tmp_path / "quizzes" / f"quiz-00{number}.{kind}") for kind in ("game", "key"))
        assert run("grade", game, answers).exit_code == 0
    rows = json.loads(run("quiz", "--want", "1 cuts", "--seed", "5", "--batch", "3", "--json").stdout)
    assert [row["game"] for row in rows] == [(tmp_path / "quizzes" / f"quiz-00{n}.game").read_text() for n in (1, 2, 3)]
    assert all(len(row["answers"]["pruned"]) == 1 for row in rows)


# ---- Grading --------------------------------------------------------------------------------------------------------

FIGURE = tree(
    MAX(
        a1=MIN(b1=3, b2=12, b3=8, label="B"),
        a2=MIN(c1=2, c2=4, c3=6, label="C"),
        a3=MIN(d1=14, d2=5, d3=2, label="D"),
        label="A",
    )
)


def marked(text: str, game: Any = FIGURE, **options: Any) -> dict[str, tuple[bool, str]]:
    others = {f"--cut {cut}": key(game, alpha_beta(game, cut=cut)) for cut in ("ge", "gt")}
    right = key(game, alpha_beta(game, **options))
    graded = grade(right, read(text, right.names), others)
    return {mark.item: (mark.correct, mark.why) for mark in graded.marks}


@pytest.mark.parametrize(
    "text",
    [
        "A=3 B=3 C<=2 D=2 cut: c2 c3 best: a1",
        "A = 3, B = 3; C ≤ 2\nD=2.0\ncut: c2, c3\nbest: a1",
        "best: a1 cut: a2 > c2, a2.c3 A=3/1 B=3 C=<2 D=2",
        'pruned: "c2" c3 move: B root=3 a1=3 a2<=2 a3=2',
        "# a remark\nB=4 B=3 A=3 C<=2 D=2 cut: c3 c2 best: a1 # the last claim counts",
    ],
)  # fmt: skip
def test_ways_to_write_what_is_right(text: str) -> None:
    assert {item: correct for item, (correct, _) in marked(text).items()} == dict.fromkeys(
        ["B", "C", "D", "A", "cut", "best"], True
    )


@pytest.mark.parametrize(
    ("text", "item", "why"),
    [
        ("C=2", "C", "C <= 2 is only a bound: c2 and c3 are skipped, so its exact value is not known"),
        ("D<=2", "D", "D = 2 is its value, not only a bound: nothing was skipped there"),
        (
            "B=12",
            "B",
            "MIN takes the least here, not the greatest: B = 3: MIN chooses among b1 = 3, b2 = 12 and b3 = 8",
        ),
        ("A=2", "A", "MAX takes the greatest here, not the least"),
        ("B=7", "B", "B = 3: MIN chooses among b1 = 3, b2 = 12 and b3 = 8"),
        ("B=x", "B", "'x' is no number"),
        ("", "B", "B = 3: MIN chooses among b1 = 3, b2 = 12 and b3 = 8"),
        ("cut: c2", "cut", "at C (MIN): 2 <= alpha 3 from B, so c2 and c3 are never looked at"),
        ("cut: none", "cut", "so c2 and c3 are never looked at"),
        ("cut: c2 c3 d3", "cut", "d3 is looked at"),
        ("cut: c2 c3 e9", "cut", "nothing is called e9"),
        ("best: a2", "best", "MAX chooses among a1 = 3, a2 <= 2 and a3 = 2"),
        ("E=1", "E", "no node is called E"),
        ("c2=4", "c2", "never looked at: at C (MIN)"),
        ("c1=3", "c1", "c1 is 2"),
        ("hello there A=3", "?", "not read"),
    ],
)
def test_why_an_answer_is_wrong(text: str, item: str, why: str) -> None:
    correct, told = marked(text)[item]
    assert not correct
    assert why in told


def test_the_first_wrong_step_is_the_first_in_the_search() -> None:
    found = key(FIGURE, alpha_beta(FIGURE))
    graded = grade(found, read("A=9 D=9 C<=2 B=3 cut: c2 c3 best: a1", found.names))
    assert graded.first_wrong is not None
    assert (graded.first_wrong.item, graded.score, graded.possible) == ("D", 4, 6)
    graded = grade(found, read("A=3 D=2 C<=2 B=3 cut: c2 best: a3", found.names))
    assert graded.first_wrong is not None
    assert graded.first_wrong.item == "cut"


def test_what_would_be_right_under_the_other_rule_is_told_so() -> None:
    game = tree(MAX(MIN(10, 12), MIN(10, 11), label="A"))
    assert "right with --cut gt" in marked("A=10 1=10 2=10 cut: none best: 1", game)["cut"][1]
    assert "right with --cut gt" in marked("A=10 1=10 2=10 cut: none best: 1", game)["2"][1]
    assert marked("A=10 1=10 2=10 cut: none best: 2", game, cut="gt")["best"][0]  # as good as the first


def test_skipped_subtrees_may_be_given_by_their_leaves() -> None:
    game = tree(MAX(5, MIN(3, MAX(7, 8), label="C"), label="A"))
    assert marked("cut: 2.2.1 2.2.2", game)["cut"][0]
    assert not marked("cut: 2.2.1", game)["cut"][0]


def test_rounded_decimals_and_vectors() -> None:
    A, B = node("A"), node("B")
    game = tree(A(B((1, 2, 6), (4, 5, 3), label="N"), (0, 0, 0), label="R"), players=("A", "B", "C"))
    found = key(game, maxn(game, values=True))
    assert grade(found, read("N=(4, 5, 3) R = (4,5,3) best: 1", found.names)).score == 3
    third = loaded("players MAX\ntree chance C (1/3: 1, 2/3: 0)\n")
    found = key(third, solve(third, "expectiminimax", values=True))
    assert found.text() == "C=1/3"
    assert [
        grade(found, read(text, found.names)).score for text in ("C=1/3", "C=0.33", "C=0.333", "C=0.34", "C=0")
    ] == [
        1,
        1,
        1,
        0,
        0,
    ]
    eighth = loaded("players MAX\ntree chance C (1/8: 1, 7/8: 0)\n")
    found = key(eighth, solve(eighth, "expectiminimax", values=True))
    assert [
        grade(found, read(text, found.names)).score for text in ("C=0.12", "C=0.13", "C=0.1", "C=0.14", "C=.125")
    ] == [
        1,
        1,
        1,
        0,
        1,
    ]


def test_grading_as_a_command(tmp_path: File) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("A=3 B=3 C<=2 D=2 cut: c2 c3 best: a1\n")
    assert run("grade", "figure_5_2", str(answers)).exit_code == 0
    answers.write_text("A=3 B=3 C=2 D=2 cut: c2 c3 best: a1\n")
    result = run("grade", "figure_5_2", str(answers), "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert (data["score"], data["of"], data["first_wrong"]["item"]) == (5, 6, "C")
    assert data["items"][1] == {
        "item": "C", "given": "= 2", "right": "<= 2", "correct": False,
        "why": "C <= 2 is only a bound: c2 and c3 are skipped, so its exact value is not known",
        "points": 0, "read": "C = 2", "ambiguous": [],
    }  # fmt: skip
    assert run("grade", "figure_5_2", str(tmp_path / "none.txt")).exit_code == 2
    unread = run("grade", "prisoners", str(answers), "--points", "replies=0")
    assert unread.exit_code == 0, "what cannot be read is asked about"


# ---- Sheets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["html", "tex"])
def test_a_sheet_of_several_games(kind: str, tmp_path: File) -> None:
    sheet, solved = tmp_path / f"exam.{kind}", tmp_path / f"key.{kind}"
    result = run("sheet", "figure_5_2", "three_players", "prisoners", "-o", str(sheet), "--key", str(solved))
    assert result.exit_code == 0, result.stderr
    blank, answered = sheet.read_text(), solved.read_text()
    for text in (blank, answered):
        assert not any(title in text for title in ("Figure 5.2", "Three players", "Prisoner"))
    if kind == "tex":
        assert blank.count("\\begin{tikzpicture}") == answered.count("\\begin{tikzpicture}") == 2
        assert blank.count("\\documentclass") == blank.count("\\begin{document}") == 1
        assert "best play" not in blank and "best play" in answered
        assert "Prune when alpha \\ensuremath{\\ge}" in blank, "the rule is printed"
    else:
        assert blank.count("<svg") == answered.count("<svg") == 3
        assert "best play" in answered
        assert "best play" not in blank


def test_a_sheet_as_pdf(tmp_path: File) -> None:
    pytest.importorskip("typst")
    sheet = tmp_path / "exam.pdf"
    assert run("sheet", "figure_5_2", "prisoners", "-o", str(sheet)).exit_code == 0
    assert sheet.read_bytes().startswith(b"%PDF")


def test_a_sheet_of_a_tree_with_unknowns(tmp_path: File) -> None:
    game = tmp_path / "open.game"
    game.write_text("players MAX, MIN\ntree MAX(MIN(3, ?x), 2)\n")
    result = run("sheet", str(game), "-o", str(tmp_path / "exam.html"), "--key", str(tmp_path / "key.html"))
    assert result.exit_code == 0, result.stderr
    assert "?x" in (tmp_path / "exam.html").read_text()


def test_one_tree_is_no_trees(tmp_path: File) -> None:
    """The message on a folder is right in the singular and in the plural."""
    for batch, said in (("1", "1 tree and its key are in"), ("2", "2 trees and their keys are in")):
        assert said in run("quiz", "--depth", "2", "--batch", batch, "-o", str(tmp_path / batch)).stderr


def test_what_was_left_out_is_called_blank() -> None:
    right = key(FIGURE, alpha_beta(FIGURE))
    told = graded_text(grade(right, read("A=3 B=3 C<=2 cut: c2 c3", right.names)))
    assert "blank  D     D = 2: MIN chooses among d1 = 14, d2 = 5 and d3 = 2" in told
    assert "blank  best  right is a1" in told
    assert "nothing" not in told


# ---- Trees too large to be graded -----------------------------------------------------------------------------------


def test_a_tree_with_more_nodes_than_are_named_is_not_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes of such a tree have no names to grade by; an answer once was a bug's traceback, or took minutes."""
    for module in ("gdl.explain.names", "gdl.wings.exam.grade"):
        monkeypatch.setattr(f"{module}.MAX_NAMED_NODES", 5)
    game = gdl.load("figure_5_2")
    found = key(game, alpha_beta(game))
    assert [found.names.name(path) for path in found.nodes] == ["B", "C", "D", "A"]
    with pytest.raises(Refusal, match="more than 5 nodes is not graded"):
        grade(found, read("A=3", found.names))


MACHINE = """
players Owner
state
    sound: Boolean = true
action run when sound
    reward 4 to Owner
    next wear
action idle
action repair when not sound
    reward -2 to Owner
    sound := true
chance wear(breaks: Boolean) as "{breaks}" weight if breaks then 1 else 3
    if breaks
        sound := false
discount 1/2
"""


@pytest.mark.parametrize(("answer", "status"), [("repair", 0), ("idle", 1)])
def test_strategies_of_play_without_end_are_graded(answer: str, status: int, tmp_path: File) -> None:
    pytest.importorskip("gdl.wings.theory")
    game, answers = tmp_path / "machine.game", tmp_path / "answers.txt"
    game.write_text(MACHINE)
    answers.write_text(f"equilibria=Owner at start: run, Owner at sound=false: {answer}\n")
    ran = CliRunner().invoke(commands, ["grade", str(game), str(answers), "--ask", "stationary"])
    assert ran.exit_code == status and f"{1 - status} of 1 right" in ran.output, ran.output


# ---- A class, small letters, what follows from a mistake -----------------------------------------------------------


def marks(text: str, *, follow_on: bool = False, tree: str = "") -> dict[str, bool]:
    game = loaded(tree) if tree else gdl.load("figure_5_2")
    right = key(game, solve(game, "alpha-beta"))
    graded = grade(right, read(text, right.names), follow_on=follow_on)
    return {mark.item: mark.correct for mark in graded.marks if mark.right is not None}


def test_small_letters_are_understood_where_they_name_one_node():
    assert marks("a=3 b=3 c<=2 d=2 CUT: C2 C3 best: A1") == dict.fromkeys(["B", "C", "D", "A", "cut", "best"], True)


def test_one_mistake_counts_once_where_what_follows_from_it_is_marked():
    wrong = "B=12 C<=2 D=2 A=12 cut: c2 c3 best: a1"
    assert [item for item, right in marks(wrong).items() if not right] == ["B", "A"]
    assert [item for item, right in marks(wrong, follow_on=True).items() if not right] == ["B"]
    other = "B=1 C<=2 D=2 A=2 cut: c2 c3 best: a3"  # 1, 2, 2: C's bound is as good as D
    found = marks(other, follow_on=True)
    assert (found["B"], found["A"], found["best"]) == (False, True, True)
    assert marks("B=12 C<=2 D=2 A=11 cut: c2 c3 best: a2", follow_on=True)["A"] is False


def test_what_follows_from_a_mistake_is_an_average_too():
    tree = (
        "players MAX, MIN\ntree\n    MAX A\n        a1: chance B (1/2: MIN C (4, 6), 1/2: MIN D (8, 2))\n"
        "        a2: 1\n"
    )
    game = loaded(tree)
    right = key(game, solve(game, "expectiminimax", values=True))
    graded = grade(right, read("C=6 D=2 B=4 A=4 best: a1", right.names), follow_on=True)
    assert {mark.item: mark.correct for mark in graded.marks if mark.right} == {
        "C": False, "D": True, "B": True, "A": True, "best": True,
    }  # fmt: skip


def test_the_other_rule_is_not_named_for_words_that_are_no_branches():
    game = gdl.load("figure_5_2")
    none = key(game, solve(game, "alpha-beta", cut="gt"))
    right = key(game, solve(game, "alpha-beta"))
    told = grade(right, read("cut: zz", right.names), {"--cut gt": none}).marks
    assert not any("It would be right" in mark.why for mark in told)


def test_a_class_is_marked_as_a_table(tmp_path: File):
    (tmp_path / "ann.txt").write_text("B=3 C<=2 D=2 A=3 cut: c2 c3 best: a1")
    (tmp_path / "=bob.txt").write_text("B=12 C<=2 A=12 cut: c2 c3 best: a1")
    files = [str(tmp_path / name) for name in ("ann.txt", "=bob.txt")]
    found = run("grade", "figure_5_2", *files, "--csv", "--follow-on")
    assert found.exit_code == 1
    assert found.output.splitlines() == [
        "student,points,of,B,C,D,A,cut,best,unread", "ann,6,6,1,1,1,1,1,1,", "'=bob,4,6,0,1,,1,1,1,",
    ]  # fmt: skip
    told = run("grade", "figure_5_2", *files)
    assert f"{files[0]}: 6 of 6 right." in told.output and "3 of 6 right." in told.output
    assert run("grade", "figure_5_2", *files, "--json").exit_code == 2


@pytest.mark.one_in(3)
@pytest.mark.parametrize("wish", ["", "chance", "chance, 1 cut", "three players", "three players, 1 cut"])
@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("first", ["MAX", "MIN"])
def test_a_tree_is_searched_before_it_is_written_as_the_solver_searches_it(first: str, cut: str, wish: str) -> None:
    shape, asked = ExamTreeShape(4, (1, 3), (-1, 3), first, cut), wanted(wish)
    induction = "maxn" if asked.players == 3 else "expectiminimax"
    rules = pruning_rules(shape, asked)
    for seed in range(8):
        root = draw_tree(shape, asked, random.Random(seed))
        game = loaded(write_tree(root, shape, asked, "tree"))
        quick, answer = try_quickly(root, shape, asked), search_tree(game, asked, rules[0])
        choices = choices_of(game, solve(game, induction, values=True).values)
        real = ExamTrial(answer, partial(search_tree, game, asked, rules[1]), choices)
        assert {one.path for one in quick.solution.pruned} == {one.path for one in answer.pruned}
        assert (quick.solution.leaves, quick.solution.worth) == (answer.leaves, Quiz("", game, answer).worth)
        assert sorted(map(str, quick.choices)) == sorted(map(str, choices)) and root.value == answer.value
        told = {name: (off(quick), off(real)) for name, off in PROPERTIES.items()}
        assert all(mine == its for mine, its in told.values()), told


def choices_of(game: Any, values: Any) -> list[tuple[int, list[tuple[Any, ...]]]]:
    """At each decision of a game who moves, and the values of all below."""
    nodes = Nodes(game)
    decisions = [(path, node) for path in values if isinstance(node := nodes.node_at(path).node, Decision)]
    return [(node.player, [values[child] for child in nodes.children(path)]) for path, node in decisions]


def test_no_tree_has_thirds_with_fifths_or_brothers_that_tie_needlessly() -> None:
    for number in range(60):
        shape = ExamTreeShape(4, (2, 3), (0, 9))
        text = write_tree(draw_tree(shape, wanted("chance"), random.Random(number)), shape, wanted("chance"), "tree")
        below = {int(one) for one in re.findall(r" \d+/(\d+)", text)}
        assert not (any(one % 3 == 0 for one in below) and any(one % 5 == 0 for one in below)), text
        root = draw_tree(shape, wanted("no ties"), random.Random(number))
        leaves = [
            [child.value for child in at.children] for a in root.children for b in a.children for at in b.children
        ]
        assert all(len(set(some)) == len(some) for some in leaves)


def test_a_batch_that_is_stopped_leaves_what_it_has(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops_at_third(*about: Any) -> Quiz:
        if about[3] == 3:
            raise KeyboardInterrupt
        return quiz(*about)

    monkeypatch.setattr("gdl.wings.exam.quiz.quiz", stops_at_third)
    done = run("quiz", "--depth", "2", "--batch", "9", "--seed", "1", "-o", str(tmp_path / "t"))
    assert done.exit_code != 0 and "2 of 9 trees and their keys are in" in done.stderr
    assert sorted(one.name for one in (tmp_path / "t").iterdir()) == [
        f"quiz-00{number}.{kind}" for number in (1, 2) for kind in ("game", "key")
    ]
    for words in ([], ["--json"], ["--practice", "-o", str(tmp_path / "t.html")]):
        told = run("quiz", "--depth", "2", "--batch", "9", "--seed", "1", *words)
        assert told.exit_code != 0 and "2 of 9 trees were made" in told.stderr
    monkeypatch.undo()
    late = run("quiz", "--depth", "2", "--batch", "1000", "--seed", "1", "--time", "0.2", "-o", str(tmp_path / "u"))
    assert late.exit_code == 4 and re.search(r"[0-9]+ of 1,000 trees and their keys are in", late.stderr), late.stderr
    assert "trees were done" not in late.stderr  # what is counted are attempts, of which many fail


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
@pytest.mark.parametrize(
    "name", ["SIGTERM", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("SIGHUP", "SIGINT"))]
)
def test_a_batch_that_a_signal_ends_leaves_what_it_has(tmp_path: File, name: str) -> None:
    words = [sys.executable, "-m", "gdl", "quiz", "--batch", "1000", "--seed", "1", "-o", str(tmp_path / "t")]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "t" / "quiz-003.key").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(getattr(signal, name))
    told = re.search(r"([0-9]+) of 1,000 trees and their keys are in", process.communicate(timeout=300)[1])
    assert told is not None and process.returncode == 128 + getattr(signal, name)
    files = [f"quiz-{number:03}.{kind}" for number in range(1, int(told[1]) + 1) for kind in ("game", "key")]
    assert sorted(one.name for one in (tmp_path / "t").iterdir()) == files
    assert all((tmp_path / "t" / one).read_text() for one in files)

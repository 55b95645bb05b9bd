"""Points on the sheet are those of `gdl grade`, for every kind of question that a sheet asks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

MATTERS = "players MAX, MIN\ntree MAX(a1: MIN(b1: 3, b2: 12), a2: MIN(c1: ?x, c2: 4))\n"
SEVERAL = "players MAX, MIN\ntree MAX(a1: MIN(b1: 3, b2: ?y), a2: MIN(c1: ?x, c2: 4))\n"
IRRELEVANT = "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, ?x, ?y), MIN(14, 5, 2))\n"


def run(*words: str) -> Any:
    return CliRunner().invoke(commands, list(words))


def graded(folder: Path, game: str, text: str, *options: str) -> Any:
    if "\n" in game:
        (folder / "own.game").write_text(game)
        game = str(folder / "own.game")
    (folder / "answers.txt").write_text(text)
    done = run("grade", game, str(folder / "answers.txt"), "--json", *options)
    assert done.exit_code in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (IRRELEVANT, []), (MATTERS, []), (SEVERAL, []), ("prisoners", []), ("battle_of_the_sexes", []), ("kuhn", []),
        ("seltens_horse", []), ("figure_5_2", ["--bounds", "nodes"]), ("three_players", []),
        ("figure_5_2", ["--points", "cut=3,nodes=1/2"]), ("prisoners", ["--points", "equilibria=5"]),
    ],
)  # fmt: skip
def test_the_sheet_prints_the_points_that_grade_gives(game: str, options: list[str], tmp_path: Path) -> None:
    of = graded(tmp_path, game, "", *options)["of"]
    file = str(tmp_path / "own.game") if "\n" in game else game
    assert run("sheet", file, "-o", str(tmp_path / "exam.html"), *options).exit_code == 0
    (points,) = re.findall(r"<h2>.*?\(([0-9/]+) points?\)</h2>", (tmp_path / "exam.html").read_text())
    assert points == str(of)
    assert not options or "points" in (tmp_path / "exam.html").read_text()


def test_numbers_that_do_not_matter_leave_the_usual_question(tmp_path: Path) -> None:
    assert graded(tmp_path, IRRELEVANT, "1=3 2<=2 3=2 root=3 cut: 2.2 2.3 best: 1")["score"] == 6


def test_windows_are_marked_where_they_are_asked_for(tmp_path: Path) -> None:
    values = "B=3 C<=2 D=2 A=3 cut: c2 c3 best: a1\n"
    for text in (
        "A [-inf, inf] B: [-∞, ∞] C [3, inf] D: alpha=3 beta=+inf",
        "A=3 alpha=-inf beta=inf\nB=3 α=-∞, β=∞\nC<=2 alpha=3, beta=∞\nD=2 alpha = 3 beta = inf",
    ):
        data = graded(tmp_path, "figure_5_2", values + text, "--bounds", "nodes")
        assert (data["score"], data["of"]) == (10, 10)
    data = graded(tmp_path, "figure_5_2", values + "C [2, inf]", "--bounds", "nodes")
    marks = {item["item"]: item for item in data["items"]}
    assert (marks["C window"]["points"], marks["C window"]["right"]) == ("1/2", "[3, inf]")
    assert data["score"] == "13/2" and marks["D window"]["given"] is None


def test_windows_of_long_fractions_are_exact(tmp_path: Path) -> None:
    (game := tmp_path / "long.game").write_text(
        "players MAX, MIN\ntree MAX A (a: MIN B (b: 1732050807569/1000000000003, b2: 5), c: MIN C (c: 1, c2: 7))\n"
    )
    marks = graded(tmp_path, str(game), "C [2, inf]", "--bounds", "nodes")["items"]
    assert next(one["right"] for one in marks if one["item"] == "C window") == "[1732050807569/1000000000003, inf]"


def test_weights(tmp_path: Path) -> None:
    data = graded(tmp_path, "figure_5_2", "B=3 C<=2 D=2 A=3 cut: c2 best: a1", "--points", "cut=3,best=2")
    assert (data["score"], data["of"]) == ("15/2", 9)
    for wrong in ("cuts=3", "cut", "cut=x"):
        assert run("grade", "figure_5_2", "-", "--points", wrong).exit_code == 2


@pytest.mark.parametrize(
    ("game", "text", "score"),
    [
        ("prisoners", "(betray, betray)", 1),
        ("prisoners", "Equilibria: betray, betray", 1),
        ("prisoners", "Gleichgewichte: (silent, silent)\nNumber: 7", 0),
        ("prisoners", "(betray, betray) (silent, silent)", 0),
        ("battle_of_the_sexes", "(fight, fight); (ballet, ballet); He fight 2/3, ballet 1/3, She fight 1/3, ballet 2/3", 3),
        ("battle_of_the_sexes", "(ballet, ballet), (fight, fight)", 2),
        ("battle_of_the_sexes", "equilibria: He ballet 1/3 fight 2/3 She ballet 2/3 fight 1/3", 1),
        ("battle_of_the_sexes", "(fight, fight)\n(fight, ballet)", 0),
    ],
)  # fmt: skip
def test_equilibria_of_tables_are_marked(game: str, text: str, score: int, tmp_path: Path) -> None:
    data = graded(tmp_path, game, text)
    assert data["score"] == score and not any(one["ambiguous"] for one in data["items"])


def test_best_replies_are_marked_by_their_share(tmp_path: Path) -> None:
    right = "replies: B | silent: betray; B | betray: betray; A | silent: betray; A|betray -> betray"
    for text, score in (
        (right, 1),
        (right.replace("; A|betray -> betray", ""), "3/4"),
        ("best replies: silent: betray", 0),
    ):
        assert graded(tmp_path, "prisoners", text)["score"] == score
    told = graded(tmp_path, "prisoners", "best replies: silent: betray")["items"][0]
    assert told["ambiguous"] and told["points"] == 0


KUHN = """P1 at card[P1]=1, …: check 2/3, bet 1/3, P1 at card[P1]=2, …: check, P1 at card[P1]=3, …: bet"""


@pytest.mark.thorough
def test_an_equilibrium_with_several_information_sets_is_marked(tmp_path: Path) -> None:
    right = graded(tmp_path, "kuhn", "")["items"][0]["right"]
    assert graded(tmp_path, "kuhn", right)["score"] == 1
    assert graded(tmp_path, "kuhn", f"Equilibria: {right.replace(', P', chr(10) + 'P')}")["score"] == 1
    spoilt = graded(tmp_path, "kuhn", right.replace("bet 1/3", "bet 1/2").replace("check 2/3, bet", "check 1/2, bet"))
    assert spoilt["score"] == 0 and not spoilt["items"][0]["ambiguous"]
    assert graded(tmp_path, "kuhn", KUHN)["items"][0]["ambiguous"], "information sets are missing"


def test_an_equilibrium_of_a_tree_is_right_if_nobody_gains_by_deviating(tmp_path: Path) -> None:
    for text, right in (
        ("(across, across, right)", True),
        ("A down, B across, C left", True),
        ("(down, down, left)", False),
    ):
        data = graded(tmp_path, "seltens_horse", text)
        assert (data["score"] == data["of"]) is right and not data["items"][0]["ambiguous"]
    unread = graded(tmp_path, "kuhn", "P1 bets with the king")
    assert unread["items"][0]["ambiguous"] and unread["of"] == 0


@pytest.mark.parametrize(
    ("game", "text", "score"),
    [
        (MATTERS, "best: a1: x <= 3; a2: x >= 3\nvalue: 3: x <= 3; x: 3 <= x <= 4; 4: x >= 4\ncut: c2: x <= 3", 3),
        (MATTERS, "Best action: a1 if x ≤ 3; a2 if 3 ≤ x\nValue: max(3, min(x, 4))\nNever looked at: c2 for x<=3", 3),
        (MATTERS, "best: a1: x < 3; a2: x >= 3\nvalue: max(3, x)\ncut: none", "1/2"),
        (SEVERAL, "best: a1: min(y, 3) >= min(x, 4); a2: x >= min(3, y)\n"
                  "value: max(min(4, x), min(y, 3))\ncut: c2: x <= min(y, 3)", 3),
        (SEVERAL, "Bester Zug: A1 wenn min(y, 3) ≥ min(x, 4); a2 falls x >= 3 oder x >= y\nNie betrachtet: c2 für x≤y ∧ x≤3", 2),
        (SEVERAL, "best: a1: x <= 3 and x <= y; a2: x >= 3 or x >= y\ncut: c2: x <= y and x <= 3", 2),
    ],
)  # fmt: skip
def test_conditions_on_numbers_left_open_are_compared_by_what_they_mean(
    game: str, text: str, score: Any, tmp_path: Path
) -> None:
    data = graded(tmp_path, game, text)
    assert (data["score"], data["of"]) == (score, 3), data
    assert graded(tmp_path, game, "best: a1: sometimes maybe")["items"][0]["ambiguous"]


def test_a_quiz_writes_the_question(tmp_path: Path) -> None:
    data = json.loads(run("quiz", "--seed", "27", "--want", "2 cuts, no ties", "--points", "cut=3", "--json").stdout)
    assert data["kind"] == "search" and data["points"] == 10
    asked = {one["item"]: one for one in data["asked"]}
    assert asked["C"] == {"item": "C", "points": 1, "right": "<= 5", "also": [], "partly": ["< 5"]}
    assert asked["cut"] == {
        "item": "cut",
        "points": 3,
        "right": "c2 c3",
        "also": ["g1 g2 h1 h2 h3"],
        "partly": ["c2", "c3"],
    }
    (tmp_path / "quiz.game").write_text(data["game"])
    told = " ".join(f"{one['item']} {one['right']}" for one in data["asked"] if len(one["item"]) == 1)
    done = graded(tmp_path, data["game"], f"{told} cut: c2 c3 best: a1", "--points", "cut=3")
    assert (done["score"], done["of"]) == (10, 10)
    half = graded(
        tmp_path, data["game"], f"{told.replace('<= 5', asked['C']['partly'][0])} cut: c3", "--points", "cut=3"
    )
    assert {item["item"]: item["points"] for item in half["items"] if item["points"] == "1/2"} == {"C": "1/2"}


COMMUTERS = "players Ann, Ben\nmatrix\n        bus     car    bike\n  bus  (3, 3)  (2, 4)  (1, 1)\n  car  (4, 2)  (0, 0)  (5, 1)\n  bike (1, 1)  (1, 5)  (2, 2)\n"


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("removed: Ann bike, then Ben: bike\nleft: Ann: bus, car; Ben: bus, car", 2),
        ("removed: bike bike\nleft: bus car", 2),
        ("removed: Ben: bus\nleft: Ann: bus; Ben: car, bus", 1),
    ],
)
def test_who_loses_an_action_may_be_written_beside_it(text: str, score: int, tmp_path: Path) -> None:
    (tmp_path / "own.game").write_text(COMMUTERS)
    (tmp_path / "answers.txt").write_text(text)
    told = run("grade", f"{tmp_path}/own.game", f"{tmp_path}/answers.txt", "--ask", "dominance", "--json")
    marks = json.loads(told.stdout)
    assert marks["score"] == score and marks["items"][0]["right"] == "Ann bike, Ben bike"


def test_sentences_and_headings_without_a_sign_are_read_and_what_is_not_is_told(tmp_path: Path) -> None:
    text = "a1 is best if x <= 3\na2 is best when x >= 3\nvalue max(3, min(x, 4))\nc2 is pruned iff x <= 3"
    assert graded(tmp_path, MATTERS, text)["score"] == 3
    marks = graded(tmp_path, MATTERS, "I think it is a1\nvalue: max(3, min(x, 4))")
    assert marks["score"] == 1 and marks["items"][-1]["given"] == "I think it is a1"
    assert "not read" in marks["items"][-1]["why"] and marks["of"] == 3
    asked = graded(tmp_path, "prisoners", "Best replies to silent: betray; to betray: betray")["items"][0]
    assert asked["ambiguous"] and asked["given"], "it says not whose reply it is"

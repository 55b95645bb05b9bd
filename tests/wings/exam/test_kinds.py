"""Every kind of question: asked on a sheet, answered by its key, marked; what is right in another way, and what is
wrong; what it cannot be asked of."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.solvers import solve
from gdl.wings.exam.kinds import KINDS
from gdl.wings.exam.phrases import LANGUAGES

OPEN = "players MAX, MIN\ntree MAX(a1: MIN(b1: 3, b2: 12), a2: MIN(c1: ?x, c2: 4), a3: MIN(d1: 2, d2: 9))\n"
STEPS = "players A, B\nmatrix\n      l       m       r\n  t  (3, 0)  (2, 2)  (0, 1)\n  c  (1, 4)  (1, 1)  (4, 0)\n  b  (0, 1)  (0, 5)  (3, 2)\n"
PLACED = "players MAX, MIN\ntree MAX(a: MIN(1, 2), b: MIN(3, 4), c: MIN(5, 6))\n"
HOPE = "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 2, b2: 8), a2: MIN C (c1: 1, c2: 12))\n"
ESTIMATED = "players MAX, MIN\ntree MAX eval 5 (a: MIN eval 7 (3, 4), b: MIN eval 2 (6, 9))\n"
EVEN = "players MAX, MIN\ntree MAX(a1: MIN(b1: 3, b2: 12), a2: MIN(c1: 4, c2: 3))\n"
PAYOFFS = "players A, B\nmatrix\n    d  e  f\n a  4  1 -1\n b  3 -2 -2\n c -2  0  3\n"
UCB = "Bound of a1: 6.68\nbound a2 = 2.177\nSelected next: a1"  # 18/3 + √(ln 4 / 3), 1 + √(ln 4)
RIGHT_TO_LEFT = ("figure_5_2", "leaves", ["--order", "reverse"])

# Game, kind, options; an answer that is right, its points; one that is wrong or half right, its points.
ROWS: list[tuple[str, str, list[str], str, Any, str, Any]] = [
    ("figure_5_2", "windows", [], "A entry: [-inf, inf]\nA exit: α=3, β=∞\nB entry: (-∞, ∞)", 3, "C entry: [2, inf]", "1/2"),
    ("figure_5_2", "leaves", [], "count: 7\nseen: b1 b2 b3 c1 d1 d2 d3", 2, "count: 8\nseen: 3 12 8 2 14 5 2", 1),
    ("figure_5_2", "leaves", [], "visited leaves: 3, 12, 8, 2, 14, 5, 2 (seven)", 2, "count: 8", 0),
    (*RIGHT_TO_LEFT, "count = 9\nIn this order: 2, 5, 14, 6, 4, 2, 8, 12, 3", 2, "count: 7", 0),
    ("figure_5_2", "leaves", ["--window", "5..9"], "count: 4\nseen: 3 2 14 5", 2, "count: 7", 0),
    ("figure_5_2", "orders", [], "Left to right: 7\nRight to left: 9\nBest first: 5\nWorst first: 9", 4, "order best: 7", 0),
    (PLACED, "place", [], "nothing: 2 1 4 3 6 5\nmost: 9 9 1 8 0 7", 2, "nothing: 6 5 4 3 2 1\nmost: 1 2 3 4 5 6", 0),
    (ESTIMATED, "deepening", [], "Depth 1: 7 a\nDepth 2: 6, b", 2, "depth 1: 7 b", 0),
    ("figure_5_2", "line", [], "value: 3\nLine of play: a1 → b1", 2, "value: 3\nline: a1, b2", 1),
    (EVEN, "line", [], "value: 3\nline: a2 then c2", 2, "line: a2 c1", 0),
    (HOPE, "ucb", ["--simulations", "4", "--c", "1"], UCB, 3, "bound a1: 5.83\nnext: a1", 1),
    ("figure_5_2", "choice", [], "(B)", 1, "12", 0),
    ("figure_5_2", "choice", [], "3", 1, "A", 0),
    (HOPE, "opponents", [], "Minimax against minimax: 2\nminimax random: 5\nexpectimax minimax: 1\nexpectimax random: 6.5", 4,
     "minimax random: 2", 0),
    ("figure_5_2", "transform", ["--transform", "2*u + 1"], "value: 7\nbest: a1\nbefore: a1", 3, "value: 3", 0),
    ("figure_5_2", "transform", ["--transform", "-u^2"], "value: -36\nbest: a2\nbefore: a1", 3, "best: a1", 0),
    ("figure_5_2", "transform", ["--transform", "sqrt(u)"], "value: √3\nbest: a1\nbefore: a1", 3, "value: 2√3", 0),
    ("figure_5_2", "transform", ["--transform", "sqrt(u)"], "value: sqrt(3)\nbest: a1", 2, "value: √2", 0),
    (PAYOFFS, "value", [], "v = 3/5", 1, "-3/5", 0),
    (OPEN, "statements", [], "c2: in some cases. d2: in every case", 2, "c2: in no case", 0),
    (OPEN, "statements", [], "c2: sometimes\nAt d2: always", 2, "c2: never\nd2: manchmal", 0),
    (OPEN, "statements", ["--assume", "x <= 3"], "c2: πάντα\nd2: immer", 2, "c2: sometimes", 0),
    ("players MAX, MIN\ntree MAX(MIN(3, 12), MIN(?x, 4))\n", "largest", [], "greatest: none\nleast: 4", 2, "least: 3", 0),
    ("players MAX, MIN\ntree MAX(MIN(3, 12), MIN(?x, 4))\n", "interval", ["--assume", "2 <= x <= 5"],
     "between 3 and 4; pruned: none", 3, "[2, 4]", 1),
    (STEPS, "dominance", [], "removed: b, r, c, l\nleft: t m", 2, "removed: l, b\nleft: t, m, r", "1/2"),
    ("prisoners", "dominance", [], "Removed: silent silent\nLeft: betray", 2, "left: silent", 0),
    ("players A, B\ntree A t (x: B s (l: (1, 1), r: (0, 0)), y: (1, 2))\n", "subgames", [],
     "Subgames: 2\ns: l\nt: y", 3, "subgames: 3\ns: r", 0),
    ("players A, B\ntree A (up: (2, 2), down: B (left: (0, 0), right: (3, 1)))\n", "subgames", [],
     "2 subgames. B plays right, A chooses down.", 3, "B plays left, A plays up", 0),
    ("seltens_horse", "subgames", [], "1", 1, "3", 0),
    ("two_roads", "averaging", [], "chosen: B\npromised: 20\nReally got: -40\ntruly: A\nIt gets 10\nsecured: 10", 5, "gets: 20", 0),
    ("nim", "counts", ["--set", "heaps=1,2"], "Without a table: 12\nWith a table: 8", 2, "without table: 8", 0),
    ("nim", "winner", ["--set", "heaps=1,2"], "Winner: First\nFirst move: take(2, 1)", 2, "first: take(2,1)", 1),
]  # fmt: skip


def run(*words: str) -> Any:
    return CliRunner().invoke(commands, list(words))


def file_of(folder: Path, game: str) -> str:
    if "\n" not in game:
        return game
    (folder / "own.game").write_text(game)
    return str(folder / "own.game")


def graded(folder: Path, game: str, kind: str, text: str, *options: str) -> Any:
    (folder / "answers.txt").write_text(text)
    done = run("grade", file_of(folder, game), str(folder / "answers.txt"), "--ask", kind, "--json", *options)
    assert done.exit_code in (0, 1), done.output + str(done.exception)
    return json.loads(done.stdout)


@pytest.mark.parametrize("said", ["Second wins", "2", "player two wins", "zweiter", "Second gewinnt", "el segundo"])
def test_the_winner_is_named_in_many_ways(said: str, tmp_path: Path) -> None:
    marks = graded(tmp_path, "nim", "winner", said, "--set", "heaps=1,2,3")
    assert (marks["score"], marks["of"]) == (1, 1)


@pytest.mark.parametrize(("game", "kind", "options", "right", "points", "wrong", "less"), ROWS)
def test_answers_of_every_kind_are_marked(
    game: str, kind: str, options: list[str], right: str, points: Any, wrong: str, less: Any, tmp_path: Path
) -> None:
    marks = graded(tmp_path, game, kind, right, *options)
    assert marks["score"] == points, [
        (one["item"], one["right"], one["given"], one["points"]) for one in marks["items"]
    ]
    assert graded(tmp_path, game, kind, wrong, *options)["score"] == less


def test_every_kind_has_its_rows() -> None:
    assert {row[1] for row in ROWS} == set(KINDS)


@pytest.mark.thorough_of("largest")
@pytest.mark.parametrize("kind", KINDS)
def test_the_key_of_a_sheet_is_right_and_the_sheet_is_blank(kind: str, tmp_path: Path) -> None:
    game, _, options, *_ = next(row for row in ROWS if row[1] == kind)
    files = [str(tmp_path / name) for name in ("exam.html", "key.html")]
    file = file_of(tmp_path, game)
    done = run("sheet", f"{file}:{kind}", "-o", files[0], "--key", files[1], *options)
    assert done.exit_code == 0, done.output + str(done.exception)
    blank, solved = (Path(name).read_text() for name in files)
    below = solved.partition("</svg>")[2] or solved.partition("</h2>")[2].partition("</p>")[2]
    lines = [unescape(line) for line in re.findall(r"<p>([^<]*?:(?: [^<]*)?)</p>", below)]
    marks = graded(tmp_path, game, kind, "\n".join(lines), *options)
    assert marks["score"] == marks["of"] == len(lines), lines
    points = "point" if len(lines) == 1 else "points"
    assert f"({marks['of']} {points})" in blank and not set(lines) & set(re.findall("<p>([^<]*)</p>", blank))


@pytest.mark.parametrize(
    ("game", "kind", "said"),
    [
        ("prisoners", "windows", "prunes"),
        ("figure_5_2", "averaging", "one player"),
        ("figure_5_2", "dominance", "a table is needed"),
        ("figure_5_2", "largest", "open"),
        ("figure_5_2", "statements", "a number is to be left open for such a question, as in: b1: ?x"),
        ("figure_5_2", "averaging", "one player is needed, who does not see everything"),
        ("three_players", "opponents", "two players are needed"),
        ("figure_5_2", "riddle", "no kind of question is called 'riddle'"),
        ("figure_5_2", "winer", "write 'winner'"),
    ],
)
def test_what_a_kind_cannot_be_asked_of(game: str, kind: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_text("")
    done = run("grade", game, str(tmp_path / "answers.txt"), "--ask", kind)
    assert done.exit_code in (2, 5) and said in " ".join(done.stderr.split()), done.output


@pytest.mark.parametrize(
    "formula", ["u +", "v", "u**99", "2**u", "9**9**9", "__import__('os')", "1/0", "u" * 200, "u.x"]
)
def test_what_is_no_formula(formula: str) -> None:
    done = run("solve", "figure_5_2", "--transform", formula)
    assert done.exit_code == 5 and "Traceback" not in done.output


@pytest.mark.parametrize(
    ("command", "game", "formula", "said"),
    [
        ("solve", "figure_5_2", "sqrt(u)", "MAX 1.73205, MIN -1.73205"),
        ("solve", "figure_5_2", "|u - 6|", "MAX 2, MIN -2"),
        ("solve", "chance_leaves", "√u", "is no formula"),
        ("solve", "chance_leaves", "√(u)", "MAX 1.446"),
        ("solve", "three_players", "abs(u - 3)", "A 2, B 1, C 3"),
        ("solve", "three_players", "sqrt(u)", "-1 has no root"),
        ("solve", "figure_5_2", "sqrt()", "'sqrt()' is no formula"),
        ("solve", "figure_5_2", "-abs()", "'-abs()' is no formula"),
        ("solve", "figure_5_2", "abs(u) - 2*(u)", "'abs(u) - 2*(u)' is no formula"),
        ("solve", "chance_leaves", "sqrt(u)", "note roots that are no fractions are rounded"),
        ("explain", "figure_5_2", "sqrt(u)", "at C (MIN): 1.41421 <= alpha 1.73205 from B"),
        ("explain", "figure_5_2", "sqrt(u)", "twentieth place"),
        ("verify", "figure_5_2", "sqrt(u)", ""),
    ],
)
def test_roots_and_absolute_values_transform_games_of_all_commands(
    command: str, game: str, formula: str, said: str, tmp_path: Path
) -> None:
    if command == "verify":
        pytest.importorskip("gdl.wings.verify")
        (tmp_path / "it.json").write_text(run("solve", game, "--transform", formula, "--json").stdout)
        done = run("verify", game, str(tmp_path / "it.json"), "--transform", formula)
        assert done.exit_code == 0, done.output
        return
    done = run(command, game, "--transform", formula)
    assert said in " ".join(done.output.split()), done.output
    assert ("twentieth" in done.output) == ("MAX 1." in done.output or "-1" in said)


def test_an_answer_of_rounded_roots_says_so() -> None:
    """A mean of rounded roots was called exact; only a remark for people told that they are rounded."""
    roots = json.loads(run("solve", "chance_leaves", "--transform", "sqrt(u)", "--json").stdout)
    assert "rounded at the twentieth place" in roots["notes"][0]
    assert "notes" not in json.loads(run("solve", "chance_leaves", "--transform", "2*u", "--json").stdout)


@pytest.mark.thorough
def test_leaf_values_of_the_example_prune_least_and_most_of_all() -> None:
    counts = set()
    for values in permutations(range(1, 7)):
        pairs = (f"MIN({values[at]}, {values[at + 1]})" for at in (0, 2, 4))
        counts.add(solve(gdl.loads(f"players MAX, MIN\ntree MAX({', '.join(pairs)})\n").game, "alpha-beta").leaves)
    assert (min(counts), max(counts)) == (4, 6)


def test_languages_cover_every_kind() -> None:
    from gdl.wings.exam.phrases import phrases

    assert all(f"task {kind}" in phrases(language) for kind in KINDS for language in LANGUAGES)


ASKED = (
    "figure_5_2", "prisoners", "kuhn", "seltens_horse", "battle_of_the_sexes", "two_roads:averaging", "nim:winner",
    "figure_5_2:windows", "figure_5_2:orders", "figure_5_2:opponents", "three_players", "prisoners:dominance",
    "figure_5_2:line", "figure_5_2:ucb", "figure_5_2:leaves", "figure_5_2:place", "figure_5_2:choice", "figure_5_2:transform",
)  # fmt: skip


@pytest.mark.thorough_of("vi")
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_english_word_stands_on_a_sheet_or_key_of_another_language(language: str, tmp_path: Path) -> None:
    from gdl.wings.exam.phrases import phrases

    (tmp_path / "open.game").write_text(OPEN)
    asked = [*ASKED, f"{tmp_path}/open.game", f"{tmp_path}/open.game:statements"]
    files = [str(tmp_path / name) for name in ("exam.html", "key.html")]
    done = run("sheet", *asked, "-o", files[0], "--key", files[1], "--language", language)
    assert done.exit_code == 0, done.output
    known = " ".join(phrases(language).values())
    for name in {one.partition(":")[0] for one in asked[:-2]}:
        known += gdl.shipped()[name].read_text()
    allowed = set(re.findall("[a-z]+", f"{known} {OPEN} alpha beta root inf max n open".lower())) - {"chance"}
    for file in files:
        body = re.sub(r"<(style|script)\b.*?</\1>", " ", Path(file).read_text(), flags=re.DOTALL)
        words = set(re.findall(r"(?<![\w&])[a-z]{2,}", unescape(re.sub("<[^>]*>", " ", body)).lower()))
        assert words <= allowed, words - allowed


@pytest.mark.thorough
def test_a_hostile_answer_about_dominance_is_read_at_once(tmp_path: Path) -> None:
    """Minutes, if all that follows is looked through anew at each word."""
    game, answer = tmp_path / "own.game", tmp_path / "answer.txt"
    game.write_text(STEPS)
    answer.write_text("removed: " + "by x " * 40_000)
    done = CliRunner().invoke(commands, ["grade", str(game), str(answer), "--ask", "dominance"])
    assert done.exit_code == 1 and "0 of 2" in done.output

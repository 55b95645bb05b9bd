"""The page to practise on marks as `gdl grade` marks, and shows what it should: its script is run by node, and the page
in a browser."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Mapping
from fractions import Fraction
from html import unescape
from pathlib import Path as File
from typing import Any

import pytest
from browsers import CHROMIUM, needs_browser
from click.testing import CliRunner
from test_kinds import OPEN, ROWS, file_of, graded

import gdl
from gdl.commands.cli import commands
from gdl.explain.key import BEST, CUT, Key, key
from gdl.numbers import amount_text
from gdl.solution import Path
from gdl.solvers import solve
from gdl.wings.exam import practice
from gdl.wings.exam.grade import Answers, StudentClaim, grade
from gdl.wings.exam.lines import same_condition
from gdl.wings.exam.phrases import ENGLISH, LANGUAGES, Words, phrases
from gdl.wings.exam.practice import Exercise, practice_page
from gdl.wings.exam.quiz import quiz
from gdl.wings.exam.reading import read
from gdl.wings.exam.wishes import ExamTreeShape
from gdl.wings.exam.wishes import read as wanted

SCRIPT = File(practice.__file__).with_suffix(".js")
NODE = shutil.which("node")
KINDS = [
    ("at least 1 cuts", ExamTreeShape(3, (2, 3), (0, 9))),
    ("rules differ", ExamTreeShape(3, (2, 3), (0, 4))),
    ("deep cut", ExamTreeShape(4, (2, 2), (0, 9))),
    ("", ExamTreeShape(2, (2, 4), (-5, 5), "MIN")),
    ("chance", ExamTreeShape(4, (2, 2), (0, 9))),
    ("chance, at least 1 cuts", ExamTreeShape(4, (2, 2), (0, 5))),
    ("three players", ExamTreeShape(3, (2, 3), (0, 5))),
]
OTHER = {"ge": "gt", "gt": "ge"}


def exercise(kind: int, number: int) -> Exercise:
    wish, shape = KINDS[kind]
    made = quiz(shape, wanted(wish), 5, number)
    game = gdl.loads(made.text).game
    if not made.key.prunes:
        return Exercise(game, {"": key(game, solve(game, made.key.solution.solver, values=True))})
    return Exercise(game, {cut: key(game, solve(game, made.key.solution.solver, cut=cut)) for cut in ("ge", "gt")})


TIES = (
    "players A, B, C\ntree A(l: B X((3,5,9),(3,1,1)), r: B Y((3,7,8),(0,1,1)))\n",
    "players A, B, C\ntree A(l: B X(m: C Z((1,4,2),(5,4,2)), n: (0,3,9)), r: (2,2,2))\n",
    "players A, B, C\ntree chance R(1/3: A X((1,2,0),(1,0,3)), 2/3: B Y((3,7,8),(0,7,1)))\n",
    "players MAX, MIN\ntree MAX A(l: chance B(1/3: 4, 2/3: MIN C(5, 7)), r: chance D(1/2: 1, 1/2: MAX E(8, 8)))\n",
)


def solved_by_value(text: str) -> Exercise:
    game = gdl.loads(text).game if "\n" in text else gdl.load(text)
    return Exercise(
        game, {"": key(game, solve(game, "maxn" if len(game.players) > 2 else "expectiminimax", values=True))}
    )


def data_of(page: str) -> Any:
    found = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(bytes(byte ^ (at * 31 + 7) & 255 for at, byte in enumerate(b64decode(found[1]))))


def answers(right: Key, random: random.Random) -> tuple[Answers, Mapping[Path, StudentClaim], list[Path], Path | None]:
    """The random answers of a student: mostly right, with every kind of slip."""
    names = right.names
    inner = [path for path in names.paths if names.nodes.children(path)]
    claims = {}
    for path in inner:
        if path in right.nodes and random.random() < 0.6:
            sign, amount = right.value(path).split(" ", 1)
            amount = amount.replace(" ", "") if random.random() < 0.5 else amount
            if "/" in amount and not amount.startswith("(") and random.random() < 0.5:
                amount = f"{float(Fraction(amount)):.2f}"
        else:
            sign = random.choice(["=", "<=", ">="])
            amount = random.choice(["0", "3", "-2", "1/2", "2.50", "(1,2,3)", "x", "4"])
        if random.random() < 0.2:
            sign = random.choice(["=", "<=", ">="])
        if random.random() < 0.8:
            claims[path] = StudentClaim(sign, amount)
    cut = list(right.skipped) if random.random() < 0.5 else random.sample(names.paths[1:], random.randint(0, 2))
    if random.random() < 0.3:
        cut = [leaf for root in cut for leaf in names.leaves(root)]
    best = random.choice([None, *names.nodes.children(())])
    lists = {CUT: [names.way(path) for path in cut] or ["none"]} | ({} if best is None else {BEST: [names.way(best)]})
    return Answers({names.way(path): claim for path, claim in claims.items()}, lists), claims, cut, best


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_script_marks_as_the_grader_does():
    cases: list[Any] = []
    wants: list[Any] = []
    for turn in range(28):
        one = exercise(turn % len(KINDS), turn)
        tree = data_of(practice_page("Practice", [one]))["trees"][0]
        numbers = {path: number for number, path in enumerate(_paths(tree))}
        generator = random.Random(turn)
        for rule, right in one.keys.items():
            for _ in range(6):
                written, claims, cut, best = answers(right, generator)
                others = [tree["keys"][name] for name in one.keys if name != rule]
                given = {
                    "claims": {numbers[path]: {"sign": c.sign, "amount": c.amount} for path, c in claims.items()},
                    "cut": [numbers[path] for path in cut],
                    "best": None if best is None else numbers[best],
                    "windows": False,
                }
                cases.append([tree, tree["keys"][rule], others, given])
                marks = grade(right, written)
                wants.append(
                    [marks.score, marks.possible, [mark.correct for mark in marks.marks if mark.right is not None]]
                )
    program = (
        f"const {{ marked }} = require({json.dumps(str(SCRIPT))});"
        "const cases = JSON.parse(require('fs').readFileSync(0));"
        "console.log(JSON.stringify(cases.map((one) => { const found = marked(...one);"
        " return [found.score, found.of, found.marks.filter((mark) => mark.counts).map((mark) => mark.correct)]; })));"
    )
    assert NODE is not None
    done = subprocess.run([NODE, "-e", program], input=json.dumps(cases), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found == wants
    assert 0.2 < sum(score for score, _, _ in found) / sum(of for _, of, _ in found) < 0.9


def _paths(tree: Any) -> list[Path]:
    """The path of each node of the page's data."""
    paths: list[Path] = []
    for node in tree["nodes"]:
        parent = node["parent"]
        siblings = [] if parent is None else tree["nodes"][parent]["children"]
        paths.append(() if parent is None else (*paths[parent], siblings.index(len(paths))))
    return paths


def test_every_level_says_who_moves():
    game = gdl.load("figure_5_2")
    page = practice_page("Practice", [Exercise(game, {"ge": key(game, solve(game, "alpha-beta"))})])
    assert re.search(r'class="movers".*?>MAX</text>\s*<text[^>]*>MIN</text>', page, re.DOTALL)


def test_the_data_say_what_the_key_says():
    one = exercise(1, 1)
    tree = data_of(practice_page("Practice", [one], "gt"))["trees"][0]
    paths = _paths(tree)
    for rule, right in one.keys.items():
        told = tree["keys"][rule]
        assert [paths[node["node"]] for node in told["nodes"]] == list(right.nodes)
        assert {paths[node] for node in told["skipped"]} == set(right.skipped)
        entered = {visit.path: (visit.alpha, visit.beta) for visit in right.solution.visits}
        for node in told["nodes"]:
            window = [None if end.endswith("inf") else Fraction(end) for end in node["windows"]]
            assert tuple(window) == entered[paths[node["node"]]]
    assert tree["keys"]["ge"]["skipped"] != tree["keys"]["gt"]["skipped"]


def test_the_text_of_the_teacher_stands_on_the_page(tmp_path: File):
    (tmp_path / "own.exam").write_text('exam "Own"\nquestion 1: figure_5_2: alpha-beta\n    text "Take your time."\n')
    page = tmp_path / "own.html"
    done = CliRunner().invoke(commands, ["sheet", str(tmp_path / "own.exam"), "--practice", "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert data_of(page.read_text(encoding="utf-8"))["trees"][0]["text"][0] == "Take your time."


def test_why_an_answer_is_wrong_is_the_graders_word():
    game = gdl.load("figure_5_2")
    right = key(game, solve(game, "alpha-beta"))
    numbers = {path: number for number, path in enumerate(right.names.paths)}
    told = {
        f"{node['sign']} {node['amount']}": node["why"] for node in practice.key_data(right, numbers, ENGLISH)["nodes"]
    }
    assert "only a bound" in told["<= 2"]["sign"]
    assert told["= 2"]["extreme"][1].startswith("MIN takes the least here, not the greatest")
    assert amount_text(2) == "2"


def run(*words: str) -> Any:
    return CliRunner().invoke(commands, ["quiz", *words], prog_name="gdl")


@pytest.mark.thorough
def test_the_command_writes_one_page(tmp_path: File, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done = run("--practice", "-o", "page.html", "--batch", "3", "--want", "1 cuts", "--cut", "gt", "--seed", "5")
    assert done.exit_code == 0 and "3 questions are in page.html" in done.output
    data = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert data["cut"] == "gt" and len(data["trees"]) == 3
    again = run("--practice", "-o", "again.html", "--batch", "3", "--want", "1 cuts", "--cut", "gt", "--seed", "5")
    assert again.exit_code == 0 and (tmp_path / "page.html").read_bytes() == (tmp_path / "again.html").read_bytes()
    assert "default-src 'none'" in (tmp_path / "page.html").read_text(encoding="utf-8")
    for wrong in (["--practice"], ["--practice", "-o", "page.txt"], ["--practice", "-o", "page.html", "--json"]):
        refused = run(*wrong)
        assert refused.exit_code == 2 and "--practice writes one page" in refused.output


# ---- In the browser -------------------------------------------------------------------------------------------------

AFTER = """
<script>
const result = {};
const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const edge = (n) => document.querySelector(`.tree:not([hidden]) .edge[data-n="${n}"]`);
const mark = (label) => [...document.querySelectorAll("#marks li")].find((each) => each.textContent.startsWith(label))?.className ?? "mark";
const rule = (name) => { byId("rule").value = name; byId("rule").dispatchEvent(new Event("change")); };
const fill = (n, sign, amount) => {
  click(document.querySelector(`.tree:not([hidden]) .node[data-n="${n}"]`));
  byId("sign").value = sign;
  byId("amount").value = amount;
  byId("amount").dispatchEvent(new Event("change", { bubbles: true }));
  return byId("marks").textContent;
};
try { (() => { BODY })(); } catch (error) { result.error = String(error); }
const out = document.createElement("pre");
out.id = "result";
out.textContent = JSON.stringify(result);
document.body.append(out);
</script>
"""


def browse(folder: File, page: str, body: str) -> Any:
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    file = folder / "page.html"
    file.write_text(text.replace("</body>", AFTER.replace("BODY", body) + "</body>"), encoding="utf-8")
    assert CHROMIUM is not None
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run([CHROMIUM, *words, file.as_uri()], capture_output=True, text=True, timeout=100)
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stderr
    return json.loads(found[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("count", [12, pytest.param(50, marks=pytest.mark.slow)])
def test_cuts_are_marked_under_both_rules_on_many_trees(tmp_path: File, count: int):
    page = practice_page("Practice", [exercise(turn % 4, turn) for turn in range(count)])
    body = """
        const trees = JSON.parse(unveil(byId("data").textContent)).trees;
        result.wrong = [];
        trees.forEach((tree, number) => {
          for (const name of ["ge", "gt"]) {
            rule(name);
            click(byId("clear"));
            const { skipped } = tree.keys[name];
            skipped.forEach((n) => click(edge(n)));
            click(byId("check"));
            if (mark("Never") !== (skipped.length ? "mark right" : "mark")) result.wrong.push([number, name, "right"]); // nothing marked is nothing answered
            click(edge(skipped.length ? skipped[0] : tree.nodes.length - 1));
            click(byId("check"));
            const due = skipped.length === 1 ? "mark" : "mark wrong";
            if (mark("Never") !== due) result.wrong.push([number, name, "wrong"]);
            click(byId("reveal"));
            if (!/All is right/.test(byId("said").textContent)) result.wrong.push([number, name, "revealed"]);
          }
          click(byId("following"));
        });
        result.trees = trees.length;
        result.which = byId("which").textContent;
    """
    assert browse(tmp_path, page, body) == {
        "wrong": [],
        "trees": count,
        "which": f"Question 1 of {count}, {count} solved",
    }


@pytest.mark.thorough
@needs_browser
def test_a_student_fills_in_the_textbooks_tree(tmp_path: File):
    game = gdl.load("figure_5_2")
    keys = {cut: key(game, solve(game, "alpha-beta", cut=cut)) for cut in ("ge", "gt")}
    body = """
        const names = [...document.querySelectorAll(".node[tabindex]")].map((each) => each.getAttribute("aria-label"));
        const node = (name) => document.querySelectorAll(".node[tabindex]")[names.findIndex((each) => each.startsWith(name))].dataset.n;
        result.names = names;
        result.bound = fill(node("C"), "=", "2");
        result.right = fill(node("C"), "<=", "2");
        result.extreme = fill(node("B"), "=", "12");
        result.none = fill(node("B"), "=", "three");
        fill(node("B"), "", "3");
        result.shown = document.querySelector(`.node[data-n="${node("B")}"] .value`).textContent;
        click(byId("hint"));
        result.hint = byId("said").textContent;
        result.hints = [1, 2, 3].map(() => { click(byId("hint")); return byId("said").textContent; });
        click(byId("check"));
        result.marks = [...document.querySelectorAll(".mark")].map((each) => each.textContent);
        click(byId("hand-in"));
        result.text = byId("text").value;
        result.said = byId("said").textContent;
        result.windows = getComputedStyle(document.querySelector("#editor .window")).display;
        byId("windows").click();
        click(byId("check"));
        result.asked = byId("said").textContent;
    """
    found = browse(tmp_path, practice_page("Practice", [Exercise(game, keys)]), body)
    assert found["names"] == ["A (MAX): empty  ", "B (MIN): empty  ", "C (MIN): empty  ", "D (MIN): empty  "]
    assert "only a bound" in found["bound"] and found["right"] == "C (MIN): ✓ right" and found["shown"] == "= 3"
    assert "MIN takes the least here" in found["extreme"] and "is no number" in found["none"]
    assert found["hint"] == "Look at D (MIN)."
    assert found["hints"][0] == "MIN moves there: does MIN want much or little?"
    assert "MIN chooses among d1 = 14, d2 = 5 and d3 = 2" in found["hints"][1] == found["hints"][2]
    assert found["said"] == "2 of 6 right. 4 not answered yet."
    assert found["marks"] == ["B (MIN): ✓ right", "C (MIN): ✓ right"]
    assert found["asked"] == "2 of 10 right. 8 not answered yet."
    assert found["text"] == "B=3 C<=2\ncut: none"
    assert grade(keys["ge"], read(found["text"], keys["ge"].names)).score == 2
    assert found["windows"] == "none"


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_a_tree_with_numbers_of_ones_own_is_searched_as_gdl_does():
    """The script's own search of the page's numbers finds the keys that gdl has put on the page."""
    game = gdl.load("figure_5_2")
    some = [exercise((*range(4), 4, 6)[turn % 6], turn) for turn in range(60)]
    assert all(len(one.keys) == 1 for one in some[4::6]), "chance, and three players"
    some += [solved_by_value(text) for text in (*TIES, "three_players", "chance_leaves")]
    some.append(Exercise(game, {"": key(game, solve(game, "minimax", values=True))}))
    trees = data_of(practice_page("Practice", some))["trees"]
    assert all(tree["own"] for tree in trees)
    assert data_of(practice_page("Practice", [exercise(5, 1), exercise(6, 1)]))["trees"][0]["own"] is None
    program = f"""
        const {{ searched }} = require({json.dumps(str(SCRIPT))});
        const sorted = (some) => [...some].sort((a, b) => a - b);
        const plain = (amount) => amount.replace(/(-?\\d+)\\/(\\d+)/g, (_, upper, lower) => upper / lower).replace(/-?\\d+\\.\\d+/g, (figure) => Number(Number(figure).toFixed(9)));
        const seen = ({{ nodes, skipped, visited, best, tied }}) => JSON.stringify([nodes.map((one) => [one.node, one.sign, plain(one.amount), one.windows, one.also.map(plain).sort()]),
          skipped, skipped && sorted(visited), sorted(new Set([...best, ...tied]))]);
        console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).flatMap((tree) => Object.entries(tree.keys).map(([rule, due]) =>
          seen(searched(tree, tree.own.values, {{ prunes: Boolean(due.skipped), strict: rule === "gt" }})) === seen(due)))));
    """
    assert NODE is not None
    done = subprocess.run([NODE, "-e", program], input=json.dumps(trees), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [True] * 107


@pytest.mark.thorough
@needs_browser
def test_a_page_takes_other_numbers_keeps_marks_and_reads_signs(tmp_path: File):
    game = gdl.load("figure_5_2")
    keys = {cut: key(game, solve(game, "alpha-beta", cut=cut)) for cut in ("ge", "gt")}
    body = """
        result.help = document.querySelector("details").open;
        result.numbers = byId("numbers").value;
        click(document.querySelector('.node[data-n="2"]'));
        for (const text of [">", ">=", "2"]) {
          byId("amount").value = text;
          byId("amount").dispatchEvent(new Event("input", { bubbles: true }));
        }
        result.typed = byId("sign").value + byId("amount").value;
        byId("amount").dispatchEvent(new Event("change", { bubbles: true }));
        click(edge(8));
        result.marks = byId("marks").textContent;
        byId("numbers").value = "9 9 9 1 2 3 8 8 8";
        byId("numbers").dispatchEvent(new Event("change"));
        result.fresh = byId("marks").textContent + byId("cut").textContent;
        result.leaf = document.querySelector('.node[data-n="4"]').textContent;
        click(byId("reveal"));
        result.said = byId("said").textContent + byId("cut").textContent;
        click(byId("hand-in"));
        result.text = byId("text").value;
        byId("numbers").value = "9 9";
        byId("numbers").dispatchEvent(new Event("change"));
        result.few = byId("said").textContent;
        click(byId("another"));
        result.drawn = byId("numbers").value.split(" ").length;
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        result.which = byId("which").textContent;
    """
    found = browse(tmp_path, practice_page("Practice", [Exercise(game, keys), exercise(0, 0)]), body)
    assert found["help"] and found["numbers"] == "3 12 8 2 4 6 14 5 2" and found["typed"] == ">=2"
    assert found["marks"].startswith("C (MIN): ✗ wrong") and found["fresh"] == "nothing marked"
    assert found["leaf"].startswith("end 99") and found["said"].endswith("All is right.c2, c3, d2, d3")
    assert found["text"] == "" and found["few"] == "9 numbers are wanted." and found["drawn"] == 9
    assert found["which"] == "Question 2 of 2, 1 solved"


@pytest.mark.thorough
@needs_browser
def test_vectors_and_trees_with_chance_take_other_numbers(tmp_path: File):
    body = """
        const renumber = (text) => {
          byId("numbers").value = text;
          byId("numbers").dispatchEvent(new Event("change"));
        };
        result.numbers = byId("numbers").value;
        renumber("(1, 2, 3), (4, 5, 6), (9, 9, -9), (0, 1, 2), (3, 3, 3) (4 4 4) (5,5,5) (6 6 6)");
        result.leaf = document.querySelector('.tree:not([hidden]) .node[data-n="9"]').textContent;
        click(byId("reveal"));
        result.vectors = byId("said").textContent;
        renumber("1 2 3");
        result.few = byId("said").textContent;
        click(byId("another"));
        result.drawn = byId("numbers").value.split(/[ ,]/).length;
        click(byId("following"));
        renumber("4 5 7 8 1 2 3 4");
        fill(1, "=", "4,3");
        result.comma = byId("marks").textContent;
        click(byId("reveal"));
        result.chance = byId("said").textContent;
    """
    found = browse(
        tmp_path, practice_page("", [solved_by_value("three_players"), solved_by_value("chance_leaves")]), body
    )
    assert found["numbers"].startswith("1,2,6 4,2,3 6,1,2") and "(9, 9, -9)" in found["leaf"], found
    assert (
        found["vectors"].endswith("All is right.") and found["few"] == "24 numbers are wanted." and found["drawn"] == 24
    )
    assert "right" in found["comma"] and found["chance"].endswith("All is right.")


# ---- Every kind of question -----------------------------------------------------------------------------------------

MORE = [
    ("battle_of_the_sexes", "", []),
    ("prisoners", "", []),
    ("seltens_horse", "", []),
    (OPEN, "", []),
    ("figure_5_2", "", []),
]


def page_of(folder: File, game: str, kind: str, options: list[str]) -> str:
    file = file_of(folder, game)
    page = folder / "practice.html"
    words = ["sheet", f"{file}:{kind}" if kind else file, "--practice", "-o", str(page), *options]
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 0, done.output
    return page.read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_script_judges_every_kind_as_grade_does(tmp_path: File) -> None:
    cases, wants = [], []
    for game, kind, options, right, _, wrong, _ in ROWS:
        parts = data_of(page_of(tmp_path, game, kind, options))["trees"][0]["parts"]
        for text in (right, wrong, "of course: yes"):
            marks = {one["item"]: one for one in graded(tmp_path, game, kind, text, *options)["items"]}
            for part in parts:
                one = marks[part["item"]]
                if one["given"] is not None:
                    share = None if one["ambiguous"] else Fraction(one["points"]) / Fraction(part["worth"])
                    cases.append([part, one["given"]])
                    wants.append(share)
    assert len(wants) > 50 and {0, 1, Fraction(1, 2)} <= set(wants)
    program = (
        f"const {{ CHECKS }} = require({json.dumps(str(SCRIPT))});"
        "const cases = JSON.parse(require('fs').readFileSync(0));"
        "console.log(JSON.stringify(cases.map(([part, text]) => CHECKS[part.check](text, part) ?? null)));"
    )
    done = subprocess.run(
        [str(NODE), "-e", program], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    for case, want, found in zip(cases, wants, json.loads(done.stdout), strict=True):
        assert found == want, (case, want, found)


def by_script(program: str, cases: Any) -> Any:
    """The result of some lines of JavaScript on `cases`, with the script of the page."""
    head = (
        f"const script = require({json.dumps(str(SCRIPT))}); const cases = JSON.parse(require('fs').readFileSync(0));"
    )
    done = subprocess.run(
        [str(NODE), "-e", f"{head} console.log(JSON.stringify({program}));"],
        input=json.dumps(cases), stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


KUHN_KEY = """P1 at card[P1]=1, …: check 2/3, bet 1/3; P1 at card[P1]=2, …: check; P1 at card[P1]=3, …: bet 1;
P1 at card[P1]=1, …, check checks=1, chips[P2]=2 bettor=P2: fold
P1 at card[P1]=2, …, check checks=1, chips[P2]=2 bettor=P2: fold 1/3 call 2/3
P1 at card[P1]=3, …, check checks=1, chips[P2]=2 bettor=P2: call
P2 at card[P2]=1, checks=1: bet 1/3 check 2/3; P2 at card[P2]=1, chips[P1]=2 bettor=P1: fold
P2 at card[P2]=2, checks=1: check; P2 at card[P2]=2, chips[P1]=2 bettor=P1: fold 2/3, call 1/3
P2 at card[P2]=3, checks=1: bet; P2 at card[P2]=3, chips[P1]=2 bettor=P1: call"""
HONEST = (
    KUHN_KEY.replace("check 2/3, bet 1/3", "check")
    .replace("bet 1;", "check;")
    .replace("fold 1/3 call 2/3", "fold 2/3 call 1/3")
)
SPELLINGS_OF_THREE = [  # all equilibria of the battle of the sexes
    "He: fight; She: fight\nHe: ballet; She: ballet\nHe: 2/3 fight + 1/3 ballet; She: 1/3 fight + 2/3 ballet",
    "He plays fight and She plays fight; He ballet, She ballet, He plays fight with probability 2/3 and ballet with 1/3, "
    "She plays fight with probability 1/3, ballet with probability 2/3",
    "1. (fight, fight) 2. (ballet, ballet) 3. He: p(fight) = 2/3, p(ballet) = 1/3, She: p(fight) = 1/3, p(ballet) = 2/3",
    "1) He fight, She fight 2) He ballet, She ballet 3) He 2/3 fight 1/3 ballet, She 1/3 fight 2/3 ballet",
    "(fight, fight), (ballet, ballet)\nHe: fight (2/3), ballet (1/3)\nShe: fight (1/3), ballet (2/3)",
]
FREE = [  # answers of which no list can have all that are right: a game, an item, what was written
    *((OPEN, "best", text) for text in (
        "a1: x <= 3; a2: x >= 3", "a1: 3 >= x\na2 if 3 <= x", "a1: x < 3; a2: x >= 3", "a1: x ≤ 3; a3: always", "a1",
        "a1: x < 2 or x = 3 or 2 <= x < 3; a2 wenn ?x >= 6/2", "a1: x is small; a2: x >= 3", "a1: max(x, 3) = 3",
    )),
    *((OPEN, "value", text) for text in ("max(3, min(x, 4))", "3: x <= 3; x: 3 <= x <= 4; 4: x >= 4", "3", "max(3, x)")),
    *((OPEN, "cut", text) for text in ("c2: x <= 3; d2", "c2 für x<=3; d2: immer", "c2; d2", "none", "d2: always")),
    *((f"{OPEN.replace('d1: 2', 'd1: ?y').replace('c2: 4', 'c2: ?z')}", "cut", text) for text in (
        "c2: x <= 3; d2: y <= max(3, min(x, z))", "c2: x <= 3; d2: y <= 3 or y <= x and y <= z", "d2: y <= max(3, x, z)",
    )),
    *(("seltens_horse", "equilibria", text) for text in (
        "(across, across, right)", "A down, B across, C left", "(down, down, left)", "A down", "A across, B across, C right 3/4, left 1/4",
        "A across, B across, C right 1/2, left 1/2",
    )),
    *(("kuhn", "equilibria", text) for text in (
        KUHN_KEY, KUHN_KEY.replace("\n", " ").replace(";", ","), KUHN_KEY.replace("bet 1/3 check 2/3", "bet 0.5 check 0.5"), HONEST,
        KUHN_KEY.replace("check 2/3, bet 1/3", "check, bet"), "P1 bets with the king",
    )),
    *(("battle_of_the_sexes", "equilibria", text) for text in (
        "(fight, fight); He ballet 1/3 fight 2/3, She ballet 2/3 fight 1/3; (ballet, ballet)", "(ballet, ballet)", "(fight, ballet)",
        *SPELLINGS_OF_THREE, "He: 1/2 fight 1/4 ballet, She: 1/2 fight", "He fight, She fight, He ballet", "He fight; She fight; She ballet",
        "(fight, fight) 1/2", "fight, fight, ballet", "He plays fight with 60%, ballet with 40%; She fights",
    )),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_conditions_and_equilibria_in_every_form_are_judged_as_grade_does(tmp_path: File) -> None:
    games = dict.fromkeys(game for game, *_ in FREE)
    asked = {game: data_of(page_of(tmp_path, game, "", []))["trees"][0]["parts"] for game in games}
    cases, wants = [], []
    for game, item, text in FREE:
        part = next(one for one in asked[game] if one["item"] == item)
        assert part["check"] != "text", "the page marks it"
        one = next(m for m in graded(tmp_path, game, "", f"{item}: {text}")["items"] if m["item"] == item)
        cases.append([part, text])
        wants.append(None if one["ambiguous"] else Fraction(one["points"]) / Fraction(str(part["worth"])))
    found = by_script("cases.map(([part, text]) => script.CHECKS[part.check](text, part) ?? null)", cases)
    for case, want, share in zip(FREE, wants, found, strict=True):
        assert share == (None if want is None else pytest.approx(float(want))), case
    assert all(want == 1 for (_, _, text), want in zip(FREE, wants, strict=True) if text in SPELLINGS_OF_THREE)
    assert {None, 0, 1} < set(wants), "some are right, some wrong, some unreadable"


@pytest.mark.thorough
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_page_knows_when_two_conditions_say_the_same() -> None:
    """Random ones, compared with the decision of the solver of open numbers."""
    rng, names = random.Random(4), ("x", "y", "z")

    def term(depth: int) -> str:
        pick = rng.random()
        if depth and pick < 0.3:
            return f"{rng.choice(('min', 'max'))}({term(depth - 1)}, {term(depth - 1)})"
        return rng.choice(names) if pick < 0.75 else rng.choice(("-1", "0", "1/2", "2.5"))

    def text() -> str:
        cases = (f"{term(1)} {rng.choice(('<', '<=', '>', '>=', '='))} {term(1)}" for _ in range(rng.randint(1, 3)))
        return rng.choice((" and ", " or ")).join(cases)

    pairs = [(text(), text()) for _ in range(150)]
    pairs += [(one, one.replace("min(x, y)", "min(y, x)").replace("x <= ", "x < ")) for one, _ in pairs]
    found = by_script('cases.map(([one, other]) => script.sameCondition(one, other, ["x", "y", "z"]))', pairs)
    wants = [same_condition(one, other, names) for one, other in pairs]
    assert found == wants and 10 < sum(map(bool, wants)) < 290


@pytest.mark.thorough
@needs_browser
def test_what_is_handed_in_of_every_kind_is_graded(tmp_path: File) -> None:
    """The answers that the page shows are right by its own marks, and by those of `gdl grade`."""
    body = """
        const count = JSON.parse(unveil(byId("data").textContent)).trees.length;
        result.said = [];
        for (let at = 0; at < count; at += 1) { click(byId("reveal")); result.said.push(byId("said").textContent); click(byId("following")); }
        click(byId("hand-in"));
        result.text = byId("text").value;
    """
    rows = {(kind, str(options)): (game, kind, options) for game, kind, options, *_ in ROWS}
    for game, kind, options in [*rows.values(), *MORE]:
        found = browse(tmp_path, page_of(tmp_path, game, kind, options), body)
        assert "All is right" in found["said"][0], (game, kind, found)
        marks = graded(tmp_path, game, kind, found["text"], *options)
        assert marks["score"] == marks["of"] > 0, (game, kind, found["text"])


def test_of_several_questions_handed_in_one_is_graded(tmp_path: File) -> None:
    text = "Name: Ann\nQuestion 1:\nA=3 B=3\n\nQuestion 3:\nbest: a1\n"
    assert graded(tmp_path, "figure_5_2", "", text, "--question", "1")["score"] == 2
    assert graded(tmp_path, "figure_5_2", "", text, "--question", "3")["score"] == 1
    assert graded(tmp_path, "figure_5_2", "", text, "--question", "2")["score"] == 0
    (tmp_path / "ann.txt").write_text(text)
    done = CliRunner().invoke(commands, ["grade", "figure_5_2", str(tmp_path / "ann.txt")])
    assert done.exit_code == 2 and "answers 2 questions" in done.output and "--question 1" in done.output


# ---- In every language ----------------------------------------------------------------------------------------------

FOREIGN = [language for language in LANGUAGES if language != "en"]
TEMPLATE = SCRIPT.with_suffix(".html").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", FOREIGN)
def test_the_words_of_the_page_are_in_every_language_and_no_others(language: str) -> None:
    script = SCRIPT.read_text(encoding="utf-8") + SCRIPT.with_name("asking.js").read_text(encoding="utf-8")
    words = Words(language).practice
    shown = re.findall(r'(?:>|label=") ?([A-Z][^<>"$]*[^<>"$: ])', TEMPLATE.partition("<body>")[2])
    said = [*re.findall(r'say\("([^"]*)"', script), *map(unescape, shown)]
    assert len(said) > 40 and not [text for text in said if text not in words]
    ours = [name.removeprefix("practice: ") for name in phrases(language) if name.startswith("practice: ")]
    known = f"{script} {unescape(TEMPLATE)} Game tree of {{0}} Practice"
    assert not [name for name in ours if name not in known]


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("language", FOREIGN)
def test_no_english_word_is_shown_and_what_is_handed_in_is_read(language: str, tmp_path: File) -> None:
    """All that a student sees who guesses, asks for hints and for the answers; `gdl grade` reads what is handed in."""
    body = """
        const texts = new Set();
        const look = () => {
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("script")) texts.add(walk.currentNode.data);
          document.querySelectorAll("[aria-label]").forEach((each) => texts.add(each.ariaLabel));
        };
        byId("windows").click();
        byId("text").value = "";
        const { trees } = JSON.parse(unveil(byId("data").textContent));
        for (const tree of trees) {
          for (const [sign, amount] of [["=", "77"], ["", "x"], ["<=", "2"], ["=", "2"], [">=", "12"], ["=", "12"], ["=", "3"]]) {
            document.querySelectorAll(".tree:not([hidden]) .node[tabindex]").forEach((each) => { fill(each.dataset.n, sign, amount); look(); });
          }
          const edges = [...document.querySelectorAll(".tree:not([hidden]) .edge")];
          if (Object.keys(tree.keys).length) for (const at of [0, edges.length - 1]) { click(edges[at]); click(byId("check")); look(); }
          document.querySelectorAll("#fields input").forEach((each) => { each.value = "77"; each.dispatchEvent(new Event("input")); });
          byId("best").selectedIndex = 1;
          byId("best").dispatchEvent(new Event("change", { bubbles: true }));
          click(byId("check"));
          look();
          for (let at = 0; at < 12; at += 1) { click(byId("hint")); look(); }
          click(byId("reveal"));
          look();
          click(byId("following"));
        }
        click(byId("hand-in"));
        result.text = byId("text").value;
        result.texts = [...texts];
    """
    (tmp_path / "open.game").write_text(OPEN, encoding="utf-8")
    (tmp_path / "coin.game").write_text("players MAX, MIN\ntree MAX A (a1: chance C (b1 1/2: 3, b2 1/2: 12), a2: 5)\n")
    shipped = ("figure_5_2", "prisoners", "seltens_horse", "three_players")
    kinds = ("figure_5_2:windows", "figure_5_2:place", "two_roads:averaging", "nim:winner", "figure_5_2:subgames")
    own = [str(tmp_path / name) for name in ("open.game", "coin.game", "open.game:statements")]
    page, asked = tmp_path / "practice.html", [*shipped, *kinds, *own]
    done = CliRunner().invoke(commands, ["sheet", *asked, "--practice", "--language", language, "-o", str(page)])
    assert done.exit_code == 0, done.output
    found = browse(tmp_path, page.read_text(encoding="utf-8"), body)
    assert "error" not in found, found["error"]
    files = [gdl.shipped()[one.partition(":")[0]] for one in (*shipped, *kinds)] + [tmp_path / "open.game"]
    known = " ".join([*phrases(language).values(), *(file.read_text(encoding="utf-8") for file in files)]).lower()
    allowed = {*re.findall("[a-z]+", known), *"root inf max min a1 a2 b1 b2 coin open tab enter alpha beta".split()}
    words = set(re.findall(r"(?<![\w&])[a-z]{2,}", " ".join(found["texts"]).lower()))
    assert words <= allowed - {"chance"}, words - allowed
    for number, one in enumerate(asked, start=1):
        game, _, kind = one.partition(":")
        marks = graded(tmp_path, game, kind, found["text"], "--question", str(number))
        assert marks["score"] == marks["of"] > 0, (one, found["text"], marks)

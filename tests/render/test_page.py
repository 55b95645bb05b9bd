"""The page that steps through a search, in a real browser: chromium without a window, opening the file itself.

A test adds its own script to the page, which presses keys and buttons and writes what it finds into the page; chromium
prints the page when all is done.
"""

import html
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import hostile
import pytest
from browsers import CHROMIUM, needs_browser
from click.testing import CliRunner
from handmade import figure_5_2
from trees import MAX, MIN, tree

import gdl
from gdl.commands import cli
from gdl.render.draw import draw
from gdl.render.sentence import rule_text
from gdl.solvers.mcts.mcts import mcts
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import minimax

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
BEFORE = "<script>window.alerts = []; window.alert = (text) => alerts.push(text);</script>"
AFTER = """
<script>
const press = (key, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const said = (view = 0) => document.querySelectorAll(".said")[view].textContent;
const group = (kind, n, view = 0) =>
  document.querySelectorAll(".view")[view].querySelector(`.${kind}[data-n="${n}"]`);
const visible = (element) => element.getClientRects().length > 0;
const result = {};
try { (() => { BODY })(); } catch (error) { result.error = String(error); }
result.alerts = window.alerts;
const out = document.createElement("pre");
out.id = "result";
out.textContent = JSON.stringify(result);
document.body.append(out);
</script>
"""


def figure_page() -> str:
    game = figure_5_2()
    runs = {rule_text(run): run for run in (alpha_beta(game, cut="ge"), alpha_beta(game, cut="gt"))}
    return page(game, runs | {"minimax": minimax(game, values=True)})


def page(game: Any, runs: dict[str, Any]) -> str:
    text = draw(game, next(iter(runs.values())), "html", runs=runs)
    assert isinstance(text, str)
    return text


def browse(folder: Path, text: str, *options: str, address: str = "", size: str = "1200,900") -> tuple[str, str]:
    """The page as chromium prints it, and its complaints."""
    assert CHROMIUM is not None
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        f"--window-size={size}",
    ]
    command += [
        f"--user-data-dir={folder / 'profile'}",
        "--virtual-time-budget=3000",
        *options,
        f"{file.as_uri()}{address}",
    ]
    environment = os.environ | {"HOME": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, env=environment, check=True)
    return done.stdout, done.stderr


def tried(folder: Path, text: str, body: str, **options: str) -> dict[str, Any]:
    """The `result` that a script finds in the page."""
    changed = POLICY.sub("", text).replace("<head>", f"<head>{BEFORE}", 1)
    changed = changed.replace("</body>", AFTER.replace("BODY", body) + "</body>")
    shown, _ = browse(folder, changed, "--dump-dom", **options)
    found = re.search(r'<pre id="result">(.*?)</pre>', shown, re.DOTALL)
    assert found is not None, shown[-500:]
    result: dict[str, Any] = json.loads(html.unescape(found[1]))
    assert "error" not in result, result["error"]
    return result


# ---- The file itself ----------------------------------------------------------------------------------------------


def test_the_page_is_small_and_needs_no_network():
    text = figure_page()
    assert len(text.encode("utf-8")) < 60_000
    addresses = set(re.findall(r"(?:https?:)?//[\w.]+", text)) - {"//www.w3.org", "http://www.w3.org"}
    assert not addresses
    assert not re.findall(r"(?<!-)\b(?:src|href)\s*=|url\(", text)
    assert "default-src 'none'" in text


@pytest.mark.thorough
def test_a_page_of_a_thousand_nodes_adds_only_its_tree():
    game = tree(MAX(*(MIN(*range(30)) for _ in range(30))))
    text = page(game, {"alpha-beta": alpha_beta(game)})
    drawing = text[text.index("<svg") : text.index("</svg>")]
    data = text[text.index('id="data"') : text.index("</script>", text.index('id="data"'))]
    assert len(text) - len(drawing) - len(data) < 40_000


# ---- In the browser -----------------------------------------------------------------------------------------------


@pytest.mark.thorough
@needs_browser
def test_its_policy_lets_the_page_run_and_nothing_complains(tmp_path):
    shown, complaints = browse(tmp_path, figure_page(), "--dump-dom", address="#5")
    assert "Content Security Policy" not in complaints and "Uncaught" not in complaints
    assert '<output id="step" for="slider">5 / 26</output>' in shown


@pytest.mark.thorough
@needs_browser
def test_stepping_with_the_keyboard_alone(tmp_path):
    result = tried(
        tmp_path,
        figure_page(),
        """
        result.first = said(); result.hint = document.getElementById("step").textContent;
        press("ArrowRight"); press("ArrowRight"); result.third = said();
        press("ArrowLeft"); result.back = said();
        press("c"); result.cut = said(); result.why = document.querySelector(".why").textContent; result.cuts = [...document.querySelectorAll("#cuts li")].map((e) => e.textContent);
        result.window = document.getElementById("window").textContent;
        result.struck = [8, 9, 7].map((n) => visible(group("edge", n).querySelector(".strike")));
        result.grey = [8, 9, 7].map((n) => group("node", n).classList.contains("skipped"));
        result.so_far = group("node", 2).querySelector(".value").textContent;
        press("End"); result.end = said(); result.count = document.querySelector(".count").textContent;
        result.values = [0, 1, 2, 3].map((n) => group("node", n).querySelector(".value").textContent);
        result.line = [1, 4, 2].map((n) => group("edge", n).classList.contains("principal"));
        press("Home"); result.start = said(); result.cleared = group("node", 2).querySelector(".value").textContent;
        """,
    )
    assert result["hint"] == "1 / 26 · press →"
    assert result["start"] == "Before the first step: the right arrow key goes on."
    assert result["first"] == "A (MAX) is looked at with the window (-inf, inf)."
    assert result["third"] == "b1 = 3."
    assert result["back"] == "a1 leads to B (MIN), which is looked at with the window (-inf, inf)."
    assert result["cut"] == "Cut at C (MIN): 2 ≤ alpha 3 from B, so c2 and c3 are never looked at."
    assert "whatever c2 and c3 are worth" in result["why"]
    assert result["cuts"] == [result["cut"]]
    assert result["window"] == "α = 3, β = ∞: on the way here MAX is sure of 3, MIN is sure of nothing yet."
    assert result["struck"] == result["grey"] == [True, True, False]
    assert result["so_far"] == "2 …"
    assert result["end"] == "Done: the value of the root is 3, and the best action is a1."
    assert result["values"] == ["= 3", "= 3", "≤ 2", "= 2"]
    assert result["line"] == [True, True, False]
    assert result["count"] == "11 nodes, 7 leaves, 2 subtrees skipped"
    assert result["cleared"] == ""


@pytest.mark.thorough
@needs_browser
def test_slider_buttons_order_and_folding(tmp_path):
    result = tried(
        tmp_path,
        figure_page(),
        """
        const slider = document.getElementById("slider");
        slider.value = 3; slider.dispatchEvent(new Event("input")); result.slid = said();
        document.getElementById("next").click(); result.next = document.getElementById("step").textContent;
        document.getElementById("order").click(); result.order = group("node", 4).querySelector(".order").textContent;
        result.shown = visible(group("node", 4).querySelector(".order"));
        const width = () => Number(document.querySelector("svg").getAttribute("viewBox").split(" ")[2]);
        const wide = width();
        group("node", 1).dispatchEvent(new MouseEvent("click", { bubbles: true }));
        result.folded = [4, 5, 6, 7].map((n) => visible(group("node", n)));
        result.narrower = width() < wide; result.expanded = group("node", 1).getAttribute("aria-expanded");
        group("node", 1).focus(); result.focused = document.activeElement === group("node", 1);
        press("Enter", group("node", 1)); result.unfolded = visible(group("node", 4)); result.again = width() === wide;
        document.getElementById("fold").click(); result.all = [1, 2, 4, 7, 10].map((n) => visible(group("node", n)));
        document.getElementById("unfold").click(); result.none = visible(group("node", 12));
        """,
    )
    assert result["slid"] == "b1 = 3." and result["next"] == "4 / 26"
    assert (result["order"], result["shown"]) == ("3", True)
    assert result["folded"] == [False, False, False, True]
    assert result["narrower"] and result["expanded"] == "false" and result["focused"]
    assert result["unfolded"] and result["again"]
    assert result["all"] == [True, True, False, False, False] and result["none"]


@pytest.mark.thorough
@needs_browser
def test_folding_never_lets_nodes_overlap(tmp_path):
    game = tree(MAX(*(MIN(*(MAX(*range(k % 3 + 1)) for k in range(j + 1))) for j in range(4))))
    result = tried(
        tmp_path,
        page(game, {"alpha-beta": alpha_beta(game)}),
        """
        result.overlaps = 0;
        for (const n of [1, 3, 2, 6, 3, 1]) {
          toggle(n);
          const boxes = [...document.querySelector(".view").querySelectorAll(".node:not(.gone)")]
            .map((g) => g.querySelector("polygon, rect").getBoundingClientRect());
          boxes.forEach((a, i) => boxes.forEach((b, j) => {
            if (i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) result.overlaps++;
          }));
        }
        """,
    )
    assert result["overlaps"] == 0


@pytest.mark.thorough
@needs_browser
def test_two_searches_side_by_side(tmp_path):
    game = tree(MAX(MIN(3, 12), MIN(3, 1), MIN(5, 2)))
    runs = {rule_text(run): run for run in (alpha_beta(game, cut="ge"), alpha_beta(game, cut="gt"))}
    result = tried(
        tmp_path,
        page(game, runs | {"minimax": minimax(game, values=True)}),
        """
        result.hidden = document.getElementById("second").hidden;
        document.getElementById("compare").click();
        result.names = [...document.querySelector("select").options].map((option) => option.text);
        press("End");
        const counts = () => [...document.querySelectorAll(".count")].map((e) => e.textContent);
        result.counts = counts();
        const second = document.querySelectorAll("select")[1];
        second.value = 2; second.dispatchEvent(new Event("change")); press("End");
        result.minimax = counts()[1]; result.said = said(1);
        """,
    )
    assert result["hidden"] is True
    assert result["names"][0] == "alpha-beta, cut when alpha ≥ beta, in the order of the file"
    assert result["counts"] == ["9 nodes, 5 leaves, 1 subtree skipped", "10 nodes, 6 leaves, 0 subtrees skipped"]
    assert result["minimax"] == "10 nodes, 6 leaves, 0 subtrees skipped"
    assert result["said"] == "Done: the value of the root is 3, and the best action is 1."


@pytest.mark.thorough
@needs_browser
def test_the_line_that_is_run_is_lit_and_the_calls_are_listed(tmp_path):
    """At the cut of C the line that cuts, also when the search then returns; the open nodes with their windows."""
    result = tried(
        tmp_path,
        figure_page(),
        """
        const lit = () => [...document.querySelectorAll("#code [aria-current]")].map((e) => e.textContent.trim());
        const calls = () => [...document.querySelectorAll("#stack li")].map((e) => e.textContent);
        result.first = lit(); result.calls = calls();  // it begins at step 1
        press("c"); result.cut = lit(); result.open = calls();
        press("ArrowRight"); result.back = lit(); result.left = calls();
        const select = document.querySelector("select.run");
        select.value = "2"; select.dispatchEvent(new Event("change"));
        result.lines = document.querySelectorAll("#code li").length;
        """,
    )
    assert result["first"] == ["search(node, α, β):"] and result["calls"] == ["A (α = −∞, β = ∞)"]
    assert result["cut"] == result["back"] == ["if α ≥ β: return v  # cut"]
    assert [call.split()[0] for call in result["open"]] == ["A", "C"]
    assert [call.split()[0] for call in result["left"]] == ["A"]
    assert result["lines"] == 4, "minimax has a code of its own"


@pytest.mark.thorough
@needs_browser
def test_simulations_are_stepped_through_on_a_phone(tmp_path):
    game = figure_5_2()
    result = tried(
        tmp_path,
        page(game, {"mcts": mcts(game, simulations=12, seed=1)}),
        """
        for (let k = 0; k < 9; k++) press("ArrowRight");
        result.said = said();
        result.lit = document.querySelector("#code [aria-current]").textContent.split(":")[0];
        result.bounds = [...document.querySelectorAll("#first .alpha")].filter((each) => each.textContent).length;
        press("ArrowRight"); press("ArrowRight"); press("ArrowRight");
        result.root = group("node", 0).querySelector(".value").textContent.split("/")[1];
        result.count = document.querySelector(".count").textContent;
        result.hidden = !visible(document.getElementById("cuts").parentElement);
        result.wider = document.documentElement.scrollWidth > window.innerWidth;
        """,
        size="500,800",
    )
    assert result.pop("said").startswith("Simulation 4, select: at the root action ")
    assert result == {"lit": "select", "bounds": 3, "root": "4", "count": "4 simulations", "hidden": True,
                      "wider": False, "alerts": []}  # fmt: skip


@pytest.mark.thorough
@needs_browser
def test_intervals_are_those_of_the_textbook(tmp_path):
    """Figure 5.5 of Russell and Norvig: [-inf, 3] at B, [3, inf] at A, [-inf, 2] at C, [3, 14] at A, [3, 3] at last."""
    result = tried(
        tmp_path,
        figure_page(),
        """
        document.getElementById("intervals").click();
        const at = (n) => group("node", n).querySelector(".alpha").textContent;
        const until = (n, text) => {
          for (let i = 0; i < 99 && at(n) !== text; i++) press("ArrowRight");
          return at(n);
        };
        result.b = until(1, "[−∞, 3]"); result.value = group("node", 1).querySelector(".value").textContent; result.a = until(0, "[3, ∞]"); result.c = until(2, "[−∞, 2]");
        result.later = until(0, "[3, 14]"); press("End"); result.end = [0, 1, 2, 3].map(at);
        """,
    )
    assert [result[name] for name in ("b", "a", "c", "later")] == ["[−∞, 3]", "[3, ∞]", "[−∞, 2]", "[3, 14]"]
    assert "3" in result["value"], "the interval and the value are of one step"
    assert result["end"] == ["[3, 3]", "[3, 3]", "[−∞, 2]", "[2, 2]"]


def test_a_page_of_open_leaves_that_search_never_needs(tmp_path):
    """The lectures' tree with x and y: minimax would need them, the page does without it."""
    file, text = tmp_path / "xy.game", "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, ?x, ?y), MIN(14, 5, 2))\n"
    file.write_text(text)
    result = CliRunner().invoke(cli.commands, ["draw", str(file), "-o", str(tmp_path / "xy.html")])
    assert result.exit_code == 0, result.stderr
    made = (tmp_path / "xy.html").read_text()
    assert "alpha-beta, cut when alpha" in made and "?x" in made and '"minimax"' not in made


@pytest.mark.thorough
@needs_browser
def test_on_a_phone_the_controls_leave_room_for_the_words(tmp_path):
    result = tried(
        tmp_path,
        figure_page(),
        """
        result.bar = document.querySelector("footer").getBoundingClientRect().height;
        document.getElementById("more").click();
        result.open = document.querySelector("footer").getBoundingClientRect().height;
        """,
        size="500,640",
    )
    assert result["bar"] < 80 < result["open"]


@pytest.mark.thorough
@needs_browser
def test_it_fits_a_phone(tmp_path):
    result = tried(
        tmp_path,
        figure_page(),
        """
        result.wider = document.documentElement.scrollWidth > window.innerWidth;
        result.buttons = [...document.querySelectorAll("footer button")].filter(visible).map((b) => b.getBoundingClientRect().height);
        """,
        size="500,800",
    )
    assert not result["wider"]
    assert min(result["buttons"]) >= 32


@pytest.mark.thorough
@needs_browser
def test_it_prints_on_one_landscape_page(tmp_path):
    browse(tmp_path, figure_page(), f"--print-to-pdf={tmp_path / 'page.pdf'}", address="#26")
    data = (tmp_path / "page.pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", data)) == 1
    width, height = map(float, re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", data).groups())  # type: ignore[union-attr]
    assert width > height


@pytest.mark.thorough
@needs_browser
def test_hostile_names_do_nothing_in_the_browser(tmp_path):
    game = hostile.hostile_search()
    result = tried(
        tmp_path,
        page(game, {hostile.name(0, "run"): alpha_beta(game)}),
        """
        for (let k = 0; k < 40; k++) press("ArrowRight");
        press("End");
        result.images = document.querySelectorAll("img, iframe, a, form").length;
        result.scripts = document.scripts.length;
        result.said = said();
        """,
    )
    assert result["alerts"] == [] and result["images"] == 0
    assert result["scripts"] == 4, "data, page.js and the two of this test"
    assert "<script>" in result["said"] or "Done" in result["said"]


def test_open_calls_name_nodes_as_the_sentences_do() -> None:
    game = gdl.loads("players MAX, MIN\ntree MAX(MIN(1, 2), MIN(0, 3))\n", "nodes.game").game
    text = page(game, {"minimax": minimax(game, values=True)})
    names = "the root", "node 1", "node 2", "node 1.1", "node 1.2", "node 2.1", "node 2.2"
    assert re.findall(r'"name":"([^"]+)"', text)[:7] == list(names)

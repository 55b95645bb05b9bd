"""Pages on a phone: in a frame of 360 pixels, where chromium's own window cannot be so narrow, nothing is wider, and
what is told while one writes is in view there as on a large screen.

The pages are opened from disk, with all that unfolds in them unfolded; whatever is wider must scroll in its own box.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

import pytest
from browsers import CHROMIUM, needs_browser
from click.testing import CliRunner
from test_play_page import browse

import gdl
from gdl.commands import cli
from gdl.render.page import style_sheet
from gdl.wings.page.play_page import play_page
from gdl.wings.page.playground import site_file

BROAD = "players MAX, MIN\ntree MAX(" + ", ".join(["MIN(3, 12, 8, 4, 5, 6)"] * 6) + ")"
PAGES = {
    "stepping": ["draw", "-", "-o"],
    "simulations": ["draw", "figure_5_2", "--solver", "mcts", "-o"],
    "table": ["draw", "battle_of_the_sexes", "-o"],
    "plans": ["draw", "beer_quiche", "-o"],
    "practice": ["quiz", "--practice", "--batch", "2", "--branching", "3", "-o"],
    "report": ["report", "kuhn", "--games", "8", "--agents", "random", "-o"],
}
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><body>FRAMES<pre id="result"></pre>
<script>
window.onload = () => {
  const found = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const [page, view] = [frame.contentDocument, frame.contentWindow];
    const box = (each) => each.getBoundingClientRect();
    const inView = (each) => box(each).top >= 0 && box(each).bottom <= view.innerHeight + 0.5 && box(each).height > 0;
    found[frame.name] = (() => { LOOK })();
  }
  document.getElementById("result").textContent = JSON.stringify(found);
};
</script>"""
WIDE = """
    page.querySelectorAll("details").forEach((each) => { each.open = true; });
    for (const name of ["more", "reveal"]) page.getElementById(name)?.click();
    const hidden = (each) => ["auto", "scroll", "hidden"].includes(view.getComputedStyle(each).overflowX);
    const boxed = (each) => each.parentElement && (hidden(each.parentElement) || boxed(each.parentElement));
    const over = [...page.body.querySelectorAll("*")].filter((each) => box(each).right > view.innerWidth + 0.5 && !boxed(each));
    return [view.innerWidth, page.documentElement.scrollWidth, over.map((each) => each.tagName)];
"""
TOLD = """
    if (page.getElementById("problems")) { // a playground: a game was played, and the rules have mistakes since
      page.getElementById("write").innerHTML = '<div class="cm-editor">rules</div>';
      page.getElementById("shown").innerHTML = "<iframe></iframe>";
      page.getElementById("problems").innerHTML = "<li><button>line 1: wrong</button>".repeat(2);
      return [[...page.querySelectorAll("#problems li")].every(inView), ""];
    }
    const node = page.querySelector(".tree:not([hidden]) .node[tabindex]"); // else a wrong answer at it, or in the first field
    node?.scrollIntoView({ block: "center" });
    node?.dispatchEvent(new view.MouseEvent("click", { bubbles: true }));
    const field = page.querySelector(node ? "#amount" : "#fields input");
    field.value = "7777";
    for (const event of ["input", "change"]) field.dispatchEvent(new view.Event(event, { bubbles: true }));
    const [mark] = page.querySelectorAll("#marks li");
    return [inView(field) && inView(mark), mark.textContent.split(": ").at(-1)];
"""


def looked(folder: Path, pages: Mapping[str, Path], look: str, width: int = 360, height: int = 740) -> dict[str, Any]:
    """The answer of a script in each page, in a window of this size."""
    frames = "".join(
        f'<iframe name="{name}" src="{file.as_uri()}" style="width:{width}px;height:{height}px;border:0"></iframe>'
        for name, file in pages.items()
    )
    file = folder / "frames.html"
    file.write_text(FRAMES.replace("FRAMES", frames).replace("LOOK", look), encoding="utf-8")
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom"]
    words += ["--virtual-time-budget=5000", f"--user-data-dir={folder / 'profile'}", file.as_uri()]
    done = subprocess.run([str(CHROMIUM), *words], capture_output=True, text=True, timeout=100, check=True)
    result = re.search(r'<pre id="result">(.+?)</pre>', done.stdout, re.DOTALL)
    assert result, done.stderr[-500:]
    found: dict[str, Any] = json.loads(html.unescape(result[1]))
    return found


@pytest.mark.thorough
@needs_browser
def test_every_page_fits_360_pixels(tmp_path: Path):
    pages = {name: tmp_path / f"{name}.html" for name in PAGES}
    for name, words in PAGES.items():
        made = CliRunner().invoke(cli.commands, [*words, str(pages[name])], input=BROAD)
        assert made.exit_code == 0, made.output
    pages["control"] = tmp_path / "control.html"
    pages["control"].write_text('<!DOCTYPE html><p style="width: 400px">wider', encoding="utf-8")
    found = looked(tmp_path, pages, WIDE)
    width, content, over = found.pop("control")
    assert width == 360 < content and over == ["P"]
    assert all(content <= width == 360 and not over for width, content, over in found.values()), found
    assert found.keys() == PAGES.keys()


@pytest.mark.thorough
@needs_browser
def test_the_title_of_a_game_is_broken_nowhere_inside_a_word(tmp_path: Path):
    pages = {name: tmp_path / f"{name}.html" for name in ("battleships", "breakthrough", "chinese_checkers")}
    for name, file in pages.items():
        text, _ = gdl.read(name)
        file.write_text(play_page(gdl.loads(text, name).model, text, home="../index.html"), "utf-8")
    look = """
        const title = page.querySelector("h1");
        const range = page.createRange();
        range.selectNodeContents(title);
        return [range.getClientRects().length === title.textContent.split(" ").length, page.documentElement.scrollWidth];
    """
    assert looked(tmp_path, pages, look) == {name: [True, 360] for name in pages}


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=str)
def test_what_is_told_while_one_writes_is_in_view(tmp_path: Path, size: tuple[int, int]):
    """Marks of a practice page, which give no answer away, and the problems of the playground below a game."""
    pages = {name: tmp_path / f"{name}.html" for name in ("tree", "fields", "playground")}
    for name, words in {"tree": ["quiz"], "fields": ["sheet", "prisoners:dominance"]}.items():
        assert CliRunner().invoke(cli.commands, [*words, "--practice", "-o", str(pages[name])]).exit_code == 0
    style = style_sheet("playground")
    parts = {"style": style, "words": "{}", "imports": "{}", "most": "1", "policy": "script-src 'none'"}
    pages["playground"].write_text(Template(site_file("playground.html")).substitute(parts), encoding="utf-8")
    found = looked(tmp_path, pages, TOLD, *size)
    assert found == {"tree": [True, "✗ wrong"], "fields": [True, "✗ wrong"], "playground": [True, ""]}


@pytest.mark.thorough
@needs_browser
def test_no_slide_of_an_exam_is_higher_than_the_screen(tmp_path: Path):
    """The equilibria of these games are tables of nine rows and more."""
    exam, slides = tmp_path / "k.exam", tmp_path / "slides.html"
    exam.write_text('exam "K"\nquestion 1: battle_of_the_sexes\nquestion 2: beer_quiche\n', encoding="utf-8")
    made = CliRunner().invoke(cli.commands, ["sheet", str(exam), "--slides", "-o", str(slides)])
    assert made.exit_code == 0, made.output
    look = 'return [...page.querySelectorAll("article")].map((each) => each.scrollHeight - each.clientHeight);'
    assert looked(tmp_path, {"slides": slides}, look, 1280, 720) == {"slides": [0, 0, 0, 0, 0]}


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(("name", "count"), [("battleships", 200), ("nim", 16)])
def test_a_finger_meets_a_square_of_either_sea_and_a_stone_of_a_heap(tmp_path: Path, name: str, count: int):
    text = gdl.shipped()[name].read_text(encoding="utf-8")
    file = tmp_path / f"{name}.game"
    file.write_text(text.replace("columns = 2, rows = 2, ships = [2]", "columns = 10, rows = 10, ships = [5]"), "utf-8")
    body = """
        const each = [...document.querySelectorAll("#boards .ground, .pile button")].map((one) => one.getBoundingClientRect());
        result.count = each.length;
        result.least = Math.min(...each.map(({ width, height }) => Math.min(width, height)));
    """
    found = browse(tmp_path, file, body, "500,740")
    assert found["count"] == count and found["least"] >= 23.9, found


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(
    ("name", "played"), [("chess", ["e2e4", "d7d5", "e4d5", "d8d5"]), ("ultimate_tic_tac_toe", ["b2/c1"])]
)
def test_on_its_side_a_phone_has_all_players_in_view(tmp_path: Path, name: str, played: list[str]):
    """With a man taken, and with a second board: a window of 740 by 360 without its frame."""
    body = f"""
        gdl.seats("person", "person");
        for (const name of {played}) gdl.play(name);
        result.low = [...document.querySelectorAll(".strip")].map((each) => each.getBoundingClientRect().bottom <= innerHeight);
    """
    assert browse(tmp_path, name, body, "740,503") == {"low": [True, True]}

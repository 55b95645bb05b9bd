"""Games with boards, indices and evaluations of special kinds, on their pages."""

from __future__ import annotations

import html
import re
import subprocess
from pathlib import Path

import pytest
from browsers import CHROMIUM, needs_browser
from crowned import CHANGED, crowned
from drawn_games import CHASE, OFFERS, STACKS
from elements_out_of_range import FAULTS, LEFT, NO_FAULTS, SET_GAMES, counted, written, written_of_sets
from kernel_games import written as shipped_with
from page_script import game_data, needs_node, run_with_search
from shipped import shipped
from test_play_page import browse

import gdl
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import Refusal
from gdl.interpreter.rules_game import playable
from gdl.render.boards_data import boards_data
from gdl.wings.page.page_engine import page_engine, page_searches
from gdl.wings.page.play_page import play_page

COUNT = """
const count = (game, state, depth) => {
  const node = game.node(state);
  if (!depth || node.kind === "end") return depth ? 0 : 1;
  return node.options.reduce((sum, { row }) => sum + count(game, game.next(state, row), depth - 1), 0);
};
Promise.all(JSON.parse(require("fs").readFileSync(0)).map(async (data) => {
  const game = await Game.made(data);
  try { return count(game, game.initial(), 2); } catch (error) { return error instanceof WebAssembly.RuntimeError ? "fault" : String(error); }
})).then((found) => console.log(JSON.stringify(found)));
"""


@pytest.mark.thorough
@needs_node
def test_the_page_meets_the_same_faults():
    games = [written(parts) for parts in (*FAULTS.values(), *NO_FAULTS.values())]
    wanted = [counted(game, game.initial(), 2) for game in games[len(FAULTS) :]]
    found = run_with_search(COUNT, [game_data(playable(game.model)) for game in games])
    assert found == ["fault"] * len(FAULTS) + wanted
    for words in map(SET_GAMES.__getitem__, LEFT):
        with pytest.raises(Refusal, match="has no page: the compiled engine does not take hand"):
            page_engine(written_of_sets(*words))


@pytest.mark.slow
@needs_browser
def test_a_browser_shows_them(tmp_path: Path):
    file = tmp_path / "chase.html"
    file.write_text(play_page(gdl.loads(CHASE).model, CHASE, ["b2", "b2"]), encoding="utf-8")
    words = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--dump-dom",
        "--virtual-time-budget=5000",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    done = subprocess.run(
        [str(CHROMIUM), *words, file.as_uri()], capture_output=True, text=True, timeout=100, check=True
    )
    titles = [html.unescape(each) for each in re.findall(r"<title>([^<]*)</title></g>", done.stdout)]
    assert "b2 W B king White king Black" in titles and "a1" in titles
    assert done.stdout.count('href="#s-king"') == 2


def test_the_page_knows_the_cells_of_a_square():
    game = gdl.loads(STACKS, "stacks").game
    (board,) = boards_data(game.model, page_engine(game).number)
    first = game.model.variables[0].place
    assert [square["cells"] for square in board["squares"]] == [
        [*range(first, first + 3)],
        [*range(first + 3, first + 6)],
    ]
    assert board["stacked"] == 3
    signs = board["variables"][0]
    assert signs["signs"] == [[0, "q"], [1, "a"], [2, "q"], [3, "a"]] and signs["owners"] == [0, 0, 1, 1]
    assert signs["names"] == ["queen", "ant", "queen", "ant"]


@pytest.mark.thorough
def test_the_page_shows_fields_by_their_names_and_keeps_them_out_of_names_of_actions():
    engine = page_engine(gdl.loads(OFFERS, "offers").game)
    pair = next(each for each in engine.types() if "Pair(wood, none)" in each.get("names", ()))
    assert pair["shown"][4] == "(one clay, two wood)" and pair["names"][4] == "Pair(clay, wood)"


@pytest.mark.thorough
def test_pages_search_by_it() -> None:
    assert list(page_searches(by_rules(crowned())[0])) == ["windows"]
    sizes = [
        len(page_searches(game)["vectors"]["filled"])
        for game in (shipped_with("backgammon", CHANGED), shipped("backgammon"))
    ]
    assert sizes[0] < sizes[1]  # which holds a net


@pytest.mark.thorough
@needs_browser
def test_squares_of_a_sea_where_nobody_has_fired_are_pale(tmp_path: Path):
    body = """
        for (let turn = 0; turn < 2; turn++) gdl.seats("person", "person"), gdl.play(gdl.legal()[0]);
        document.getElementById("look").click();
        const pale = [...document.querySelectorAll(".unseen text")].map((each) => getComputedStyle(each).opacity);
        result.pale = [pale.length, new Set(pale).size, Number(pale[0]) < 0.5];
    """
    assert browse(tmp_path, "battleships", body) == {"pale": [4, 1, True]}


WARES = """# Store wares; nobody knows what lies in the pits.
game "Wares"
players Ann, Bob

type Colour = red, blue
board Pit = track(3)

state
    stock[Colour, 1..2]: sequence of 1..4 up to 3
    lying[Pit]: 0..3 = 2 visible to none

action store(c: Colour, n: 1..2, w: 1..4) when size(stock[c, n]) < 3
    push(stock[c, n], w)

action dig(p: Pit) unseen
    lying[p] := lying[p] - 1

terminal
    no actions -> draw
"""


@needs_browser
def test_lines_in_words_bear_all_their_indices_and_hidden_pits_a_question_mark(tmp_path: Path):
    file = tmp_path / "wares.game"
    file.write_text(WARES, encoding="utf-8")
    body = """
        gdl.play("store(blue, 1, 4)");
        result.lines = [...document.querySelectorAll("#cells p")].map((each) => each.textContent);
        result.pits = [...document.querySelectorAll("#boards .pit")].map((each) => each.textContent.trim());
    """
    assert browse(tmp_path, file, body) == {
        "lines": ["stock red 1 = []", "stock red 2 = []", "stock blue 1 = [4]", "stock blue 2 = []"],
        "pits": ["?1 hidden", "?2 hidden", "?3 hidden"],
    }

"""The page shows every variable: from what is painted inside the window, in letters of 9 pixels or more, a script that
reads no titles, no labels for readers and no data tells what `gdl show` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import chromium, listening, needs_browser, with_script
from places import LANGUAGE

import gdl
from gdl.game import Chance, Decision
from gdl.interpreter.rules_game import playable
from gdl.model.appearance import present_model
from gdl.model.domains import SetType, board_of, elements, members, text_of
from gdl.model.games import RulesModel, Variable
from gdl.render.boards_data import boards_data
from gdl.wings.page.board_parts import add_parts
from gdl.wings.page.play_page import play_page

PLIES = 7  # of a play that is shown, at most
OWN = sorted((Path(__file__).parent / "painted").glob("*.game"))
TAUGHT = """arrays bags below_zero counted_elements deck_building endless goes_on graphs grids hexagon lists own_past pictures
ranks records records_drawn sets sides tracks two_boards""".split()
PAINTED = """
const inside = ({ left, top, right, bottom }) => right > left && bottom > top && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".read, noscript, script, style");
const words = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const [text, parent] = [walker.currentNode, walker.currentNode.parentElement];
  if (!text.data.trim() || parent.closest("title, option") || !isSeen(parent)) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  const large = parseFloat(getComputedStyle(parent).fontSize) * (parent.ownerSVGElement ? parent.getScreenCTM().a : 1);
  if (large >= 9 && inside(range.getBoundingClientRect())) words.push(text.data.trim());
}
for (const select of document.querySelectorAll("select")) if (isSeen(select)) words.push(select.selectedOptions[0]?.textContent);
const on = [...document.querySelectorAll("#boards figure > svg")].map((svg) => [...svg.querySelectorAll(".square")].flatMap((square) => {
  const [x, y] = /translate\\((\\S+) (\\S+?)\\)/.exec(square.getAttribute("transform")).slice(1).map(Number);
  const drawn = [...square.querySelectorAll("use, .men > *, .block, .stroke, .number, .line, text:not(.name, .label)")].filter((each) => isSeen(each) && !each.closest(".gone") && inside(each.getBoundingClientRect()));
  return drawn.length ? [[x, y]] : [];
}));
"""
SCRIPT = """
(async () => {
  const result = {};
  try {
    while (!window.gdl) await new Promise((done) => setTimeout(done, 5));
    gdl.seats(...[...document.querySelectorAll(".strip select")].map(() => "person"));
    PAINTED
    Object.assign(result, { words, on, played: gdl.moves() });
  } catch (error) { result.error = String(error.stack); }
  fetch("ADDRESS", { method: "POST", mode: "no-cors", body: JSON.stringify(result) });
})();
"""


def some_play(game: Any) -> list[str]:
    """The first actions of each turn, up to a decision."""
    state, names, best = game.initial(), list[str](), list[str]()
    for _ in range(PLIES):
        node = game.node(state)
        best = list(names) if isinstance(node, Decision) else best
        if not isinstance(node, Decision | Chance):
            return best
        names.append(node.actions[-1] if isinstance(node, Decision) else node.outcomes[0][0])
        state = game.successor(state, names[-1])
    return list(names) if isinstance(game.node(state), Decision) else best


def unpainted(model: RulesModel, game: Any, found: dict[str, Any]) -> Iterator[str]:
    """The variables, each with a value, that `gdl show` prints and the page does not show."""
    state, shown = game.initial(), present_model(model)
    for name in found["played"]:
        state = game.successor(state, name)
    said = set(re.findall(r"[^\W_]+", " ".join(found["words"])))
    boards = boards_data(shown, id)
    add_parts(boards, game)
    drawn = {
        cell: (place["x"], place["y"]) in {(x, y) for x, y in on}
        for board, on in zip(boards, found["on"], strict=False)
        for place in board["squares"]
        for cell in place["cells"]
        if cell is not None
    }
    squares = {place["name"] for board, on in zip(boards, found["on"], strict=False) for place in board["squares"]
               if [place["x"], place["y"]] in on}  # fmt: skip
    for variable in shown.variables:
        if "." in variable.name or variable.name in shown.appearance.hidden:
            continue
        for keys, at, value in _elements(variable, state.cells):
            if not _is_read(variable, value, said, drawn.get(at), squares):
                yield f"{variable.name}[{', '.join(keys)}] = {_value_text(variable, value)}"


def _elements(variable: Variable, cells: Any) -> Iterator[tuple[list[str], int, Any]]:
    keys: list[list[str]] = [[]]
    for index in variable.indices:
        keys = [[*each, text_of(index, value, by_field=True)] for each in keys for value in members(index)]
    for offset, key in enumerate(keys):
        yield key, variable.place + offset, cells[variable.place + offset]


def _value_text(variable: Variable, value: Any) -> str:
    if isinstance(variable.type, SetType):
        return " ".join(text_of(variable.type.item, each, by_field=True) for each in elements(value))
    return "" if value is None else text_of(variable.type, value, by_field=True)


def _is_read(variable: Variable, value: Any, said: set[str], drawn: bool | None, squares: set[str]) -> bool:
    """True if a value is painted: what there is none of need not be."""
    words = re.findall(r"[^\W_]+", _value_text(variable, value))
    if value is None or value is False or drawn or not words:
        return True
    if drawn is None and value == 0 and variable.indices:
        return True  # none of a kind is not there
    if drawn is False:
        return value == 0
    inner = getattr(variable.type, "item", variable.type)
    if board_of(inner) is not None and set(words) <= squares | said:
        return True
    named = set(re.findall(r"[^\W_]+", variable.name)) <= said
    return named and (value is True or set(words) - {"true"} <= said)


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("name", [*TAUGHT, *(file.stem for file in OWN)])
def test_the_page_shows_what_gdl_show_prints(tmp_path: Path, name: str):
    file = next((each for each in OWN if each.stem == name), LANGUAGE / f"{name}.game")
    text = file.read_text(encoding="utf-8")
    model = gdl.loads(text, name).model
    assert isinstance(model, RulesModel)
    game = playable(model)
    played = some_play(game)
    with listening(tmp_path) as listener:
        script = SCRIPT.replace("PAINTED", PAINTED).replace("ADDRESS", listener.address)
        page = with_script(play_page(model, text, played), script).replace(
            "connect-src 'self'", f"connect-src {listener.address}"
        )
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        found = listener.told(chromium, tmp_path, (tmp_path / "page.html").as_uri(), "1280,900")
    assert "error" not in found, found
    assert list(unpainted(model, game, found)) == [], found["words"]

"""Whole games by click, drag, keyboard and typing, in browsers as wide as a phone, a desk and a projector; nobody's move
is made by two clicks at once, by clicks while the computer thinks, or after a move was taken back."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from browsers import Words, chromium, firefox, listening, needs_browser, needs_firefox, needs_taskset, throttled
from click.testing import CliRunner
from test_play_page import SESSION, page_of

import gdl
from gdl.commands import cli
from gdl.render.page import csp_hash

PEOPLE = """
    let seed = 7;
    const random = (count) => { seed = (seed * 48271) % 2147483647; return seed % count; };
    const centre = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
    const squaresOf = (name) => [...name.matchAll(/[a-z]\\d+/g)].map(([each]) => each);
    const at = (name) => { const [clientX, clientY] = centre(square(name)); return { clientX, clientY, bubbles: true }; };
    const walk = (name) => {
      const start = document.activeElement;
      const [reached, seen] = [[[start, []]], new Set([start])];
      for (const [here, keys] of reached) {
        if (here === square(name)) { start.focus(); keys.forEach((each) => key(document.activeElement, each)); return; }
        for (const arrow of ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]) {
          here.focus();
          key(here, arrow);
          if (!seen.has(document.activeElement)) reached.push([document.activeElement, [...keys, arrow]]);
          seen.add(document.activeElement);
        }
      }
      throw new Error(`the arrows do not lead to ${name}`);
    };
    const ways = {
      click: (name) => squaresOf(name).forEach(click),
      drag: (name) => {
        const [from, to] = squaresOf(name);
        square(from).scrollIntoView({ block: "center" });
        square(from).dispatchEvent(new PointerEvent("pointerdown", at(from)));
        document.dispatchEvent(new PointerEvent("pointermove", at(to)));
        document.dispatchEvent(new PointerEvent("pointerup", at(to)));
      },
      keys: (name) => {
        for (const each of squaresOf(name)) {
          if (!document.activeElement.closest(".square")) document.querySelector('.square[tabindex="0"]').focus();
          walk(each);
          key(document.activeElement, "Enter");
        }
      },
      type: (name) => { document.getElementById("move").value = name; document.getElementById("typed").requestSubmit(); },
      press: (name) => {
        const press = (button) => { button.focus(); if (document.activeElement !== button) throw new Error(`no key reaches ${name}`); button.click(); };
        if (!document.getElementById("curtain").hidden) press(document.getElementById("look"));
        const button = [...document.querySelectorAll("#table button, #moves button")].find((each) => [each.title, each.textContent].includes(name));
        if (button) press(button); else ways.keys(name);
      },
      button: (name) => [...document.querySelectorAll("#moves button")].find((each) => [each.title, each.textContent].includes(name)).click(),
    };
"""
WHOLE = (
    PEOPLE
    + """
    gdl.seats(...SEATS);
    document.getElementById("every").click();
    let plies = 0;
    for (; !gdl.over() && plies < 300; plies++) {
      const legal = gdl.legal();
      const name = legal[random(legal.length)];
      const way = WAYS[plies % WAYS.length];
      const before = gdl.moves().length;
      ways[way](name);
      if (gdl.moves().length !== before + 1) throw new Error(`${name} by ${way}: ${gdl.moves().length - before} moves`);
    }
    result.over = gdl.over();
    result.told = document.getElementById("status").textContent.startsWith("The game is over: ");
    result.wide = [innerWidth, document.documentElement.scrollWidth <= innerWidth];
"""
)
GAMES = {
    "breakthrough": (["person", "person"], ["click", "drag", "keys", "type"]),
    "tic_tac_toe": (["person", "person"], ["keys", "click"]),
    "nim": (["person", "person"], ["button", "type"]),
    "othello": (["person", "person"], ["click", "keys", "button"]),
}
BROWSERS = [pytest.param(chromium, marks=needs_browser), pytest.param(firefox, marks=needs_firefox)]
SLOWLY = pytest.param(throttled, marks=needs_taskset)


def framed(folder: Path, name: str, body: str, browser: Words, width: int, height: int) -> Any:
    """The result of a script on a game's page in a frame as large as a window that a browser itself may not have."""
    page = page_of(gdl.shipped()[name])
    with listening(folder) as listener:
        script = SESSION.replace("BODY", body).replace("ADDRESS", listener.address)
        policy = f"connect-src {listener.address}; script-src '{csp_hash(script)}' "
        page = page.replace("script-src ", policy, 1).replace("</body>", f"<script>{script}</script></body>")
        (folder / "page.html").write_text(page, encoding="utf-8")
        frame = f'<iframe src="page.html" style="border:0;width:{width}px;height:{height}px"></iframe>'
        (folder / "frame.html").write_text(f"<!DOCTYPE html><body style='margin:0'>{frame}", encoding="utf-8")
        return listener.told(browser, folder, f"{listener.address}frame.html", "1960,1160", 300)


@pytest.mark.slow
@pytest.mark.parametrize("browser", BROWSERS)
@pytest.mark.parametrize("width, height", [(360, 740), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played(tmp_path: Path, name: str, width: int, height: int, browser: Words):
    seats, ways = GAMES[name]
    body = WHOLE.replace("SEATS", str(seats)).replace("WAYS", str(ways))
    found = framed(tmp_path, name, body, browser, width, height)
    assert found == {"over": True, "told": True, "wide": [width, True]}


@pytest.mark.slow
@pytest.mark.parametrize("browser", BROWSERS)
@pytest.mark.parametrize("name", ["hex", "nim", "kuhn"])
def test_a_game_by_keyboard_is_kept_over_a_reload(tmp_path: Path, name: str, browser: Words):
    """Squares are reached by arrows, buttons by the focus, behind the curtain of a hand too."""
    body = (
        PEOPLE
        + """
        const played = () => JSON.stringify([gdl.marks().map(({ name }) => name), gdl.player(), location.hash]);
        const ply = () => {
          const before = gdl.marks().length;
          const legal = gdl.legal();
          ways.press(legal[random(legal.length)]);
          if (gdl.marks().length === before) throw new Error(`a key does not play one of ${legal}`);
        };
        if (!sessionStorage.played) {
          gdl.seats("person", "person");
          ply();
          sessionStorage.played = played();
          location.reload();
          await new Promise(() => {});
        }
        result.kept = sessionStorage.played === played();
        while (!gdl.over()) ply();
        result.told = document.getElementById("status").textContent.startsWith("The game is over: ");
    """
    )
    assert framed(tmp_path, name, body, browser, 1280, 800) == {"kept": True, "told": True}


@pytest.mark.slow
@pytest.mark.parametrize("browser", [*BROWSERS, SLOWLY])
def test_no_click_moves_for_another(tmp_path: Path, browser: Words):
    """Two clicks at once, clicks and keys while the computer thinks, and a move after one was taken back."""
    body = (
        PEOPLE
        + """
        document.getElementById("seconds").value = "0.3";
        const count = () => gdl.moves().length;
        const replied = async (moves) => { for (let k = 0; k < 400 && count() < moves; k++) await wait(20); await wait(200); return count(); };
        click("e2"); click("e4"); click("e4"); click("e7"); click("e5");
        ways.type("e7e5"); ways.keys("d7d5"); ways.drag("d7d5");
        result.thinking = [count(), document.querySelector(".thinks") !== null];
        result.replied = await replied(2);
        document.getElementById("back").click();
        result.back = count();
        click("d2"); click("d4");
        result.again = await replied(2);
        result.first = gdl.moves()[0];
        ways.drag("g1f3");
        document.getElementById("back").click();
        await wait(900);
        result.late = count();
    """
    )
    found = framed(tmp_path, "chess", body, browser, 1280, 800)
    assert found == {"thinking": [1, True], "replied": 2, "back": 0, "again": 2, "first": "d2d4", "late": 2}


# ---- axe-core, where npm has put it --------------------------------------------------------------------------------------

AXE = Path(os.environ.get("AXE", "npm/node_modules/axe-core/axe.min.js"))
ASKED = """
    addEventListener("load", () => setTimeout(async () => {
      document.querySelectorAll("details").forEach((each) => { each.open = true; });
      const { violations } = await axe.run(document, { iframes: false });
      parent.postMessage(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), "*");
    }, 400));
"""
ONE_BY_ONE = """<!DOCTYPE html><iframe style="width:WIDTHpx;height:900px"></iframe><script>
  const [pages, found] = [PAGES, {}];
  const frame = document.querySelector("iframe");
  const next = () => { frame.src = pages[Object.keys(found).length]; };
  onmessage = ({ data }) => {
    const page = pages[Object.keys(found).length];
    found[page] = data;
    if (Object.keys(found).length < pages.length) next();
    else fetch("/told", { method: "POST", body: JSON.stringify(found) });
  };
  next();
</script>"""
DRAWN: dict[str, Sequence[str]] = {
    "stepping": ["draw", "figure_5_2", "-o"],
    "simulations": ["draw", "figure_5_2", "--solver", "mcts", "-o"],
    "table": ["draw", "battle_of_the_sexes", "-o"],
    "practice": ["quiz", "--practice", "--batch", "2", "-o"],
    "report": ["report", "kuhn", "--games", "8", "--agents", "random", "-o"],
    "german": ["page", "chess", "--language", "de", "-o"],
    "persian": ["page", "kuhn", "--language", "fa", "-o"],
}


@pytest.mark.slow
@needs_browser
@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core: npm install --prefix npm axe-core, or AXE=…/axe.min.js")
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_on_any_page(tmp_path: Path, width: int):
    assert CliRunner().invoke(cli.commands, ["site", "-o", str(tmp_path)]).exit_code == 0
    for name, words in DRAWN.items():
        assert CliRunner().invoke(cli.commands, [*words, str(tmp_path / f"{name}.html")]).exit_code == 0
    pages = sorted(file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.html"))
    script = AXE.read_text(encoding="utf-8").replace("</script", "<\\/script") + ASKED
    for name in pages:
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", (tmp_path / name).read_text("utf-8"))
        (tmp_path / name).write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    wrapper = ONE_BY_ONE.replace("WIDTH", str(width)).replace("PAGES", html.unescape(str(pages)))
    (tmp_path / "all.html").write_text(wrapper, encoding="utf-8")
    with listening(tmp_path) as listener:
        found = listener.told(chromium, tmp_path, f"{listener.address}all.html", "1400,1000", 1200)
    assert len(found) > 120 and {page: faults for page, faults in found.items() if faults} == {}

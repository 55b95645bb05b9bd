"""Whoever plays a page carelessly, with clicks, drags and keys at random, changes of mind, take-backs and reloads, finds
after each that somebody is to move, or that play is over, and that the page says which; no error; and a state that the
rules reach. In Node the page has no layout (small_dom.js); in browsers it is whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browsers import Words, chromium, firefox, listening, needs_browser, needs_firefox
from page_script import needs_node, open_in_node
from places import LANGUAGE
from test_play_page import page_of

import gdl
from gdl.render.page import csp_hash

HERE = Path(__file__).parent
STEPS, SEEDS = 60, 16807
SAMPLE = ("backgammon", "battle_of_the_sexes", "battleships", "crazyhouse", "kuhn", "nim")
TAUGHT = """attempts deal_kuhn deck_building draws graphs hearing hexagon love_letter records_drawn sides together
two_boards""".split()
BROWSERS = [pytest.param(chromium, marks=needs_browser), pytest.param(firefox, marks=needs_firefox)]


def careless_page(name: str, address: str) -> tuple[str, str]:
    """The page of a shipped game, or of a test of the language, with a careless player; and that player's script."""
    source = gdl.shipped().get(name, LANGUAGE / f"{name}.game")
    seed = sum(map(ord, name)) * SEEDS
    script = f"const STEPS = {STEPS}, SEED = {seed}, ADDRESS = {json.dumps(address)};\n"
    script += (HERE / "careless.js").read_text(encoding="utf-8")
    return page_of(source).replace("</body>", f"<script>{script}</script></body>"), script


def assert_sound(name: str, found: dict[str, Any]) -> None:
    deeds = "\n".join(found["deeds"])
    assert found["faults"] == [], f"{name}, after\n{deeds}"
    assert found["steps"] == STEPS


def play_in_node(name: str) -> None:
    page, _ = careless_page(name, "")
    assert_sound(name, open_in_node(page))


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize("name", SAMPLE)
def test_a_careless_player_finds_no_fault(name: str):
    play_in_node(name)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("name", sorted({*gdl.shipped(), *TAUGHT} - {*SAMPLE}))
def test_a_careless_player_finds_no_fault_on_any_page(name: str):
    play_in_node(name)


@pytest.mark.slow
@pytest.mark.parametrize("browser", BROWSERS)
@pytest.mark.parametrize("name", sorted({*gdl.shipped(), *TAUGHT}))
def test_a_careless_player_finds_no_fault_in_a_browser(tmp_path: Path, name: str, browser: Words):
    with listening(tmp_path) as listener:
        page, script = careless_page(name, listener.address)
        policy = f"connect-src {listener.address}; script-src '{csp_hash(script)}' "
        (tmp_path / "page.html").write_text(page.replace("script-src ", policy, 1), encoding="utf-8")
        assert_sound(name, listener.told(browser, tmp_path, (tmp_path / "page.html").as_uri(), "1280,900", 300))

"""How to play: each kind of action is shown where it can be done, can be tried there, and tells what was done; the file's
own words stand before it, and the ends of play behind it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from page_script import needs_node, open_in_node
from test_play_page import page_of

import gdl

LEARN = """
    (async () => {
      const [result, wait] = [{}, (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))];
      const texts = (where, what) => [...where.querySelectorAll(what)].map((each) => each.textContent.trim());
      while (!window.gdl) await wait(5);
      document.getElementById("learn").click();
      const page = document.getElementById("lessons");
      result.said = texts(page, "#lessons > p");
      result.ends = texts(page, "li");
      result.before = [location.hash, gdl.player()];
      result.lessons = Object.fromEntries([...document.querySelectorAll("#examples section")].map((each) => {
        const [asked, box] = [texts(each, "section > p"), each.querySelector(".lesson")];
        if (!box) return [texts(each, "h3")[0], asked];
        const [open, told] = [box.querySelectorAll('[aria-disabled="false"]').length, () => texts(box, ".said")[0]];
        const task = told();
        [...box.querySelectorAll("button")].find((way) => way.textContent && !way.hidden).click();
        return [texts(each, "h3")[0], [...asked, task, told(), open > 0, [...box.querySelectorAll("button")].pop().textContent]];
      }));
      result.after = [location.hash, gdl.player()];
      fetch("", { method: "POST", body: JSON.stringify(result) });
    })();
"""


def learned(name: str) -> Any:
    page = page_of(gdl.shipped()[name]).replace("</body>", f"<script>{LEARN}</script></body>")
    found = open_in_node(page)
    assert found.pop("faults") == [] and found.pop("before") == found.pop("after")
    return found


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize(
    "name, said, lessons, ends",
    [
        (
            "connect_four",
            "A disc falls to the lowest empty place of its column.",
            {"drop": ["Click a marked square.", "Yellow drops in 4", True, "Again"]},
            ["a full row: Yellow wins", "a full row: Red wins", "the board is full: a draw"],
        ),
        (
            "leduc",
            "At the end a card like the public one wins, else the higher rank.",
            {
                "fold": ["Press a button.", "Ann folds. The game is over: Bob wins", False, "Again"],
                "check": ["Press a button.", "Ann checks", False, "Again"],
                "call": ["Press a button.", "Ann calls", False, "Again"],
                "raise": ["Press a button.", "Ann raises", False, "Again"],
            },
            ["folded", "showdown: a draw", "showdown"],
        ),
        (
            "checkers",
            "On the last row he is crowned: a king goes backwards too.",
            {
                "move": ["Click a marked square, then where it goes.", "Black plays 9-14", True, "Again"],
                "take": [
                    "A jump takes a man.",
                    "Whoever can take a man must.",
                    "Click a marked square, then where it goes.",
                    "Black plays 15x22",
                    True,
                    "Again",
                ],
            },
            ["no man can move: whoever is to move loses"],
        ),
    ],
)
def test_a_newcomer_learns_it(name: str, said: str, lessons: dict[str, Any], ends: list[str]):
    found = learned(name)
    assert said in found["said"][0]
    assert found["lessons"] == lessons and found["ends"] == ends


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_page_has_lessons(name: str):
    found = learned(name)
    assert found["said"], json.dumps(found)

"""Which men move when a position follows another, found without a browser; and how they look on their way."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser
from page_script import NODE, needs_node
from test_play_page import browse

from gdl.wings.page.play_page import join_scripts

BEFORE = "class Part {}\n"  # what its module imports


def found(call: str) -> Any:
    """The value of a call in the module, from JSON."""
    assert NODE is not None
    script = BEFORE + join_scripts(("motion.js",)) + f"console.log(JSON.stringify({call}))"
    return json.loads(subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True).stdout)


@needs_node
def test_a_man_slides_and_the_one_taken_fades():
    before = [{"key": "pawn", "x": 4, "y": 4}, {"key": "bishop", "x": 3, "y": 3}, {"key": "king", "x": 0, "y": 0}]
    after = [{"key": "pawn", "x": 3, "y": 3}, {"key": "king", "x": 0, "y": 0}]
    pairs = found(f"pairMen({json.dumps(before)}, {json.dumps(after)})")
    assert pairs == {"moved": [{"from": before[0], "to": after[0]}], "gone": [before[1]], "come": []}


@needs_node
def test_seeds_are_sown_one_by_one_and_a_stone_that_is_put_comes():
    seeds = [{"key": "seed", "x": 1, "y": k} for k in range(3)]
    sown = [{"key": "seed", "x": 2 + k, "y": 0} for k in range(3)]
    pairs = found(f"pairMen({json.dumps(seeds)}, {json.dumps(sown)})")
    assert [pair["to"]["x"] for pair in pairs["moved"]] == [2, 3, 4] and pairs["gone"] == pairs["come"] == []
    assert found(f"pairMen([], {json.dumps(sown[:1])})") == {"moved": [], "gone": [], "come": sown[:1]}


@needs_node
def test_a_card_turns_once_for_each_that_is_new():
    assert found('turnedOver(["K", "Q"], ["K", "K", "Q", "A"])') == ["K", "A"]


@pytest.mark.thorough
@needs_browser
def test_the_number_on_a_tile_stays_in_its_middle_on_the_way(tmp_path: Path):
    body = """
        result.moving = [];
        for (let ply = 0; ply < 6; ply++) {
          gdl.play(gdl.legal()[0]);
          await wait(0);
          const texts = [...document.querySelectorAll(".moving text")].map((each) => getComputedStyle(each));
          result.moving.push(...texts.map(({ textAnchor, dominantBaseline }) => `${textAnchor} ${dominantBaseline}`));
        }
    """
    found = browse(tmp_path, "2048", body)["moving"]
    assert found and set(found) == {"middle central"}

"""The script of the page to play on, run without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gdl.interpreter.rules_game import RulesGame
from gdl.wings.page import play_page
from gdl.wings.page.page_engine import page_engine

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def game_data(game: RulesGame) -> dict[str, Any]:
    """The data of a game as the page passes them to its script."""
    engine = page_engine(game)
    return {**engine.game, "types": engine.types()}


def run_with_search(program: str, told: Any) -> Any:
    """Run a program in Node together with the page's engine. `told` is its input, as JSON; returns its output, from
    JSON."""
    assert NODE is not None
    whole = play_page.join_scripts(play_page.ENGINE) + program
    done = subprocess.run([NODE, "-e", whole], input=json.dumps(told), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def open_in_node(page: str) -> Any:
    """The JSON that a script on a page posts when the page is opened in small_dom.js, with its `faults`, a list."""
    assert NODE is not None
    words = [NODE, str(Path(__file__).with_name("page_in_node.js"))]
    done = subprocess.run(words, input=page, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

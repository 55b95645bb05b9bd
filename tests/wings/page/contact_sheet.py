"""Games that come with gdl on one picture, each on its page after some plies at random, as wide as a phone or a desk:
PYTHONPATH=tests/support python tests/wings/page/contact_sheet.py 360 gdl/wings/page/docs/pictures/all-games.png [GAME …]"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from browsers import chromium

import gdl
from gdl.game import Chance, Decision, Game, actions
from gdl.wings.page.play_page import play_page

PLIES = 14  # at most, before a page is shown
HEIGHT = {360: 540, 1280: 720}  # of a window of that width;
SCALE = {360: 0.34, 1280: 0.15}  # of its picture on the sheet
ACROSS, GAP = 12, 6  # pictures in a row at most, and pixels between two
STYLE = "margin: 0; padding: 6px; background: #888; display: flex; flex-wrap: wrap; gap: 6px"


def random_play(game: Game[Any], seed: int) -> list[str]:
    """The actions of a random play of at most PLIES plies, up to its last turn of the first player."""
    state, chance, names = game.initial(), random.Random(seed), list[str]()
    best: list[str] = []
    for _ in range(PLIES):
        node = game.node(state)
        if isinstance(node, Decision) and node.player == 0:
            best = list(names)
        if not isinstance(node, Decision | Chance):
            return best
        names.append(chance.choice(actions(node)))
        state = game.successor(state, names[-1])
    return best


def frames(names: list[str], width: int, folder: Path) -> Iterator[str]:
    """An HTML frame for each game, in which its page is shown at reduced size."""
    height, scale = HEIGHT[width], SCALE[width]
    for seed, name in enumerate(names):
        loaded = gdl.loads(gdl.shipped()[name].read_text(encoding="utf-8"), name)
        page = play_page(loaded.model, loaded.model.name, random_play(loaded.game, seed))
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        room = f"width:{width * scale:.0f}px;height:{height * scale:.0f}px;overflow:hidden"
        look = f"width:{width}px;height:{height}px;border:0;transform:scale({scale});transform-origin:0 0"
        yield f'<div style="{room}"><iframe src="{name}.html" style="{look}"></iframe></div>'


def write_sheet(width: int, target: Path, names: list[str]) -> None:
    across = min(ACROSS, len(names))
    rows = -(-len(names) // across)
    with TemporaryDirectory() as place:
        folder = Path(place)
        inside = "".join(frames(names, width, folder))
        (folder / "sheet.html").write_text(f'<!DOCTYPE html><body style="{STYLE}">{inside}', encoding="utf-8")
        wide, high = (
            GAP + n * (GAP + round(side * SCALE[width])) for n, side in ((across, width), (rows, HEIGHT[width]))
        )
        words = [word for word in chromium(folder, f"{wide},{high}") if "debugging" not in word]  # which stays open
        words += ["--hide-scrollbars", "--allow-file-access-from-files"]
        words += [f"--screenshot={target.resolve()}", "--virtual-time-budget=20000", (folder / "sheet.html").as_uri()]
        subprocess.run(words, check=True, capture_output=True, timeout=300)


if __name__ == "__main__":
    write_sheet(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or sorted(gdl.shipped()))

"""The pages of all shipped games side by side, as a person looks at them, in a position after some plies at random.

    python tests/bench/contact_sheet.py FOLDER [--width 1280 | 360 | 361] [--plies 9] [GAME ...]

writes each game's page into FOLDER and pictures of them, some on each, `sheet-WIDTH-NUMBER.png`, by Chromium. With 361
it is the upper part of all pages on one picture. (The pictures of the manual are made by tests/support/contact_sheet.py.)
"""

import argparse
import base64
import html
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.append(str(Path(__file__).parents[1] / "support"))

from browsers import CHROMIUM

import gdl
from gdl.game import Chance, Simultaneous, Terminal
from gdl.web.play_page import play_page

HEIGHT = {1280: 800, 360: 740, 361: 540}  # of a window by its width, in pixels
ACROSS, ON_A_SHEET = {1280: 3, 360: 7, 361: 10}, {1280: 12, 360: 14, 361: 100}
SCALE = {1280: 0.5, 360: 0.75, 361: 0.375}


def some_plies(game: Any, plies: int, seed: int) -> list[Any]:
    """The actions of a few random plies, as the page's link names them; they stop before the end of play."""
    generator, state, names = random.Random(seed), game.initial(), []
    for _ in range(plies):
        node = game.node(state)
        if isinstance(node, Simultaneous):
            chosen: Any = tuple(generator.choice(list(own)) if own else None for own in node.actions)
        else:
            ways = [name for name, _ in node.outcomes] if isinstance(node, Chance) else list(node.actions)
            chosen = generator.choice(ways)
        state = game.successor(state, chosen)
        if isinstance(game.node(state), Terminal):
            break
        names.append(list(chosen) if isinstance(chosen, tuple) else chosen)
    return names


def link(game: Any, names: Sequence[Any], hidden: bool) -> str:
    seats = "p" * len(game.players) if not hidden else "p" + "c" * (len(game.players) - 1)
    if hidden:
        text = base64.urlsafe_b64encode(json.dumps(names).encode()).decode().rstrip("=")
        return f"#{seats}/{text if names else ''}"
    return f"#{seats}/" + "/".join(quote(name, safe="") for name in names)


def sheet(folder: Path, width: int, number: int, shown: Sequence[tuple[str, str]]) -> None:
    """A picture of pages by their names and links."""
    height, scale, across = HEIGHT[width], SCALE[width], ACROSS[width]
    cells = "".join(
        f'<figure style="margin:0;width:{width * scale}px;height:{height * scale + 22}px;overflow:hidden">'
        f'<figcaption style="font:15px sans-serif">{html.escape(name)}</figcaption>'
        f'<iframe src="{name}.html{target}" style="width:{width}px;height:{height}px;border:1px solid #888;'
        f'transform:scale({scale});transform-origin:0 0"></iframe></figure>'
        for name, target in shown
    )
    grid = f"display:grid;grid-template-columns:repeat({across},{width * scale}px);gap:6px;margin:6px"
    file = folder / "sheet.html"
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body style="{grid}">{cells}', encoding="utf-8")
    rows = -(-len(shown) // across)
    size = f"{int(across * (width * scale + 6) + 12)},{int(rows * (height * scale + 28) + 12)}"
    words = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    words += ["--allow-file-access-from-files", f"--window-size={size}", "--virtual-time-budget=8000"]
    words += [f"--user-data-dir={folder / 'profile'}", f"--screenshot={folder / f'sheet-{width}-{number}.png'}"]
    subprocess.run([*words, file.as_uri()], check=True, capture_output=True, timeout=600)


if __name__ == "__main__":
    reader = argparse.ArgumentParser()
    reader.add_argument("folder", type=Path)
    reader.add_argument("--width", type=int, choices=HEIGHT, default=1280)
    reader.add_argument("--plies", type=int, default=9)
    reader.add_argument("games", nargs="*")
    asked = reader.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for name, file in gdl.shipped().items():
        if asked.games and name not in asked.games:
            continue
        text = file.read_text(encoding="utf-8")
        game = gdl.load(name)
        (asked.folder / f"{name}.html").write_text(page := play_page(game.model, text), encoding="utf-8")
        hidden = '"hidden":true' in page
        shown.append((name, link(game, some_plies(game, asked.plies, seed=1), hidden)))
    for start in range(0, len(shown), ON_A_SHEET[asked.width]):
        number = start // ON_A_SHEET[asked.width] + 1
        sheet(asked.folder, asked.width, number, shown[start : start + ON_A_SHEET[asked.width]])

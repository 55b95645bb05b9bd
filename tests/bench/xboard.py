"""Games of chess of gdl against itself under a real GUI: xboard, with polyglot between, pondering on both sides.

    python tests/bench/xboard.py [--games N] [--clock SECONDS] [--increment SECONDS]

Needs xboard, polyglot and Xvfb (`apt-get install xboard polyglot xvfb`). It prints how each game ended, and fails where
one was lost on time or by a forfeit. What it found stands in `results/xboard.md`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

ENGINE = """[PolyGlot]
EngineName = gdl
EngineCommand = {python} -m gdl engine chess
EngineDir = {folder}
Log = false
Resign = false
[Engine]
Ponder = true
"""
DISPLAY = ":77"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--clock", type=int, default=10)
    parser.add_argument("--increment", type=float, default=0.2)
    asked = parser.parse_args()
    known = os.environ | {"PATH": f"{os.environ['PATH']}:/usr/games", "DISPLAY": DISPLAY}
    with TemporaryDirectory() as folder:
        (Path(folder) / "gdl.ini").write_text(ENGINE.format(python=sys.executable, folder=folder))
        games, program = Path(folder) / "games.pgn", f"polyglot {folder}/gdl.ini"
        words = ["xboard", "-fcp", program, "-scp", program, "-matchGames", str(asked.games)]
        words += ["-tc", f"0:{asked.clock:02}"]
        words += ["-inc", str(asked.increment), "-mps", "0", "-ponder", "-xanimate", "-sgf", str(games)]
        screen = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "800x600x8"], stderr=subprocess.DEVNULL)
        time.sleep(2)
        board = subprocess.Popen(words, env=known, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            ended: list[str] = []
            while len(ended) < asked.games:
                time.sleep(1)
                text = games.read_text(encoding="utf-8", errors="replace") if games.exists() else ""
                ended = re.findall(r"\{([^{}]*)\} (?:1-0|0-1|1/2-1/2)", text)
        finally:
            board.terminate()
            screen.terminate()
    for how, count in Counter(" ".join(one.split()) for one in ended).items():
        print(f"{count:3} {how}")
    lost = [one for one in ended if re.search("time|flag|forfeit|illegal|exit", one)]
    sys.exit(f"{len(lost)} lost on time or given up" if lost else 0)


if __name__ == "__main__":
    main()

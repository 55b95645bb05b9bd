"""Ten ordinary games, as newcomers write them, through `check`, `report` and `page`, each within a limit of time.

    python tests/bench/newcomers.py [SECONDS] [GAME …]

A row of the table printed is a command on a game of `tests/bench/games/newcomers`: its exit status, its seconds by the
clock and of processor time, and the first line of what it found or said. Right is status 0, or 4 with something found: the
script ends with 1 if a row is otherwise.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import NamedTuple

GAMES = Path(__file__).parent / "games" / "newcomers"
COMMANDS = ("check", "report", "page")


class Row(NamedTuple):
    """A command on a game, and what came of it."""

    game: str
    command: str
    status: int
    seconds: float
    processor: float
    found: str

    @property
    def is_right(self) -> bool:
        """True if the work was done, or stopped with something found."""
        return self.status in (0, 4) and not self.found.startswith("stopped")


def run(command: str, game: Path, limit: float) -> Row:
    """Run the command in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        more = ["-o", str(page)] if command == "page" else []
        line = [sys.executable, "-m", "gdl", command, str(game), "--time", f"{limit:g}", *more]
        begun, before = monotonic(), _children()
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        seconds, processor = monotonic() - begun, _children() - before
        told = f"a page of {page.stat().st_size:,} bytes" if page.is_file() else (done.stdout or done.stderr).strip()
    return Row(game.stem, command, done.returncode, seconds, processor, told.partition("\n")[0])


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(*given: str) -> int:
    """Print the table; the exit status is 1 if a row is not right."""
    limit, names = float(given[0]) if given else 10.0, given[1:]
    rows = [
        run(command, game, limit)
        for game in sorted(GAMES.glob("*.game"))
        if not names or game.stem in names
        for command in COMMANDS
    ]
    print(f"--time {limit:g}\n\n| game | command | status | wall s | cpu s | found |\n|---|---|---|---|---|---|")
    for row in rows:
        right = "" if row.is_right else "WRONG: "
        print(f"| {row.game} | {row.command} | {row.status} | {row.seconds:.1f} | {row.processor:.1f} ", end="")
        print(f"| {right}{row.found.replace('|', '/')[:90]} |")
    return int(not all(row.is_right for row in rows))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Does `gdl verify` take longer than `gdl solve` did? Every shipped game, in seconds of processor time.

    python tests/bench/verify_time.py [GAME …] [--time 10] [--write]

Each game is solved by the default solver, and its answer is checked. The clocks of gdl are those of processor time, so
nothing depends on how busy the machine is. A run is a child of this process, which has imported everything: the time to
start Python is not counted; reading the game, finding its traits and compiling it are, in both. Exit status 1 if a
check took longer than GRACE above the search. (This needs a system that can fork.)
"""

from __future__ import annotations

import argparse
import json
import os
import pkgutil
import sys
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

time.monotonic = time.process_time  # before anything takes it from there

import gdl  # noqa: E402
import gdl.solvers  # noqa: E402
from gdl.commands import cli  # noqa: E402
from gdl.errors import Refusal  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "verify_time.md"
GRACE = 0.05  # seconds above the search that are less than what two runs of the same differ by


def import_everything() -> None:
    """Import all that commands import on demand, so that no run is charged with it."""
    for found in pkgutil.walk_packages(gdl.__path__, "gdl."):
        if not found.name.endswith("__main__"):
            with suppress(ImportError, Refusal):
                import_module(found.name)
    for name in ("networkx", "wasmtime"):
        import_module(name)


def seconds(words: list[str], output: Path) -> tuple[float, int]:
    """The seconds that a command takes, and its exit status."""
    child = os.fork()
    if not child:
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.argv = ["gdl", *words]
        status = 70
        try:
            cli.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        finally:
            sys.stdout.flush()
            os._exit(status)
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status)


def row(game: str, limit: float, place: Path) -> tuple[str, float, float]:
    """A line of the table, and what both took."""
    answer, verdict = place / "answer.json", place / "verdict.json"
    searched, ended = seconds(["solve", game, "--json", "--time", f"{limit:g}"], answer)
    if ended not in (0, 4):
        return f"| {game} | {searched:.2f} | | no answer |", searched, 0.0
    checked, _ = min(
        seconds(["verify", game, str(answer), "--json", "--time", f"{limit:g}"], verdict) for _ in range(2)
    )
    said = json.loads(verdict.read_text()).get("verdict", "")
    return f"| {game} | {searched:.2f} | {checked:.2f} | {said} |", searched, checked


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    import_everything()
    lines, slower = [], []
    with tempfile.TemporaryDirectory() as folder:
        for game in asked.games or gdl.shipped():
            line, searched, checked = row(game, asked.time, Path(folder))
            slower += [game] if checked > searched + GRACE else []
            lines.append(line)
            print(line, flush=True)
    head = [
        f"# The verifier beside the search: {len(lines)} games with `--time {asked.time:g}`",
        "",
        "Made by `python tests/bench/verify_time.py --write`: seconds of processor time, without the start of Python.",
        f"Longer than the search: {', '.join(slower) or 'none'}.",
        "",
        "| game | solve | verify | verdict |",
        "|---|---|---|---|",
    ]
    if asked.write:
        RESULTS.write_text("\n".join([*head, *lines, ""]))
    print(*head[3:4])
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())

"""gdl beside hand-written C, OpenSpiel, python-chess, easyAI and its own interpreter.

    python tests/bench/peers.py [--rounds N] [--seconds S] [--slow] [WORD …]

Prints for each piece of work how many times as fast as each of the others gdl is: ratios of processor time for a unit,
from medians of interleaved runs of about S seconds. Rows whose name holds one of the words are run, all without. Exact
answers must be the same, estimates as close as chance allows, else the row says that the games differ.

C needs gcc. The peers are looked for in the Python of GDL_BENCH_PYTHON, else in this one:

    python -m venv peers && peers/bin/pip install open_spiel chess easyAI
    GDL_BENCH_PYTHON=peers/bin/python python tests/bench/peers.py

Steps, trees and batches beside OpenSpiel, PettingZoo and pgx are measured by `gdl bench peers`. `--slow` adds those
that take minutes, each run once.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from math import sqrt
from statistics import median
from typing import Any

from contestants import Contestant, Missing, Run, run
from rows import ROWS, Row

PEERS = ("open_spiel", "chess", "easyAI", "numpy", "torch")
SIGMAS = 5.0  # how far apart two estimates of the same may lie, in standard errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--slow", action="store_true")
    asked = parser.parse_args()
    print(versions())
    print(f"{'':34} {'gdl':>11}  {'beside':13}{'':>11} {'ratio':>7} {'asked':>6}  the same game?")
    for row in ROWS:
        if not asked.words or any(word in row.name for word in asked.words):
            show(row, asked.rounds, asked.seconds, asked.slow)


def show(row: Row, rounds: int, seconds: float, slow: bool) -> None:
    """Run a row and print its lines."""
    runs: dict[str, list[Run]] = {}
    missing = {other.name: "takes minutes: --slow" for other, _ in row.others if other.slow and not slow}
    ready: list[Contestant] = []
    for one in (row.ours, *(other for other, _ in row.others if other.name not in missing)):
        try:
            if one.slow:
                runs[one.name] = [run(one, 1)]
            else:
                ready.append(one.sized(seconds))
        except Missing as why:
            missing[one.name] = str(why)
        if row.ours.name in missing:
            print(f"{row.name:34} not there yet: {missing[row.ours.name]}", flush=True)
            return
    for number in range(rounds):
        for one in ready:
            runs.setdefault(one.name, []).append(run(one, number + 1))
    mine = runs[row.ours.name]
    print(f"{row.name:34} {pace(mine, row.unit)}  {aside(mine)}", flush=True)
    for other, ratio in row.others:
        if other.name in runs:
            print(beside(row, mine, other.name, runs[other.name], ratio), flush=True)
        else:
            print(f"{'':46}  {other.name:13}  {missing[other.name]}", flush=True)


def beside(row: Row, mine: list[Run], name: str, theirs: list[Run], asked: float | None) -> str:
    """The line about one of the others."""
    found = a_unit(theirs) / a_unit(mine)
    wanted = "" if asked is None else f"{asked:.3g}"
    mark = "" if asked is None or found >= asked else " short"
    told = [compared(fact, mine, theirs) for fact in row.same if all(fact in r.found for r in (*mine, *theirs))]
    return f"{'':46}  {name:13}{pace(theirs, row.unit)} {found:7.3g} {wanted:>6}{mark}  {'; '.join(told)}"


def a_unit(runs: list[Run]) -> float:
    """The median of the seconds for a unit."""
    return median(one.seconds / one.units for one in runs)


def pace(runs: list[Run], unit: str) -> str:
    """How fast, in words: many units a second, or the seconds for one."""
    seconds = a_unit(runs)
    if seconds > 0.01:
        return f"{seconds:9.3f} s"
    rate = 1 / seconds
    return f"{rate / 1e6:8.2f} M/s" if rate >= 1e6 else f"{rate / 1e3:8.1f} k/s"


def aside(runs: list[Run]) -> str:
    """The other figures of our runs, as a sentence."""
    start, peak = median(one.start for one in runs), max(one.peak for one in runs)
    return f"(start {start:.2f} s, at most {peak:.0f} MiB)" if start else f"(at most {peak:.0f} MiB)"


def compared(name: str, mine: list[Run], theirs: list[Run]) -> str:
    """True if both programs found the same result, exactly or as nearly as chance allows."""
    (ours, our_plays), (other, their_plays) = pooled(name, mine), pooled(name, theirs)
    far = 0.0
    if our_plays:
        spread = max(one.found.get("spread", 1.0) for one in mine) if name == "value" else max(ours, 1.0)
        far = SIGMAS * spread * sqrt(1 / our_plays + 1 / their_plays)
    same = abs(ours - other) <= (far or 1e-4)
    return f"{name} {ours:.6g} {('~' if far else '=') if same else 'is not'} {other:.6g}" + ("" if same else " DIFFERS")


def pooled(name: str, runs: list[Run]) -> tuple[float, int]:
    """The mean of all runs, and the plays behind it; 0 where it is exact."""
    found: list[Any] = [one.found[name] for one in runs]
    if isinstance(found[0], dict):  # by player
        return float(next(iter(found[0].values()))), 0
    if not isinstance(found[0], list):
        return float(found[0]), 0
    plays = sum(count for _, count in found)
    return sum(mean * count for mean, count in found) / plays, plays


def versions() -> str:
    """The versions of the programs compared, and the machine."""
    told = [f"Python {platform.python_version()}", *installed(("wasmtime",))]
    other = os.environ.get("GDL_BENCH_PYTHON")
    if other:
        told.append(subprocess.run([other, __file__, "--versions"], capture_output=True, text=True).stdout.strip())
    else:
        told += installed(PEERS)
    try:
        gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    except FileNotFoundError:
        gcc = "no gcc"
    return ", ".join((*told, gcc, processor()))


def installed(names: tuple[str, ...]) -> list[str]:
    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return found


def processor() -> str:
    """The name of the processor, where the system tells it."""
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


if __name__ == "__main__":
    if sys.argv[1:] == ["--versions"]:
        print(", ".join(installed(PEERS)))
    else:
        main()

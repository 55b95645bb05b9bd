"""Positions of connect four where the choice matters: of how many a program keeps the value.

    python tests/bench/matches/hard.py gdl:seconds=1 --set columns=7 rows=6 --plies 12 20 --positions 30

Plays at random lead there: some action loses value, and at most two keep it. A program in C knows what each is worth
(tests/bench/c/connect_four.c, which needs gcc). The programs are written as for match.py.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from sides import Process, side

import gdl
from gdl.game import Decision

ORACLE = Path(__file__).parents[1] / "c" / "connect_four.c"
FULL = 2  # what the oracle says of a column


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="columns and rows")
    parser.add_argument("--plies", nargs=2, type=int, default=[12, 20])
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if shutil.which("gcc") is None:
        print("skipped: there is no program gcc")
        return
    settings = dict(word.split("=", 1) for word in asked.set)
    with TemporaryDirectory() as folder:
        oracle = Process([*compiled(Path(folder), settings), "values"])
        program, kept, met = side(asked.program, "connect_four", settings), 0, 0
        for play, values in hard(oracle, settings, Random(asked.seed), asked.plies):
            actions = [f"drop({n})" for n, value in enumerate(values, start=1) if value != FULL]
            own = program.move([f"drop({n})" for n in play], actions)
            loses = values[int(own[5:-1]) - 1] < max(value for value in values if value != FULL)
            met, kept = met + 1, kept + (not loses)
            if loses:
                print(f"after {' '.join(map(str, play))}: {own} loses, of {values}", flush=True)
            if met == asked.positions:
                break
        program.end()
        oracle.end()
    print(f"{asked.program}: keeps the value in {kept} of {met}")


def compiled(folder: Path, settings: dict[str, str]) -> list[str]:
    """The oracle for this size."""
    size = [f"-D{name.upper()}={settings.get(name, usual)}" for name, usual in (("columns", "7"), ("rows", "6"))]
    subprocess.run(["gcc", "-O3", "-march=native", *size, str(ORACLE), "-o", str(folder / "oracle")], check=True)
    return [str(folder / "oracle")]


def hard(oracle, settings, random, plies):  # type: ignore[no-untyped-def]
    """Plays to positions where the choice matters, with what each column is worth."""
    game = gdl.loads(*gdl.read("connect_four"), settings=settings).game
    while True:
        state, play = game.initial(), list[int]()
        length = random.randint(*plies)
        while len(play) < length and isinstance(node := game.node(state), Decision):
            action = random.choice(node.actions)
            play.append(int(action[5:-1]))
            state = game.successor(state, action)
        if not isinstance(game.node(state), Decision):
            continue
        oracle.say("".join(map(str, play)))
        values = [int(word) for word in oracle.hear().split()]
        worth = [value for value in values if value != FULL]
        if worth.count(max(worth)) < min(3, len(worth)):
            yield play, values


if __name__ == "__main__":
    main()

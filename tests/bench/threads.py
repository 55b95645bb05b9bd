"""The worth of a second thread to alpha-beta: processor time and positions of one thread and of several.

    python tests/bench/threads.py chess 7 --threads 1 2
    python tests/bench/threads.py connect_four --set rows=5 columns=5        to the ends

Where every thread has a processor, the search takes about the processor time of all, divided by their number; on a
machine with nothing else to do, the last column says so itself.
"""

from __future__ import annotations

import argparse
from time import monotonic, process_time

import gdl
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers.horizon import goes_on


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("depth", nargs="?", type=int, help="plies; without it the search goes to the ends")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="parameters of the game")
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--runs", type=int, default=3, help="by turns; the least of each counts")
    asked = parser.parse_args()
    game = gdl.loads(*gdl.read(asked.game), settings=dict(word.split("=", 1) for word in asked.set)).game
    assert isinstance(game, RulesGame)
    taken: dict[int, list[tuple[float, float, int]]] = {threads: [] for threads in asked.threads}
    for _ in range(asked.runs):
        for threads in asked.threads:
            taken[threads].append(run(game, asked.depth, threads))
    for threads, runs in taken.items():
        used, _, nodes = min(runs)
        clock = min(clock for _, clock, _ in runs)
        print(f"{threads} threads: {used:.2f} s of processors, {nodes:,} positions, {clock:.2f} s of the clock")


def run(game: RulesGame, depth: int | None, threads: int) -> tuple[float, float, int]:
    """Seconds of processors, seconds of the clock, and positions of a search with an empty table."""
    forgets = depth is not None
    search = PrincipalVariation(
        game, game.initial(), "wasm", forgets=forgets, quiescent=forgets and goes_on(game), threads=threads
    )
    used, clock = process_time(), monotonic()
    for _ in search.solve() if depth is None else search.deepen(depth):
        pass
    return process_time() - used, monotonic() - clock, search.nodes


if __name__ == "__main__":
    main()

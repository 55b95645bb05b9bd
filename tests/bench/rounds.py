"""Regrets by samples in rounds beside one search: `rounds.py GAME ITERATIONS SEEDS` prints what is left to gain.

    PYTHONPATH=. python tests/bench/rounds.py leduc 10000,100000 1,2,3

For each number of iterations: what both could gain together, the mean over the seeds, and the processor time of the
learning alone; then plies, rounds, and the bytes of a round, of what all know and of what comes of the pieces.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from statistics import mean
from time import process_time
from typing import Any

import gdl
from gdl.commands.engines import game_with_engine
from gdl.compiler.searches.rounds import K, Piecework, in_rounds
from gdl.compiler.searches.sampling import Sampling
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.mccfr import _AverageJudge, _positions


def gaps(game: Any, search: Any, targets: list[int]) -> Iterator[tuple[float, float]]:
    """What is left to gain after so many iterations, and the seconds until then."""
    judged, seconds = (
        _AverageJudge(_positions(game_with_engine(game.model, "wasm"), search, Budget(None, None, None)), search),
        0.0,
    )
    for target in targets:
        search.learn(target)
        started = process_time()
        for _ in search:
            pass
        seconds += process_time() - started
        judged.close.best = None
        yield float(sum(judged.judge().regret)), seconds


def main(name: str, targets: list[int], seeds: list[int]) -> None:
    game: Any = gdl.loads(*gdl.read(name)).game
    worker = Piecework(game, game.initial(), "wasm")
    made: dict[str, Any] = {
        "one search": lambda seed: (Sampling(game, game.initial(), "wasm", seed=seed), None),
        "in rounds": lambda seed: in_rounds(
            game, game.initial(), "wasm", lambda pieces, known: (worker.do(known, piece) for piece in pieces), seed
        ),
    }
    for title, make in made.items():
        searches = [make(seed) for seed in seeds]
        found = [list(gaps(game, search, targets)) for search, _ in searches]
        for target, column in zip(targets, zip(*found, strict=True), strict=True):
            gap, seconds = (mean(part) for part in zip(*column, strict=True))
            print(f"{name}, {title}: {target:,} iterations, {gap:.4f} left to gain, {seconds:.2f} s")
        last, rounds = searches[-1]
        print(f"{name}, {title}: {int(last.found[K.TOTAL]):,} plies, {last.sets:,} information sets")
        if rounds is not None:
            sent, told = rounds.sent // rounds.rounds, rounds.told // rounds.rounds
            print(f"{rounds.rounds} rounds, {sent:,} and {told:,} bytes in each")


if __name__ == "__main__":
    main(sys.argv[1], [*map(int, sys.argv[2].split(","))], [*map(int, sys.argv[3].split(","))])

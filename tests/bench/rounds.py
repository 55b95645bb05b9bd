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
from gdl.solvers.budget import Budget
from gdl.wings.hidden.mccfr import _AverageJudge, _positions
from gdl.wings.hidden.sampling import Sampling
from gdl.wings.tables.rounds_driver import K, Known, News, Piecework, sample_in_rounds


def gaps(game: Any, search: Any, targets: list[int]) -> Iterator[tuple[float, float]]:
    """The sum of all regrets after each number of iterations in `targets`, and the seconds until then."""
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


def bytes_in(told: Known | News) -> int:
    """The bytes of what is sent."""
    texts = sum(len(text.encode()) for text in told.texts)
    parts = told.arrays.values() if isinstance(told, Known) else (*told.tuples, *told.sets)
    return texts + sum(map(len, parts))


def main(name: str, targets: list[int], seeds: list[int]) -> None:
    game: Any = gdl.loads(*gdl.read(name)).game
    worker = Piecework(game, game.initial(), "wasm")
    sent, told = [], []

    def work(pieces: Any, known: Known) -> Iterator[News]:
        sent.append(bytes_in(known))
        told.append(0)
        for piece in pieces:
            news = worker.do(known, piece)
            told[-1] += bytes_in(news)
            yield news

    made: dict[str, Any] = {
        "one search": lambda seed: Sampling(game, game.initial(), "wasm", seed=seed),
        "in rounds": lambda seed: sample_in_rounds(game, game.initial(), "wasm", work, seed),
    }
    for title, make in made.items():
        searches = [make(seed) for seed in seeds]
        found = [list(gaps(game, search, targets)) for search in searches]
        for target, column in zip(targets, zip(*found, strict=True), strict=True):
            gap, seconds = (mean(part) for part in zip(*column, strict=True))
            print(f"{name}, {title}: {target:,} iterations, {gap:.4f} left to gain, {seconds:.2f} s")
        last = searches[-1]
        print(f"{name}, {title}: {int(last.found[K.TOTAL]):,} plies, {last.sets:,} information sets")
    rounds = len(sent)
    print(f"{rounds} rounds, {sum(sent) // rounds:,} and {sum(told) // rounds:,} bytes in each")


if __name__ == "__main__":
    main(sys.argv[1], [*map(int, sys.argv[2].split(","))], [*map(int, sys.argv[3].split(","))])

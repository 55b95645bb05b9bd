"""The speed of eight environments of one game stepped in turn, beside one: `eight_in_turn.py [GAME …]`.

The one plays at random from eight seeds, one after the other; the eight make the same moves, each of them from one
seed. Runs alternate, and the least processor time of each counts. `first` is the time of an environment's first 1,000
steps beside that of the same steps later.

What eight lose is mostly the processor's prediction of branches and its nearest cache: both are used to the position
before, which is that of another play. It is most in games whose moves are found by many conditions (chess, shogi).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from time import process_time

import gdl
from gdl.wings.programs.environment import Environment

EIGHT, RUNS, SECONDS = 8, 100, 0.01


def seconds(envs: Sequence[Environment], seeds: Sequence[int], steps: int) -> float:
    """The processor time of so many steps in each environment, from the start of a play with its seed on."""
    each = [(env, Random(seed)) for env, seed in zip(envs, seeds, strict=True)]
    for (env, _), seed in zip(each, seeds, strict=True):
        env.reset(seed)
    begun = process_time()
    for _ in range(steps):
        for env, random in each:
            while env.over:  # also where chance ends a play before anybody has chosen
                env.reset()
            legal = env.legal
            env.step(legal[int(random.random() * len(legal))])
    return process_time() - begun


def main() -> None:
    print(f"{'':24} eight  first   steps a second")
    for name in sys.argv[1:] or gdl.shipped():
        game = gdl.load(name)
        one, eight = game.environment(), [game.environment() for _ in range(EIGHT)]
        first = seconds([one], [0], 1000)
        later = min(seconds([one], [0], 1000) for _ in range(3))
        steps = max(1, int(1000 * SECONDS / later) // EIGHT)
        taken = [
            (sum(seconds([one], [seed], steps) for seed in range(EIGHT)), seconds(eight, range(EIGHT), steps))
            for _ in range(RUNS)
        ]
        alone, apart = map(min, zip(*taken, strict=True))
        print(f"{name:24} {alone / apart:5.2f} {first / later:6.2f} {EIGHT * steps / alone:12,.0f}", flush=True)


if __name__ == "__main__":
    main()

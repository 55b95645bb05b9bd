"""One equilibrium of 100x100 tables of random payoffs, by the path of Lemke and Howson, a table for each seed:
`one_equilibrium.py WHO FIRST LAST`.

WHO is gdl, whose answer is exact, or nashpy. Prints for each seed the processor time and the largest regret.
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time

SIZE = 100
MOST = 99  # of a payoff

Table = list[list[int]]


def of_gdl(first: Table, second: Table) -> object:
    from gdl.solvers.budget import Budget
    from gdl.solvers.equilibria.lemke_howson import path

    x, y = path(first, second, None, Budget())
    mine = [sum(a * q for a, q in zip(row, y, strict=True)) for row in first]
    yours = [sum(row[j] * p for row, p in zip(second, x, strict=True)) for j in range(SIZE)]
    return max(max(mine) - _mean(x, mine), max(yours) - _mean(y, yours))


def _mean(weights, values):
    return sum(p * v for p, v in zip(weights, values, strict=True))


def of_nashpy(first: Table, second: Table) -> object:
    import nashpy
    import numpy

    a, b = numpy.array(first, float), numpy.array(second, float)
    x, y = nashpy.Game(a, b).lemke_howson(initial_dropped_label=0)
    return max((a @ y).max() - x @ a @ y, (x @ b).max() - x @ b @ y)


def main() -> None:
    who, low, high = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(low, high + 1):
        random = Random(seed)
        first, second = ([[random.randint(0, MOST) for _ in range(SIZE)] for _ in range(SIZE)] for _ in range(2))
        begun = process_time()
        regret = {"gdl": of_gdl, "nashpy": of_nashpy}[who](first, second)
        print(f"seed {seed}: {process_time() - begun:.2f} s, regret {regret}", flush=True)


if __name__ == "__main__":
    main()

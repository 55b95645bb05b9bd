"""Equilibria of random tables beside other programs: `beside_solvers.py [--time S] [--write FILE] [WORD …]`.

    PYTHONPATH=. python tests/bench/beside_solvers.py --write tests/bench/results/beside_solvers.md

Each row is a table with payoffs drawn evenly from 0 to 99 (in zero-sum ones, -99 to 99), by seed. A cell says how many
equilibria a program found, and in how many seconds of the processor: gdl's way to a first one (`lemke-howson`, linear
programming, or `logit`), and all that it lists; pygambit's enummixed, lcp, gnm, logit and enumpoly; Nashpy's
Lemke-Howson from each label, and its supports; OpenSpiel's linear program; HiGHS by SciPy, on zero-sum tables alone.
`-`: not done in S seconds, or the program is not there, or is not for such tables. Every run has a process of its own,
which loads the program before its clock begins; the last row of each kind says how large a table may be. Rows whose
name holds one of the words are run, all without.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from math import ceil
from pathlib import Path
from typing import Any

from random_tables import Payoffs, apart, as_game, distinct, payoffs

TWO, ZERO, MORE = "two players", "zero-sum", "more players"
ROWS: dict[str, tuple[tuple[int, ...], ...]] = {
    TWO: ((4, 4), (8, 8), (12, 12), (16, 16), (30, 30), (60, 60)),
    ZERO: ((10, 10), (30, 30), (100, 100), (200, 200)),
    MORE: ((2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5), (10, 10, 10), (2,) * 6, (2,) * 10),
}
Shape = tuple[int, ...]


def table_of(kind: str, shape: Shape) -> Payoffs:
    """The payoffs of each cell."""
    drawn = payoffs(shape, 0)
    return {cell: [a - b, b - a] for cell, (a, b) in drawn.items()} if kind == ZERO else drawn


def timed(work: Callable[[], int], seconds: float, send: Any) -> None:
    """Send how many equilibria the work finds, and its seconds."""
    begun = time.process_time()
    most = ceil(begun + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    found = work()
    send.send((found, time.process_time() - begun))


def ours(first: bool, kind: str, shape: Shape, table: Payoffs, seconds: float, send: Any) -> None:
    import gdl

    game = as_game(shape, table)
    solver = {TWO: "lemke-howson", ZERO: "auto", MORE: "logit"}[kind] if first else "nash"
    timed(lambda: len(gdl.solve(game, solver, time=seconds).equilibria or (1,)), 2 * seconds, send)


def gambit(method: str, kind: str, shape: Shape, table: Payoffs, seconds: float, send: Any) -> None:
    import numpy
    import pygambit

    arrays = [numpy.empty(shape, dtype=int) for _ in shape]
    for cell, paid in table.items():
        for array, amount in zip(arrays, paid, strict=True):
            array[cell] = amount
    game = pygambit.Game.from_arrays(*arrays)
    solve = getattr(pygambit.nash, f"{method}_solve")
    more = {"rational": False} if method in ("enummixed", "lcp") else {}

    def work() -> int:
        found = solve(game, **more).equilibria
        return distinct([[float(one[s]) for p in game.players for s in p.strategies] for one in found])

    timed(work, seconds, send)


def nashpy(method: str, kind: str, shape: Shape, table: Payoffs, seconds: float, send: Any) -> None:
    import nashpy
    import numpy

    rows = [numpy.array([[table[i, j][p] for j in range(shape[1])] for i in range(shape[0])]) for p in (0, 1)]
    game = nashpy.Game(*rows)
    found = game.lemke_howson_enumeration if method == "lemke-howson" else game.support_enumeration
    timed(lambda: distinct([[*map(float, x), *map(float, y)] for x, y in found()]), seconds, send)


def open_spiel(method: str, kind: str, shape: Shape, table: Payoffs, seconds: float, send: Any) -> None:
    import pyspiel
    from open_spiel.python.algorithms import lp_solver

    rows = [[[table[i, j][p] for j in range(shape[1])] for i in range(shape[0])] for p in (0, 1)]
    game = pyspiel.create_matrix_game(*rows)
    timed(lambda: len(lp_solver.solve_zero_sum_matrix_game(game)[:1]), seconds, send)


def highs(method: str, kind: str, shape: Shape, table: Payoffs, seconds: float, send: Any) -> None:
    import numpy
    from scipy.optimize import linprog

    pays = numpy.array([[table[i, j][0] for j in range(shape[1])] for i in range(shape[0])], dtype=float)
    sides = numpy.hstack([-pays.T, numpy.ones((shape[1], 1))])
    bounds = [(0, None)] * shape[0] + [(None, None)]
    weights, sums = numpy.r_[numpy.zeros(shape[0]), -1.0], numpy.r_[numpy.ones(shape[0]), 0.0][None]
    timed(lambda: linprog(weights, sides, numpy.zeros(shape[1]), sums, [1.0], bounds).success + 0, seconds, send)


COLUMNS: dict[str, tuple[Callable[..., None], Any, tuple[str, ...]]] = {
    "gdl, first": (ours, True, (TWO, ZERO, MORE)),
    "gdl, all": (ours, False, (TWO, ZERO, MORE)),
    "enummixed": (gambit, "enummixed", (TWO, ZERO)),
    "lcp": (gambit, "lcp", (TWO, ZERO)),
    "gnm": (gambit, "gnm", (TWO, MORE)),
    "logit": (gambit, "logit", (TWO, MORE)),
    "enumpoly": (gambit, "enumpoly", (TWO, MORE)),
    "Nashpy, LH": (nashpy, "lemke-howson", (TWO, ZERO)),
    "Nashpy, supports": (nashpy, "supports", (TWO,)),
    "OpenSpiel": (open_spiel, "", (ZERO,)),
    "HiGHS": (highs, "", (ZERO,)),
}


def cell_text(column: str, kind: str, shape: Shape, seconds: float) -> str:
    work, method, kinds = COLUMNS[column]
    found = apart(work, method, kind, shape, table_of(kind, shape), seconds) if kind in kinds else None
    return "-" if found is None else f"{found[0]}, {found[1]:.3g}"


def versions() -> str:
    told = []
    for package in ("pygambit", "nashpy", "open_spiel", "scipy", "highspy"):
        try:
            told.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            told.append(f"{package} is not there")
    return ", ".join(told)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("words", nargs="*", metavar="WORD")
    options.add_argument("--time", type=float, default=10.0)
    options.add_argument("--write", type=Path)
    asked = options.parse_args()
    lines = [
        "# Equilibria of random tables beside other programs", "",
        f"Number found, seconds of the processor; {asked.time:g} s each (`tests/bench/beside_solvers.py`). `-`: not done",
        f"in time, not there, or not for such tables. {versions()}.", "",
        f"| table | {' | '.join(COLUMNS)} |", "|---" * (1 + len(COLUMNS)) + "|",
    ]  # fmt: skip
    for kind, shapes in ROWS.items():
        for shape in shapes:
            name = f"{kind}, {'x'.join(map(str, shape))}"
            if asked.words and not any(word in name for word in asked.words):
                continue
            lines.append(f"| {name} | {' | '.join(cell_text(one, kind, shape, asked.time) for one in COLUMNS)} |")
            print(lines[-1], flush=True)
    if asked.write:
        asked.write.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()

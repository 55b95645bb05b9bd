"""Equilibria of random tables of three and four players: `random_tables.py [--time S] [--journal FILE] [--write FILE]`.

    PYTHONPATH=. python tests/bench/random_tables.py --journal random_tables.jsonl --write tests/bench/results/random_tables.md

Ten tables each of 2x2x2, 3x3x3, 4x4x4, 5x5x5 and 3x3x3x3 with payoffs drawn evenly from 0 to 99, by seed. `gdl solve
--concept nash --time S` is counted by what it lists with regret 0 or proven to exist; the peer, pygambit's gnm_solve and
enumpoly_solve, has S seconds for each, and what both find is counted once. Equilibria of the peer nearer than 1e-4 to
one another are one. Every run has a process of its own, and all seconds are of the processor, so that it does not
matter what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import time
from collections.abc import Callable, Sequence
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import gdl
import gdl.solvers.budget as budget
import gdl.solvers.equilibria.nash as nash

SHAPES = ((2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5), (3, 3, 3, 3))
EACH = 10
NEAR = 1e-4

Payoffs = dict[tuple[int, ...], list[int]]


def payoffs(shape: Sequence[int], seed: int) -> Payoffs:
    """The payoffs of each cell of a random table."""
    dice = random.Random(f"{shape} {seed}")
    return {cell: [dice.randrange(100) for _ in shape] for cell in product(*map(range, shape))}


def as_game(shape: Sequence[int], table: Payoffs) -> Any:
    """The table as a game in strategic form."""
    names = [f"P{n}" for n in range(1, len(shape) + 1)]
    actions = [[f"{'abcdefghij'[n]}{k}" for k in range(size)] for n, size in enumerate(shape)]
    utilities = {tuple(own[k] for own, k in zip(actions, cell, strict=True)): paid for cell, paid in table.items()}
    return gdl.matrix(utilities, players=names)


def _ours(shape: Sequence[int], table: Payoffs, seconds: float, send: Any) -> None:
    for module in (budget, nash):
        module.monotonic = time.process_time  # type: ignore[attr-defined]
    begun = time.process_time()
    answer = gdl.solve(as_game(shape, table), concept="nash", time=seconds)
    send.send((len(answer.equilibria or ()), answer.solver, time.process_time() - begun))


def _peer(method: str, shape: Sequence[int], table: Payoffs, seconds: float, send: Any) -> None:
    import numpy
    import pygambit

    arrays = [numpy.empty(shape, dtype=int) for _ in shape]
    for cell, paid in table.items():
        for array, amount in zip(arrays, paid, strict=True):
            array[cell] = amount
    game = pygambit.Game.from_arrays(*arrays)
    most = ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    found = pygambit.nash.gnm_solve(game) if method == "gnm" else pygambit.nash.enumpoly_solve(game)
    send.send([[float(profile[s]) for p in game.players for s in p.strategies] for profile in found.equilibria])


def apart(work: Callable[..., None], *arguments: Any) -> Any:
    """The result that work sends from a process of its own; None where that dies, as by a limit on its time."""
    receive, send = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=work, args=(*arguments, send))
    process.start()
    send.close()
    try:
        return receive.recv()
    except EOFError:
        return None
    finally:
        process.join()


def distinct(profiles: Sequence[Sequence[float]]) -> int:
    """How many profiles there are, those near to one another as one."""
    kept: list[Sequence[float]] = []
    for profile in profiles:
        if all(max(abs(a - b) for a, b in zip(profile, other, strict=True)) > NEAR for other in kept):
            kept.append(profile)
    return len(kept)


def compare(shape: Sequence[int], seed: int, seconds: float) -> dict[str, Any]:
    """The row of one table."""
    table = payoffs(shape, seed)
    count, solver, took = apart(_ours, shape, table, seconds)
    gnm, enumpoly = (apart(_peer, method, shape, table, seconds) for method in ("gnm", "enumpoly"))
    return {
        "gdl": count, "solver": solver, "took": took, "gnm": None if gnm is None else distinct(gnm),
        "enumpoly": None if enumpoly is None else distinct(enumpoly),
        "both": distinct([*(gnm or ()), *(enumpoly or ())]),
    }  # fmt: skip


def text(rows: dict[str, dict[str, Any]], seconds: float) -> str:
    """The table of results."""
    fewer = sum(row["gdl"] < row["both"] for row in rows.values())
    lines = [
        "# Equilibria of random tables of three and four players", "",
        f"{len(rows)} tables, {seconds:g} s each (`tests/bench/random_tables.py`): gdl lists fewer than gnm and",
        f"enumpoly together in {fewer}, more in {sum(row['gdl'] > row['both'] for row in rows.values())}. "
        "(`-`: not done in time, and nothing is kept then.) Seconds are of the processor.", "",
        "| table | gdl | solver | s | gnm | enumpoly | both |", "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for name, row in rows.items():
        of = {key: "-" if row[key] is None else row[key] for key in ("gnm", "enumpoly")}
        lines.append(
            f"| {name} | {row['gdl']} | {row['solver']} | {row['took']:.1f} | {of['gnm']} | {of['enumpoly']} "
            f"| {row['both']} |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--time", type=float, default=10.0)
    options.add_argument("--journal", type=Path)
    options.add_argument("--write", type=Path)
    asked = options.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    if asked.journal and asked.journal.exists():
        rows = dict(json.loads(line) for line in asked.journal.read_text("utf-8").splitlines())
    for shape, seed in product(SHAPES, range(EACH)):
        name = f"{'x'.join(map(str, shape))}, {seed}"
        if name in rows:
            continue
        rows[name] = compare(shape, seed, asked.time)
        print(name, rows[name], flush=True)
        if asked.journal:
            with open(asked.journal, "a", encoding="utf-8") as journal:
                journal.write(json.dumps([name, rows[name]]) + "\n")
    if asked.write:
        asked.write.write_text(text(rows, asked.time), encoding="utf-8")


if __name__ == "__main__":
    main()

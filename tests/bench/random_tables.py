"""Equilibria of random tables of three and four players: `random_tables.py [--time S] [--journal FILE] [--write FILE]`.

    PYTHONPATH=. python tests/bench/random_tables.py --journal random_tables.jsonl --write tests/bench/results/random_tables.md

Ten tables each of 2x2x2, 3x3x3, 4x4x4, 5x5x5 and 3x3x3x3 with payoffs drawn evenly from 0 to 99, by seed. `gdl solve
--concept nash --time S` is counted by what it lists with regret 0 or proven to exist; the peer, pygambit's gnm_solve and
enumpoly_solve, has S seconds for each, in a process of its own, and what both find is counted once. Equilibria of the
peer nearer than 1e-4 to one another are one.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import gdl

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
    actions = [[f"{'abcd'[n]}{k}" for k in range(size)] for n, size in enumerate(shape)]
    utilities = {tuple(own[k] for own, k in zip(actions, cell, strict=True)): paid for cell, paid in table.items()}
    return gdl.matrix(utilities, players=names)


def ours(shape: Sequence[int], table: Payoffs, seconds: float) -> tuple[int, str, float]:
    """How many equilibria gdl lists, which solver found them, and after how long."""
    begun = time.process_time()
    answer = gdl.solve(as_game(shape, table), concept="nash", time=seconds)
    return len(answer.equilibria or ()), answer.solver, time.process_time() - begun


def _peer(method: str, shape: Sequence[int], table: Payoffs, send: Any) -> None:
    import numpy
    import pygambit

    arrays = [numpy.empty(shape, dtype=int) for _ in shape]
    for cell, paid in table.items():
        for array, amount in zip(arrays, paid, strict=True):
            array[cell] = amount
    game = pygambit.Game.from_arrays(*arrays)
    found = pygambit.nash.gnm_solve(game) if method == "gnm" else pygambit.nash.enumpoly_solve(game)
    send.send([[float(profile[s]) for p in game.players for s in p.strategies] for profile in found.equilibria])


def peers(method: str, shape: Sequence[int], table: Payoffs, seconds: float) -> list[list[float]] | None:
    """The profiles that a method of the peer finds; None where the time is over before."""
    receive, send = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=_peer, args=(method, shape, table, send))
    process.start()
    send.close()
    try:
        return receive.recv() if receive.poll(seconds + 2) else None  # two seconds to import it
    except EOFError:
        return None
    finally:
        process.kill()
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
    count, solver, took = ours(shape, table, seconds)
    gnm, enumpoly = (peers(method, shape, table, seconds) for method in ("gnm", "enumpoly"))
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

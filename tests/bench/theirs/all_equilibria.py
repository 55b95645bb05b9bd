"""All extreme equilibria of 10x10 tables of random payoffs, a table for each seed: `all_equilibria.py WHO TABLES`.

WHO is gdl, lrsnash (Debian's lrslib; the whole process counts, which reads a file) or Nashpy. Prints how many tables,
the processor time, and how many equilibria the first has.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

SIZE = 10
MOST = 99  # of a payoff

Table = list[list[int]]


def tables(seed: int) -> tuple[Table, Table]:
    random = Random(seed)
    first, second = ([[random.randint(0, MOST) for _ in range(SIZE)] for _ in range(SIZE)] for _ in range(2))
    return first, second


def of_gdl(first: Table, second: Table) -> int:
    from gdl.solvers.equilibria.bimatrix import extreme_equilibria

    return len(extreme_equilibria(first, second).equilibria)


def of_lrsnash(first: Table, second: Table) -> int:
    text = "\n\n".join("\n".join(" ".join(map(str, row)) for row in table) for table in (first, second))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game"
        file.write_text(f"{SIZE} {SIZE}\n\n{text}\n", encoding="utf-8")
        said = subprocess.run(["lrsnash", str(file)], capture_output=True, text=True, check=True).stdout
    return int(said.partition("Number of equilibria found:")[2].split()[0])


def of_nashpy(first: Table, second: Table) -> int:
    import nashpy
    import numpy

    return len(list(nashpy.Game(numpy.array(first), numpy.array(second)).vertex_enumeration()))


WHO: dict[str, Callable[[Table, Table], int]] = {"gdl": of_gdl, "lrsnash": of_lrsnash, "nashpy": of_nashpy}


def main(who: str, count: int) -> None:
    try:
        WHO[who]([[1, 0], [0, 1]], [[1, 0], [0, 1]]) if who != "lrsnash" else None  # what it takes to import it
        started, others = process_time(), os.times()
        found = [WHO[who](*tables(seed)) for seed in range(count)]
    except (ModuleNotFoundError, FileNotFoundError) as why:
        print(json.dumps({"missing": str(why)}))
        return
    after = os.times()
    seconds = after.children_user + after.children_system - others.children_user - others.children_system
    seconds = seconds if who == "lrsnash" else process_time() - started
    print(json.dumps({"units": count, "seconds": seconds, "first": found[0]}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

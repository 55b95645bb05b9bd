"""How time and memory grow with a game: each row for n, 2n and 4n, and the exponent between the two greatest sizes.

    python tests/bench/growth.py [WORDS …] [--kept growth.jsonl] [--write]

1. A row is a piece of work and a way to write its input for a size. WORDS choose the rows in whose names one of them is.
2. Each measurement is a process of its own, with nothing kept (GDL_CACHE empty) and compiled byte code: its processor
   time and its peak memory, as the system says when it ends. Processor time is longer on a busy machine; so are all
   sizes of a row, which are measured one after the other.
3. The exponent is that of the time, between the two greatest sizes, after the time of the least work that a process
   can do is taken off. MOST is allowed; the exit status is 1 if a row has more, or fails.

Measurements are lines of the file --kept, and what is there is not measured again; --write writes the table with all of
them to `results/growth.md`, where what stands above its first heading and below its table is kept.
"""

import argparse
import json
import math
import os
import random
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

RESULTS = Path(__file__).parent / "results" / "growth.md"
BEGINS, ENDS = "<!-- table -->\n", "<!-- end of the table -->\n"
GDL = [sys.executable, "-m", "gdl"]
MOST = 1.2
LONGEST = 400  # seconds of processor time after which a process is ended
FEWEST = 0.05  # seconds that count at least, once those of a start are taken off

Work = Callable[[int, Path], list[str]]  # writes the input of a size into a folder: the command


class Row(NamedTuple):
    name: str
    sizes: tuple[int, ...]
    unit: str
    work: Work
    before: str  # what was measured at 5a2a1b14: sizes, seconds, MiB and the greatest exponent


class Measured(NamedTuple):
    row: str
    size: int
    seconds: float
    mebibytes: int
    status: int


# ---- Games of a size ----------------------------------------------------------------------------------------------


def binary_tree(size: int) -> Iterator[str]:
    """A tree whose nodes stand on lines of their own, each indented by its depth."""
    draws, last = random.Random(1), size | 1
    yield "players MAX, MIN\ntree"
    stack = [(1, 1, "")]
    while stack:
        number, depth, label = stack.pop()
        if 2 * number + 1 <= last:
            yield " " * depth + label + ("MAX" if depth % 2 else "MIN")
            stack += [(2 * number + 1, depth + 1, "r: "), (2 * number, depth + 1, "l: ")]
        else:
            yield " " * depth + label + str(draws.randint(0, 99))


def inline_tree(size: int) -> Iterator[str]:
    """The tree on one line, in brackets."""
    draws, last = random.Random(1), size | 1
    found, stack = [], [("", 1, 1)]
    while stack:
        text, number, depth = stack.pop()
        found.append(text)
        if number == 0:
            continue
        if 2 * number + 1 <= last:
            found.append("MAX(" if depth % 2 else "MIN(")
            stack += [(")", 0, 0), (", r: ", 2 * number + 1, depth + 1), ("l: ", 2 * number, depth + 1)]
        else:
            found.append(str(draws.randint(0, 99)))
    yield "players MAX, MIN\ntree " + "".join(found)


def gambit_tree(size: int) -> Iterator[str]:
    draws, last = random.Random(1), size | 1
    yield 'EFG 2 R "T" { "A" "B" }\n""'
    stack = [(1, 0)]
    while stack:
        number, depth = stack.pop()
        if 2 * number + 1 <= last:
            yield f'p "" {depth % 2 + 1} {number} "" {{ "l" "r" }} 0'
            stack += [(2 * number + 1, depth + 1), (2 * number, depth + 1)]
        else:
            yield f't "" {number} "" {{ {draws.randint(0, 99)}, {draws.randint(0, 99)} }}'


def gambit_chain(size: int) -> Iterator[str]:
    """A centipede of so many moves."""
    yield 'EFG 2 R "T" { "A" "B" }\n""'
    for number in range(size):
        yield f'p "" {number % 2 + 1} {number + 1} "" {{ "stop" "go" }} 0'
        yield f't "" {number + 1} "" {{ {number % 5}, {number % 3} }}'
    yield f't "" {size + 1} "" {{ 1, 1 }}'


def gambit_table(size: int) -> Iterator[str]:
    """A table of about so many cells."""
    draws, side = random.Random(1), math.isqrt(size)
    actions = " ".join(f'"{number}"' for number in range(side))
    yield f'NFG 1 R "T" {{ "A" "B" }}\n{{ {{ {actions} }}\n{{ {actions} }}\n}}\n""\n'
    for _ in range(side):
        yield " ".join(str(draws.randint(0, 99)) for _ in range(2 * side))


def information_sets(size: int) -> Iterator[str]:
    """A chance node, and below it pairs of a player's nodes that look the same."""
    yield "players A, B\ntree\n  chance"
    for number in range(size):
        yield f"    o{number} 1/{size}: {'AB'[number // 2 % 2]} in s{number // 2}"
        yield f"      a: ({number % 7}, {number % 5})\n      b: ({number % 3}, {number % 11})"


def many_variables(size: int) -> Iterator[str]:
    yield "players A, B\nstate\n    n: 0..9"
    yield from (f"    v{number}: 0..3" for number in range(size))
    yield from (f"action a{number}\n    v{number} := 1\n    n := n + 1" for number in range(size))
    yield "terminal\n    n > 3 -> draw"


def many_rules(size: int) -> Iterator[str]:
    yield "players A, B\nstate\n    n: 0..9\n    v: 0..3\n    w: 0..3"
    for number in range(size):
        yield f"action a{number}\n    require v + w != {number % 7}\n    v := {number % 4}\n    n := n + 1"
    yield "terminal\n    n > 3 -> draw"


def many_definitions(size: int) -> Iterator[str]:
    yield "players A, B\nstate\n    n: 0..9\n    v: 0..3"
    yield from (f"define d{number} = (v + {number}) mod 4" for number in range(size))
    yield from (f"action a{number}\n    v := d{number}\n    n := n + 1" for number in range(size))
    yield "terminal\n    n > 3 -> draw"


def expectations(size: int) -> Iterator[str]:
    yield "players A, B\ntree A P(l: B Q(a: 3, b: 5), r: 2)"
    yield from ("expect value = 3" for _ in range(size))


# ---- Work ---------------------------------------------------------------------------------------------------------


def written(lines: Iterator[str], file: Path) -> str:
    with open(file, "w", encoding="utf-8") as text:
        text.writelines(line + "\n" for line in lines)
    return str(file)


def command(words: str, lines: Callable[[int], Iterator[str]] | None = None, ending: str = ".game") -> Work:
    """A command line with {file}, {size} and {folder} in it; `--time` is far away."""

    def work(size: int, folder: Path) -> list[str]:
        file = written(lines(size), folder / f"made{ending}") if lines else ""
        return [*GDL, *(word.format(file=file, size=size, folder=folder) for word in shlex.split(words))]

    return work


def program(text: str, lines: Callable[[int], Iterator[str]] | None = None, ending: str = ".game") -> Work:
    """A program with FILE and SIZE in it."""

    def work(size: int, folder: Path) -> list[str]:
        file = written(lines(size), folder / f"made{ending}") if lines else ""
        return [sys.executable, "-c", f"FILE, SIZE = {file!r}, {size}\n{text}"]

    return work


def verification(size: int, folder: Path) -> list[str]:
    file = written(binary_tree(size), folder / "made.game")
    with open(folder / "answer.json", "wb") as answer:
        subprocess.run([*GDL, "solve", file, "--json", "--time", "400"], stdout=answer, check=True)
    return [*GDL, "verify", file, str(folder / "answer.json")]


def verification_of_rules(size: int, folder: Path) -> list[str]:
    words = ["nim", "--set", f"heaps={size},{size},{size}", "--solver", "retrograde", "--json"]
    with open(folder / "answer.json", "wb") as answer:
        subprocess.run([*GDL, "solve", *words], stdout=answer, check=True)
    return [*GDL, "verify", "nim", str(folder / "answer.json")]


def recorded_plays(size: int, folder: Path) -> list[str]:
    file = str(folder / "plays.jsonl")
    words = ["playouts", "connect_four", "--count", str(size), "--save", file]
    subprocess.run([*GDL, *words], stdout=subprocess.DEVNULL, check=True)
    return [*GDL, "test", "connect_four", "--plays", file]


def grading(*options: str) -> Work:
    """So many students, every third with mistakes."""

    def work(size: int, folder: Path) -> list[str]:
        files = []
        for number in range(size):
            given = "A=3 B=3 C<=2 D=2 cut: c2 c3 best: a1" if number % 3 else "A=2 B=3 C=2 D=2 best: a2"
            files.append(written(iter([given]), folder / f"student{number}.txt"))
        return [*GDL, "grade", "figure_5_2", *files, *options]

    return work


def long_answer(size: int, folder: Path) -> list[str]:
    """One answer of so many words, some of which are asked for."""
    words = random.Random(1).choices(["A=3", "B", "=", "3", "cut:", "c2", "hm", "because", "<=", "2;"], k=size)
    return [*GDL, "grade", "figure_5_2", written(iter([" ".join(words)]), folder / "long.txt")]


def sheet(size: int, folder: Path) -> list[str]:
    files = [written(binary_tree(15), folder / f"tree{number}.game") for number in range(size)]
    return [*GDL, "sheet", *files, "-o", str(folder / "sheet.html"), "--key", str(folder / "key.html")]


LOADED = "import gdl\ngdl.load(FILE)"
NESTED = """
import gdl
def below(number, depth):
    if 2 * number + 1 > SIZE: return number % 97
    return (("MAX", "MIN")[depth % 2], {"l": below(2 * number, depth + 1), "r": below(2 * number + 1, depth + 1)})
print(gdl.solve(gdl.tree(below(1, 0)), solver="minimax").value)
"""
STATES = """
import gdl, gdl.graph
from gdl.errors import LimitReached
try:
    gdl.graph.state_graph(gdl.load("connect_four", settings={"columns": 5, "rows": 4}), SIZE)
except LimitReached as reached:
    print(reached)
"""
RING = """
import gdl, gdl.graph, networkx
graph = networkx.MultiDiGraph(players=["MAX", "MIN"], root=0)
for number in range(SIZE):
    graph.add_node(number, player=("MAX", "MIN")[number % 2])
    graph.add_edge(number, (7 * number + 1) % SIZE, action="far")
    graph.add_edge(number, (number + 1) % SIZE if number % 5 else SIZE, action="near")
graph.add_node(SIZE, utilities=(1, -1))
print(gdl.solve(gdl.graph.GraphGame(graph), solver="retrograde").value)
"""
LAST = (10_000, 20_000, 40_000)
ROWS = (
    Row("solve minimax, indented tree", (25_000, 50_000, 100_000), "nodes", command("solve {file} --solver minimax --time 400", binary_tree), "10k to 100k: 0.50, 0.85, 1.8, 4.3 s; 55 to 277 MiB; 1.0"),
    Row("load, indented tree", (25_000, 50_000, 100_000), "nodes", program(LOADED, binary_tree), "10k to 100k: 1.0, 2.1, 5.2, 12.6 s; 42 to 256 MiB; 1.31"),
    Row("solve auto, million nodes", (75_000, 150_000, 300_000), "nodes", command("solve {file} --time 400", binary_tree), "not measured"),
    Row("alpha-beta, indented tree", LAST, "nodes", command("solve {file} --solver alpha-beta --time 400", binary_tree), "0.5, 0.9, 2.0 s; 56 to 132 MiB; 1.20"),
    Row("retrograde, indented tree", LAST, "nodes", command("solve {file} --solver retrograde --time 400", binary_tree), "0.5, 0.9, 2.0 s; 56 to 132 MiB; 1.20"),
    Row("gdl.tree and minimax", (25_000, 50_000, 100_000), "nodes", program(NESTED), "10k to 100k: 0.16, 0.27, 0.46, 1.06 s; 26 to 95 MiB; 0.9"),
    Row("load, inline tree", LAST, "nodes", program(LOADED, inline_tree), "0.9, 1.9, 4.4 s; 47, 75, 132 MiB; 1.19"),
    Row("load, efg", (25_000, 50_000, 100_000), "nodes", program(LOADED, gambit_tree, ".efg"), "10k to 100k: 1.6, 3.6, 8.0, 20.2 s; 53 to 374 MiB; 1.16"),
    Row("solve auto, efg", (25_000, 50_000, 100_000), "nodes", command("solve {file} --time 400", gambit_tree, ".efg"), "10k to 40k: 0.9, 1.6, 3.5 s; 67, 106, 171 MiB; 1.10"),
    Row("load, nfg", (25_000, 50_000, 100_000), "cells", program(LOADED, gambit_table, ".nfg"), "10k to 100k: 0.48, 1.05, 2.1, 5.4 s; 36 to 199 MiB; 1.0"),
    Row("load, chain of moves, efg", (2_500, 5_000, 10_000), "moves", program(LOADED, gambit_chain, ".efg"), "above 100 moves refused"),
    Row("solve, chain of moves, efg", (2_500, 5_000, 10_000), "moves", command("solve {file} --time 400", gambit_chain, ".efg"), "above 100 moves refused"),
    Row("check, tree", LAST, "nodes", command("check {file} --time 400", binary_tree), "0.43, 0.75, 1.7 s; 119 MiB; 1.18"),
    Row("format, tree", LAST, "nodes", command("format {file}", binary_tree), "0.6, 1.2, 2.5 s; 188 MiB; 1.01"),
    Row("check, variables and rules", (500, 1_000, 2_000), "rules", command("check {file} --time 400", many_variables), "0.55, 1.6, 16.2 s; 64, 216, 286 MiB; 3.35"),
    Row("check, rules on 3 variables", (500, 1_000, 2_000), "rules", command("check {file} --time 400", many_rules), "1.1, 2.2, 5.1 s; 64, 100, 167 MiB; 1.20"),
    Row("check, definitions and rules", (500, 1_000, 2_000), "rules", command("check {file} --time 400", many_definitions), "0.8, 1.5, 3.5 s; 49, 70, 110 MiB; 1.18"),
    Row("load, information sets", (4_000, 8_000, 16_000), "nodes", program(LOADED, information_sets), "1.4, 2.9, 6.8 s; to 158 MiB; 1.23"),
    Row("quiz, two cuts", (20, 40, 80), "trees", command('quiz --want \"2 cuts, no ties\" --seed 1 --batch {size} --json --time 400'), "2.6, 6.5, 13.6 s; 49 to 120 MiB; 1.3"),
    Row("quiz, two cuts, same points", (20, 40, 80), "trees", command('quiz --want \"same points, 2 cuts, no ties\" --seed 1 --batch {size} --json --time 400'), "5.6, 12.4, 32.9 s; 72 to 128 MiB; 1.15"),
    Row("quiz --practice", (10, 20, 40), "trees", command("quiz --practice --seed 1 --batch {size} -o {folder}/quiz.html --time 400"), "0.55, 1.0, 1.7 s; 62 MiB; 0.8"),
    Row("grade --csv", (125, 250, 500), "students", grading("--csv"), "0.22, 0.29, 0.41 s; 32 MiB; 0.5"),
    Row("grade, text", (125, 250, 500), "students", grading(), "0.23, 0.33, 0.52 s; 32 MiB; 0.6"),
    Row("grade, long answer", (5_000, 10_000, 20_000), "words", long_answer, "not measured"),
    Row("sheet, html", (10, 20, 40), "trees", sheet, "0.20, 0.28, 0.34 s; 40 MiB; 0.3"),
    Row("draw svg", (2_000, 4_000, 8_000), "nodes", command("draw {file} -o {folder}/tree.svg", binary_tree), "500 to 8k: 0.21 to 1.1 s; 83 MiB; 0.7"),
    Row("draw html", (2_000, 4_000, 8_000), "nodes", command("draw {file} -o {folder}/tree.html", binary_tree), "500 to 8k: 0.8 to 2.4 s; 105 MiB; 0.6"),
    Row("draw tex", (2_000, 8_000, 32_000), "nodes", command("draw {file} -o {folder}/tree.tex", binary_tree), "0.5, 0.6, 1.4 s; 108 MiB; 0.8"),
    Row("draw dot", (2_000, 8_000, 32_000), "nodes", command("draw {file} -o {folder}/tree.dot", binary_tree), "0.5, 0.6, 1.4 s; 108 MiB; 0.8"),
    Row("explain", (2_000, 8_000, 32_000), "nodes", command("explain {file} --time 400", binary_tree), "0.5, 0.6, 1.4 s; 108 MiB; 0.8"),
    Row("state_graph connect four 5x4", (40_000, 80_000, 160_000), "states", program(STATES), "10k, 40k, 160k: 1.7, 5.9, 24.3 s; 85, 165, 485 MiB; 1.03"),
    Row("graph json", LAST, "nodes", command("graph {file} -o {folder}/graph.json", binary_tree), "0.7, 1.3, 2.7 s; 246 MiB; 1.09"),
    Row("graph graphml", LAST, "nodes", command("graph {file} -o {folder}/graph.graphml", binary_tree), "20k: 2.3 s; 267 MiB; 1.0"),
    Row("retrograde, GraphGame with cycles", LAST, "nodes", program(RING), "5k to 40k: 0.31, 0.55, 1.1, 1.9 s; 48 to 141 MiB; 1.05"),
    Row("retrograde, GraphGame of a million", (250_000, 500_000, 1_000_000), "nodes", program(RING), "not measured"),
    Row("retrograde, nim of heaps h³", (24, 30, 38), "h", command("solve nim --set heaps={size},{size},{size} --solver retrograde"), "four heaps of 5, 7, 9: 0.9, 3.0, 6.8 s; 101 MiB; 3.6 in h"),
    Row("verify minimax", LAST, "nodes", verification, "1.4, 2.6, 5.2 s; 73, 114, 199 MiB; 0.99"),
    Row("verify retrograde nim", (6, 8, 10), "h", verification_of_rules, "0.22, 0.27, 0.34 s; 82 MiB; below 1 in states"),
    Row("test --plays connect four", (200, 400, 800), "plays", recorded_plays, "0.6, 1.1, 2.2 s; 48 MiB; 0.99"),
    Row("test of expect lines", (125, 250, 500), "lines", command("test {file}", expectations), "0.12, 0.16, 0.18 s; 26 MiB; 0.3"),
    Row("compare minimax, alpha-beta", LAST, "nodes", command("compare {file} --solvers minimax,alpha-beta --repeats 1", binary_tree), "0.9, 1.6, 3.4 s; 134 MiB; 1.10"),
    Row("export efg", LAST, "nodes", command("export {file} -o {folder}/tree.efg", binary_tree), "0.5, 0.9, 2.0 s; 124 MiB; 1.11"),
    Row("page, rules on 3 variables", (125, 250, 500), "rules", command("page {file} -o {folder}/page.html", many_rules), "not measured"),
    Row("report connect four", (200, 400, 800), "plays", command("report connect_four --agents random --games {size} --json"), "not measured"),
)  # fmt: skip


# ---- Measuring ----------------------------------------------------------------------------------------------------


def used_by(line: list[str], folder: Path) -> tuple[float, int, int]:
    """The processor seconds, peak MiB and exit status of a process and its children. (The peak of a process is at
    least that of this one when it began it.)"""
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        line, env={**usual, "GDL_CACHE": ""}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST)),
    )  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, process.returncode


def start_of(row: Row, folder: Path) -> float:
    """The seconds of the least that a process like those of the row does."""
    line = row.work(row.sizes[0], folder)
    least = (
        [*GDL, "check", "prisoners"] if line[1] == "-m" else [sys.executable, "-c", "import gdl; gdl.load('prisoners')"]
    )
    return min(used_by(least, folder)[0] for _ in range(2))


def measure(row: Row, known: dict[tuple[str, int], Measured]) -> Iterator[Measured]:
    for size in (0, *row.sizes):  # 0 stands for a start
        if (row.name, size) in known:
            continue
        with TemporaryDirectory() as name:
            folder = Path(name)
            if size:
                line = row.work(size, folder)
                yield Measured(row.name, size, *used_by(line, folder))
            else:
                yield Measured(row.name, 0, start_of(row, folder), 0, 0)


def exponent(runs: list[Measured], start: float) -> float:
    """The exponent between the last two runs."""
    first, second = (max(FEWEST, run.seconds - start) for run in runs[-2:])
    return math.log(second / first) / math.log(runs[-1].size / runs[-2].size)


def table(known: dict[tuple[str, int], Measured]) -> tuple[str, bool]:
    """The table of all rows that were measured, as Markdown; and if all of them hold."""
    told = ["| work | sizes | seconds | peak MiB | exponent | before |", "|---|---|---|---|---|---|"]
    hold = True
    for row in ROWS:
        runs = [known[row.name, size] for size in row.sizes if (row.name, size) in known]
        if len(runs) < 2:
            continue
        grown = exponent(runs, known[row.name, 0].seconds)
        fine = (0, 1) if row.name.startswith("grade") else (0,)  # 1 if a student has something wrong
        failed = [f"{run.size:,} ends with {run.status}" for run in runs if run.status not in fine]
        if row.unit != "h":
            hold = hold and grown <= MOST
        hold = hold and not failed
        columns = (
            row.name,
            ", ".join(f"{run.size:,}" for run in runs) + f" {row.unit}",
            ", ".join(f"{run.seconds:.2f}" for run in runs),
            ", ".join(f"{run.mebibytes}" for run in runs),
            "; ".join([f"{grown:.2f}", *failed]),
            row.before,
        )
        told.append(f"| {' | '.join(columns)} |")
    return "\n".join(told) + "\n", hold


def main() -> int:
    reads = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reads.add_argument("words", nargs="*")
    reads.add_argument("--kept", type=Path, default=Path("growth.jsonl"))
    reads.add_argument("--write", action="store_true")
    asked = reads.parse_args()
    lines = asked.kept.read_text().splitlines() if asked.kept.exists() else []
    known = {(run.row, run.size): run for run in (Measured(*json.loads(line)) for line in lines)}
    chosen = [row for row in ROWS if not asked.words or any(word in row.name for word in asked.words)]
    with open(asked.kept, "a") as keeps:
        for row in chosen:
            for run in measure(row, known):
                known[run.row, run.size] = run
                print(json.dumps(run), file=keeps, flush=True)
                print(
                    f"{run.seconds:8.2f} s {run.mebibytes:6,} MiB  {run.row}: {run.size:,} ({run.status})", flush=True
                )
    made, hold = table(known)
    if asked.write:
        text = RESULTS.read_text() if RESULTS.exists() else f"# Growth\n\n{BEGINS}{ENDS}"
        RESULTS.write_text(f"{text.partition(BEGINS)[0]}{BEGINS}{made}{ENDS}{text.partition(ENDS)[2]}")
    print(made)
    return int(not hold)


if __name__ == "__main__":
    sys.exit(main())

"""Where `auto` is not exact and another solver is: `best_solver.py [--time S] [--journal FILE] [--only KIND] [FOLDER…]`.

    PYTHONPATH=.:tests/support python tests/bench/best_solver.py --time 10 --journal best.jsonl FOLDER_OF_GAMBIT

Asks all shipped games, tests/model/language, two hundred games of random rules, and what can be read in the folders
(.efg, .nfg, .kif). A game that `auto` does not settle within S seconds of processor time is given to each other solver
that accepts it and answers the same question, for as long: but for those that only estimate, and, where the compiled
engine cannot number all positions in that time, those that look at every one. Prints the games that one of these
settles; exit status 1 if there are any. What was asked already is taken from the journal, so that a run can be stopped and goes on; `--write FILE`
writes the table.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

time.monotonic = time.process_time  # limits then count processor time, however busy the machine is

import gdl  # noqa: E402
from gdl.errors import GameError, LimitReached, Refusal  # noqa: E402
from gdl.errors.deadline import Deadline  # noqa: E402
from gdl.errors.shares import NUMBERING_SHARE as SHARE  # noqa: E402
from gdl.solution import Solution  # noqa: E402
from gdl.solvers import SOLVERS, solve  # noqa: E402
from gdl.solvers.budget import Budget, SearchLimits  # noqa: E402
from gdl.solvers.cyclic.numbering import RetrogradeNumbering  # noqa: E402
from gdl.states.explore import Walk  # noqa: E402

HERE = Path(__file__).parent
RANDOM = 200  # games of random rules that can be played
BYTES = 6 << 30  # of address space, for one answer
LONGER = 20  # seconds beyond the limit after which an answer is given up
LATE = 1.0  # seconds beyond it after which an answer, however exact, is none within the time
OTHER_QUESTIONS = ("dominance", "paranoid", "belief")  # solvers whose exact answer may say nothing of the game's value
ESTIMATES = ("depth-limited", "mcts", "cfr", "mccfr")  # settle nothing that alpha-beta or others do not
SKIPPING = ("alpha-beta", "proof-number", "star1", "star2")  # need not look at every position
FOR_CHANCE = ("star1", "star2")  # alpha-beta, without its table, where there is none
WALKED = 100_000  # positions, of a game that the compiled engine does not number
SAME_QUESTION = (None, "nash", "subgame-perfect")  # concepts that a profile or a value answers


def inputs(folders: list[str]) -> Iterator[tuple[str, str, str]]:
    """Where each text is from, its name and itself."""
    root = HERE.parent.parent
    for file in sorted((root / "tests" / "model" / "language").glob("*.game")):
        yield "language", file.name, file.read_text(encoding="utf-8")
    from random_rules import written

    for seed in range(10 * RANDOM):
        yield "random", f"random_{seed}.game", written(seed)
    for folder in folders:
        for file in sorted(Path(folder).rglob("*")):
            if file.suffix in (".efg", ".nfg", ".kif") and file.is_file():
                yield Path(folder).name, str(file.relative_to(folder)), file.read_text("utf-8", errors="replace")
    for file in sorted((root / "games").glob("*.game")):
        yield "shipped", file.name, file.read_text(encoding="utf-8")


def apart(work: Any, seconds: float) -> dict[str, Any]:
    """The result of `work`, called in a process of its own with hard limits of time and memory."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        most = int(time.process_time() + seconds + LONGER)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        try:
            found = work()
        except BaseException as fault:
            found = {"fault": f"{type(fault).__name__}: {fault}"[:200]}
        os.write(writer, json.dumps(found).encode()[:60_000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"fault": "given up"}


def answered(game: Any, solver: str, seconds: float) -> dict[str, Any]:
    """True if the solver settles the game, and the seconds that it takes."""
    began = time.process_time()
    try:
        found = solve(game, solver, time=seconds)
    except LimitReached as stop:
        if not isinstance(stop.partial, Solution):
            return {"solver": solver, "exact": False, "seconds": time.process_time() - began}
        found = stop.partial
    except Refusal as refusal:
        return {"solver": solver, "exact": False, "refusal": str(refusal)[:200]}
    settled = bool(found.value or found.equilibria or found.unknowns) and (found.exact or found.rounded)
    spent = round(time.process_time() - began, 2)
    return {"solver": found.solver, "exact": settled and spent <= seconds + LATE, "seconds": spent}


def numbered(game: Any, seconds: float) -> dict[str, Any]:
    """True if the positions are too many for the solvers that look at every one: more than the compiled engine numbers
    in that time or has room for; more than WALKED where it does not take the game."""
    if game.traits.perfect_information is not True:
        return {"large": False}
    numbers = RetrogradeNumbering(game, SearchLimits(time=Deadline.starting_now(seconds / SHARE)))
    if numbers.search is not None:
        numbers.are_all()
        return {"large": not numbers.search.numbered, "states": numbers.search.states}
    budget, met = Budget(WALKED, seconds), 0
    try:
        for _ in Walk(game, None, lambda _: budget.visit()):
            met += 1
    except LimitReached:
        return {"large": True, "states": met}
    return {"large": False, "states": met}


def others(game: Any, seconds: float) -> Iterator[str]:
    """The other solvers that may settle the game."""
    large = apart(lambda: numbered(game, seconds), seconds).get("large")
    for row in SOLVERS.values():
        same = row.concept in SAME_QUESTION and row.name not in (*OTHER_QUESTIONS, *ESTIMATES)
        pays = row.name in SKIPPING if large else True
        if same and pays and row.takes(game, game.traits) and (row.name not in FOR_CHANCE or game.traits.chance):
            yield row.name


def asked(text: str, name: str, seconds: float) -> dict[str, Any]:
    """The result of `auto` on a game and, where `auto` does not settle it, the other solvers that do."""
    from gdl.compiler.compiled_engine import offer

    try:
        game = offer(gdl.loads(text, name).game, "auto")
        first = apart(lambda: answered(game, "auto", seconds), seconds)
    except (GameError, Refusal) as fault:
        return {"unread": str(fault)[:100]}
    if str(first.get("fault", "")).startswith("GameError"):
        return {"unread": first["fault"]}
    better, tried = [], []
    if not first.get("exact"):
        for name in others(game, seconds):
            found = apart(lambda name=name: answered(game, name, seconds), seconds)  # type: ignore[misc]
            tried.append(name)
            if found.get("exact"):
                better.append((name, found["seconds"]))
    return {"auto": first, "better": better, "asked": tried}


def table(rows: list[dict[str, Any]], seconds: float) -> str:
    """The table of the results' page."""
    lines = [
        "# Where `auto` is not exact and another solver is\n",
        f"Found by `tests/bench/best_solver.py --time {seconds:g}`, in processor time. Kinds that are not listed were not asked.\n",
        "| games | asked | exact by `auto` | not exact by any | another is exact |",
        "|---|---|---|---|---|",
    ]
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        exact = sum(bool(row["auto"].get("exact")) for row in own)
        better = sum(bool(row["better"]) for row in own)
        lines.append(f"| {kind} | {len(own)} | {exact} | {len(own) - exact - better} | {better} |")
    for title, wanted in (("Another is exact", True), ("Nobody is exact", False)):
        left = [row for row in rows if not row["auto"].get("exact") and bool(row["better"]) == wanted]
        lines += [f"\n## {title}\n", *(_line(row) for row in left)] if left else [f"\n## {title}\n", "None."]
    return "\n".join(lines) + "\n"


def _line(row: dict[str, Any]) -> str:
    by = row["auto"].get("solver") or row["auto"].get("fault") or "auto"
    why = f", {row['auto']['refusal'].split(';')[0]}" if "refusal" in row["auto"] else ""
    others = ", ".join(f"{name} in {seconds} s" for name, seconds in row["better"])
    return f"- {row['kind']} {row['name']}: {by}{why}{'; ' + others if others else ''}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--only", help="shipped, language, random, or the name of a folder")
    parser.add_argument("--names", nargs="*", help="of these files only")
    parser.add_argument("--again", action="store_true", help="ask anew what is not settled in the journal")
    given = parser.parse_args()
    known: dict[tuple[str, str], dict[str, Any]] = {}
    if given.journal and given.journal.exists():
        for line in given.journal.read_text().splitlines():
            row = json.loads(line)
            if not (given.again and "auto" in row and not row["auto"].get("exact")):
                known[row["kind"], row["name"]] = row
    rows: list[dict[str, Any]] = []
    for kind, name, text in inputs(given.folders):
        if given.only not in (None, kind) or (given.names is not None and name not in given.names):
            continue
        if kind == "random" and sum(row["kind"] == "random" for row in rows) == RANDOM:
            continue
        row = known.get((kind, name))
        if row is None:
            row = {"kind": kind, "name": name, **asked(text, name, given.time)}
            if given.journal:
                with given.journal.open("a") as journal:
                    journal.write(json.dumps(row) + "\n")
        if "unread" not in row:
            rows.append(row)
            if row["better"]:
                print(_line(row), flush=True)
        if given.write:
            given.write.write_text(table(rows, given.time))
    return int(any(row["better"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

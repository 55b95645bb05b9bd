"""Rulesheets of general game playing: `rulesheets.py [--journal FILE] [--write FILE] [--beside FILE …] FOLDER`.

    PYTHONPATH=.:tests/support python tests/bench/rulesheets.py --journal sheets.jsonl FOLDER

Each .kif file of the folder is loaded; one random play is held, move by move, to the second interpreter of
tests/support/clauses_evaluator.py (what is true, the legal moves of every role, whether it is over, what is paid), as
far as it comes in SAME seconds; then it is played at random for PLAYED seconds, by the engine that `gdl playouts`
takes. Every file has a process of its own, which is ended after LONGEST seconds. What is in the journal is not done
again; `--write` writes the table. All seconds are of the processor.

`--beside` takes published figures, one file for each reasoner, as gdl-perf writes them
(github.com/AlexLandau/gdl-perf, `results/*.csv`, commit 54c2f277): each line has the game with a hash of its rules, the
reasoner, its version, whether it came through, an error, the milliseconds, the moves made and the plays. A game of that
table is ours only if the hash is.
"""

from __future__ import annotations

import argparse
import base64
import json
import multiprocessing
import random
import re
import resource
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

from clauses_evaluator import ClausesEvaluator, Position

import gdl
from gdl.commands import engines
from gdl.errors import GameError, LimitReached, Refusal, limits
from gdl.game import Terminal
from gdl.wings.stanford.clauses_game import ClausesGame
from gdl.wings.stanford.clauses_model import term_text

SAME, PLAYED, LONGEST = 1.0, 0.5, 20  # seconds
DEEPEST = 200_000  # of recursion in the second interpreter


def compare(game: ClausesGame, text: str, seconds: float = SAME, seed: int = 1) -> tuple[int, str]:
    """The number of positions of a random play that were the same, and why it was left: `end`, `time`, or what
    differs."""
    other, dice, end = ClausesEvaluator(text), random.Random(seed), time.process_time() + seconds
    state, facts, same = game.initial(), other.start(), 0
    while True:
        if set(state.facts) != facts:
            return same, f"true: {sorted(map(str, set(state.facts) ^ facts))[:3]}"
        here, mine = Position(other, facts), game.position_at(state.facts)
        if here.is_over != isinstance(mine.node, Terminal):
            return same, "terminal"
        if isinstance(mine.node, Terminal):
            paid = [{str(utility)} for utility in mine.node.utilities]
            return same + 1, "end" if paid == [here.goal(role) for role in game.players] else "goal"
        legal = {role: here.legal(role) for role in other.roles}
        if {role: set(moves.values()) for role, moves in mine.legal.items()} != legal:
            return same, "legal"
        same += 1
        if time.process_time() > end:
            return same, "time"
        moves = {role: dice.choice(sorted(own, key=term_text)) for role, own in legal.items()}
        facts = here.after(moves)
        state = game.state_after(state, mine, tuple(term_text(moves[role]) for role in game.roles))


def look(file: Path) -> Iterator[dict[str, Any]]:
    """The result of each step with one file."""
    begun = time.process_time()
    try:
        game: Any = gdl.load(file)
        clauses = getattr(game, "clauses", game)
        yield {
            "loaded": time.process_time() - begun,
            "rules": clauses is not game,
            "reason": getattr(game, "reason", ""),
        }
        same, left = compare(clauses, file.read_text("utf-8", errors="replace"))
        yield {"same": same, "left": left}
        met: list[tuple[float, int]] = []  # when how many plays were done: the first is when the engine is ready

        def progress(done: int) -> None:
            met.append((time.process_time(), done))
            if met[-1][0] > met[0][0] + PLAYED:
                raise LimitReached("enough")

        begun = time.process_time()
        with suppress(LimitReached):
            engines.playouts(game, 1_000_000, 1, "auto", progress, counts=False)
        (first, few), (last, many) = met[0], met[-1]
        yield {"plays": (many - few) / (last - first) if many > few else many / (last - begun)}
    except (GameError, Refusal, LimitReached) as wrong:
        refusal = str(wrong).splitlines()[0].replace(str(file), file.name)[:160]
        yield {"wrong": refusal, "refused": time.process_time() - begun}


def _in_process(file: Path, send: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    sys.setrecursionlimit(DEEPEST)
    threading.stack_size(1 << 29)
    worker = threading.Thread(target=lambda: [send.send(step) for step in chain(look(file), [None])])
    worker.start()
    worker.join()


def row(file: Path) -> dict[str, Any]:
    """The row of one file, which may take LONGEST seconds of processor time, and ten times as long by the clock."""
    receive, send = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=_in_process, args=(file, send))
    process.start()
    send.close()
    told: dict[str, Any] = {}
    end = time.monotonic() + 10 * LONGEST
    try:
        while receive.poll(max(0.0, end - time.monotonic())):
            step = receive.recv()
            if step is None:
                return told
            told |= step
        return told | {"wrong": f"not done after {LONGEST} s"}
    except EOFError:
        process.join()
        slow = process.exitcode == -signal.SIGKILL
        return told | {"wrong": f"not done after {LONGEST} s" if slow else "the process ended"}
    finally:
        process.kill()
        process.join()


def hash_of_rules(text: str) -> str:
    """The hash by which ggp-base and gdl-perf know a rulesheet: Java's, of its text without comments."""
    lines = "".join(line.partition(";")[0] + " " for line in re.split("[\n\r]", text.rstrip("\n\r")))
    units = f"( {lines} )".encode("utf-16-be")
    found = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        found = (31 * found + (high << 8) + low) % 2**32
    return base64.urlsafe_b64encode(found.to_bytes(4, "big")).decode().rstrip("=")


def published(files: list[Path]) -> dict[str, dict[str, float]]:
    """The plays a second of each reasoner, by the hash of the rules."""
    found: dict[str, dict[str, float]] = {}
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            game, reasoner, _, passed, _, milliseconds, _, plays = line.split(";")
            if passed == "true":
                found.setdefault(game.rpartition("/")[2], {})[reasoner] = 1000 * int(plays) / int(milliseconds)
    return found


def beside(rows: dict[str, dict[str, Any]], folder: Path, files: list[Path]) -> str:
    """Our plays a second, where there are some, beside those that were published."""
    figures = published(files)
    names = list(dict.fromkeys(name for own in figures.values() for name in own))
    lines, times = [], {name: list[float]() for name in names}
    for sheet, row in rows.items():
        own = figures.get(hash_of_rules((folder / sheet).read_text("utf-8", errors="replace")))
        if own is None or not row.get("plays"):
            continue
        for name, speed in own.items():
            if speed:
                times[name].append(row["plays"] / speed)
        lines.append(
            f"| {sheet} | {row['plays']:.3g} | " + " | ".join(f"{own[n]:.3g}" if n in own else "" for n in names) + " |"
        )
    head = [
        "| | gdl | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names),
        "| rulesheets that both play | | " + " | ".join(str(len(times[n])) for n in names) + " |",
        "| gdl is faster in | | " + " | ".join(str(sum(t > 1 for t in times[n])) for n in names) + " |",
        "| median of gdl's speed by theirs | | " + " | ".join(f"{median(times[n] or [0]):.3g}" for n in names) + " |",
    ]  # fmt: skip
    return "\n".join([*head, *lines, ""])


def table(rows: dict[str, dict[str, Any]], total: int) -> str:
    """The counts, and a row for each file."""
    left = Counter(row.get("left", "not compared") for row in rows.values())
    same = sum(row.get("same", 0) for row in rows.values())
    lines = [
        "# Rulesheets of the public repository of general game playing", "",
        f"{len(rows)} of {total} files, {sum('wrong' not in row for row in rows.values())} played, "
        f"{sum(row.get('rules', False) for row in rows.values())} by rules on the compiled engine; "
        f"{same:,} positions held to the second interpreter: "
        + ", ".join(f"{count} {why}" for why, count in left.most_common()) + ". (`end`: a whole play was the same; "
        "`time`: all that was compared in time.) The engine's own start counts into what is not done.", "",
        "| file | loaded, s of the processor | by | same positions | plays a second |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for name, row in rows.items():
        by = "rules" if row.get("rules") else row.get("reason", "")
        plays = f"{row['plays']:.3g}" if "plays" in row else row["wrong"].replace("|", "/")
        compared = f"{row['same']}, {row['left']}" if "left" in row else ""
        lines.append(f"| {name} | {row.get('loaded', 0):.2f} | {by} | {compared} | {plays} |")
    return "\n".join([*lines, ""])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--journal", type=Path)
    options.add_argument("--write", type=Path)
    options.add_argument("--every", type=int, default=1, help="take every Nth file only")
    options.add_argument("--beside", type=Path, nargs="*", default=[])
    options.add_argument("folder", type=Path)
    asked = options.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    if asked.journal and asked.journal.exists():
        rows = dict(json.loads(line) for line in asked.journal.read_text("utf-8").splitlines())
    files = sorted(asked.folder.rglob("*.kif"))
    for file in files[:: asked.every]:
        name = str(file.relative_to(asked.folder))
        if name in rows or file.stat().st_size > limits.SOURCE:
            continue
        rows[name] = row(file)
        print(name, rows[name], flush=True)
        if asked.journal:
            with open(asked.journal, "a", encoding="utf-8") as journal:
                journal.write(json.dumps([name, rows[name]]) + "\n")
    if asked.write:
        tables = [table(rows, len(files)), *([beside(rows, asked.folder, asked.beside)] if asked.beside else [])]
        asked.write.write_text("\n".join(tables), encoding="utf-8")


if __name__ == "__main__":
    main()

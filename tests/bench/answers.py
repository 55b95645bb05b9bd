"""Every solver's answer to every shipped game and every game file of the tests, so that two states of gdl can be
compared: a change of structure must leave every byte of them but the words.

    python tests/bench/answers.py write ANSWERS.jsonl [--files GLOB …] [--solvers NAME …] [--nodes 2000]
        [--seconds 20] [--jobs 2]
    python tests/bench/answers.py compare BEFORE.jsonl AFTER.jsonl

`write` goes on where an earlier run was stopped. It asks the gdl that Python imports, so another state is asked by
`PYTHONPATH=OTHER_CHECKOUT`, while the files are those beside this bench. Each file has a process of its own, forked
before anything is compiled; each answer may take so many seconds of processor time. The work is limited by nodes,
never by time, so that the same bytes are due. `compare` prints each answer that differs and exits with 1 if there are
any; one that was ended for its time, before or after, is counted and not compared.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from gdl.commands.cli import commands
from gdl.solvers import SOLVERS

ROOT = Path(__file__).parents[2]
GAME_FILES = ("games/*.game", "tests/**/*.game")
CLOSED = ("tests/checker/errors", "tests/commands/runaway", "tests/bench/games")  # no games, or none that end
WORDS = {"reason", "notes", "message", "help"}  # keys whose text may be worded anew
OPTIONS = {  # for solvers that count their work in something else than nodes
    "mcts": ["--simulations", "200"],
    "cfr": ["--iterations", "20"],
    "mccfr": ["--iterations", "100"],
    "depth-limited": ["--depth", "3"],
}


def game_files(patterns: list[str]) -> list[str]:
    """The game files, by their paths from the root of the checkout."""
    paths = sorted({path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)})
    return [path for path in paths if not path.startswith(CLOSED)]


def answer(path: str, solver: str, nodes: int) -> dict[str, Any]:
    """The exit status of `gdl solve --json` and its object, without the words."""
    how = [] if solver == "auto" else ["--solver", solver]
    limit = OPTIONS.get(solver, ["--nodes", str(nodes)])
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    status = 0
    with redirect_stdout(out), redirect_stderr(io.TextIOWrapper(io.BytesIO(), "utf-8")):
        try:
            commands(["solve", str(ROOT / path), "--json", *how, *limit], prog_name="gdl")
        except SystemExit as end:
            status = int(end.code or 0)
        out.flush()
        text = out.buffer.getvalue().decode()
    return {"status": status, "answer": without_words(json.loads(text)) if text else None}


def without_words(value: Any) -> Any:
    """A JSON value without the keys that hold prose, and without the path of the file."""
    if isinstance(value, dict):
        return {key: without_words(held) for key, held in value.items() if key not in WORDS and key != "file"}
    return [without_words(held) for held in value] if isinstance(value, list) else value


def answers(path: str, solvers: list[str], nodes: int, seconds: int) -> Iterator[dict[str, Any]]:
    """The answers of these solvers to one file, from forked processes: a new one after each that took too long."""
    left = list(solvers)
    while left:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer_all(path, left, nodes, seconds, writer)
        os.close(writer)
        with os.fdopen(reader) as lines:
            for line in lines:
                yield {"file": path, "solver": left.pop(0), **json.loads(line)}
        _, status = os.waitpid(child, 0)
        if left:
            yield {"file": path, "solver": left.pop(0), "status": f"ended by {status}", "answer": None}


def _answer_all(path: str, solvers: list[str], nodes: int, seconds: int, writer: int) -> None:
    """The work of the child: a line of JSON for each solver, then the end of the process."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    with os.fdopen(writer, "w", buffering=1) as lines:
        for solver in solvers:
            used = resource.getrusage(resource.RUSAGE_SELF)
            due = int(used.ru_utime + used.ru_stime) + seconds
            resource.setrlimit(resource.RLIMIT_CPU, (due, resource.RLIM_INFINITY))
            lines.write(json.dumps(answer(path, solver, nodes)) + "\n")
    os._exit(0)


def write(out: Path, files: list[str], solvers: list[str], nodes: int, seconds: int, jobs: int) -> None:
    known = {(row["file"], row["solver"]) for row in read(out)} if out.exists() else set()
    todo = [(path, [name for name in solvers if (path, name) not in known]) for path in files]
    with out.open("a") as lines, get_context("fork").Pool(jobs) as pool:
        for rows in pool.imap(partial(_rows, nodes=nodes, seconds=seconds), [case for case in todo if case[1]]):
            lines.writelines(json.dumps(row) + "\n" for row in rows)
            lines.flush()


def _rows(case: tuple[str, list[str]], nodes: int, seconds: int) -> list[dict[str, Any]]:
    return list(answers(*case, nodes, seconds))


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def compare(before: Path, after: Path) -> int:
    """The number of answers that differ, each printed with the keys that do."""
    old = {(row["file"], row["solver"]): row for row in read(before)}
    new = {(row["file"], row["solver"]): row for row in read(after)}
    differing = unfinished = 0
    for key in sorted(old.keys() | new.keys()):
        first, second = old.get(key), new.get(key)
        if any(row is not None and _is_unfinished(row) for row in (first, second)):
            unfinished += 1
        elif json.dumps(first) != json.dumps(second):  # the order of keys counts
            differing += 1
            print(*key, _difference(first, second))
    print(f"{len(old)} answers before, {len(new)} after: {differing} differ, {unfinished} unfinished")
    return differing


def _is_unfinished(row: dict[str, Any]) -> bool:
    """True if the process was ended because its time was over."""
    return isinstance(row["status"], str)


def _difference(first: dict[str, Any] | None, second: dict[str, Any] | None) -> str:
    if first is None or second is None:
        return "missing " + ("before" if first is None else "after")
    if first["status"] != second["status"]:
        return f"status {first['status']} -> {second['status']}"
    old, new = first["answer"] or {}, second["answer"] or {}
    keys = [key for key in {**old, **new} if json.dumps(old.get(key)) != json.dumps(new.get(key))]
    if not keys:
        return f"order of keys: {', '.join(old)} -> {', '.join(new)}"
    return ", ".join(f"{key}: {json.dumps(old.get(key))[:60]} -> {json.dumps(new.get(key))[:60]}" for key in keys)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    writing = tasks.add_parser("write")
    writing.add_argument("out", type=Path)
    writing.add_argument("--files", nargs="*", default=list(GAME_FILES))
    writing.add_argument("--solvers", nargs="*", default=["auto", *SOLVERS])
    writing.add_argument("--nodes", type=int, default=2_000)
    writing.add_argument("--seconds", type=int, default=20)
    writing.add_argument("--jobs", type=int, default=2)
    comparing = tasks.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = parser.parse_args()
    if given.task == "compare":
        return min(compare(given.before, given.after), 1)
    write(given.out, game_files(given.files), given.solvers, given.nodes, given.seconds, given.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())

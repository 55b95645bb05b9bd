"""A student's program run on a game: each run is a process of its own with limits, which asks for the game line by
line, so that what it looks at is known."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path as FilePath
from threading import Timer
from typing import IO, Any, NamedTuple

from gdl.errors import Refusal, clean, count_text
from gdl.explain.names import Names
from gdl.game import Chance, Decision, Game, Number
from gdl.numbers import read_number
from gdl.processes import python_command
from gdl.solution import Path

MEMORY = 2**30  # bytes that a program may take
_LONGEST = 2**16  # bytes of a question
_PROCESS = str(FilePath(__file__).with_name("student_process.py"))


class ProgramRun(NamedTuple):
    """A run of a program: the values of the players (None: it gave none) or one of them alone, the action, the nodes
    that it looked at and the leaves in order, its seconds and bytes, why it failed ("": it did not), and what the
    system kept from it."""

    values: Sequence[Number] | None
    action: str | None
    visited: Sequence[Path]
    leaves: Sequence[Path]
    seconds: float
    memory: int
    failure: str
    guards: Sequence[str]


class _Questions:
    """Answers a program's questions about a game, and keeps what it looked at. States are numbers to it."""

    def __init__(self, game: Game[Any], names: Names):
        self.game, self.names = game, names
        self.paths: list[Path] = [()]
        self.visited: dict[Path, None] = {}
        self.leaves: dict[Path, None] = {}
        self.told: dict[str, Any] = {}

    def answer(self, line: bytes) -> Mapping[str, Any]:
        """The answer to a question; `wrong` with the reason for one that cannot be answered."""
        try:
            word, *about = json.loads(line)
            if word in _TOLD:
                return {"right": self.told.setdefault(word, about[0])}
            return {"right": _QUESTIONS[word](self, *about)}
        except (ValueError, TypeError, LookupError, RecursionError) as wrong:
            return {"wrong": str(wrong)}

    def node(self, state: int) -> tuple[str, Any]:
        path = self.paths[state]
        self.visited[path] = None
        node: Any = self.names.nodes.node_at(path).node
        if isinstance(node, Decision):
            return "Decision", (node.player, node.actions)
        if isinstance(node, Chance):
            return "Chance", [(action, str(weight)) for action, weight in node.outcomes]
        self.leaves[path] = None
        return "Terminal", list(map(str, node.utilities))

    def successor(self, state: int, action: str) -> int:
        for child in self.names.nodes.children(self.paths[state]):
            if self.names.nodes.node_at(child).action == action:
                self.paths.append(child)
                return len(self.paths) - 1
        raise ValueError(f"there is no action '{action}' here")

    def evaluate(self, state: int) -> list[str]:
        path = self.paths[state]
        self.visited[path] = self.leaves[path] = None
        found = self.game.evaluate(self.names.nodes.node_at(path).state)
        if found is None:
            raise ValueError("this game has no estimates")
        return list(map(str, found))


_TOLD = ("guards", "answer", "failure")
_QUESTIONS: Mapping[str, Callable[..., Any]] = {
    "node": _Questions.node, "successor": _Questions.successor, "evaluate": _Questions.evaluate,
}  # fmt: skip


def run_program(program: str, game: Game[Any], names: Names, depth: int | None, seconds: int) -> ProgramRun:
    """The run of the program `FILE.py` or `FILE.py:NAME` on a game; it is stopped after some seconds."""
    if not hasattr(os, "wait4"):
        raise Refusal("a program is graded where its process can be limited: on Linux and macOS")
    file, colon, name = program.rpartition(":")
    file, name = (file, name) if colon else (program, "")
    given = {"players": game.players, "depth": depth, "seconds": seconds + 1, "memory": MEMORY}
    words = python_command(_PROCESS, os.path.abspath(file), name, json.dumps(given))
    questions, pipe = _Questions(game, names), subprocess.PIPE
    alone = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # numpy, without threads
    around = {"PYTHONHASHSEED": "0", "PATH": os.defpath, **alone}
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=around,
                          start_new_session=True) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        timer = Timer(seconds, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        try:
            _answer_all(process.stdout, process.stdin, questions)
        finally:
            late = timer.finished.is_set()
            timer.cancel()
            os.killpg(process.pid, signal.SIGKILL)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            with suppress(OSError):  # an answer that the program did not hear
                process.stdin.close()
    told = questions.told
    values, action = _read_answer(told.get("answer"))
    failure = clean(str(told.get("failure", ""))[:300])
    if late or process.returncode == -signal.SIGXCPU:
        failure = f"it was stopped after {count_text(seconds, 'second')}"
    elif not failure and values is None and action is None:
        failure = "it ended without an answer" if "answer" not in told else "its answer is no value and no action"
    spent, seen = used.ru_utime + used.ru_stime, (list(questions.visited), list(questions.leaves))
    return ProgramRun(values, action, *seen, spent, used.ru_maxrss * 1024, failure, told.get("guards", ()))


def _answer_all(asked: IO[bytes], told: IO[bytes], questions: _Questions) -> None:
    """Answer the questions of a process until it has told its end, or is gone."""
    with suppress(OSError):
        while not {"answer", "failure"} & questions.told.keys() and (line := asked.readline(_LONGEST)):
            told.write(json.dumps(questions.answer(line)).encode() + b"\n")
            told.flush()


def _read_answer(answer: Any) -> tuple[Sequence[Number] | None, str | None]:
    """The value and the action in an answer: a number, one for each player, an action, or a value (empty: it is no
    number) and an action."""
    try:
        if isinstance(answer, list) and len(answer) == 2 and isinstance(answer[1], str):
            return () if (values := _read_answer(answer[0])[0]) is None and answer[0] is not None else values, answer[1]
        if isinstance(answer, str):
            return None, answer
        amounts = answer if isinstance(answer, list) else [answer]
        return [read_number(str(one["number"])) for one in amounts], None
    except (TypeError, KeyError, ValueError):
        return None, None

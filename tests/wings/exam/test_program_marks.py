"""A student's program is graded against the textbook's run, in a process that can do no harm."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exam_answers import FOLDER, of_kind

import gdl
from gdl.commands.cli import commands

SEARCH = """from gdl.game import Terminal

def search(game):
    def value(state, a, b):
        node = game.node(state)
        if isinstance(node, Terminal):
            return node.utilities[0], None
        best, chosen = None, None
        for action in node.actions:
            found, _ = value(game.successor(state, action), a, b)
            if best is None or (found > best if node.player == 0 else found < best):
                best, chosen = found, action
            if node.player == 0:
                a = max(a, best)
            else:
                b = min(b, best)
            if a >= b:
                break
        return best, chosen
    return value(game.initial(), float("-inf"), float("inf"))
"""
BERKELEY = """import random, util
from util import manhattanDistance
from game import Agent, Directions
from pacman import GameState

def scoreEvaluationFunction(state):
    return state.getScore()

class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index, self.depth = 0, int(depth)
        self.evaluationFunction = util.lookup(evalFn, globals())

class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        def value(state, agent, depth, a, b):
            if depth == self.depth or state.isWin() or state.isLose():
                return self.evaluationFunction(state), None
            best, chosen, after = None, None, (agent + 1) % state.getNumAgents()
            for action in state.getLegalActions(agent):
                found, _ = value(state.generateSuccessor(agent, action), after, depth + (after == 0), a, b)
                if best is None or (found > best if agent == 0 else found < best):
                    best, chosen = found, action
                if best > b if agent == 0 else best < a:
                    break
                a, b = (max(a, best), b) if agent == 0 else (a, min(b, best))
            return best, chosen
        return value(gameState, 0, 0, float("-inf"), float("inf"))[1]
"""
MINIMAX = SEARCH.replace("if a >= b:", "if False:")


def grade(folder: Path, program: str, *words: str) -> Any:
    (folder / "mine.py").write_text(program)
    return CliRunner().invoke(commands, ["grade", "--program", f"{folder}/mine.py", *words])


def test_a_right_search_gets_all_points(tmp_path: Path) -> None:
    done = grade(tmp_path, SEARCH, "figure_5_2", "--results", f"{tmp_path}/results.json")
    assert done.exit_code == 0 and done.stdout.startswith("figure_5_2: 5 of 5 (")
    told = json.loads((tmp_path / "results.json").read_text())
    assert told["score"] == 5 and [test["name"] for test in told["tests"]][:2] == [
        "figure_5_2: value",
        "figure_5_2: move",
    ]
    assert {test["status"] for test in told["tests"]} == {"passed"}


def test_what_differs_is_told(tmp_path: Path) -> None:
    done = grade(tmp_path, MINIMAX, "figure_5_2")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[1:4] == ["  leaves: number 5 is c2, right is d1", "  nodes: 13, right is 11",
                                             "  cuts: c2 is to be skipped"]  # fmt: skip
    assert grade(tmp_path, MINIMAX, "figure_5_2", "--solver", "minimax").stdout.startswith("figure_5_2: 4 of 4")
    no_number = grade(tmp_path, "def search(game):\n    return float('nan'), 'a1'\n", "figure_5_2")
    assert no_number.stdout.splitlines()[1] == "  value: no number is wrong, right is 3"
    wrong = grade(tmp_path, "def search(game):\n    return 4, 'a2'\n", "figure_5_2").stdout.splitlines()
    assert wrong[1:4] == ["  value: 4 is wrong, right is 3", "  move: a2, right is a1",
                          "  leaves: number 1 is none, right is b1"]  # fmt: skip


def test_a_file_of_berkeleys_project_gets_all_points_on_its_own_tests(tmp_path: Path) -> None:
    games = [f"{FOLDER}/{name}.game" for name in of_kind("alphabeta") if "cs188proj-3-one-ghost" in name]
    done = grade(tmp_path, BERKELEY, "figure_5_2", *games, "--cut", "gt")
    assert done.exit_code == 0 and f"{4 + 4 * len(games)} of" in done.stdout and games


@pytest.mark.skipif(sys.platform != "linux", reason="these limits are Linux's")
@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("x = bytearray(4 << 30)", "line 3: MemoryError"),
        ("open('outside.txt', 'w')", "line 3: PermissionError"),
        ("os.remove(__file__)", "line 3: PermissionError"),
        ("os.mkdir('/tmp/outside')", "line 3: PermissionError"),
        ("socket.socket().connect(('127.0.0.1', 22))", "line 3: PermissionError"),
        ("os.fork()", "line 3: PermissionError"),
        ("os.execv('/bin/true', ['true'])", "line 3: PermissionError"),
        ("os.kill(os.getppid(), 9)", "line 3: PermissionError"),
        ("os.kill(os.getpid(), 0)", "line 3: PermissionError"),  # the filter forbids signals: Landlock of old does not
        ("os.chmod(__file__, 0o777)", "line 3: PermissionError"),
        ("os.utime(__file__, (0, 0))", "line 3: PermissionError"),
        ("os.setxattr(__file__, 'user.a', b'1')", "line 3: PermissionError"),
        ("os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)", "line 3: PermissionError"),
        ("resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)", "line 3: PermissionError"),
        ("open(f'/proc/{os.getppid()}/environ')", "line 3: PermissionError"),
        ("os.write(3, b'[' * 60_000 + b'\\n')\n    1 / 0", "line 4: ZeroDivisionError"),
        ("print('x' * 9_000_000)\n    1 / 0", "line 4: ZeroDivisionError"),
        ("os._exit(0)", "it ended without an answer"),
        ("return game.successor(0, 'z9')", "ValueError: there is no action 'z9' here"),
        ("return None", "its answer is no value and no action"),
        ("return {1: 2}", "its answer is no value and no action"),
    ],
)  # fmt: skip
def test_what_a_program_must_not_do_fails_and_is_told(does: str, said: str, tmp_path: Path) -> None:
    done = grade(tmp_path, f"import os, resource, socket\ndef search(game):\n    {does}\n", "figure_5_2")
    first, reason, *_ = done.stdout.splitlines()
    assert done.exit_code == 1 and first.startswith("figure_5_2: 0 of 5") and said in reason
    assert (tmp_path / "mine.py").exists() and not Path("outside.txt").exists()


@pytest.mark.parametrize(
    "does", [pytest.param("pass", marks=pytest.mark.thorough), "import os; os.write(3, b'[\"node\", 0]\\n')"]
)  # questions without end too
def test_an_endless_loop_is_stopped(does: str, tmp_path: Path) -> None:
    done = grade(tmp_path, f"def search(game):\n    while True: {does}\n", "figure_5_2", "--seconds", "1")
    assert done.exit_code == 1 and "  it was stopped after 1 second" in done.stdout


def test_a_program_may_use_numpy(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    done = grade(
        tmp_path, "import numpy\n" + SEARCH.replace("best, chosen\n", "numpy.int64(best), chosen\n"), "figure_5_2"
    )
    assert done.stdout.startswith("figure_5_2: 5 of 5"), done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["figure_5_2", "--program", "mine.txt"], "'mine.txt' is no program in Python"),
        (["figure_5_2", "--json"], "--program prints the marks of a program in words"),
        pytest.param(["nim"], "nodes is not graded", marks=pytest.mark.thorough),
    ],
)
def test_what_cannot_be_graded_is_refused(words: list[str], said: str, tmp_path: Path) -> None:
    done = grade(tmp_path, SEARCH, *words)
    assert done.exit_code in (2, 5) and said in done.stderr


def test_a_function_of_another_name_is_named(tmp_path: Path) -> None:
    done = grade(tmp_path, SEARCH.replace("def search", "def alphabeta"), "figure_5_2")
    assert "there is no 'search' in it: name what is to be run, as in --program mine.py:alphabeta" in done.stdout


def test_answers_are_asked_for_where_there_is_no_program() -> None:
    done = CliRunner().invoke(commands, ["grade", "figure_5_2"])
    assert done.exit_code == 2 and "there are no ANSWERS" in done.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("", ""), "3 of 3 in all."),
        (("1..left[h]", "1..min(left[h], 2)"), "at the start: take(3, 3) is missing, nothing is too much"),
        (("1..left[h]", "1..min(left[h], 2)"), "counts: 5 plays of length 1, right are 6"),
        (("lose mover", "win mover"), "positions: after take(1, 1) take(2, 2) take(3, 3): (1, -1) is missing"),
        (("1..left[h]", "1..min(left[h], 2)"), "value: 1, -1, right is -1, 1"),
    ],
)
def test_rules_that_a_student_wrote_are_marked_beside_the_right_ones(
    tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    rules = gdl.shipped()["nim"].read_text(encoding="utf-8").partition("variant")[0]
    for name, text in {"right": rules, "mine": rules.replace(*change)}.items():
        (tmp_path / f"{name}.game").write_text(text.replace("[1, 3, 5, 7]", "[1, 2, 3]"), encoding="utf-8")
    done = CliRunner().invoke(
        commands, ["grade", "--program", str(tmp_path / "mine.game"), str(tmp_path / "right.game")]
    )
    assert told in done.output and done.exit_code == ("3 of 3" not in told), done.output


SLOW = """players A, B
state
    n: 0..1000 = 0
define far = count a in 1..150, b in 1..150, c in 1..100: a*b*c = n
action go(k: 1..9) when far >= 0
    n := n + k
terminal
    n > 900 -> draw
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("players A, B\n", "mine.game:1:1: error: mine never ends"),
        ("", "mine.game:1:1: error: the file is empty"),
        ("players A\ntree A (a: 1, b: 2)\n", "mine has no parameter 'heaps'"),
        ("- n", "left holds a number from 0 to 3, and this play assigns -1"),
        pytest.param(SLOW, "stopped after 6 s", marks=pytest.mark.thorough),
    ],
)
def test_rules_that_are_broken_or_too_slow_have_no_marks(tmp_path: Path, text: str, told: str) -> None:
    if text == "- n":
        text = gdl.shipped()["nim"].read_text(encoding="utf-8").partition("variant")[0].replace("- n", "- n - 1")
    (tmp_path / "mine.game").write_text(text)
    sets = ["--set", "heaps=1,2,3"] if "parameter" in told or "holds" in told else ["--seconds", "1"]
    words = ["grade", "--program", str(tmp_path / "mine.game"), "nim", *sets, "--results", str(tmp_path / "out.json")]
    done = CliRunner().invoke(commands, words)
    assert told in done.output and "0 of 3 in all." in done.output and done.exit_code == 1, done.output
    assert len(json.loads((tmp_path / "out.json").read_text())["tests"]) == 3

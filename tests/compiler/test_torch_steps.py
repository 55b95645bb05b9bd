"""The steps of a net by torch: those of the kernel, to the same bytes after a stop; and what is said without it."""

from __future__ import annotations

import sys
from array import array
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from shipped import shipped

from gdl.commands.cli import commands
from gdl.commands.teaching import numbers_of
from gdl.compiler.searches import self_play
from gdl.compiler.searches.self_play import BATCH, K, SelfPlay, begun
from gdl.compiler.searches.taught import Course, Wanted

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
pytest.importorskip("wasmtime")
SMALL = {"columns": "4", "rows": "4"}
LEARN = ["learn", "connect_four", "--set", "columns=4", "--set", "rows=4", "--model", "net", "--simulations", "8"]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output


def learner(hidden: int) -> SelfPlay:
    """With three positions in its window, each seen by one view alone."""
    game = shipped("connect_four", SMALL)
    found = SelfPlay(game, game.initial(), "wasm", begun(game, game.initial(), numbers_of(game), 1, (), hidden))
    held, goals = array("i"), array("d")
    for side, row, goal in ((0, 1, 0.5), (1, 2, -0.25), (0, 0, 1.0)):
        position = array("i", [0]) * found.lessons.each
        position[K.LESSON_SIDE], position[K.LESSON_ROWS] = side, 4
        cells = K.LESSON_CELLS + len(found.net.sizes)
        position[K.LESSON_CELLS + row] = 1 + side
        for k in range(4):
            position[cells + k], position[cells + found.lessons.listed + k] = k, (k + row) % 3
        held.extend(position)
        goals.extend((goal, -goal))
    found._take(held, goals)
    return found


@needs_torch
@pytest.mark.parametrize("at", range(3))
def test_a_step_goes_where_the_kernels_goes(at: int) -> None:
    """Adam's mean after the first step is a tenth of the gradient."""
    from gdl.compiler.searches.torch_steps import Steps

    means = []
    for by_torch in (False, True):
        search = learner(24)
        module, each, players = search.module, search.lessons.each, search.net.players
        module["lesson_held"][:each] = module["lesson_held"][at * each : (at + 1) * each]
        module["lesson_goal"][:players] = module["lesson_goal"][at * players : (at + 1) * players]
        module["lesson_count"][K.LESSON_HELD], search.own[K.SELF_OWED] = 1, BATCH
        search.steps = Steps(search.lessons) if by_torch else None
        search.learn_from([], 1, 0)
        means.append([*module["lesson_mean"][: len(search.net.weight)]])
    kernel, torch = means
    assert max(map(abs, kernel)) > 0.01
    assert torch == pytest.approx(kernel, abs=1e-6)


def course(kept: Path) -> Course:
    game = shipped("connect_four", SMALL)
    numbers, wanted = numbers_of(game), Wanted("net", 48, None, 3, 8, 16, "torch")
    made, player = (Course(game, game.initial(), "wasm", wanted, kept, numbers) for _ in range(2))
    games = player.learner
    made.learner.others = lambda taught, pieces: (games.played(taught, *piece) for piece in pieces)
    return made


@needs_torch
def test_learning_that_goes_on_ends_with_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "ROUND", 16)
    monkeypatch.setattr(self_play, "GATE_GROUPS", 1)
    whole, stopped, goes_on = (course(tmp_path / "kept") for _ in range(3))
    next(stopped for _ in stopped.teacher.teach(48, 5) if stopped.learner.games == 32)
    stopped.save()
    assert goes_on.go_on() and goes_on.learner.games == 32
    for one in (whole, goes_on):
        for _ in one.teacher.teach(48, 5):
            pass
    for name in ("taught", "lesson_mean", "lesson_square", "lesson_rule"):
        assert whole.learner.further[name] == goes_on.learner.further[name]


def test_the_width_is_that_of_the_file(tmp_path: Path) -> None:
    file = str(tmp_path / "c4.safetensors")
    assert "two layers of 16" in run(*LEARN, "--games", "16", "--hidden", "16", "-o", file)
    assert "drop(" in run("solve", *LEARN[1:6], "--solver", "puct", "--weights", file, "--simulations", "20")


def test_what_does_not_go_together_is_told() -> None:
    assert "--model net" in run("learn", "othello", "--model", "tuples", "--hidden", "64", "-o", "-", status=2)
    assert "77 is no multiple of 8" in run(*LEARN, "--hidden", "77", "-o", "-", status=2)


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "pip install 'gdl[torch]'" in run(*LEARN, "--trainer", "torch", "-o", "-", status=5)

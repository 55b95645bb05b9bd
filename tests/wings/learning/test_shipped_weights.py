"""The weights that ship with games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from crowned import CHANGED
from kernel_games import written
from shipped import shipped

from gdl.commands.cli import commands
from gdl.compiler.better_evaluation import with_evaluation
from gdl.compiler.compiled_engine import by_rules, offer
from gdl.errors import LimitReached
from gdl.formats.game_files import shipped_weights
from gdl.interpreter.position import Continuation
from gdl.solvers import solve
from gdl.wings.learning.learned_files import shipped_evaluation


def test_weights_that_ship_are_small_and_belong_to_games() -> None:
    for name, file in shipped_weights().items():
        assert file.stat().st_size <= 200_000
        assert shipped_evaluation(by_rules(offer(shipped(name), "auto"))[0].model) is not None


@pytest.mark.thorough
def test_weights_that_ship_are_used_without_a_depth_for_these_rules_and_this_evaluation_alone() -> None:
    game = offer(shipped("backgammon"), "auto")
    valued = with_evaluation(game)
    assert valued is not None and valued.promises.estimated_by == "estimated by the weights that ship with the game"
    assert valued.evaluate(valued.initial()) != game.evaluate(game.initial())
    rolled = Continuation(game, game.successor(game.initial(), "3-1"))
    with pytest.raises(LimitReached) as stop:
        solve(rolled, "depth-limited", nodes=200)
    found: Any = stop.value.partial
    assert found.reason == valued.promises.estimated_by
    assert found.best == ("17/20 19/20",)  # as books have it
    assert solve(rolled, "depth-limited", depth=1).reason == ""
    assert with_evaluation(offer(written("backgammon", CHANGED), "auto")) is None


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="has no file whose reading fails")
def test_a_file_of_weights_whose_reading_fails_is_named() -> None:
    found = CliRunner().invoke(commands, ["solve", "chess", "--weights", "/proc/self/mem"])
    assert found.output.startswith("error: /proc/self/mem: ") and found.exit_code == 2

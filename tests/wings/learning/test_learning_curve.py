"""How often a net is right after so many games of learning: lines of text."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.learning import self_play
from gdl.wings.learning.learned_strength import curve_lines
from gdl.wings.learning.training import LearningPoint

CHOICE = """players Ann, Bob
state
    over: Player?
action win
    over := mover
action lose
    over := other(mover)
terminal
    over = Ann -> win Ann
    over = Bob -> win Bob
"""


CURVE = [LearningPoint(500, 0.5, 0.1), LearningPoint(1000, 0.75, 0.05), LearningPoint(2000, 1.0, 0.0)]


def test_how_often_a_net_is_right_is_drawn():
    """A bar is half as long where the net is right half as often as chance would leave it."""
    _, _, *drawn = curve_lines(CURVE)
    assert drawn == [
        "      500 0.500 ± 0.100",
        "    1,000 0.750 ± 0.050 ####################",
        "    2,000 1.000 ± 0.000 ########################################",
    ]
    assert curve_lines([]) == []


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("high", [1.0, -0.5])
def test_the_answer_says_where_nothing_took_the_place_of_numbers_at_random(
    high: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    right = self_play.judge_match
    monkeypatch.setattr(self_play, "judge_match", lambda *found: replace(right(*found), interval=(-1.0, high)))
    for name in ("SIMULATIONS", "JUDGED_BY", "GATE_GROUPS", "BATCH"):
        monkeypatch.setattr(self_play, name, 4)
    monkeypatch.setattr("gdl.wings.learning.self_play_learners.TRIALS", 4)
    monkeypatch.setattr("gdl.wings.learning.training.GROUPS", 2)
    (tmp_path / "choice.game").write_text(CHOICE)
    command = ["learn", str(tmp_path / "choice.game"), "--model", "net", "--games", "16", "--engine", "python"]
    told: Any = CliRunner().invoke(commands, command)
    assert ("its numbers are still drawn at random" in told.stdout) == (high < 0), told.output
    assert json.loads(CliRunner().invoke(commands, [*command, "--json"]).stdout)["replaced"] == (high > 0)

"""`gdl judge` whose limit leaves no time for a judgement: what plays of the profile pay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from test_schema import validated

import gdl
from gdl.cli import commands
from gdl.commands import judging, judging_plays
from gdl.errors import LimitReached


@pytest.fixture
def too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over before anything is judged; a few plays are all that there is time for."""

    def stopped(*of_anything: Any) -> None:
        raise LimitReached("stopped after 1 s, the limit set")

    monkeypatch.setattr(judging, "_found", stopped)
    monkeypatch.setattr(judging_plays, "MOST", 400)
    monkeypatch.setattr(judging_plays, "SECONDS", 60.0)


def judged(game: str, *arguments: str) -> Result:
    return CliRunner().invoke(commands, ["judge", game, *arguments], prog_name="gdl")


def test_random_play_is_estimated(too_short: None) -> None:
    told = judged("kuhn", "--profile", "uniform", "--time", "600")
    assert told.exit_code == 4 and "stopped after 1 s" in told.stderr
    assert told.stdout.startswith("By an estimate from 400 plays (standard error 0.0")
    assert "what could be gained by deviating is not known" in told.stdout


def test_in_json_it_says_that_it_is_an_estimate(too_short: None) -> None:
    told = judged("kuhn", "--profile", "uniform", "--time", "600", "--json")
    validated("gdl judge", told.stdout)
    found = json.loads(told.stdout)
    assert found["value"]["P1"] == pytest.approx(1 / 8, abs=0.3) and found["value"]["P1"] == -found["value"]["P2"]
    assert (found["exact"], found["plays"], found["regret"], found["nash_conv"]) == (False, 400, None, None)


@pytest.mark.parametrize("name", ["prisoners", "beer_quiche", "goofspiel", "seltens_horse"])
def test_a_profile_is_played(too_short: None, tmp_path: Path, name: str) -> None:
    answer = tmp_path / "answer.json"
    solved = CliRunner().invoke(commands, ["solve", name, "--json"])
    answer.write_text(solved.stdout)
    found = json.loads(judged(name, "--profile", str(answer), "--time", "600", "--json").stdout)
    known = json.loads(solved.stdout)
    value = known.get("payoffs", [known.get("value")])[0]
    for player in gdl.load(name).players:
        assert found["value"][player] == pytest.approx(as_float(value[player]), abs=0.2)


def as_float(number: int | float | str) -> float:
    """A number as answers have it."""
    upper, _, lower = str(number).partition("/")
    return float(upper) / float(lower or 1)

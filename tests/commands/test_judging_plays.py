"""`gdl judge` whose limit leaves no time for a judgement: what plays of the profile pay, and what is proven of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from click.testing import CliRunner, Result
from late_clock import all_clocks_replaced
from places import RUNAWAY
from test_schema import validated

import gdl
from gdl.commands import profile_estimates
from gdl.commands.cli import commands
from gdl.commands.limiting import Limits
from gdl.errors import LimitReached
from gdl.playing import profile_judging


@pytest.fixture
def too_short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time is over before anything is judged; a few plays are all that there is time for."""

    def stopped(*of_anything: Any) -> None:
        raise LimitReached("stopped after 1 s, the limit set")

    monkeypatch.setattr(profile_judging, "judge_profile", stopped)
    monkeypatch.setattr(profile_estimates, "MOST_PLAYS", 400)
    with all_clocks_replaced(worked=lambda: 0.0):
        yield


def judged(game: str, *arguments: str) -> Result:
    return CliRunner().invoke(commands, ["judge", game, *arguments], prog_name="gdl")


def test_random_play_is_estimated(too_short: None) -> None:
    told = judged("prisoners", "--profile", "uniform", "--time", "600")
    assert told.exit_code == 4 and "stopped after 1 s" in told.stderr
    assert "By an estimate from 400 plays (standard error 0.0" in told.stdout
    assert "A gets -3/2 and could gain 1/2 by deviating." in told.stdout  # which the listed payoffs prove


@pytest.mark.thorough
def test_what_is_proven_is_told() -> None:
    told = judged("kuhn", "--profile", "uniform", "--nodes", "40")
    assert told.exit_code == 4 and "stopped after 40 nodes" in told.stderr
    said = told.stdout.splitlines()
    assert said[0] == "This is no equilibrium." and said[2].startswith("By an estimate from ")
    assert said[4].startswith("From ") and said[5].startswith("P1 gets ") and said[5].endswith(" by deviating.")
    found = json.loads(judged("kuhn", "--profile", "uniform", "--nodes", "40", "--json").stdout)
    validated("gdl judge", json.dumps(found))
    for key, known in (("interval", {"P1": 1 / 8, "P2": -1 / 8}), ("regret_interval", {"P1": 3 / 8, "P2": 13 / 24})):
        for player, (low, high) in found[key].items():
            assert as_float(low) <= known[player] <= as_float(high)
    assert as_float(found["nash_conv_interval"][0]) <= 11 / 12 <= as_float(found["nash_conv_interval"][1])


@pytest.mark.thorough
def test_that_it_is_no_equilibrium_may_be_known_soon(too_short: None) -> None:
    told = judged("stratego", "--profile", "uniform", "--time", "600")
    assert told.stdout.startswith("This is no equilibrium.\n\nBy an estimate")


@pytest.mark.thorough
def test_a_limit_of_memory_leaves_it_too() -> None:
    """The clock that looks at memory finds it, or the unfolding, whichever comes first."""
    told = judged("liars_dice", "--profile", "uniform", "--memory", "1")
    assert told.exit_code == 4
    assert "iB of memory in use" in told.stderr or "has more positions than fit in 1 MiB" in told.stderr
    assert "it is proven:" in told.stdout


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # what is raised in a callback
@pytest.mark.parametrize(("stop", "status"), [(KeyboardInterrupt(), 130), (LimitReached("stopped"), 4)])
def test_a_play_that_takes_too_long_is_left_out(
    stop: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its positions takes seconds: Ctrl-C was not answered before a thousand of them were met."""

    def stopped(*of_anything: Any) -> None:
        raise stop

    monkeypatch.setattr(profile_judging, "read_profiles", stopped)
    monkeypatch.setattr(profile_estimates, "LONGEST", 0.2)
    told = judged(str(RUNAWAY / "choices.game"), "--profile", "uniform")
    assert (told.exit_code, told.stdout) == (status, "")


def test_in_json_it_says_that_it_is_an_estimate(too_short: None) -> None:
    told = judged("kuhn", "--profile", "uniform", "--time", "600", "--json")
    validated("gdl judge", told.stdout)
    found = json.loads(told.stdout)
    assert found["value"]["P1"] == pytest.approx(1 / 8, abs=0.3) and found["value"]["P1"] == -found["value"]["P2"]
    assert (found["exact"], found["plays"], found["regret"], found["nash_conv"]) == (False, 400, None, None)


@pytest.mark.one_in(3)
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


def test_a_limit_within_the_first_bounds_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules take long for a position; it was told as a bug of gdl."""

    def stopped(*of_anything: object) -> Iterator[None]:
        raise LimitReached("stopped after 1 s, the limit set")
        yield

    monkeypatch.setattr("gdl.solvers.equilibria.enclosure.enclosures", stopped)
    told = judged("kuhn", "--profile", "uniform", "--nodes", "40")
    assert told.exit_code == 4 and "plays" in told.stdout and "proven" not in told.stdout


def test_plays_have_their_processor_time_where_a_busy_machine_took_the_seconds() -> None:
    over = Limits(1.0, end=monotonic() - 1)
    with profile_estimates.within_grace_time(LimitReached("stopped after 1 s, the limit set"), over):
        assert profile_estimates.sample_plays(gdl.load("kuhn"), None, 0.25).plays > 0

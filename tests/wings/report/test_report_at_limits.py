"""A report that is stopped says what it has found so far."""

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from places import ROOT

import gdl
from gdl.commands import cli
from gdl.errors import LimitReached
from gdl.game import Decision
from gdl.wings.report import report_command as reporting
from gdl.wings.report.trace import ENDLESS, LONGEST, play


def _report(*args: str) -> tuple[int, str]:
    found = subprocess.run([sys.executable, "-m", "gdl", "report", *args], capture_output=True, text=True, check=False)
    return found.returncode, found.stdout


@pytest.mark.thorough
def test_a_search_whose_plays_never_end_makes_way_for_random_plays() -> None:
    code, text = _report("pong_hau_ki", "--games", "10")
    assert code == 0
    assert "10 plays by random, seed 0." in text
    assert "by mcts:100 none of 3 plays had ended after 5,000 plies" in " ".join(text.split())


@pytest.mark.thorough
def test_a_named_search_stopped_in_its_first_play_says_how_far_it_came() -> None:
    code, text = _report("pong_hau_ki", "--agents", "mcts:2000", "--time", "1")
    assert code == 4
    found = re.search(r"none of 1 play had ended after ([\d,]+) plies", " ".join(text.split()))
    assert found is not None and 0 <= int(found[1].replace(",", "")) < 5000


@pytest.mark.thorough
def test_a_report_stopped_before_its_first_play_tells_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine chess was not ready in three seconds, and nothing was printed."""

    def stopped(*of_anything: object, **more: object) -> None:
        raise LimitReached("stopped after 3 s, the limit set")

    monkeypatch.setattr(reporting, "ReportSession", stopped)
    found = CliRunner().invoke(cli.commands, ["report", "chess"])
    assert found.exit_code == 4 and found.stdout.startswith("Chess: nothing was played.\n0 plays of the 100 asked for")
    assert "no actions -> draw" in found.stdout and "was used" not in found.stdout and "unused" not in found.stdout
    (one,) = json.loads(CliRunner().invoke(cli.commands, ["report", "chess", "--json"]).stdout)["reports"]
    assert one["plays"] == 0 and not one["dead"]


@pytest.mark.thorough
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_report_stopped_by_its_limit_has_numbers(form: tuple[str, ...]) -> None:
    code, text = _report("pong_hau_ki", "--time", "4", *form)
    assert code in (0, 4)
    if form:
        (one,) = json.loads(next(line for line in text.splitlines() if line.startswith("{")))["reports"]
        assert one["plays"] >= 1 and one["agents"] == ["random"]
    else:
        assert re.search(r"\d+ plays?( of the \d+ asked for)? by random", text)


class _First:
    """An agent that takes the first action."""

    text = "first"

    def begin(self) -> None: ...

    def see(self, action: str) -> None: ...

    def move(self, node: Decision, draw: str) -> str:
        return node.actions[0]


def test_a_play_without_end_is_given_up_after_a_thousand_plies_and_not_before() -> None:
    rules = """
players A, B
state
    n: 0..1
action go
    n := 1 - n
terminal
    n > 1 -> draw
    forever -> draw
"""
    game, looked = gdl.loads(rules).game, list[int]()
    given_up = play(game, [_First()], [0, 0], "0/0", gives_up=lambda: looked.append(1) is None)
    assert given_up.plies == ENDLESS and given_up.is_endless and given_up.utilities is None and looked == [1]
    assert play(game, [_First()], [0, 0], "0/0", gives_up=lambda: False).plies == LONGEST


@pytest.mark.thorough
def test_a_short_time_leaves_something() -> None:
    code, text = _report(str(ROOT / "tests" / "bench" / "games" / "newcomers" / "merchants.game"), "--time", "0.5")
    assert code in (0, 4) and text.strip()

"""Strategies of games with more positions than the verifier may look at, which are followed from the start."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import gdl
from gdl.commands.engines import game_with_engine
from gdl.formats import answer
from gdl.solvers import solve
from gdl.wings.verify import verifier

pytest.importorskip("gdl.wings.hidden")
LIMIT = 3_000  # positions; the game has 4,405
GAME = "blind_tic_tac_toe"


@cache
def blind_game() -> Any:
    return gdl.load(GAME)


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    """Judged by best replies, as more than 100 positions were not to be met."""
    game = game_with_engine(blind_game().model)
    told: dict[str, Any] = json.loads(answer.write(solve(game, "mccfr", nodes=100, iterations=500)))
    return told


def test_strategies_are_followed_where_positions_are_too_many(saved: dict[str, Any]) -> None:
    """Strategy, regret and interval were left open."""
    verdict = verifier.verify(blind_game(), saved, limit=LIMIT)
    assert verdict.ok
    assert [verdict.status(field) for field in ("strategy", "regret", "interval")] == [True] * 3
    assert verifier.verify(blind_game(), saved).status("regret") is True  # all positions are looked at


@pytest.mark.parametrize("field", ["regret", "strategy", "interval", "value"])
def test_what_is_altered_fails(saved: dict[str, Any], field: str) -> None:
    told = json.loads(json.dumps(saved))
    if field == "strategy":
        name, mixture = next(iter(told["strategy"]["X"].items()))
        told["strategy"]["X"][name] = {**mixture, "no such": "1/2"}
    elif field == "interval":
        told["interval"] = {"X": ["1/2", "3/4"], "O": ["-3/4", "-1/2"]}
    elif field == "value":
        told["value"] = {"X": 0.5, "O": -0.5}
        told["interval"] = {"X": [-1, 1], "O": [-1, 1]}
    else:
        told["regret"]["X"] = str(Fraction(told["regret"]["X"]) + Fraction(1, 1000))
    verdict = verifier.verify(blind_game(), told, limit=LIMIT)
    assert not verdict.ok and verdict.status(field) is False


def test_bounds_are_those_of_the_player_they_name(saved: dict[str, Any]) -> None:
    told = {**saved, "interval": dict(reversed(saved["interval"].items()))}
    verdict = verifier.verify(blind_game(), told, limit=LIMIT)
    assert verdict.ok and verdict.status("interval") is True


def test_too_many_positions_behind_the_strategies_leave_them_open(saved: dict[str, Any]) -> None:
    verdict = verifier.verify(blind_game(), saved, limit=20)
    assert verdict.ok and verdict.limit is not None and "strategy" in verdict.limit

"""No shipped game that hides something is left without an answer in a second: `solve`, `play`, `judge` and `verify`,
each as a person runs it, say what was found until then, and how sure that is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gdl

pytest.importorskip("wasmtime")

STOPPED = 4
HIDDEN = ["bandit", "battleships", "beer_quiche", "blind_tic_tac_toe", "bridge_ending", "cheat", "dark_hex", "kriegspiel",
          "kuhn", "leduc", "liars_dice", "monty_hall", "one_card_poker", "scrabble", "seltens_horse", "stratego",
          "two_roads"]  # fmt: skip
AT_ONCE = ["battle_of_the_sexes", "chicken", "colonel_blotto", "goofspiel", "matching_pennies", "prisoners",
           "repeated_prisoners", "rock_paper_scissors", "stag_hunt"]  # fmt: skip


def run(*words: str, typed: str = "") -> tuple[int, str, str]:
    command = [sys.executable, "-c", "from gdl.commands.cli import main; main()", *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


def answer(*words: str) -> tuple[int, dict[str, Any]]:
    """The exit status of a command that a second may stop, and what it says."""
    status, said, told = run(*words, "--time", "1", "--json")
    assert status in (0, STOPPED), told
    found: dict[str, Any] = json.loads(said)
    return status, found


@pytest.mark.slow
def test_these_are_all():
    kinds = {name: gdl.load(name).traits for name in gdl.shipped()}
    assert sorted(AT_ONCE) == [name for name, kind in kinds.items() if kind.simultaneous]
    assert sorted(HIDDEN) == [
        name for name, kind in kinds.items() if kind.perfect_information is False and not kind.simultaneous
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN + AT_ONCE)
def test_it_is_answered(name: str, tmp_path: Path) -> None:
    game = gdl.load(name)
    players = set(game.players)
    status, solved = answer("solve", name)
    assert solved["exact"] is (status == 0)
    sure = solved.get("interval") if game.traits.zero_sum else solved.get("regret")
    assert solved["exact"] or set(sure) == players, "an answer that was stopped says how far it may be off"
    assert solved.get("value") is None or set(solved["value"]) == players
    assert solved.get("value") or solved["equilibria"]

    file = tmp_path / "answer.json"
    file.write_text(json.dumps(solved), encoding="utf-8")
    _, judged = answer("judge", name, "--profile", "uniform")
    says_how_good(judged, players)
    if solved.get("strategy") or solved.get("equilibria"):
        _, judged = answer("judge", name, "--profile", str(file))
        says_how_good(judged, players)
        assert judged.get("exact") is False or not solved["exact"] or judged["nash_conv"] == 0
    pytest.importorskip("gdl.wings.verify")
    status, verdict = answer("verify", name, str(file))
    assert verdict["ok"]
    known = {field for found in verdict["findings"] if found["ok"] for field in found["fields"]}
    assert "fingerprint" in known
    assert {"value", "interval", "regret"} & known or status == STOPPED
    assert {"interval", "value"} & {field for found in verdict["findings"] for field in found["fields"]} or status == 0


def says_how_good(judged: dict[str, Any], players: set[str]) -> None:
    """True if the answer says what everyone gets and could gain; or, where there was no time for that, from how many
    plays this was estimated."""
    assert set(judged["value"]) == players
    assert judged["plays"] > 0 if judged["regret"] is None else set(judged["regret"]) == players

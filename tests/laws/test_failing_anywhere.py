"""A command of which anything fails, at any moment: it says a part that is true, or a sentence; no file is left by halves,
and the same command, run again, comes to the end that it would have come to.

The slow tests let every write fail, and of the readings of the clock, and of the calls, the first ones, and some of the
later ones, drawn at random: GDL_FAULTS of each, a number or `all`.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from failing_writes import FOUR
from faults import Outcome, outcomes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")

LIMIT = ["--time", "100"]
COMMANDS = {  # name -> the wing that has it, and the command
    "solve": ("", "solve four.game --json"),
    "table": ("tables", "solve four.game --table made --json"),
    "cfr": ("", "solve kuhn --solver cfr --iterations 60 --checkpoint kept --json"),
    "playouts": ("", "playouts four.game --count 2000 --seed 1"),
    "perft": ("", "perft four.game 6"),
    "states": ("", "states four.game"),
    "graph": ("", "graph four.game -o graph.json"),
    "draw": ("", "draw figure_5_2 -o tree.svg"),
    "export": ("", "export kuhn -o kuhn.efg"),
    "check": ("", "check four.game"),
    "ask": ("", "ask four.game 'Bob can force win Bob' --json"),
    "report": ("report", "report four.game --agents random --games 20 --lead none --checkpoint kept -o report.html"),
    "learn": ("learning", "learn four.game --games 40 -o learned"),
}  # fmt: skip
MOST = os.environ.get("GDL_FAULTS", "24")


class Case:
    """A command in folders of its own, and what it prints and leaves if nothing fails."""

    def __init__(self, name: str, kind: str, folder: Path):
        wing, line = COMMANDS[name]
        if wing:
            pytest.importorskip(f"gdl.wings.{wing}")
        game = folder / "four.game"
        game.write_text(FOUR, encoding="utf-8")
        self.command = [str(game) if word == "four.game" else word for word in shlex.split(line)] + LIMIT
        self.kind, self.folder = kind, folder / "runs"
        (self.whole,) = outcomes(self.folder, kind, None, self.command)
        assert self.whole.status == 0, self.whole.stderr

    def failing(self, most: str) -> Iterator[Outcome]:
        """The outcomes where something fails: the first things one by one, then some of the others."""
        count = self.whole.counted
        early = count if most == "all" else min(count, int(most) // 2)
        late = range(early + 1, count + 1)
        drawn = sorted(Random(self.kind).sample(late, min(len(late), early)))
        yield from outcomes(self.folder, self.kind, [*range(1, early + 1), *drawn], self.command)


def check_outcome(case: Case, found: Outcome, statuses: Sequence[int]) -> None:
    """Check the laws of every outcome; `statuses`: the exit statuses that it may have."""
    about = f"{' '.join(case.command)}: {case.kind} {found.number} of {case.whole.counted}: {found.stderr[-600:]}"
    assert found.status in statuses, about
    assert "Traceback" not in found.stderr and "bug" not in found.stderr, about
    assert found.status == 0 or found.stderr.strip(), about
    assert [name for name in found.files if name.endswith((".new", "lock"))] == [], about
    if "--json" in case.command and "the standard output" not in found.stderr:
        check_truth(json.loads(found.stdout), json.loads(case.whole.stdout), about)
    assert found.again["status"] == 0, f"{about}\nthen: {found.again['stderr'][-600:]}"
    assert found.again["files"].keys() == case.whole.files.keys(), about
    if "--table" in case.command:  # which is asked from now on
        check_truth(json.loads(found.again["stdout"]), json.loads(case.whole.stdout), about)
    else:
        assert found.again["stdout"] == case.whole.stdout, about
    assert found.again["files"] == case.whole.files, about


def check_truth(part: dict[str, Any], whole: dict[str, Any], about: str) -> None:
    """Check the values that a stopped command has told against those of the whole answer."""
    if "problems" in part or "value" not in whole:
        return
    values = whole["value"] if isinstance(whole["value"], dict) else {"": whole["value"]}
    ends = part.get("interval") or {}
    for player, (low, high) in (ends if isinstance(ends, dict) else {"": ends}).items():
        if whole["exact"]:
            assert low is None or Fraction(low) <= Fraction(values[player]), about
            assert high is None or Fraction(high) >= Fraction(values[player]), about
    if part.get("exact") and whole["exact"]:
        assert part["value"] == whole["value"], about


def check_stops(name: str, kind: str, folder: Path, most: str) -> None:
    case = Case(name, kind, folder)
    for found in case.failing(most):
        check_outcome(case, found, (0, 4))


def check_writes(name: str, folder: Path) -> None:
    case = Case(name, "write", folder)
    for found in case.failing("all"):
        check_outcome(case, found, (0, 2))
        if found.status:
            assert "No space left on device" in found.stderr, found
        else:  # a folder that is there need not be made
            assert (found.stdout, found.files) == (case.whole.stdout, case.whole.files), found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tick", "call"])
@pytest.mark.parametrize("name", COMMANDS)
def test_the_time_may_be_over_at_any_moment(name: str, kind: str, tmp_path: Path) -> None:
    check_stops(name, kind, tmp_path, MOST)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_any_write_may_fail(name: str, tmp_path: Path) -> None:
    check_writes(name, tmp_path)


@pytest.mark.thorough
def test_a_sample_of_failures(tmp_path: Path) -> None:
    check_stops("solve", "tick", tmp_path, "6")
    check_writes("playouts", tmp_path)

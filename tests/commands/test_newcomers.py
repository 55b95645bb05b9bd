"""Ordinary games by the commands that newcomers use: whatever stops these, something was found."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.compiler import compiled_engine
from gdl.errors import LimitReached

GAMES = Path(__file__).parent.parent / "bench" / "games" / "newcomers"


def _run(*line: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli.commands, line)
    return done.exit_code, done.stdout


def test_a_check_stopped_while_the_engine_is_made_tells_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The positions were looked at, and only that the time was over was told."""
    asked, engine = list[int](), compiled_engine.playing_engine

    def late(game: Any) -> Any:
        asked.append(1)
        if len(asked) == 1:
            raise LimitReached("stopped after 3 s, the limit set")
        return engine(game)

    monkeypatch.setattr(compiled_engine, "playing_engine", late)
    status, told = _run("check", "nim", "--time", "100")
    assert status == 4 and "positions looked at" in told


@pytest.mark.thorough
def test_a_short_time_leaves_something() -> None:
    status, told = _run("check", str(GAMES / "duel.game"), "--time", "0.5")
    assert status in (0, 4) and told.strip()

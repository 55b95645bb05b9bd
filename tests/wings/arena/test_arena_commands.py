"""Commands of the arena on the command line: messages, and what a stranger's folder and rules can do to them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from strangers_folder import imported, installed, strange

from gdl.commands import cli
from gdl.states.playouts import warn_of_length
from gdl.wings.arena import contestants

FAILURES = {
    "match nim nosuch random": ("unknown-solver", 2),
    "match nim mcts:nosuch=1 random": ("unknown-option", 2),
    "analyse nim": ("no-play", 2),
}


@pytest.mark.parametrize("line", FAILURES)
def test_failures_of_plays_have_codes(line: str) -> None:
    code, status = FAILURES[line]
    result = CliRunner().invoke(cli.commands, [*line.split(), "--json"], prog_name="gdl")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], result.exit_code) == (code, status)


def test_the_number_of_persons_is_said_by_their_names() -> None:
    assert (
        "write --as once for each person" in CliRunner().invoke(cli.commands, ["play", "nim", "--players", "2"]).output
    )


def test_a_long_name_of_a_contestant_does_not_fill_the_screen() -> None:
    result = CliRunner().invoke(cli.commands, ["match", "tic_tac_toe", "Q" * 10_000, "random"], prog_name="gdl")
    assert result.exit_code == 2 and len(result.output) < 2_000


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="has no file whose reading fails")
@pytest.mark.parametrize("asked", ["play nim --record BAD", "engine chess --weights BAD"])
def test_a_record_whose_reading_fails_is_named(asked: str) -> None:
    if "--weights" in asked:
        pytest.importorskip("gdl.wings.learning")
    found = CliRunner().invoke(cli.commands, asked.replace("BAD", "/proc/self/mem").split())
    assert found.output.startswith("error: /proc/self/mem: ") and found.exit_code == 2


def test_a_fault_of_the_rules_comes_with_the_play(tmp_path: Path) -> None:
    file = tmp_path / "stuck.game"
    file.write_text(
        "players A, B\nstate\n    left: 0..4 = 4\naction take(k: 2..3) when k <= left\n    left := left - k\n"
        "terminal\n    left = 0 -> win A\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(cli.commands, ["play", str(file)], input="take(3)\n", prog_name="gdl")
    assert result.exit_code == 3
    assert "B has no action, and the game is not over" in result.stderr
    assert "It happens after: take(3)" in result.stderr


def test_a_match_without_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(game: str) -> None:
        warn_of_length(game)
        raise KeyboardInterrupt

    monkeypatch.setattr(contestants, "warn_of_length", Mock(side_effect=stop))
    file = tmp_path / "walk.game"
    file.write_text(
        "players Ann, Bob\nstate\n    n: 0..9\naction go(k: 0..9)\n    n := k\nterminal\n    n = 10 -> draw\n"
    )
    result = CliRunner().invoke(cli.commands, ["match", str(file), "random", "random", "--games", "2"])
    assert result.exit_code == 130
    assert result.stderr.count("has not ended in 20,000 plies; Ctrl-C or a limit of time stops it") == 1


@pytest.mark.thorough_of("match")
@pytest.mark.parametrize("words", [
    ["match", "tic_tac_toe", "engine:PYTHON SCRIPT ugi tic_tac_toe", "random", "--games", "2"],
    ["ugi", "tic_tac_toe"],
    ["play", "tic_tac_toe"],
], ids=lambda words: words[0])  # fmt: skip
def test_nothing_of_a_strangers_folder_is_imported_by_plays(words: list[str], tmp_path: Path) -> None:
    started = installed(tmp_path)
    folder = tmp_path / "stranger"
    folder.mkdir()
    strange(folder)
    parts = [word.replace("PYTHON", started[0]).replace("SCRIPT", started[1]) for word in words]
    done = subprocess.run(
        [*started, *parts], cwd=folder, capture_output=True, text=True, input="quit\n", timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert imported(folder) == []

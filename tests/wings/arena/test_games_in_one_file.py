"""The games of a match in one file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.arena import play_records


@pytest.mark.thorough
def test_games_of_chess_stand_in_one_file_with_the_names_of_who_played(tmp_path: Path):
    file = str(tmp_path / "games.pgn")
    words = ["match", "chess", "random", "gdl", "--time", "0.02", "--games", "2", "--save", file]
    assert CliRunner().invoke(commands, words, catch_exceptions=False).exit_code == 0
    text = Path(file).read_text(encoding="utf-8")
    games = [play_records.read_chess(text, file, number) for number in (1, 2)]
    assert games[0].who == {"White": "random", "Black": "gdl"}
    assert games[1].who == {"White": "gdl", "Black": "random"}
    assert all(game.actions and game.result in ("1-0", "0-1", "1/2-1/2") for game in games)

"""Tournaments: strengths that fit the points, and the games in one file."""

from __future__ import annotations

from math import log10
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.arena import play_records
from gdl.wings.arena.contestants import Score, expected_score, standings


def test_strengths_lead_one_to_expect_the_points():
    scores = {(0, 1): Score(6, 2, 2), (0, 2): Score(9, 0, 1), (1, 2): Score(5, 3, 2), (1, 3): Score(0, 0, 10)}
    found = {one.contestant: one for one in standings("abcd", scores)}
    elo = [found[name].elo for name in "abcd"]
    assert sum(elo) == pytest.approx(0, abs=1e-6) and elo[3] == max(elo) and elo[2] == min(elo)
    for own, one in enumerate("abcd"):
        met = [(other, score) for pair, score in scores.items() if own in pair for other in pair if other != own]
        expected = sum((score.games + 1) * expected_score(elo[own] - elo[other]) for other, score in met)
        total = found[one].score
        assert expected == pytest.approx(total.won + (total.drawn + len(met)) / 2, abs=1e-3)
        assert found[one].interval[0] < elo[own] < found[one].interval[1]


def test_two_are_as_far_apart_as_their_score_says():
    first, second = standings("ab", {(0, 1): Score(15, 0, 4)})
    assert first.elo - second.elo == pytest.approx(400 * log10(15.5 / 4.5), abs=0.1)


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

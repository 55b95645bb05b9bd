"""Coup (the game of the benchmarks), whose claims, doubts and blocks are asked in the middle of an action, has the counts
that a program of its own found."""

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

PLAYS = 21_918  # of nine plies, two players, two cards of each role


@pytest.mark.thorough
def test_coup_has_as_many_plays_as_its_own_program_finds() -> None:
    line = ["perft", "tests/bench/games/coup.game", "9", "--set", "seats=2", "--set", "copies=2"]
    done = CliRunner().invoke(commands, line)
    assert f"{PLAYS:,} action sequences" in done.output

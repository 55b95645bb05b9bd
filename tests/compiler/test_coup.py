"""Coup (the game of the benchmarks), whose claims, doubts and blocks are asked in the middle of an action, has the counts
that a program of its own found."""

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

COUNTS = {5: 180, 6: 900, 7: 2_340, 8: 7_278, 9: 21_918}  # two players, two cards of each role


@pytest.mark.thorough
@pytest.mark.parametrize("plies", COUNTS)
def test_coup_has_as_many_plays_as_its_own_program_finds(plies: int) -> None:
    line = ["perft", "tests/bench/games/coup.game", str(plies), "--set", "seats=2", "--set", "copies=2"]
    done = CliRunner().invoke(commands, line)
    assert f"{COUNTS[plies]:,} action sequences" in done.output

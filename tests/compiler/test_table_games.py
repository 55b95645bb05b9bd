"""Arimaa, Azul, Tarneeb, Raj and Can't Stop (games of the benchmarks, written from the manual alone) have the counts that
programs of their own found."""

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands


@pytest.mark.thorough_of("arimaa", "azul", "cant_stop", "tarneeb")
@pytest.mark.parametrize("name", ["arimaa", "azul", "cant_stop", "raj", "tarneeb"])
def test_a_game_of_the_table_has_the_counts_of_its_own_program(name: str) -> None:
    done = CliRunner().invoke(commands, ["test", f"tests/bench/games/{name}.game"])
    assert done.exit_code == 0, done.output
    assert "all hold" in done.output

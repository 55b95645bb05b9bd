"""A net is the same by any number of workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli

LEARN = ["learn", "connect_four", "--model", "net", "--games", "512", "--seed", "3"]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


@pytest.mark.slow
def test_a_net_is_the_same_by_any_number_of_workers(tmp_path: Path):
    wanted = learned(tmp_path / "one", "--workers", "1")
    assert learned(tmp_path / "four", "--workers", "4") == wanted


@pytest.mark.slow
def test_a_net_by_few_simulations_is_the_same_by_any_number_of_workers(tmp_path: Path):
    few = ("--simulations", "16", "--games", "128", "--set", "columns=5", "--set", "rows=4")
    wanted = learned(tmp_path / "one", *few, "--workers", "1")
    assert learned(tmp_path / "two", *few, "--workers", "2") == wanted
    assert learned(tmp_path / "four", *few, "--workers", "4") == wanted


def learned(file: Path, *workers: str) -> bytes:
    run(*LEARN, "-o", str(file), *workers)
    return file.read_bytes()


def test_only_a_net_is_learned_by_several():
    assert "--model net only" in run("learn", "othello", "--workers", "2", "-o", "-", status=2)


def test_only_a_net_is_learned_by_so_many_simulations():
    said = run("learn", "othello", "--model", "tuples", "--simulations", "16", "-o", "-", status=2)
    assert "--simulations is for a net that plays against itself" in said

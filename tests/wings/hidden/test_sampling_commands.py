"""Sampling by commands: what is said of estimates, and which games are sampled unasked."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached
from gdl.formats.files import lock_file
from gdl.solvers import solve
from gdl.solvers.equilibria import cfr, nash


def run(*arguments: str, status: int = 0) -> str:
    """The output of a command that ends with this status."""
    told = CliRunner().invoke(commands, arguments, prog_name="gdl")
    assert told.exit_code == status, told.output
    return told.output


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_who_has_learnt_nothing_speaks_of_no_best_play(engine: str) -> None:
    """After 0 iterations what random play is worth was called the value under best play."""
    told = run("solve", "kuhn", "--solver", "mccfr", "--nodes", "1", "--engine", engine, status=4)
    assert "Not one iteration" in told and "best play" not in told


@pytest.mark.thorough
def test_where_the_tree_is_too_large_for_nash_plays_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    for solver in (cfr, nash):
        monkeypatch.setattr(solver, "MOST_POSITIONS", 100)
    with pytest.raises(LimitReached) as stop:
        solve(gdl.load("kuhn", settings={"seats": "3", "cards": "4"}), time=0.5)
    answer = stop.value.partial
    assert answer.solver == "mccfr" and answer.value is not None and not answer.exact
    assert answer.reason.endswith("nash came to no answer")


@pytest.mark.thorough
def test_a_file_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    """Both ended with status 0, and the last one to write won."""
    file = tmp_path / "shared"
    asked = ("solve", "kuhn", "--solver", "cfr", "--iterations", "20", "--checkpoint", str(file))
    with lock_file(file, "which keeps its checkpoint there"):
        assert "shared is being written by process" in run(*asked, status=6)
    run(*asked)
    assert list(tmp_path.iterdir()) == [file]

"""Finds of fuzz campaigns that are worth keeping: command lines, files and saved answers that once went wrong, or nearly did."""

import re
import shlex
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli

FOLDER = Path(__file__).parent / "fuzzed"
LINES = [line for line in (FOLDER / "lines.txt").read_text().splitlines() if line and not line.startswith("#")]
STATUSES = (0, 1, 2, 3, 4, 5, 6)
SECONDS = 20.0  # of processor time, on a slow machine; most take a tenth of one
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.thorough_of("explain WORK/outcomes.game")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("line", LINES)
def test_it_ends_soon_with_a_word_and_no_traceback(line: str):
    begun = time.process_time()
    words = shlex.split(line.replace("WORK", str(FOLDER)))
    result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert time.process_time() - begun < SECONDS
    assert result.exit_code in STATUSES, result.stderr
    assert result.exception is None or isinstance(result.exception, SystemExit)
    said = result.stdout + result.stderr
    assert said
    assert "Traceback" not in said
    assert "gdl has a bug" not in said
    assert not _STEERING.search(said)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "line", ["explain gomoku", "step awari", "explain nim", "judge go --profile uniform", "graph tic_tac_toe_3d"]
)
def test_a_work_that_may_take_long_is_announced(line: str, monkeypatch: pytest.MonkeyPatch):
    """Once a minute passed without a word."""

    class Begun(Exception):
        pass

    def begin(*asked: object, **options: object) -> None:
        raise Begun

    for place in ("commands.explaining.solve_with_trace", "commands.exporting.state_graph"):
        monkeypatch.setattr(f"gdl.{place}", begin)
    monkeypatch.setattr("gdl.solvers.equilibria.regret.uniform", begin)
    result = CliRunner().invoke(cli.commands, line.split(), prog_name="gdl")
    said = r"note: .* may have up to 10\^\d+ positions|note: the tree of .* has (about|more than) 10\^\d+ nodes"
    assert re.match(said, result.stderr), (result.stderr, result.exception)
    assert "Ctrl-C stops it" in result.stderr

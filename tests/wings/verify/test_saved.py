"""Files saved by earlier versions are read, and looked at: `saved` beside this file holds answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli

SAVED = Path(__file__).with_name("saved")
ASKED = {"nim": ["--set", "heaps=2,3"], "pig": ["--set", "goal=6"]}
BOARD = ["connect_four", "--set", "columns=3", "--set", "rows=3", "--set", "run=3"]


def run(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout if result.exit_code == 0 else result.output


@pytest.mark.one_in(3)
@pytest.mark.parametrize("answer", sorted(SAVED.glob("*.json")), ids=lambda file: file.stem)
def test_an_answer_is_verified(answer: Path):
    """None has a fingerprint, which is named; nothing in it fails."""
    told = run("verify", answer.stem, *ASKED.get(answer.stem, []), str(answer))
    assert "FAILS" not in told
    assert told.startswith(("The answer holds.", "Value, strategy and line hold; not checked: best."))
    assert "the answer was made before answers had fingerprints" in told

"""Answers that gdl gives out of what it made before are answers of the game, too; what would be waited for is refused."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli


def run(*words: str) -> str:
    return CliRunner().invoke(cli.commands, words).output


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.game")
    assert "is a named pipe" in run("solve", str(tmp_path / "pipe.game"), "--time", "1")

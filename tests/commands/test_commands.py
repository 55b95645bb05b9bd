"""The commands by their transcripts: every file in tests/commands/transcripts/ and in the folders
`transcripts` of the wings' tests is replayed, from the root of the project."""

from pathlib import Path

import pytest
from places import ROOT, missing_wings, transcript_files
from transcripts import Step, answer, read

from gdl.commands.cli import COMMANDS

STEPS = [(file, step) for file in transcript_files() for step in read(file.read_text(encoding="utf-8"))[1]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("file", "step"), STEPS, ids=[f"{file.stem}:{step.line}" for file, step in STEPS])
def test_transcript(file: Path, step: Step, monkeypatch: pytest.MonkeyPatch):
    lists = step.command == "gdl --help" or any("solvers that accept it: " in line for line in step.answer)
    if lists and missing_wings():
        pytest.skip("the list of commands, or of solvers, is that with all wings")
    monkeypatch.chdir(ROOT)
    before = set(ROOT.iterdir())
    try:
        found = answer(step)
        if missing_wings() and any("which is not installed here" in line for line in found):
            pytest.skip("a wing that is not installed would do a part of it")
        assert "\n".join(found) == "\n".join(step.answer)
    finally:
        for file in {*ROOT.glob("*.html")} - before:
            file.unlink()


def test_every_command_has_a_transcript():
    assert {step.command.split()[1] for _, step in STEPS} >= set(COMMANDS)

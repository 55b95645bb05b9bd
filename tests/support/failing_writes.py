"""Commands that write files, of which one call of the system after another fails."""

import os
from pathlib import Path
from typing import Self
from unittest.mock import patch

from click.testing import CliRunner

from gdl.commands import cli
from gdl.formats import files

FOUR = """players Ann, Bob
state
    heap: 0..9 = 9

action take(n: 1..3) when n <= heap
    heap := heap - n

terminal
    heap = 0 -> win mover

evaluate
    1 * (heap mod 4)
"""


class Failing:
    """Within the block, of the calls of the system by which files are written that of a number fails: 1 opens the first
    file, 2 writes it to the disk, 3 puts it in its place."""

    def __init__(self, at: int):
        self.at, self.calls = at, 0
        self._patches = (
            patch.object(files, "open", self._counted(open), create=True),
            patch.object(files.os, "fsync", self._counted(os.fsync)),
            patch.object(files.os, "replace", self._counted(os.replace)),
        )

    def __enter__(self) -> Self:
        for each in self._patches:
            each.start()
        return self

    def __exit__(self, *of_error: object) -> None:
        for each in self._patches:
            each.stop()

    def _counted(self, call):
        def counted(*arguments, **rest):
            self.calls += 1
            if self.calls == self.at:
                raise OSError(28, "No space left on device")
            return call(*arguments, **rest)

        return counted


def written_by(command: tuple[str, ...], folder: Path):
    """The result of the command, and the bytes of the files that it has left."""
    result = CliRunner().invoke(cli.commands, [word.format(folder) for word in command], prog_name="gdl")
    return result, {file.name: file.read_bytes() for file in sorted((folder / "W").iterdir())}


def check_that_no_file_is_damaged(command: tuple[str, ...], tmp_path: Path) -> None:
    """Whichever write fails, the error names the file, what is left is as it was or whole, and the same command then
    comes to the same. In the command, {} stands for a folder with the file four.game and the folder W to write to."""

    def fresh(name: str) -> Path:
        (tmp_path / name / "W").mkdir(parents=True)
        (tmp_path / name / "four.game").write_text(FOUR)
        return tmp_path / name

    with Failing(0) as counted:
        result, whole = written_by(command, fresh("whole"))
    assert (result.exit_code, whole != {}) == (0, True), result.stderr
    assert counted.calls >= 3
    for number in range(1, counted.calls + 1):
        folder = fresh(str(number))
        with Failing(number):
            result, left = written_by(command, folder)
        assert result.exit_code == 2, (number, result.stderr)
        assert f"error: {folder}{os.sep}W" in result.stderr.replace("written to ", "error: "), result.stderr
        assert "No space left on device" in result.stderr
        assert not [name for name in left if name.endswith(".new")]
        result, after = written_by(command, folder)
        assert (result.exit_code, after) == (0, whole), (number, result.stderr)

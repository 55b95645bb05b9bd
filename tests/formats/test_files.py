"""Files are written whole or not at all, and a folder by one process at a time."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from failing_writes import Failing
from places import ROOT

from gdl.commands import cli
from gdl.errors import DamagedData
from gdl.formats import files

FULL = OSError(28, "No space left on device")


def fail(*of_call: object) -> None:
    raise FULL


def test_a_file_is_written_and_written_again(tmp_path: Path):
    file = tmp_path / "a.svg"
    files.write(file, "größer")
    assert file.read_bytes() == "größer".encode()
    file.chmod(0o600)
    files.write(file, b"\x00")
    assert file.read_bytes() == b"\x00"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.svg"]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path):
    old, new = tmp_path / "old.svg", tmp_path / "new.svg"
    old.write_text("good")
    for file in (old, new):
        with Failing(2), pytest.raises(OSError, match="No space left") as error:
            files.write(file, "x" * 10_000)
        assert error.value.filename == str(file)
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.svg"]
    assert old.read_text() == "good"


def test_a_link_stays_one_and_a_device_is_written_as_it_is(tmp_path: Path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    files.write(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    files.write("/dev/null", "gone")
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names here")
def test_a_pipe_is_written_as_it_is():
    """The name of a pipe is a link to something that is no path."""
    reading, writing = os.pipe()
    files.write(f"/dev/fd/{writing}", "through")
    os.close(writing)
    with open(reading, "rb") as end:
        assert end.read() == b"through"


@pytest.mark.thorough_of("graph nim -o {}/a.dot")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "words",
    [
        "draw figure_5_2 -o {}/a.svg", "draw figure_5_2 -o {}/a.tex", "graph nim -o {}/a.json", "graph nim -o {}/a.dot",
    ],
)  # fmt: skip
def test_every_command_that_writes_names_its_file_and_keeps_the_old_one(words: str, tmp_path: Path):
    command = words.format(tmp_path).split()
    assert CliRunner().invoke(cli.commands, command).exit_code == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with Failing(2):
        result = CliRunner().invoke(cli.commands, command)
    assert (result.exit_code, result.stderr.startswith(f"error: {tmp_path}{os.sep}")) == (2, True)
    assert result.stderr.endswith(": No space left on device\n")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


# ---- A folder for one ---------------------------------------------------------------------------------------------

HOLDING = """
import sys, time
from pathlib import Path
from gdl.formats import files
with files.lock_folder(Path(sys.argv[1]), "which waits"):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process, which holds the folder until its input ends."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(folder)], stdin=pipe, stdout=pipe, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks there")
@pytest.mark.parametrize("end", ["done", "killed"])
def test_a_folder_is_held_by_one_process_as_long_as_that_lives(end: str, tmp_path: Path):
    folder = tmp_path / "W"
    process = holder(folder)
    said = f"W is being written by process {process.pid}, which waits; wait for it, or name another folder"
    with pytest.raises(DamagedData, match=said), files.lock_folder(folder, "which is late"):
        pytest.fail("two hold it")
    if end == "killed":
        process.kill()
    process.communicate("")
    with files.lock_folder(folder, "which is alone"):
        assert (folder / "lock").read_text() == f"process {os.getpid()}, which is alone\n"
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="there are other links")
def test_links_under_the_names_of_our_own_files_are_not_followed(tmp_path: Path):
    """As they can lie in a stranger's folder, or in one that all may write to."""
    secret = tmp_path / "secret"
    secret.write_text("kept")
    for name in ("a.new", "b.lock"):
        os.symlink(secret, tmp_path / name)
    files.write(tmp_path / "a", "new")
    with pytest.raises(OSError) as wrong, files.lock_file(tmp_path / "b", "a test"):
        pass
    assert wrong.value.filename == str(tmp_path / "b.lock")
    assert secret.read_text() == "kept" and (tmp_path / "a").read_text() == "new" and not (tmp_path / "a").is_symlink()

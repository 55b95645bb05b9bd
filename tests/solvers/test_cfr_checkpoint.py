"""Checkpoints of cfr: what goes on from one ends with the same bytes, and damage is told."""

from __future__ import annotations

import json
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner, Result

import gdl
from gdl.commands.cli import commands
from gdl.errors import DamagedData
from gdl.formats.files import lock_file
from gdl.formats.resuming import read_line, write_line
from gdl.solvers import solve


def solved(*arguments: str, game: str = "kuhn") -> Result:
    return CliRunner().invoke(commands, ["solve", game, "--solver", "cfr", *arguments], prog_name="gdl")


@pytest.mark.parametrize(
    ("method", "pieces"),
    [
        ("plus", (17, 100)),
        *(
            pytest.param(method, pieces, marks=pytest.mark.slow)
            for method in ("plus", "discounted", "predictive")
            for pieces in ((40, 300), (16, 17, 100, 256, 299))
        ),
    ],
)
def test_what_goes_on_ends_with_the_same_bytes(tmp_path: Path, method: str, pieces: tuple[int, ...]) -> None:
    once, pieced = tmp_path / "once", tmp_path / "pieced"
    whole = solved("--method", method, "--iterations", "300", "--checkpoint", str(once), "--json")
    for iterations in pieces:
        part = solved("--method", method, "--iterations", str(iterations), "--checkpoint", str(pieced), "--json")
        assert part.exit_code == 0, part.output
    if pieces[-1] != 300:
        part = solved("--method", method, "--iterations", "300", "--checkpoint", str(pieced), "--json")
    found, known = json.loads(part.stdout), json.loads(whole.stdout)
    found["options"], known["options"] = None, None  # they name the files
    assert found == known
    assert once.read_bytes() == pieced.read_bytes()


def test_near_the_regret_that_is_wanted_strategies_are_judged_more_often(tmp_path: Path) -> None:
    """After 32, 40, 48 and 56 iterations, and after the same ones where the work was cut in between."""
    whole = solved("--regret", "1/500", "--json")
    assert "After 56 iterations" in whole.stdout
    file = str(tmp_path / "pieced")
    for iterations in ("35", "41", "56"):
        part = solved("--regret", "1/500", "--iterations", iterations, "--checkpoint", file, "--json")
    found, known = json.loads(part.stdout), json.loads(whole.stdout)
    assert found | {"options": None} == known | {"options": None}


def test_a_file_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    """Both ended with status 0, and the last one to write won."""
    file = tmp_path / "shared"
    with lock_file(file, "which keeps its checkpoint there"):
        told = solved("--iterations", "10", "--checkpoint", str(file))
    assert told.exit_code == 6 and "shared is being written by process" in told.output
    assert solved("--iterations", "10", "--checkpoint", str(file)).exit_code == 0
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.slow
def test_a_limit_of_time_leaves_a_checkpoint_that_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "leduc"
    stopped = solved("--time", "1", "--checkpoint", str(file), game="leduc")
    assert stopped.exit_code == 4
    done = json.loads(file.read_bytes().split(b"\n")[0].split(b" ", 1)[1])["iterations"]
    assert done > 0
    after = solved("--iterations", str(2 * done), "--checkpoint", str(file), "--json", game="leduc")
    whole = solved("--iterations", str(2 * done), "--json", game="leduc")
    assert json.loads(after.stdout)["strategy"] == json.loads(whole.stdout)["strategy"]


def spoilt(data: bytes) -> dict[str, bytes]:
    """The file of a checkpoint, damaged in every way that there is."""
    line, rest = data.split(b"\n", 1)
    header = json.loads(line.split(b" ", 1)[1])

    def headed(**changes: object) -> bytes:
        text = json.dumps({**header, **changes}).encode()
        return b"%d %s\n" % (crc32(text), text) + rest

    return {
        "empty": b"",
        "cut": data[:-1],
        "longer": data + b"x",
        "a bit of the numbers": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        "a bit of the line": data[:30] + bytes([data[30] ^ 1]) + data[31:],
        "no JSON": b"%d %s\n" % (crc32(b"{"), b"{") + rest,
        "a list": b"%d %s\n" % (crc32(b"[]"), b"[]") + rest,
        "below zero": headed(iterations=-1),
        "no number": headed(iterations="many"),
        "the best is later": headed(best=10**9),
        "another file": b"game of mine\n",
    }


def test_damage_is_told(tmp_path: Path) -> None:
    file, game, wrong = tmp_path / "c", gdl.load("kuhn"), []
    solve(game, "cfr", iterations=50, checkpoint=str(file))
    for how, data in spoilt(file.read_bytes()).items():
        file.write_bytes(data)
        try:
            solve(game, "cfr", iterations=60, checkpoint=str(file))
            wrong.append(how)
        except DamagedData as damage:
            assert "is no whole checkpoint" in str(damage)
    assert not wrong
    told = solved("--iterations", "60", "--checkpoint", str(file))
    assert told.exit_code == 6 and "is no whole checkpoint" in told.stderr


@pytest.mark.thorough
def test_a_checkpoint_of_another_game_or_method_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "c")
    solved("--iterations", "50", "--checkpoint", file)
    for told in (
        solved("--checkpoint", file, game="leduc"),
        solved("--checkpoint", file, "--method", "discounted"),
        CliRunner().invoke(commands, ["solve", "kuhn", "--solver", "cfr", "--set", "cards=4", "--checkpoint", file]),
    ):
        assert told.exit_code == 5 and "of another game or method" in told.stderr
    first, _, rest = Path(file).read_bytes().partition(b"\n")
    Path(file).write_bytes(write_line({**read_line(first + b"\n"), "version": 1}) + rest)
    told = solved("--checkpoint", file)
    assert told.exit_code == 5 and "written by another version of gdl" in told.stderr


def test_a_file_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    told = solved("--checkpoint", str(tmp_path / "no" / "folder"))
    assert told.exit_code not in (0, 70) and "folder" in told.stderr
    assert "Traceback" not in told.stderr

"""Checkpoints of mccfr: what goes on from one ends with the same bytes, and damage is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gdl.commands.cli import commands
from gdl.formats import resuming
from gdl.wings.hidden.mccfr import MccfrCheckpoint

pytest.importorskip("wasmtime")


def solved(*arguments: str, game: str = "kuhn") -> Result:
    return CliRunner().invoke(commands, ["solve", game, "--solver", "mccfr", *arguments], prog_name="gdl")


def answer(*arguments: str, game: str = "kuhn") -> dict[str, object]:
    done = solved(*arguments, "--json", game=game)
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    found["options"] = None  # they name the files
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "more", "pieces"),
    [
        ("kuhn", (), (5, 40, 300)),
        pytest.param("kuhn", ("--nodes", "1"), (100, 300), marks=pytest.mark.slow),  # not all met: an estimate
        pytest.param("goofspiel", (), (17, 64, 300), marks=pytest.mark.slow),
        pytest.param("liars_dice", ("--nodes", "1"), (30, 300), marks=pytest.mark.slow),
        pytest.param("cheat", ("--seed", "7"), (3, 16, 300), marks=pytest.mark.slow),
    ],
)
def test_what_goes_on_ends_with_the_same_bytes(
    tmp_path: Path, game: str, more: tuple[str, ...], pieces: tuple[int, ...]
) -> None:
    once, pieced = tmp_path / "once", tmp_path / "pieced"
    whole = answer(*more, "--iterations", "300", "--checkpoint", str(once), game=game)
    for iterations in pieces:
        part = answer(*more, "--iterations", str(iterations), "--checkpoint", str(pieced), game=game)
    assert part == whole
    assert once.read_bytes() == pieced.read_bytes()
    bare = answer(*more, "--iterations", "300", game=game)
    assert bare["value"] == whole["value"] and bare.get("strategy") == whole.get("strategy")


@pytest.mark.thorough
def test_what_is_written_on_the_way_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = []
    save = MccfrCheckpoint.save
    monkeypatch.setattr(resuming, "EVERY", 0.0)
    monkeypatch.setattr(MccfrCheckpoint, "save", lambda *given: saved.append(save(*given)))
    kept = answer("--iterations", "30000", "--checkpoint", str(tmp_path / "file"))
    assert len(saved) > 4  # at the start, at the end, and between
    assert kept == answer("--iterations", "30000")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["leduc", "liars_dice"])
def test_a_limit_of_time_leaves_a_checkpoint_that_goes_on(tmp_path: Path, game: str) -> None:
    """In the middle of an iteration, too, which is finished."""
    file, other = tmp_path / "stopped", tmp_path / "other"
    assert solved("--time", "1", "--nodes", "1", "--checkpoint", str(file), game=game).exit_code in (0, 4)
    done = json.loads(file.read_bytes().split(b"\n")[0].split(b" ", 1)[1])["iterations"]
    assert done > 0
    target = ("--iterations", str(done + 500), "--nodes", "1")
    after = answer(*target, "--checkpoint", str(file), game=game)
    assert after == answer(*target, "--checkpoint", str(other), game=game)
    assert file.read_bytes() == other.read_bytes()


@pytest.mark.thorough
def test_damage_and_strangers_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    answer("--iterations", "20", "--checkpoint", str(file))
    data = file.read_bytes()
    for spoilt in (
        b"",
        data[:-1],
        data[:40],
        data.replace(b"mccfr", b"mccfs", 1),
        data + b"x",
        data[:-9] + b"123456789",
    ):
        file.write_bytes(spoilt)
        done = solved("--iterations", "20", "--checkpoint", str(file))
        assert done.exit_code != 0 and "is no whole checkpoint" in done.output
    file.write_bytes(data)
    for other in (("--seed", "2"), ("--set", "cards=4")):
        done = solved("--iterations", "20", "--checkpoint", str(file), *other)
        assert done.exit_code != 0 and "is a checkpoint of another game or seed" in done.output
    assert file.read_bytes() == data

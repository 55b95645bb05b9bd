"""gdl verify of a table: it holds as it was made, and every slip in it is found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner, Result
from sampling import one_in

from gdl.commands import cli

pytest.importorskip("wasmtime")
pytest.importorskip("gdl.wings.verify")

ROWS = [  # game and how it is asked for, how it is solved
    ("connect_four --set columns=3 --set rows=3 --set run=3", ""),
    ("tic_tac_toe", "--solver retrograde --symmetry"),
    ("pong_hau_ki", ""),
    ("nim", ""),
    ("kalah --set houses=3 --set seeds=2", "--solver retrograde --symmetry"),
    ("pig --set goal=10", ""),
    ("fox_and_hounds --set n=4", ""),
]


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.commands, [word for part in words for word in part.split()])


def made(game: str, how: str, folder: Path) -> Path:
    if "--symmetry" in how:
        pytest.importorskip("gdl.wings.symmetry")
    assert run("solve", game, how, f"--table {folder}").exit_code == 0
    return folder


@pytest.mark.thorough
@pytest.mark.one_in(4)
@pytest.mark.parametrize("row", one_in(2, ROWS), ids=lambda row: row[0])
def test_a_table_that_was_made_holds(row: tuple[str, str], tmp_path: Path) -> None:
    game, how = row
    result = run("verify", game, str(made(game, how, tmp_path / "table")))
    assert result.stdout.startswith("The table holds.\nAll ")
    assert result.exit_code == 0


@pytest.mark.slow
def test_a_table_of_an_endgame_holds(tmp_path: Path) -> None:
    """In which stalemate ends a play, and others never end."""
    words = ["minichess", "--position", "4k/5/5/5/R3K w"]
    folder = str(tmp_path / "table")
    assert CliRunner().invoke(cli.commands, ["solve", *words, "--table", folder]).exit_code == 0
    result = CliRunner().invoke(cli.commands, ["verify", *words, folder])
    assert result.stdout.startswith("The table holds.\nAll 18,416 positions")
    assert result.exit_code == 0


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("nim --set heaps=2,3", "", tmp_path_factory.mktemp("nim") / "table")


def changed(table: Path, folder: Path, name: str, at: int, byte: int, told: bool = True) -> Path:
    """A copy with another byte in an array; `told`: as if that had been written, checksums and all."""
    shutil.copytree(table, folder)
    data = bytearray((folder / f"{name}.bin").read_bytes())
    assert data[at] != byte
    data[at] = byte
    (folder / f"{name}.bin").write_bytes(data)
    if told:
        manifest = json.loads((folder / "manifest.json").read_text())["manifest"]
        manifest["blocks"][name] = [crc32(data)]
        check = crc32(json.dumps(manifest).encode())
        (folder / "manifest.json").write_text(json.dumps({"check": check, "manifest": manifest}))
    return folder


@pytest.mark.thorough
def test_every_other_value_and_distance_is_found(table: Path, tmp_path: Path) -> None:
    utilities = len(json.loads((table / "manifest.json").read_text())["manifest"]["utilities"])
    for name in ("values", "ranks"):
        data = (table / f"{name}.bin").read_bytes()
        for at in range(0, len(data), 2):
            byte = (data[at] + 1) % utilities if name == "values" else data[at] + 1
            result = run("verify", "nim --set heaps=2,3", str(changed(table, tmp_path / f"{name}{at}", name, at, byte)))
            assert result.exit_code == 1, (name, at)
            assert result.stdout.startswith("The table is wrong "), (name, at)


def test_what_was_not_written_is_damage(table: Path, tmp_path: Path) -> None:
    result = run("verify", "nim --set heaps=2,3", str(changed(table, tmp_path / "bad", "keys", 3, 99, told=False)))
    assert result.exit_code == 6
    assert "keys.bin is not what was written" in result.stderr


def test_other_tables_and_none_are_told(table: Path, tmp_path: Path) -> None:
    assert run("verify", "nim --set heaps=2,4", str(table)).exit_code == 5
    result = run("verify", "nim", str(tmp_path))
    assert result.exit_code == 6
    assert "there is no table in" in result.stderr


def test_of_a_larger_table_a_part_is_checked(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    monkeypatch.setattr("gdl.wings.tables.table_check.MOST_WALKED", 5)
    monkeypatch.setattr("gdl.wings.tables.table_check.MET", 7)
    result = run("verify", "nim --set heaps=2,3", str(table))
    assert (
        result.stdout
        == "The table holds.\n5 positions and 7 met in random plays were checked; the table has 20 positions.\n"
    )

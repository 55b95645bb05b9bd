"""A checksum guards files of what was learned: a file of any kind that is damaged anywhere is refused."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from shipped import shipped

from gdl.commands.cli import commands
from gdl.errors import DamagedData
from gdl.wings.learning import learned_files, tensors
from gdl.wings.learning.learned import Tables
from gdl.wings.learning.temporal_differences import inputs_for
from gdl.wings.learning.utility_scale import scale_from_rules

GAME = "tic_tac_toe"
HELD_TOGETHER = (
    r"^f(\.safetensors)? (is damaged: its (length|checksum)|has no checksum: .* gdl learn --fresh makes it anew)"
)


def a_file(kind: str, name: str = GAME) -> tuple[Any, bytes]:
    """A game, and a file with random numbers of a kind that gdl learn writes for it."""
    of, random = shipped(name), Random(1)
    inputs = inputs_for(of, kind == "tuples")
    numbers = array("d", [random.gauss(0, 0.3) for _ in range(inputs.entries)])
    found = Tables(inputs, scale_from_rules(of, of.initial()), numbers)
    return of, learned_files.encode_learned(found, of.model, {"games": "16"})


def damaged(data: bytes, random: Random) -> Iterator[bytes]:
    """The file with one bit turned in each of many places; cut off, longer, with bytes taken out and put in."""
    places = [*range(130), *(random.randrange(len(data)) for _ in range(70))]
    for at in places:
        yield data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
    for at in places[::3]:
        yield data[:at]
        yield data[:at] + data[at + 1 :]
        yield data[:at] + bytes([random.randrange(256)]) + data[at:]
    yield data + b"\0"


@pytest.mark.parametrize("kind", ["linear", "tuples"])
def test_whatever_is_damaged_the_file_is_refused(kind: str):
    game, data = a_file(kind)
    learned = learned_files.attach_evaluation(game.model, data, "f").learned
    assert learned_files.encode_learned(learned, game.model, {"games": "16"}) == data
    for other in damaged(data, Random(7)):
        with pytest.raises(DamagedData, match=HELD_TOGETHER):
            learned_files.attach_evaluation(game.model, other, "f")


@pytest.mark.thorough
def test_the_command_refuses_it_and_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    words = ["solve", GAME, "--weights", "f.safetensors", "--depth", "1"]
    _, data = a_file("tuples")
    others = list(damaged(data, Random(8)))
    for other in (*others[5:9], *others[9::11]):
        Path("f.safetensors").write_bytes(other)
        run = CliRunner().invoke(commands, words, prog_name="gdl")
        assert run.exit_code == 6 and "error: f.safetensors" in run.stderr, run.output
    Path("f.safetensors").write_bytes(data)
    assert CliRunner().invoke(commands, words, prog_name="gdl").exit_code == 0


def test_an_array_may_be_empty_and_numbers_begin_at_whole_words():
    for name in ("a", "ab", "abc"):
        arrays = {name: array("i"), "full": array("d", [1.5])}
        data = tensors.encode_tensors(arrays, {})
        assert tensors.read(data, "f") == (arrays, {}) and int.from_bytes(data[:8], "little") % 8 == 0


def test_what_was_written_before_there_were_checksums_is_told_so():
    header = json.dumps({"__metadata__": {"format": "gdl 1"}}).encode()
    with pytest.raises(DamagedData, match=HELD_TOGETHER):
        tensors.read(len(header).to_bytes(8, "little") + header, "f")


def test_others_read_the_file():
    """By the definition of the format, and, where it is installed, by the library that defines it."""
    _, data = a_file("tuples")
    arrays, texts = tensors.read(data, "f")
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert header.pop("__metadata__") == {**texts, "checksum": data[37:101].decode()}
    for name, row in header.items():
        begin, end = row["data_offsets"]
        assert data[8 + length :][begin:end] == arrays[name].tobytes()
    library = pytest.importorskip("safetensors.numpy", reason="no safetensors is installed")
    assert {name: found.tolist() for name, found in library.load(data).items()} == {
        name: numbers.tolist() for name, numbers in arrays.items()
    }


@pytest.mark.thorough_of("a-cell-beyond-the-last")
@pytest.mark.parametrize(
    ("kind", "name", "at", "number", "whole"),
    [
        pytest.param("linear", "member", 0, 9, False, id="a-cell-beyond-the-last"),
        pytest.param("linear", "base", 2, 7, False, id="a-number-beyond-the-table"),
        pytest.param("linear", "start", 1, 0, True, id="a-pattern-of-no-cells"),
    ],
)
def test_numbers_lie_within_the_tables(kind: str, name: str, at: int, number: int, whole: bool):
    """One number is changed, and the checksum is that of the file so changed."""
    game, data = a_file(kind)
    arrays, texts = tensors.read(data, "f")
    arrays[name][at] = number
    changed = tensors.encode_tensors(arrays, {name: text for name, text in texts.items() if name != "checksum"})
    if whole:
        assert learned_files.attach_evaluation(game.model, changed, "f")
    else:
        with pytest.raises(DamagedData, match=r"do not fit together|of no meaning"):
            learned_files.attach_evaluation(game.model, changed, "f")


def test_a_model_that_was_left_out_is_refused_by_name(tmp_path: Path):
    file = tmp_path / "f.safetensors"
    arrays = {"place": array("i", [3]), "number": array("f", [0.5])}
    file.write_bytes(tensors.encode_tensors(arrays, {"format": learned_files.FORMAT, "model": "patterns"}))
    run = CliRunner().invoke(commands, ["solve", GAME, "--weights", str(file)], prog_name="gdl")
    assert run.exit_code == 6 and "holds patterns for random play, a model that gdl no longer has" in run.stderr


def test_a_scale_has_a_width():
    game, data = a_file("linear")
    arrays, texts = tensors.read(data, "f")
    with pytest.raises(DamagedData, match="of no meaning"):
        learned_files.read(game.model, arrays, {**texts, "half": "0x0.0p+0"}, "f")


@pytest.mark.thorough_of("tuples-backgammon", "tuples-go")
@pytest.mark.parametrize(
    ("kind", "name"),
    [("linear", "bandit"), ("linear", "centipede"), ("tuples", GAME), ("tuples", "go"), ("tuples", "backgammon")],
)
def test_games_of_all_kinds_are_read_again(kind: str, name: str):
    game, data = a_file(kind, name)
    learned = learned_files.attach_evaluation(game.model, data, "f").learned
    assert learned_files.encode_learned(learned, game.model, {"games": "16"}) == data

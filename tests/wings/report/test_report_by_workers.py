"""A report by several workers: the same bytes, and no checkpoint is believed."""

import json
from pathlib import Path
from zlib import crc32

import pytest
from click.testing import CliRunner

from gdl.commands import cli


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, ["report", *arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "compared",
    [
        ["nim", "--sweep", "heaps=1,2", "--ladder", "50", "--agents", "mcts:50"],
        ["tic_tac_toe", "--without", "take(b2)", "--seat", "X", "--agents", "random", "--lead", "none"],
    ],
)
def test_comparisons_are_cut_into_pieces_too(tmp_path: Path, compared: list[str]):
    command = [*compared, "--games", "6"]
    assert run(*command, "--checkpoint", str(tmp_path / "kept")) == run(*command)


@pytest.mark.thorough
def test_a_hostile_checkpoint_is_told_as_damaged(tmp_path: Path):
    file, command = tmp_path / "kept", ["tic_tac_toe", "--agents", "random", "--games", "4", "--lead", "none"]
    plain = run(*command)
    assert run(*command, "--checkpoint", str(file)) == plain == run(*command, "--checkpoint", str(file))
    header, *rest = file.read_bytes().splitlines(keepends=True)
    first = json.loads(rest[0].partition(b" ")[2])[0]
    wrong = (
        {"seats": [7, 0]},
        {"utilities": ["1e999999999", "0"]},
        {"judged": [[1.0]]},
        {"choices": [[0, "a", "a", 0, []]]},
    )
    for lie in (*([{**first, **one}] for one in wrong), 5, {}, [], [[]], "x"):
        text = json.dumps(lie).encode()
        file.write_bytes(header + b"%d %s\n" % (crc32(text), text))
        assert "checkpoint" in run(*command, "--checkpoint", str(file), status=6), lie


@pytest.mark.slow
def test_the_same_bytes_by_one_two_and_four_workers():
    command = ["tic_tac_toe", "--agents", "mcts:50,random", "--games", "30", "--seed", "1"]
    plain = run(*command)
    for workers in (1, 2, 4):
        assert run(*command, "--workers", str(workers)) == plain

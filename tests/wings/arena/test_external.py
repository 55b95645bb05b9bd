"""Programs of others in gdl match: those that play, and those that break the rules of it."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.wings.arena import program
from gdl.wings.arena.records import read

ANSWERS = """
import sys, time
moves = {moves!r}
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == {protocol!r}:
        print("id name x", "y" * 200_000, {protocol!r} + "ok", sep="\\n", flush=True)
    elif word == "isready":
        print("bestmove take(c3)\\nreadyok", flush=True)
    elif word == "go":
        {deed}
    elif word == "quit":
        break
"""
BY_TURNS = 'print("info string hm\\nbestmove", moves.pop(0), "ponder take(c3)", flush=True)'


@pytest.fixture
def engine(tmp_path: Path):
    def written(deed: str = BY_TURNS, moves: tuple[str, ...] = (), protocol: str = "ugi") -> str:
        file = tmp_path / "an engine.py"
        file.write_text(ANSWERS.format(moves=list(moves), deed=deed, protocol=protocol), encoding="utf-8")
        return f"engine:{shlex.join([sys.executable, str(file)])}"

    return written


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, ["match", "tic_tac_toe", *arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout


@pytest.mark.thorough
def test_a_program_of_ours_never_loses(monkeypatch):
    for wait in ("START", "READY", "LATE"):
        monkeypatch.setattr(program, wait, 300.0)  # seconds: the machine may be busy
    ours = f"engine:{shlex.join([sys.executable, '-m', 'gdl', 'ugi', 'tic_tac_toe'])}"
    found = json.loads(run(ours, "random", "--games", "4", "--time", "0.2", "--json"))
    assert found["games"] == 4 and found["lost"] == 0 and "forfeits" not in found


@pytest.mark.thorough_of("uci")
@pytest.mark.parametrize("protocol", ["uci", "ugi"])
def test_moves_of_a_program_are_played(engine, tmp_path, protocol):
    """Against a search that is told everything: the moves stand in the record in their order."""
    text = engine(moves=("take(a1)", "take(a1)"), protocol=protocol)
    folder = tmp_path / "games"
    told = json.loads(run(text, "minimax", "--games", "2", "--openings", "0", "--save", str(folder), "--json"))
    assert [(one["game"], one["contestant"]) for one in told["forfeits"]] == [(1, text), (2, text)]
    first = read((folder / "game-0001.play").read_text(), "game")
    assert first.actions[0] == "take(a1)" and len(first.actions) == 2
    assert first.result == "X -1, O 1"
    assert "it played 'take(a1)', which is not legal" in first.remarks[2]
    assert (told["lost"], told["gain"]) == (2, -1.0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("sys.exit(3)", "the program ended, with the exit status 3"),
        ("time.sleep(9)", "it said no bestmove for 0.25 seconds"),
        ("[print('info ' + 'x' * 99, flush=True) for n in range(10**9)]", "it said no bestmove for 0.25 seconds"),
        ("print('bestmove (none)', flush=True)", "it played '(none)', which is not legal"),
        ("print('bestmove', flush=True)", "it played '', which is not legal"),
    ],
)
def test_a_program_that_breaks_the_rules_loses(engine, monkeypatch, deed, reason):
    late = reason.startswith("it said no")
    monkeypatch.setattr(program, "LATE", 0.2 if late else 100.0)  # the machine may be busy
    monkeypatch.setattr(program, "LEAVES", 0.2 if late else 100.0)
    found = json.loads(run(engine(deed), "random", "--games", "2", "--time", "0.05", "--openings", "0", "--json"))
    assert [one["reason"] for one in found["forfeits"]] == [reason] * 2
    assert found["lost"] == 2


def test_the_text_tells_of_games_given_up(engine):
    told = run(engine("sys.exit()"), "random", "--games", "2")
    assert "gave 2 games up" in told


@pytest.mark.parametrize("words", ["engine:", "engine:./nosuch", "engine:'", f"engine:{sys.executable} -c 1"])
def test_what_is_no_engine(words):
    run(words, "random", status=2)


@pytest.mark.thorough
def test_a_silent_program_is_no_engine(monkeypatch):
    monkeypatch.setattr(program, "START", 0.1)
    run("engine:cat", "random", status=2)


def test_what_is_hidden_no_program_is_told():
    result = CliRunner().invoke(cli.commands, ["match", "kuhn", "engine:cat", "random"], prog_name="gdl")
    assert result.exit_code == 5

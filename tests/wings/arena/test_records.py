"""Records of plays: written, read, damaged, and judged move by move."""

import json
import os
import random

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.errors import DamagedData
from gdl.game import Terminal
from gdl.wings.arena.records import PlayRecord, is_record, read, write


def run(*arguments: str, input: str = "", status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, arguments, input=input, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout


FULL = PlayRecord(
    'a "game"', {"n": "4", "heaps": "1,2"}, "misere", "w - - 0", {"X": "a\nperson", "Ö": "gdl"}, "X 1, Ö -1",
    ("take(1, 2)", "[odd] ; name", "3. x"), {2: "? costs 1\nand more"},
)  # fmt: skip


@pytest.mark.parametrize("record", [FULL, PlayRecord("nim"), PlayRecord("nim", actions=("take(1, 1)",))])
def test_what_is_written_is_read(record: PlayRecord):
    assert is_record(write(record))
    assert read(write(record), "x") == record


def test_games_are_no_records():
    assert not any(is_record(file.read_text()) for file in gdl.shipped().values())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[game "nim"', 1),
        ('[game "nim"]\n[game "nim"]', 2),
        ('[game "nim"]\n[player "X"]', 2),
        ('[game "nim"]\n[set "n"]', 2),
        ('[game "nim"]\n1. a\n3. b', 3),
        ('[game "nim"]\n1. a\nb', 3),
        ('[game "nim"]\n1. a\n[result "*"]', 3),
        ('[game "\\x"]', 1),
        ('[game "nim"]\n99999999999999999999. a', 2),
    ],
)
def test_damage_is_told_with_its_line(text: str, line: int):
    with pytest.raises(DamagedData, match=f"^x:{line}: "):
        read(text, "x")


def test_a_file_of_random_plays_is_told_to_be_no_record():
    with pytest.raises(
        DamagedData, match=r'^x is no record of a play of gdl play --save, which begins with \[game "…"\]$'
    ):
        read('{"game": "Nim", "set": {}, "variant": null, "plies": []}\n', "x")


def test_damage_at_random_is_told():
    whole = write(FULL)
    for seed in range(300):
        dice = random.Random(seed)
        at = dice.randrange(len(whole))
        text = whole[:at] + dice.choice(["", "\0", '"', "[", "]", "\n", "9"]) + whole[at + dice.randrange(4) :]
        try:
            read(text, "x")
        except DamagedData as wrong:
            assert str(wrong).startswith("x")


# ---- Commands that read them ------------------------------------------------------------------------------------


def test_a_play_is_saved_and_gone_on_with(tmp_path):
    file = str(tmp_path / "t.play")
    run("play", "tic_tac_toe", "--seed", "1", "--save", file, input="a1\nquit\n")
    record = read((tmp_path / "t.play").read_text(), file)
    assert record.actions[0] == "take(a1)" and len(record.actions) == 2 and record.result == "*"
    assert record.who == {"X": "a person", "O": "gdl"}
    run("play", "tic_tac_toe", "--seed", "1", "--load", file, "--save", file, input="c1\nquit\n")
    later = read((tmp_path / "t.play").read_text(), file)
    assert later.actions[:2] == record.actions and later.actions[2] == "take(c1)" and len(later.actions) == 4
    shown = json.loads(run("show", file, "--json"))
    assert shown == json.loads(run("show", "tic_tac_toe", "--after", " ".join(later.actions), "--json"))
    assert shown == json.loads(run("show", "tic_tac_toe", "--record", file, "--json"))


def test_a_record_brings_its_settings_and_its_game(tmp_path):
    (tmp_path / "mine.game").write_text(gdl.shipped()["nim"].read_text())
    (tmp_path / "m.play").write_text('[game "mine.game"]\n[set "heaps=1,2"]\n[variant "misere"]\n\n1. take(2, 1)\n')
    found = json.loads(run("solve", str(tmp_path / "m.play"), "--json"))
    assert found["settings"] == {"heaps": "1,2"} and found["variant"] == "misere" and found["after"] == ["take(2, 1)"]


def test_what_a_record_cannot_be(tmp_path):
    file = tmp_path / "m.play"
    file.write_text('[game "nim"]\n\n1. take(9, 9)\n')
    run("show", str(file), status=2)
    run("show", str(file), "--after", "take(1, 1)", status=2)
    run("show", "nim", "--record", str(tmp_path / "nowhere"), status=2)
    (tmp_path / "m.game").write_text('[game "m.play"]\n')
    file.write_text('[game "m.game"]\n')
    run("show", str(file), status=6)
    file.write_text('[game "nosuch"]\n')
    run("show", str(file), status=2)


@pytest.mark.parametrize(
    "name",
    ["../secret.game", "SECRET", "inner/secret.game", "secret.txt", "pipe.game", "link.game", "nosuch.game", "..", ""],
)
def test_a_record_opens_no_file_but_a_game_beside_it(tmp_path, name: str):
    folder = tmp_path / "stranger"
    (folder / "inner").mkdir(parents=True)
    for secret in (tmp_path / "secret.game", folder / "inner" / "secret.game", folder / "secret.txt"):
        secret.write_text("a secret line")
    os.mkfifo(folder / "pipe.game")
    os.symlink(tmp_path / "secret.game", folder / "link.game")
    record = folder / "m.play"
    record.write_text(f'[game "{name.replace("SECRET", str(tmp_path / "secret.game"))}"]\n\n1. take(1, 1)\n')
    result = CliRunner().invoke(cli.commands, ["show", str(record)], prog_name="gdl")
    assert result.exit_code == 2 and "m.play names its game: " in result.stderr, result.output
    assert "GAME --record FILE" in result.stderr and "a secret" not in result.stderr
    run("show", "nim", "--record", str(record))


@pytest.mark.thorough
def test_a_record_of_a_file_elsewhere_is_read_with_the_game_or_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    mine = tmp_path / "games" / "mine.game"
    mine.write_text(gdl.shipped()["nim"].read_text())
    run("match", "games/mine.game", "random", "random", "--games", "2", "--save", "plays")
    kept = "plays/game-0001.play"
    assert read((tmp_path / kept).read_text(), kept).game == "mine.game"
    shown = run("show", "games/mine.game", "--record", kept)
    run("show", kept, status=2)
    (tmp_path / "plays" / "mine.game").write_text(mine.read_text())
    assert run("show", kept) == shown


def test_a_pipe_in_a_folder_of_games_is_passed_over(tmp_path):
    (tmp_path / "a.game").write_text(gdl.shipped()["nim"].read_text())
    os.mkfifo(tmp_path / "b.game")
    run("check", str(tmp_path))


# ---- gdl analyse ------------------------------------------------------------------------------------------------


def worth(game, state, player: int, known: dict) -> int:
    """By the definition of minimax; it knows nothing of the solvers."""
    if (state, player) not in known:
        node = game.node(state)
        if isinstance(node, Terminal):
            known[state, player] = node.utilities[player]
        else:
            values = [worth(game, game.successor(state, action), player, known) for action in node.actions]
            known[state, player] = max(values) if node.player == player else min(values)
    return known[state, player]


@pytest.mark.parametrize("seed", range(4))
def test_moves_cost_what_minimax_says(seed: int):
    settings = ["--set", "heaps=1,2,3"]
    game = gdl.load("nim", settings={"heaps": "1,2,3"})
    state, dice, known, costs, played = game.initial(), random.Random(seed), {}, [], []
    while not isinstance(node := game.node(state), Terminal):
        action = dice.choice(node.actions)
        later = game.successor(state, action)
        costs.append(worth(game, state, node.player, known) - worth(game, later, node.player, known))
        played.append(action)
        state = later
    found = json.loads(run("analyse", "nim", *settings, "--after", " ".join(played), "--time", "60", "--json"))
    assert [move["cost"] for move in found["moves"]] == costs
    assert [move["mark"] for move in found["moves"]] == ["??" if cost else "" for cost in costs]
    assert all(move["exact"] for move in found["moves"])


@pytest.mark.thorough
def test_chance_is_no_move_and_is_averaged(tmp_path):
    found = json.loads(
        run("analyse", "pig", "--set", "goal=8", "--after", "roll 3 hold roll 1", "--json", "--time", "20")
    )
    assert {move["action"] for move in found["moves"]} <= {"roll", "hold"}


@pytest.mark.thorough
def test_marks_are_written_into_the_record(tmp_path):
    file = tmp_path / "out.play"
    run("analyse", "tic_tac_toe", "--after", "take(a1) take(b1)", "--time", "20", "-o", str(file))
    record = read(file.read_text(), "x")
    assert record.remarks == {2: "?? costs 1: take(b2) is worth 0 to O"}


@pytest.mark.parametrize(("game", "play", "status"), [("nim", "", 2), ("kuhn", "deal(1)", 5)])
def test_what_is_not_judged(game: str, play: str, status: int):
    after = ["--after", play] if play else []
    assert run("analyse", game, *after, "--json", status=status)

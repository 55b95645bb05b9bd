"""gdl check --play: what random plays show of a game, held against the rules themselves."""

import json

import pytest
from click.testing import CliRunner

from gdl.commands import cli

GAME = """players Ann, Bob

state
    left: 0..4 = 4
    rolled: 0..2 = 0

start roll

chance roll(n: 1..2) weight n
    rolled := n
    next mover

chance never when left > 4
    rolled := 0

action take(n: 1..2) when n <= left as "t{n}"
    left := left - n

action wait when left = 4 as "t0"
    next mover

action cheat when left > 3 and rolled = 0 as "t9"
    left := 0

terminal
    left = 0 -> win mover
    left > 4 -> draw
"""


def run(*arguments: str, text: str | None = None, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, ["check", *arguments], prog_name="gdl", input=text)
    assert result.exit_code == status, result.output
    return result.stdout


def counts(*arguments: str) -> dict:
    (told,) = json.loads(run(*arguments, "--json"))["plays"]
    return told


@pytest.mark.slow
def test_rules_are_counted_by_what_they_are_not_by_their_names():
    """Castling and other moves of chess are written alike; a random play seldom castles."""
    told = counts("chess", "--play", "1")
    rules = {rule["name"]: rule for rule in told["rules"]}
    assert rules["move"]["possible"] == rules["move"]["happened"] == told["looked_at"] == 1
    assert rules["castle"]["happened"] <= rules["castle"]["possible"]


def test_what_no_play_met_is_told(tmp_path):
    file = tmp_path / "rolled.game"
    file.write_text(GAME.replace("start roll\n", "").replace("weight n", "when left > 4"), encoding="utf-8")
    told = counts(str(file), "--play", "30")
    met = {rule["name"]: (rule["possible"], rule["happened"]) for rule in told["rules"]}
    assert met["take"][0] == 30 and met["roll"] == (0, 0) and met["never"] == (0, 0)
    assert met["cheat"][0] == 30 and 0 < met["cheat"][1] < 30
    assert [end["plays"] for end in told["ends"]] == [30, 0]


@pytest.mark.thorough
def test_long_plays_are_fewer_than_were_asked_for():
    assert 5 < counts("pig", "--play", "40")["looked_at"] < 40


@pytest.mark.thorough
def test_the_plays_are_the_same_every_time():
    asked = "nim", "kuhn", "--play", "20", "--time", "600"
    assert run(*asked) == run(*asked)


@pytest.mark.thorough
def test_the_counts_are_those_of_the_rules():
    (told,) = json.loads(run("kuhn", "--play", "50", "--json"))["plays"]
    met = {rule["name"]: rule for rule in told["rules"]}
    assert met["deal"]["happened"] == told["looked_at"] == told["playouts"] == 50
    assert met["check"]["happened"] < met["check"]["possible"] == 50
    assert sum(end["plays"] for end in told["ends"]) == 50


def test_games_of_other_kinds_are_played_too():
    told = run("prisoners", "figure_5_2", "--play", "10")
    assert told.count("10 random playouts") == 2 and "used " not in told


def test_a_text_is_played_too():
    assert "used      by 5 plays" in run("-", "--play", "5", text=GAME)


def test_a_wrong_file_is_not_played():
    assert "playouts" not in run("-", "--play", "5", text="players A\nstate\n", status=3)

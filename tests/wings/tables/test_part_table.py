"""Tables of part of a game: what they say is so, and searches from elsewhere find the game's value by them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.commands.game_argument import ask, read_text
from gdl.errors import LimitReached, Refusal
from gdl.game import Decision, Terminal
from gdl.playing.loading import Asking
from gdl.states.explore import explore
from gdl.wings.tables.beginnings import beginnings
from gdl.wings.tables.making_tables import open_table

FULL = "(count s in Square: mark[s] != none) >= 5"
KINGS = "exists s in Square: king[s]"


def run(*words):
    return CliRunner().invoke(commands, ["solve", *words], prog_name="gdl")


def asked(file, **settings):
    text, name, folder = read_text(file)
    return ask(Asking(text, name, settings=settings, folder=folder))


def closed(game, starts):
    """All that follows some positions."""
    found = dict.fromkeys(starts)
    for state in (queue := [*starts]):
        node = game.node(state)
        for action in node.actions if isinstance(node, Decision) else ():
            if (after := game.successor(state, action)) not in found:
                found[after] = None
                queue.append(after)
    return found


def worth(game, state):
    node = game.node(state)
    if isinstance(node, Terminal):
        return node.utilities[0]
    best = max if node.player == 0 else min
    return best(worth(game, game.successor(state, action)) for action in node.actions)


@pytest.mark.thorough
def test_a_table_of_late_positions_is_right_and_probed(tmp_path):
    result = run("tic_tac_toe", "--json", "--table", str(tmp_path / "late"), "--where", FULL)
    assert json.loads(result.stdout)["value"] == {"X": 0, "O": 0}
    game = asked("tic_tac_toe")
    looked = open_table(game.game, tmp_path / "late")
    assert looked.value(game.game.initial()) is None
    late = closed(game.game, beginnings(game, FULL))
    assert len(late) == looked.table.states > 100
    for state in late:
        assert looked.value(state)[0] == worth(game.game, state)
    pytest.importorskip("gdl.wings.verify")
    assert CliRunner().invoke(commands, ["verify", "tic_tac_toe", str(tmp_path / "late")]).exit_code == 0


@pytest.mark.slow  # two tables
@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_where_play_goes_round_the_part_says_what_the_whole_does(tmp_path, engine):
    small = ["checkers", "--set", "n=4", "--set", "men=1"]
    assert run(*small, "--engine", engine, "--table", str(tmp_path / "whole")).exit_code == 0
    assert run(*small, "--engine", engine, "--table", str(tmp_path / "part"), "--where", KINGS).exit_code == 0
    game = asked("checkers", n="4", men="1")
    whole, part = (open_table(game.game, tmp_path / name) for name in ("whole", "part"))
    kings = closed(game.game, beginnings(game, KINGS))
    assert len(kings) == part.table.states < whole.table.states
    for state in kings:
        assert (part.value(state), part.rank(state)) == (whole.value(state), whole.rank(state))


def test_the_condition_is_in_the_words_of_a_game_made_from_another(tmp_path):
    file = tmp_path / "other.game"
    file.write_text('game "Other" from tic_tac_toe\n\ndefine late = 5\n', encoding="utf-8")
    assert beginnings(asked(str(file)), "(count s in Square: mark[s] != none) >= late")


def test_a_game_that_asks_for_the_past_has_no_such_table():
    with pytest.raises(Refusal, match="those before them"):
        beginnings(asked("atomic"), "(count s in Square: side[s] != none) <= 31")


@pytest.mark.thorough
def test_plays_end_with_the_time():
    with pytest.raises(LimitReached, match="no position was met in which 1 = 2"):
        beginnings(asked("backgammon"), "1 = 2", 0.0)


@pytest.mark.thorough
def test_positions_are_met_in_plays_with_chance():
    game = asked("pig", goal="6")
    starts = beginnings(game, "exists p in Player: score[p] >= 4")
    assert len(starts) > 10
    assert set(starts) <= set(explore(game.game).states)


def test_the_condition_is_in_the_words_of_the_variant():
    text, name, folder = read_text("tic_tac_toe")
    misere = ask(Asking(text, name, variant="misere", folder=folder))
    assert beginnings(misere, FULL)


@pytest.mark.parametrize(
    ("condition", "told", "status"),
    [
        ("nosuch = 3", "no name is called 'nosuch'", 3),
        ("3", "a condition is due here", 3),
        ("mark[s", "--where:1", 3),
        (" ", "--where has no condition", 2),
        ("1 = 2", "no position was met in which 1 = 2", 5),
    ],
)
def test_a_condition_that_is_none_leaves_no_folder(tmp_path, condition, told, status):
    result = run("tic_tac_toe", "--table", str(tmp_path / "none"), "--where", condition)
    assert (told in result.output, result.exit_code) == (True, status)
    assert not Path(tmp_path, "none").exists()


def test_where_needs_a_table_of_a_game_by_rules(tmp_path):
    assert run("nim", "--where", "1 = 1").exit_code == 2
    assert run("prisoners", "--table", str(tmp_path / "t"), "--where", "1 = 1").exit_code == 5

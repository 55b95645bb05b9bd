"""gdl match: seats, openings, scores, decisions and records."""

import json
from math import log10

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.interpreter.rules_game import RulesGame
from gdl.wings.arena.contestants import Score, expected_score
from gdl.wings.arena.records import read


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, ["match", *arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout


def test_seats_are_exchanged_and_openings_repeated(tmp_path):
    run("tic_tac_toe", "mcts:simulations=20", "random", "--games", "6", "--openings", "3", "--save", str(tmp_path))
    games = [read(file.read_text(), file.name) for file in sorted(tmp_path.iterdir())]
    assert [next(iter(game.who.values())) for game in games] == ["mcts:simulations=20", "random"] * 3
    openings = [game.actions[:3] for game in games]
    assert openings[0::2] == openings[1::2] and len(set(openings)) > 1


def who_sat(folder) -> list[str]:
    """Of each record: who sat in its seats, A for the first contestant."""
    games = [read(file.read_text(), file.name) for file in sorted(folder.iterdir())]
    return ["".join("B" if who == "random" else "A" for who in game.who.values()) for game in games]


def test_of_three_seats_each_has_every_one_for_itself_once(tmp_path):
    run("three_players", "maxn", "random", "--games", "12", "--save", str(tmp_path))
    assert who_sat(tmp_path) == ["ABB", "BAA", "BAB", "ABA", "BBA", "AAB"] * 2


@pytest.mark.thorough
def test_one_player_games_are_played_by_both(tmp_path):
    """The better play wins; with the same chances, so that equal play is a draw."""
    asked = ("2048", "--games", "3", "--set", "side=2", "--set", "target=16", "--openings", "4", "--json")
    found = json.loads(run(*asked, "expectiminimax", "random", "--save", str(tmp_path)))
    assert who_sat(tmp_path) == ["A", "B"] * 3
    games = [read(file.read_text(), file.name) for file in sorted(tmp_path.iterdir())]
    assert [game.actions[:4] for game in games[0::2]] == [game.actions[:4] for game in games[1::2]]
    assert found["games"] == 3 and found["lost"] == 0
    assert json.loads(run(*asked, "expectiminimax", "expectiminimax"))["drawn"] == 3


@pytest.mark.thorough
def test_a_match_begins_after_the_actions_that_were_played():
    found = json.loads(
        run("connect_four", "random", "gdl", "--games", "2", "--after", "drop(1) " * 6, "--time", "0.01", "--json")
    )
    assert found["games"] == 2


@pytest.mark.thorough
def test_who_plays_by_weights_lists_no_actions_again(tmp_path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("gdl.wings.learning")
    weights, looked = tmp_path / "mine.safetensors", []
    small = ("breakthrough", "--set", "rows=5", "--set", "columns=4")
    learn = ("learn", *small, "--model", "linear", "--games", "16", "-o", str(weights))
    assert CliRunner().invoke(cli.commands, learn).exit_code == 0
    expand = RulesGame.expand_state
    monkeypatch.setattr(RulesGame, "expand_state", lambda game, state: looked.append(state) or expand(game, state))
    run(*small, "--games", "2", "--openings", "1", f"depth-limited:depth=1,weights={weights}", "random")
    assert len(looked) == len(set(looked)) > 10


def test_records_say_what_the_score_says(tmp_path):
    told = run("tic_tac_toe", "mcts:simulations=30", "random", "--games", "8", "--json", "--save", str(tmp_path))
    found, won = json.loads(told), 0
    for file in tmp_path.iterdir():
        game = read(file.read_text(), file.name)
        seat = next(player for player, who in game.who.items() if who != "random")
        won += f"{seat} 1" in game.result
        shown = CliRunner().invoke(cli.commands, ["show", str(file), "--json"], prog_name="gdl")
        assert json.loads(shown.stdout)["mover"] is None
    assert found["won"] == won and found["won"] + found["drawn"] + found["lost"] == found["games"] == 8


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", ["pig", "goofspiel", "kuhn"])
def test_chance_and_hidden_games_are_played(game: str):
    settings = ["--set", "n=3"] if game == "goofspiel" else []
    told = json.loads(run(game, "gdl", "random", *settings, "--games", "2", "--time", "0.02", "--json"))
    assert told["games"] == 2


def test_the_same_command_gives_the_same_games():
    asked = ("tic_tac_toe", "mcts:simulations=20", "random", "--games", "4", "--seed", "3")
    assert run(*asked) == run(*asked)


def test_a_search_that_looks_ahead_beats_random_play():
    """By nodes that suffice for every position; the default time may end a search where the machine is busy."""
    found = json.loads(run("tic_tac_toe", "minimax:nodes=9000", "random", "--games", "6", "--time", "60", "--json"))
    assert found["lost"] == 0 and found["won"] > 2


def test_work_is_counted_and_no_clock_told_of_where_none_ended_anything():
    found = json.loads(run("tic_tac_toe", "mcts:simulations=20", "random", "--games", "2", "--json"))
    (work,) = found["work"]
    assert work["contestant"] == "mcts:simulations=20" and 20 * work["moves"] <= work["nodes"] and not work["late"]
    told = run("nim", "minimax", "minimax:nodes=2", "random", "--round-robin", "--games", "2", "--time", "60")
    assert "minimax searched for" in told and "minimax:nodes=2 found nothing in" in told and "clock" not in told


@pytest.mark.thorough
def test_who_had_too_little_time_is_told():
    asked = ("connect_four", "minimax", "gdl", "--games", "2", "--time", "0.01")
    told = run(*asked)
    assert "of them, after 0.01 s; --time gives more\nminimax found nothing in " in told and "gdl searched for" in told
    found = json.loads(run("connect_four", "random", "minimax", "--games", "2", "--time", "0.01", "--json"))
    (work,) = found["work"]
    assert work["contestant"] == "minimax" and work["unfound"] == work["moves"] == work["late"] and work["seconds"] > 0
    assert "found nothing" not in run("nim", "minimax", "random", "--games", "2")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("nim", "mtcs", "random"), 2),
        (("nim", "mcts:foo=1", "random"), 2),
        (("nim", "mcts:simulations=x", "random"), 2),
        (("nim", "depth-limited:weights=nowhere", "random"), 2),
        (("kuhn", "mcts", "random"), 5),
        (("three_players", "random", "engine:./nowhere"), 5),
        (("nim", "random", "random", "--sprt", "20,0"), 2),
        (("nim", "random", "random", "--sprt", "x"), 2),
    ],
)
def test_what_cannot_meet(arguments: tuple[str, ...], status: int):
    if "weights" in arguments[1]:
        pytest.importorskip("gdl.wings.learning")
    run(*arguments, "--games", "2", status=status)


# ---- Numbers ----------------------------------------------------------------------------------------------------


def test_the_interval_is_wilsons():
    """As published tables have it: 9 of 10 successes lie within 0.5958 and 0.9821."""
    low, high = Score(won=9, lost=1).interval()
    assert (round(low, 4), round(high, 4)) == (0.5958, 0.9821)


def test_a_run_of_wins_leaves_a_doubt():
    low, high = Score(won=5).interval()
    assert 0.5 < low < high <= 1


def test_elo():
    assert expected_score(0) == 0.5
    assert 400 * log10(expected_score(100) / (1 - expected_score(100))) == pytest.approx(100)


def test_the_likelihood_grows_with_wins():
    scores = [Score(won=n, lost=20 - n, drawn=5) for n in range(21)]
    found = [score.likelihood(0, 50) for score in scores]
    assert found == sorted(found) and found[0] < 0 < found[-1]


def test_sprt_errs_as_seldom_as_it_says():
    """Games of a difference of 0 Elo, drawn at random: it decides for the higher in few of the matches."""
    from math import log
    from random import Random

    wrong = 0
    for seed in range(200):
        dice, score = Random(seed), Score()
        while abs(likelihood := score.likelihood(0, 100) if score.games else 0.0) < log(19):
            for _ in range(2):
                points = dice.random()
                score.won += points < 0.35
                score.lost += points > 0.65
                score.drawn += 0.35 <= points <= 0.65
        wrong += likelihood > 0
    assert wrong <= 20

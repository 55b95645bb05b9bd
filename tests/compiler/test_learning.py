"""Weights of features that are learned from self-play, the match that judges them, and files of such weights."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from kernel_games import FORTUNES

import gdl
from gdl.commands.cli import commands
from gdl.compiler.searches import learning_driver
from gdl.errors import DamagedData, Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.model import weights
from gdl.model.games import RulesModel

pytest.importorskip("wasmtime")

# Three in a row on a small board; the file's own weights want the opponent to have open lines.
ROWS = """game "Rows"
players X, O
board Square = grid(4, 4)
state
    mark[Square]: Player?
define open(p: Player) = count line in lines(Square, 3): forall s in line: mark[s] != other(p)
define twos(p: Player) =
    count line in lines(Square, 3): (count s in line: mark[s] = p) = 2 and (forall s in line: mark[s] != other(p))
define connects(p: Player) = exists line in lines(Square, 3): forall s in line: mark[s] = p
action take(s: Square) when mark[s] = none
    mark[s] := mover
terminal
    connects(X) -> win X
    connects(O) -> win O
    no actions -> draw
evaluate
    -0.1 * (open(X) - open(O))
    -0.2 * (twos(X) - twos(O))
"""


def game(text: str) -> RulesGame:
    found = gdl.loads(text).game
    assert isinstance(found, RulesGame)
    return found


def learned(text: str, engine: str = "wasm", games: int = 400, seed: int = 0) -> Any:
    found = game(text)
    return learning_driver.learn(found, found.initial(), engine, games, seed)


def test_better_weights_are_found() -> None:
    numbers, match = learned(ROWS)
    assert numbers[1] > 0
    assert match.is_stronger
    assert match.won > 2 * match.lost
    assert match.games == match.won + match.drawn + match.lost == 200


def test_what_is_as_good_is_not_called_stronger() -> None:
    numbers, _ = learned(ROWS)
    plain = game(ROWS).model
    features = [one.copy_with(weight=weight) for one, weight in zip(plain.features, numbers, strict=True)]
    again = RulesGame(plain.copy_with(features=(*features,)))
    _, match = learning_driver.learn(again, again.initial(), "wasm", 400, 0)
    assert match.gain == 0
    assert not match.is_stronger


@pytest.mark.thorough
def test_every_engine_and_every_time_the_same() -> None:
    assert learned(ROWS, "python", 16, 5) == learned(ROWS, "wasm", 16, 5)
    assert learned(ROWS, seed=5) == learned(ROWS, seed=5) != learned(ROWS, seed=6)


def test_a_walk_is_predicted() -> None:
    """Sutton's random walk (Learning to predict by the methods of temporal differences, 1988): from the middle of five
    places to one end or the other; the weight of a place is the probability of the right end."""
    places = "\n".join(f"    1 * if at = {place} then 1 else 0" for place in range(1, 6))
    walk = game(
        f"players W\nstate\n    at: 0..6 = 3\naction left\n    at := at - 1\naction right\n    at := at + 1\n"
        f"terminal\n    at = 0 -> 0\n    at = 6 -> 1\nevaluate\n{places}\n"
    )
    table = learning_driver.Games(walk, walk.initial(), "wasm")
    table.play(2000, [0.0] * 5, [0.0] * 5, 1, lambda: None, True, 1.0)
    found = learning_driver.solve_linear_system(*table.experience())
    assert found == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6], abs=0.03)


def test_three_players_and_chance() -> None:
    numbers, match = learned(f"{FORTUNES}evaluate\n    each p: -1 * gold[p]\n")
    assert numbers[0] > 0
    assert match.is_stronger


def test_a_match_is_judged_by_groups_with_one_opening() -> None:
    same = [[(1.0, -1.0), (1.0, -1.0)]] * 3  # whoever begins wins
    match = learning_driver.judge_match(same)
    assert (match.games, match.won, match.lost, match.gain) == (6, 3, 3, 0)
    assert match.interval == pytest.approx((-1.21, 1.21), abs=0.01)
    better = learning_driver.judge_match([*same, [(1.0, -1.0), (-1.0, 1.0)]])
    assert (better.won, better.lost, better.gain) == (5, 3, 0.5)
    assert better.interval == pytest.approx((-0.907, 1.407), abs=0.001)
    cut = learning_driver.judge_match([*same, [None, (1.0, -1.0)]])
    assert cut == match
    alone = learning_driver.judge_match([[(3.0,), (1.0,)], [(2.0,), (2.0,)]])
    assert (alone.won, alone.drawn, alone.gain) == (1, 1, 1)  # of a lone player, what the first weights got more


def test_games_that_go_alike_do_not_make_sure() -> None:
    """Of a hundred games that nobody gains by, the interval has a width, and a smaller one of a thousand."""
    widths = []
    for groups in (50, 500):
        low, high = learning_driver.judge_match([[(1.0, -1.0), (1.0, -1.0)]] * groups).interval
        assert low < 0 < high
        widths.append(high - low)
    assert 0.2 < widths[0] < 0.6
    assert widths[1] == pytest.approx(widths[0] / 10, rel=0.1)
    assert learning_driver.judge_match([[(0.0, 0.0), (0.0, 0.0)]] * 50).interval[1] > 0  # all drawn
    assert learning_driver.judge_match([[(1.0, -1.0), (-1.0, 1.0)]] * 50).is_stronger


@pytest.mark.one_in(3)
@pytest.mark.parametrize("chance", [0.02, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("groups", [20, 100])
def test_the_interval_holds_the_true_gain_as_often_as_it_says(chance: float, groups: int) -> None:
    random, held = Random(groups), 0
    won, lost = [(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]
    for _ in range(400):
        match = learning_driver.judge_match([won if random.random() < chance else lost for _ in range(groups)])
        held += match.interval[0] <= 4 * chance - 2 <= match.interval[1]
    assert held >= 0.92 * 400


def test_hidden_and_joint_moves_are_refused() -> None:
    joint = gdl.load("goofspiel")
    assert isinstance(joint, RulesGame)
    with pytest.raises(Refusal, match="one player moves at a time"):
        learning_driver.Games(joint, joint.initial(), "wasm")


# ---- Files ----------------------------------------------------------------------------------------------------------


def model() -> RulesModel:
    return game(ROWS).model


def test_a_file_fills_in_numbers() -> None:
    text = "# two numbers\n0.125  open(X) - open(O)\n-3     twos(X) - twos(O)\n"
    assert [feature.weight for feature in weights.with_weights(model(), text, "w").features] == [Fraction(1, 8), -3]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 open(X) - open(O)\n", "w has no weight for 'twos(X) - twos(O)'"),
        ("1 open(X)\n", "w, line 1: 'open(X)' is no feature of Rows"),
        ("\n# x\n1 open(X) - open(O)\n1 open(X) - open(O)", "w, line 4: 'open(X) - open(O)' is weighed twice"),
        ("1e9 open(X) - open(O)", "w, line 1: a line is a number and a feature, as in '0.5  open(X) - open(O)'"),
        ("\x1b[31m", "w, line 1: a line is a number and a feature, as in '0.5  open(X) - open(O)'"),
        (
            "9" * 50 + " open(X) - open(O)",
            "w, line 1: a line is a number and a feature, as in '0.5  open(X) - open(O)'",
        ),
    ],
)
def test_files_that_are_none(text: str, told: str) -> None:
    with pytest.raises(DamagedData) as caught:
        weights.with_weights(model(), text, "w")
    assert str(caught.value) == told


def test_a_file_changes_the_evaluation(tmp_path: Path) -> None:
    (tmp_path / "rows.game").write_text(ROWS)
    file = tmp_path / "rows.weights"
    file.write_text("3 open(X) - open(O)\n4 twos(X) - twos(O)\n")
    asked = ["solve", str(tmp_path / "rows.game"), "--depth", "1", "--json"]
    own = CliRunner().invoke(commands, asked)
    other = CliRunner().invoke(commands, [*asked, "--weights", str(file)])
    assert own.output != other.output


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "groups"), [("backgammon", 20), ("monopoly", 2000), ("chinese_checkers", 50), ("yahtzee", 800)]
)
def test_evaluations_of_games_of_chance_or_of_many_players_beat_random_play(name: str, groups: int) -> None:
    """One move ahead. (In pig that is no help: only the roll tells one position from another.)"""
    found = gdl.load(name)
    assert isinstance(found, RulesGame)
    weighed = [float(feature.weight) for feature in found.model.features]
    table = learning_driver.Games(found, found.initial(), "wasm")
    assert learning_driver.judge_match(table.play(groups, weighed, [0.0] * len(weighed), 1, lambda: None)).is_stronger

"""The match that judges what was learned, evaluations of files in such a match, and a file of weights."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.interpreter.rules_game import RulesGame
from gdl.wings.learning import learning_match
from gdl.wings.learning.temporal_differences import TdSelfPlay, inputs_for

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


def test_a_match_is_judged_by_groups_with_one_opening() -> None:
    same = [[(1.0, -1.0), (1.0, -1.0)]] * 3  # whoever begins wins
    match = learning_match.judge_match(same)
    assert (match.games, match.won, match.lost, match.gain) == (6, 3, 3, 0)
    assert match.interval == pytest.approx((-1.21, 1.21), abs=0.01)
    better = learning_match.judge_match([*same, [(1.0, -1.0), (-1.0, 1.0)]])
    assert (better.won, better.lost, better.gain) == (5, 3, 0.5)
    assert better.interval == pytest.approx((-0.907, 1.407), abs=0.001)
    cut = learning_match.judge_match([*same, [None, (1.0, -1.0)]])
    assert cut == match
    alone = learning_match.judge_match([[(3.0,), (1.0,)], [(2.0,), (2.0,)]])
    assert (alone.won, alone.drawn, alone.gain) == (1, 1, 1)  # of a lone player, what the first weights got more


def test_games_that_go_alike_do_not_make_sure() -> None:
    """Of a hundred games that nobody gains by, the interval has a width, and a smaller one of a thousand."""
    widths = []
    for groups in (50, 500):
        low, high = learning_match.judge_match([[(1.0, -1.0), (1.0, -1.0)]] * groups).interval
        assert low < 0 < high
        widths.append(high - low)
    assert 0.2 < widths[0] < 0.6
    assert widths[1] == pytest.approx(widths[0] / 10, rel=0.1)
    assert learning_match.judge_match([[(0.0, 0.0), (0.0, 0.0)]] * 50).interval[1] > 0  # all drawn
    assert learning_match.judge_match([[(1.0, -1.0), (-1.0, 1.0)]] * 50).is_stronger


@pytest.mark.one_in(3)
@pytest.mark.parametrize("chance", [0.02, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("groups", [20, 100])
def test_the_interval_holds_the_true_gain_as_often_as_it_says(chance: float, groups: int) -> None:
    random, held = Random(groups), 0
    won, lost = [(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]
    for _ in range(400):
        match = learning_match.judge_match([won if random.random() < chance else lost for _ in range(groups)])
        held += match.interval[0] <= 4 * chance - 2 <= match.interval[1]
    assert held >= 0.92 * 400


# ---- Files ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_file_changes_the_evaluation(tmp_path: Path) -> None:
    rows, file = str(tmp_path / "rows.game"), str(tmp_path / "rows.safetensors")
    Path(rows).write_text(ROWS)
    assert CliRunner().invoke(commands, ["learn", rows, "--model", "linear", "--games", "16"]).exit_code == 0
    asked = ["solve", rows, "--depth", "1", "--json"]
    own, other = CliRunner().invoke(commands, asked), CliRunner().invoke(commands, [*asked, "--weights", file])
    assert other.exit_code == 0 and own.output != other.output


@pytest.mark.thorough
@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "groups"), [("backgammon", 20), ("monopoly", 2000), ("chinese_checkers", 1000), ("yahtzee", 800)]
)
def test_evaluations_of_games_of_chance_or_of_many_players_beat_random_play(name: str, groups: int) -> None:
    """One move ahead. (In pig that is no help: only the roll tells one position from another.)"""
    found = gdl.load(name)
    assert isinstance(found, RulesGame)
    inputs = inputs_for(found, False, 0)  # which has learned nothing
    assert TdSelfPlay(found, found.initial(), "wasm", inputs).match(groups, 1, lambda: None).interval[1] < 0

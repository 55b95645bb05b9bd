"""`gdl compare` and `gdl.compare`: solvers side by side, and searches of the user's own, also in a match."""

from __future__ import annotations

import gc
import inspect
import sys

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.errors import GameError, Refusal


@pytest.fixture(autouse=True)
def no_garbage_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each search all of it would be collected."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


def busy(game, *, depth=1):
    """A search that asks the game for nothing, and swallows what it meets."""
    while True:
        try:
            int(depth)
        except Exception:
            depth = 1


def first_legal(game):
    return game.node(game.initial()).actions[0]


HEARS_ALL = """
heard = []
def mine(game, **options):
    heard.append(options)
    return game.node(game.initial()).actions[0]
"""


def test_a_search_hears_its_options_in_a_match(tmp_path, monkeypatch):
    (tmp_path / "hears_all.py").write_text(HEARS_ALL)
    monkeypatch.chdir(tmp_path)
    name = "python:hears_all.py:mine,depth=3,temperature=0.5,word=x"
    assert CliRunner().invoke(cli.commands, ["match", "nim", name, "random", "--games", "2"]).exit_code == 0
    given = {"depth": 3, "temperature": 0.5, "word": "x"}
    heard = sys.modules["hears_all"].heard
    assert heard and all(given.items() <= told.items() and told["seed"] == 0 for told in heard)


@pytest.mark.thorough
@pytest.mark.parametrize("words", [
    ["match", "nim", "python:{}:busy,depth=3", "random", "--games", "2"],
    ["compare", "nim", "--solvers", "python:{}:busy,minimax", "--repeats", "1"],
])  # fmt: skip
def test_commands_end_a_search_without_end(tmp_path, words):
    (tmp_path / "own.py").write_text(inspect.getsource(busy))
    told = CliRunner().invoke(cli.commands, [*(word.format(tmp_path / "own.py") for word in words), "--time", "0.05"])
    assert told.exit_code == 0 and ("found nothing" in told.output or "stopped after 0.05 s" in told.output)


def test_side_by_side(tmp_path):
    def broken(game):
        raise Refusal("not <today> & never")

    found = gdl.compare(["nim", gdl.load("prisoners")], ["minimax", first_legal, broken], nodes=5000, repeats=1)
    assert [(run.solver, run.exact) for run in found.runs[:3]] == [
        ("minimax", True), ("first_legal", True), ("broken", False),
    ]  # fmt: skip
    assert found.runs[0].nodes == 752 and found.runs[3].note and "minimax needs" in found.runs[3].note
    for ending, word in (("csv", "not <today> & never"), ("tex", "\\toprule"),
                         ("html", "not &lt;today&gt; &amp; never"), ("txt", "Nim, broken: not"),
                         ("json", '"processor": '), ("tex", "% seconds: median of 1 run, ")):  # fmt: skip
        found.save(tmp_path / f"table.{ending}")
        assert word in (tmp_path / f"table.{ending}").read_text(), ending
    with pytest.raises(Refusal, match="let it end in"):
        found.save(tmp_path / "table.doc")


@pytest.mark.thorough
def test_nodes_of_alpha_beta_are_told_beside_those_of_the_tree() -> None:
    one, two = gdl.compare("tic_tac_toe", ["minimax", "alpha-beta"], repeats=1).runs
    assert one.nodes == 5478 and one.note is None
    assert two.note is not None and "549,946 nodes" in two.note and "5,478 positions" in two.note


def test_one_solver_is_a_list_of_one() -> None:
    (run,) = gdl.compare("figure_5_2", "minimax", repeats=1).runs
    assert run.solver == "minimax" and run.exact


def test_a_number_is_no_game_to_compare_on() -> None:
    with pytest.raises((GameError, Refusal), match="int is no game"):
        gdl.compare([3], ["minimax"])

"""Profiles in detail, and those that pygambit writes."""

from __future__ import annotations

import json
from fractions import Fraction as F
from pathlib import Path

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.errors import Refusal
from gdl.formats.gambit_reader import parse_profile
from gdl.playing.profile_judging import CandidateProfile, ConceptRequest, judge_profile, read_profiles
from gdl.solvers.equilibria.behaviour import read_row
from gdl.solvers.equilibria.positions import InformationSet

CARDS = """EFG 2 R "Cards" { "Alice" "Bob" }
c "" 1 "" { "red" 1/2 "black" 1/2 } 0
p "" 1 1 "" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 1 "" { 2 -2 }
t "" 2 "" { 1 -1 }
t "" 2
p "" 1 2 "" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 3 "" { -2 2 }
t "" 2
t "" 4 "" { -1 1 }
"""
PRINTED = (
    "{'Alice': [{'Raise': Rational(1, 1), 'Fold': Rational(0, 1)}, {'Raise': Rational(1, 3), 'Fold': Rational(2, 3)}], "
    "'Bob': [{'Meet': Rational(2, 3), 'Pass': Rational(1, 3)}]}"
)
FLOATS = {
    "Alice": [{"Raise": 1.0, "Fold": 0.0}, {"Raise": 0.3333333333333333, "Fold": 0.6666666666666667}],
    "Bob": [{"Meet": 0.6666666666666667, "Pass": 0.33333333333333326}],
}


def details(text: str) -> dict[str, object]:
    game = gdl.loads(CARDS, "cards.efg").game
    (held,) = read_profiles(game, parse_profile(text.encode()))
    found = judge_profile(game, held, ConceptRequest(None, in_detail=True), 1000)
    assert found.details is not None
    return {"regret": found.judgement.regret, "sets": found.details.sets(), "nodes": list(found.details.nodes())}


def test_a_profile_that_pygambit_prints_is_judged_in_detail() -> None:
    """The numbers are those of pygambit 17 for the same profile."""
    found = details(PRINTED)
    assert found["regret"] == (0, 0)
    (raised,) = found["sets"]["Bob"].values()
    assert (raised.reached, raised.value, raised.regret) == (F(2, 3), -1, 0)
    assert list(raised.belief.values()) == [F(3, 4), F(1, 4)]
    assert raised.actions == {"Meet": -1, "Pass": -1}
    black = list(found["sets"]["Alice"].values())[1]
    assert (black.reached, black.value, black.actions) == (F(1, 2), -1, {"Raise": -1, "Fold": -1})
    nodes = {one.node: one for one in found["nodes"]}
    assert nodes["start"].value == {"Alice": F(1, 3), "Bob": F(-1, 3)}
    assert nodes["black > Raise > Meet"].probability == F(1, 9)


@pytest.mark.parametrize("text", [
    "[[[Rational(1, 1), Rational(0, 1)], [Rational(1, 3), Rational(2, 3)]], [[Rational(2, 3), Rational(1, 3)]]]",
    '[[[1, 0], ["1/3", "2/3"]], [["2/3", "1/3"]]]',
    '[[[1, 0], ["1/3", "2/3"]], ["2/3", "1/3"]]',
])  # fmt: skip
def test_a_profile_without_names_as_pygambit_16_prints_it(text: str) -> None:
    assert details(text) == details(PRINTED)


def test_the_mixed_strategies_of_a_table_as_pygambit_16_prints_them() -> None:
    game = gdl.matrix({("a", "l"): (2, 1), ("a", "r"): (0, 0), ("b", "l"): (0, 0), ("b", "r"): (1, 2)})
    printed = "[[Rational(2, 3), Rational(1, 3)], [Rational(1, 3), Rational(2, 3)]]"
    (held,) = read_profiles(game, parse_profile(printed.encode()))
    assert judge_profile(game, held, ConceptRequest(None), 1000).judgement.regret == (0, 0)
    (held,) = read_profiles(game, parse_profile(b"[[0, 0, 1], [1, 0]]"))
    with pytest.raises(Exception, match="is called #3"):
        judge_profile(game, held, ConceptRequest(None), 1000)


def test_an_action_whose_name_looks_like_a_number_is_meant_by_its_name() -> None:
    found = InformationSet(0, lambda: "h", ("#2", "b"), (0,))
    assert read_row(found, {"#2": 1}) == read_row(found, {"#1": 1}) == (1, 0)


def test_floats_that_miss_one_by_a_hair_are_scaled() -> None:
    assert max(details(json.dumps(FLOATS))["regret"]) < F(1, 10**14)
    wrong = {**FLOATS, "Bob": [{"Meet": 0.66, "Pass": 0.33}]}
    with pytest.raises(Exception, match="sum to one"):
        details(json.dumps(wrong))


@pytest.mark.parametrize("text", ["{'A': __import__('os').getcwd()}", "{" * 5000, "['x']", "{'A': [}", "{1: 2}"])
def test_strange_texts_are_no_profiles(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.json"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(commands, ["judge", "prisoners", "--profile", str(file)])
    assert done.exit_code == 6 and done.stderr, done.output


def test_where_play_comes_back_there_are_no_details() -> None:
    with pytest.raises(Refusal, match="cannot come again"):
        judge_profile(gdl.load("pig"), CandidateProfile("", {}), ConceptRequest(None, in_detail=True), 1000)

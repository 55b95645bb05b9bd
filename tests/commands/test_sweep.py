"""gdl solve --sweep: the answer for each value of a parameter, thresholds between them, and the picture."""

from __future__ import annotations

import csv
import json
import random
import xml.etree.ElementTree as Xml
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gdl.commands.cli import commands
from gdl.inspection.sweep import SweepRun, Threshold, simplest_fraction, thresholds
from gdl.render.sweep import place_text
from gdl.solution import Solution

OPEN_TREE = """players MAX, MIN
tree
    MAX
        safe: ?x
        risky: chance
            up ?p: 4
            down: -1
"""
CHICKEN = """players A, B
matrix
           swerve     straight
    swerve   (0, 0)    (-1, 1)
    straight (1, -1)   (?crash, ?crash)
"""
PATIENCE = """game "Patience" (d = 1/2, more = 3)
players A
state
    n: 0..1
action wait when n = 0
    n := 1
action take when n = 0
    reward 1 to A
action have when n = 1
    reward more to A
    n := 0
discount d
"""


def sweep(text: str, *words: str) -> Result:
    return CliRunner().invoke(commands, ["solve", "-", *words], input=text)


def found(text: str, *words: str) -> Any:
    done = sweep(text, *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_an_open_number_of_a_tree_takes_every_value():
    answer = found(OPEN_TREE, "--set", "x=1", "--sweep", "p=0..1:1/10")
    values = [Fraction(one["value"]["MAX"]) for one in answer["answers"]]
    assert values == [max(Fraction(1), 5 * Fraction(k, 10) - 1) for k in range(11)]
    assert [one["settings"] for one in answer["answers"]][3] == {"x": "1", "p": "3/10"}
    (threshold,) = answer["thresholds"]  # 4 p - (1 - p) = 1
    assert (threshold["at"], threshold["before"], threshold["after"]) == (
        "2/5",
        {"best": ["safe"]},
        {"best": ["risky"]},
    )
    assert (answer["schema"], answer["parameter"]) == (1, "p")


def test_a_threshold_between_the_values_is_found_exactly():
    answer = found(OPEN_TREE, "--set", "x=1/3", "--sweep", "p=0..1:1/4")
    (threshold,) = answer["thresholds"]
    assert threshold["at"] == "4/15" and Fraction(threshold["between"][0]) < Fraction(4, 15)


def test_equilibria_come_and_go():
    answer = found(CHICKEN, "--sweep", "crash=-4..0:1/2")
    (threshold,) = answer["thresholds"]
    assert threshold["at"] == -1
    assert len(threshold["before"]["equilibria"]) == 3 and len(threshold["after"]["equilibria"]) == 1


def test_a_parameter_of_rules_with_a_discount():
    answer = found(PATIENCE, "--sweep", "d=1/10..9/10:1/10")
    for one in answer["answers"]:  # wait and have, for ever: 3 d / (1 - d^2); take: 1 / (1 - d)
        d = Fraction(one["settings"]["d"])
        assert Fraction(one["value"]["A"]) == max(3 * d / (1 - d * d), 1 / (1 - d))
    (threshold,) = answer["thresholds"]
    assert threshold["at"] == "1/2"


def test_nimbers_of_heaps():
    pytest.importorskip("gdl.wings.theory")
    done = CliRunner().invoke(
        commands, ["solve", "subtraction", "--concept", "grundy", "--sweep", "heap=0..8", "--json"]
    )
    answer = json.loads(done.output)
    assert [one["grundy"] for one in answer["answers"]] == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert [one["between"] for one in answer["thresholds"]] == [[0, 1], [3, 4], [4, 5], [7, 8]]


def test_every_answer_can_be_verified(tmp_path: Path):
    pytest.importorskip("gdl.wings.verify")
    file = tmp_path / "open.game"
    file.write_text(OPEN_TREE)
    answer = found(OPEN_TREE, "--set", "x=1", "--sweep", "p=1/5..4/5:1/5")
    saved = tmp_path / "answer.json"
    for one in answer["answers"]:
        saved.write_text(json.dumps({**one, "game": "open"}))
        done = CliRunner().invoke(commands, ["verify", str(file), str(saved)])
        assert done.exit_code == 0 and "FAILS" not in done.output


def test_the_text_and_the_picture(tmp_path: Path):
    picture = tmp_path / "values.svg"
    done = sweep(OPEN_TREE, "--set", "x=1", "--sweep", "p=0..1:1/10", "-o", str(picture))
    assert "11 answers, 1 threshold." in done.output
    assert "p at 2/5: the best actions are safe below, risky above" in done.output
    assert max(map(len, done.stdout.splitlines())) <= 100
    root = Xml.fromstring(picture.read_text())
    lines = [one for one in root.iter() if one.tag.endswith("polyline")]
    texts = [one.text for one in root.iter() if one.tag.endswith("text")]
    assert len(lines) == 4 and {"MAX", "MIN", "p", "2/5"} <= set(texts)  # of each below the threshold, and above it
    heights = [float(pair.split(",")[1]) for line in lines[:2] for pair in line.attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)  # MAX gains as p grows


def test_several_equilibria_each_with_its_line_and_in_tables(tmp_path: Path):
    picture, table = (tmp_path / f"values.{ending}" for ending in ("svg", "csv"))
    for file in (picture, table):
        done = sweep(CHICKEN, "--sweep", "crash=-4..0:1", "-o", str(file))
    assert "crash from -4 to -1: 3 equilibria were found at each value" in done.output
    root = Xml.fromstring(picture.read_text())
    lines = [[tuple(map(float, pair.split(","))) for pair in one.attrib["points"].split()]
             for one in root.iter() if one.tag.endswith("polyline")]  # fmt: skip
    assert len(lines) == 8 and "3 equilibria" in [one.text for one in root.iter()]
    threshold = {x for line in lines for x, _ in (line[0], line[-1])}
    assert len(threshold) == 3  # both ends of the sweep, and where the equilibria change
    with open(table, encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["crash"] for row in rows] == ["-4"] * 3 + ["-3"] * 3 + ["-2"] * 3 + ["-1"] * 3 + ["0"]
    for row in rows:  # a mixture makes the other indifferent: q (0 - 1) + (1 - q) (-1 - crash) = 0
        crash, q = Fraction(row["crash"]), Fraction(row["B: swerve"])
        assert q in (0, 1) or -q + (1 - q) * (-1 - crash) == 0
    printed = sweep(CHICKEN, "--set", "crash=0", "--format", "csv")
    assert printed.stdout.splitlines() == ["equilibrium,A,B,A: swerve,A: straight,B: swerve,B: straight",
                                           "1,0,0,0,1,0,1"]  # fmt: skip


ENTRY = """players Entrant, Incumbent
tree
    Entrant
        come: Incumbent (fight: (?war, -1), yield: (1, -2))
        stay: (0, 2)
"""


def test_a_tree_of_perfect_information_is_swept_to_tables_and_a_picture(tmp_path: Path):
    picture, table = (tmp_path / f"entry.{ending}" for ending in ("svg", "csv"))
    for file in (picture, table):
        assert sweep(ENTRY, "--sweep", "war=-2..2:1", "-o", str(file)).exit_code == 0
    with open(table, encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["war"] for row in rows] == ["-2", "-1", "0", "1", "2"]
    assert [row["Entrant"] for row in rows] == ["0", "0", "0", "1", "2"]
    assert [row["Entrant: come"] for row in rows] == ["0", "0", "1", "1", "1"]
    lines = [one for one in Xml.fromstring(picture.read_text()).iter() if one.tag.endswith("polyline")]
    assert len(lines) == 4  # what each gets, before and after the threshold


def test_the_precision_of_players_is_swept(tmp_path: Path):
    pytest.importorskip("gdl.wings.theory")
    words = ("--set", "crash=-3", "--concept", "quantal", "--sweep", "lambda=0..2:1/2")
    answer = found(CHICKEN, *words)
    assert [one["options"]["lambda"] for one in answer["answers"]] == [0, 0.5, 1, 1.5, 2] and not answer["thresholds"]
    picture = tmp_path / "curve.svg"
    assert sweep(CHICKEN, *words, "-o", str(picture)).exit_code == 0
    root = Xml.fromstring(picture.read_text())
    assert {"lambda", "A: swerve", "B: straight"} <= {one.text for one in root.iter()}
    lines = [one.attrib["points"].split() for one in root.iter() if one.tag.endswith("polyline")]
    assert len(lines) == 4 and min(map(len, lines)) > 50
    assert sweep(CHICKEN, "--set", "crash=-3", "--sweep", "lambda=0..2").exit_code == 2
    pytest.importorskip("gdl.wings.verify")
    file = tmp_path / "chicken.game"
    file.write_text(CHICKEN)
    for one in answer["answers"]:
        (tmp_path / "answer.json").write_text(json.dumps({**one, "game": "chicken"}))
        assert CliRunner().invoke(commands, ["verify", str(file), str(tmp_path / "answer.json")]).exit_code == 0


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--sweep", "p"], 2, "NAME=LOW..HIGH:STEP"),
        (["--sweep", "p=1..0"], 2, "it begins above its end"),
        (["--sweep", "p=0..1:0"], 2, "its step is not above 0"),
        (["--sweep", "p=0..1:1/100000"], 2, "1,000 can be asked for"),
        (["--sweep", "p=a..b"], 2, "is not a number"),
        (["--sweep", "q=0..1"], 2, "has no parameter 'q'"),
        (["--sweep", "p=0..2"], 2, "a probability would be 2"),
        (["--sweep", "p=0..1", "--trace"], 2, "--trace is about one search"),
        (["--sweep", "p=0..1", "-o", "picture.jpg"], 2, "let its name end in .svg"),
        (["-o", "picture.svg"], 2, "-o draws the values of a sweep"),
        (["--set", "p=x"], 2, "'x' is no value for p"),
        (["--sweep", "p=0..1", "--solver", "sequence-form"], 0, "2 answers"),
        (["--sweep", "p=0..1", "--solver", "minimax"], 5, "with p = 0: minimax needs"),
    ],
)
def test_what_cannot_be_swept(words: list[str], status: int, said: str):
    done = sweep(OPEN_TREE, "--set", "x=1", *words)
    assert (done.exit_code, said in " ".join(done.output.split())) == (status, True), done.output


def test_an_unknown_that_stands_for_all_takes_no_number():
    done = sweep("players A, B, C\ntree A (?x, (1, 2, 3))\n", "--set", "x=1")
    assert done.exit_code == 2 and "?x stands for the utilities of all players" in done.output


def test_a_limit_leaves_the_answers_so_far():
    done = CliRunner().invoke(commands, ["solve", "subtraction", "--sweep", "heap=0..60", "--solver", "minimax",
                                         "--nodes", "40", "--json"])  # fmt: skip
    answer = json.loads(done.stdout)
    assert done.exit_code == 4 and 0 < len(answer["answers"]) < 61 and "40 nodes" in answer["limit"]


def test_the_simplest_fraction_between_two():
    draw = random.Random(7)
    for _ in range(300):
        low, high = sorted(Fraction(draw.randint(-60, 60), draw.randint(1, 40)) for _ in range(2))
        if low == high:
            continue
        value = Fraction(simplest_fraction(low, high))
        assert low < value < high
        for denominator in range(1, value.denominator):
            assert not any(low < Fraction(n, denominator) < high for n in range(int(low * denominator) - 1,
                           int(high * denominator) + 2))  # fmt: skip


def test_thresholds_of_steps_by_bisection():
    """Answers that change at thirds: a where below 1/3, b up to 2/3 inclusive, then c, and both at a third."""

    def solved(value: Any) -> Solution:
        best = ("a",) if value < Fraction(1, 3) else ("b",) if value <= Fraction(2, 3) else ("c",)
        best = ("a", "b") if value == Fraction(1, 3) else best
        return Solution("steps", "none", ("A",), best=best)

    runs = [SweepRun(value, solved(value)) for value in (Fraction(0), Fraction(1, 2), Fraction(1))]
    (first, second), _ = thresholds(runs, solved)
    assert first.at == Fraction(1, 3) and (first.before[1], first.after[1]) == (("a",), ("b",))
    assert (
        second.at is None
        and second.low <= Fraction(2, 3) < second.high
        and second.high - second.low < Fraction(1, 4000)
    )


def test_a_threshold_at_an_end_of_the_sweep_is_told_as_that_end():
    bet = "players Ann\ntree Ann(bet: chance(win (?p): 1, lose (1 - ?p): 0), pass: %s)\n"
    for passed, end, said in (
        (0, 0, "p at 0: the best actions are bet and pass there, bet above"),
        (1, 1, "p at 1: the best actions are pass below, bet and pass there"),
    ):
        assert said in sweep(bet % passed, "--sweep", "p=0..1:1/4").stdout
        (one,) = found(bet % passed, "--sweep", "p=0..1:1/4")["thresholds"]
        assert one["at"] == end
    (close,) = found(bet % "1/99999", "--sweep", "p=0..1:1/4")["thresholds"]  # near an end, not at it
    assert "at" not in close and Fraction(close["between"][0]) < Fraction(1, 99999) < Fraction(close["between"][1])


def test_a_row_shows_the_strategies_of_a_single_equilibrium_and_a_threshold_that_they_change():
    lines = CliRunner().invoke(commands, "solve kuhn --sweep cards=3..4:1".split()).stdout.splitlines()
    assert lines[3] == "3      -1/18  1/18  below"
    assert lines[6] == "cards = 3" and [shown.split()[-2:] for shown in lines[8:9]] == [["2/3", "1/3"]]
    assert lines[-1] == "cards between 3 and 4: the strategies change"


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0, Fraction(999, 2000), "between 0 and 999/2000"),
        (Fraction(-4098, 4097), -1, "just below -1"),
        (Fraction(1, 2), Fraction(5000, 9999), "just above 1/2"),
        (Fraction(1393, 985), Fraction(577, 408), "between 1393/985 and 577/408"),
    ],
)
def test_a_threshold_lies_just_beside_a_number_where_hardly_anything_is_between(low: Any, high: Any, told: str) -> None:
    answer: Any = None
    assert place_text(Threshold(low, high, None, answer, answer)) == told

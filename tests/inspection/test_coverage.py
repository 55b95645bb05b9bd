"""Rule coverage: what never fired is told with its place, and watching changes nothing of the game."""

from pathlib import Path

import pytest
from places import ROOT
from transcripts import Step, answer

import gdl
from gdl.inspection import expectations
from gdl.inspection.coverage import Coverage, play_at_random
from gdl.solvers import solve
from gdl.states import count
from gdl.syntax import parser

HALF_TRIED = """game "Half tried"
players Ann, Bob
state
    n: 0..9
    told: Boolean
define far = n > 3
action step(k: 1..2) when n + k <= 9
    n := n + k
    if n = 20
        told := true
    require n != 15
action leap when far and n < 2
    n := 9
action odd
    choose j: 1..3 when j > n as "odd{j}"
    require j = 7
    n := j
terminal
    n >= 8 -> win Ann
    n = 8 and told -> win Bob
    no actions -> draw
variant other
    terminal
        n >= 9 -> lose mover
        told -> draw
expect perft(1) = 2
"""
NEVER_FIRED = [
    "10: effect never ran: told := true",
    "11: guard never failed: require n != 15",
    "12: guard never held: n < 2",
    "13: effect never ran: n := 9",
    "16: guard never held: require j = 7",
    "17: effect never ran: n := j",
    "20: clause never held: n = 8 and told -> win Bob",
    "21: clause never held: no actions -> draw",
    "25: clause never held: told -> draw",
]


def covered(text: str) -> Coverage:
    """The coverage of a file's expectations and of random plays."""
    description = parser.parse(text)
    coverage = Coverage(gdl.play)
    assert all(outcome.holds for outcome in expectations.run(description, coverage.play, solve))
    play_at_random(coverage, description)
    return coverage


def told(coverage: Coverage) -> list[str]:
    return [f"{part.span.line}: {part.kind} {part.missing()}: {part.text()}" for part in coverage.missing()]


def test_what_never_fired_is_told_with_its_place():
    assert told(covered(HALF_TRIED)) == NEVER_FIRED


def test_the_same_plays_each_time():
    one, two = covered(HALF_TRIED), covered(HALF_TRIED)
    assert [part.tried for part in one.parts.values()] == [part.tried for part in two.parts.values()]


def test_expectations_are_plays_too():
    """A position far from the start, which random plays do not find, is tried because an expectation begins there."""
    rare = """players Ann, Bob
state
    n: 0..63
notation "{n}"
position near "62"
action go(k: 0..1)
    n := if k = n mod 2 then min(n + 1, 63) else 0
terminal
    n = 63 -> win Ann
    forever -> draw
"""
    assert told(covered(rare)) == ["9: clause never held: n = 63 -> win Ann"]
    assert told(covered(f"{rare}expect value = 1 at near\n")) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["tic_tac_toe", "checkers", "go", "goofspiel", "pig"])
def test_watching_changes_nothing(name: str):
    model = gdl.loads(*gdl.read(name)).model
    assert count.divide(Coverage(gdl.play).play(model), 2) == count.divide(gdl.play(model), 2)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["kuhn", "nim", "pong_hau_ki"])
def test_small_games_are_covered_whole(name: str):
    coverage = covered(gdl.read(name)[0])
    assert coverage.parts
    assert told(coverage) == []


def test_trees_and_matrices_have_no_such_parts():
    assert covered(gdl.read("prisoners")[0]).parts == {}


@pytest.mark.thorough
def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("half.game").write_text(HALF_TRIED, encoding="utf-8")
    lines = answer(Step("gdl test half.game --coverage", 1, [], []))
    assert lines[0] == "half.game:10:9: effect never ran: told := true"
    assert lines[-2:] == ["half.game: 7 of 16 guards, effects and ends fired", "1 game, 1 expectation, all hold"]


@pytest.mark.thorough_of("shuffles")
@pytest.mark.parametrize("name", ["draws", "shuffles"])
def test_what_the_checker_adds_to_a_body_is_no_effect_of_a_line(name: str):
    text = (ROOT / "tests" / "model" / "language" / f"{name}.game").read_text(encoding="utf-8")
    assert covered(text).parts


def test_what_the_checker_asks_of_a_shuffle_is_no_guard_of_the_authors():
    coverage = Coverage(gdl.play)
    text = """game "Top"
players Ann
state
    deck: sequence of 1..3 up to 3 = 1..3 visible to none
    done: Boolean
start
    next mix
chance mix
    shuffle(deck)
    next Ann
action take
    done := true
terminal
    done -> last(deck)
"""
    play_at_random(coverage, parser.parse(text, "top.game"))
    assert coverage.missing() == []

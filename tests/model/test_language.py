"""Every construct of the language in a small game of its own, which says by `expect` what it means."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from places import LANGUAGE

import gdl
from gdl.errors import GameError
from gdl.inspection import expectations
from gdl.solvers import solve

FILES = sorted(LANGUAGE.glob("*.game"))
LARGE_PROGRAMS = {"who_did_it"}  # what only the extra `lp` solves


@pytest.mark.thorough_of("deck_in_order", "draws_in_loops", "shuffles", "who_did_it", "deal")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_construct(path: Path):
    loaded = gdl.loads(path.read_text(encoding="utf-8"), path.name)
    assert loaded.warnings == ()
    outcomes = list(expectations.run(loaded.description, gdl.play, solve))
    assert outcomes, "the file expects nothing"
    failed = [(o.text, o.found) for o in outcomes if not o.holds]
    if path.stem in LARGE_PROGRAMS and find_spec("highspy") is None:
        assert len(failed) == 1 and "pip install 'gdl[lp]'" in str(failed)
        pytest.skip("the extra gdl[lp] is not installed")
    if failed and all("comes with the wing" in str(found) for _, found in failed):
        pytest.skip("its wing is not installed")
    assert failed == []


WRONG = {
    "stop outside of repeat": (
        "action go\n    stop\n",
        "'stop' leaves a 'repeat', and none is open here",
    ),
    "mover after all have moved": (
        "state\n    n: 0..2\nstart everyone\naction go\nresolve\n    n := number(mover)\n",
        "nobody is the mover here: all have moved",
    ),
    "mover in a definition after all have moved": (
        "state\n    n: 0..2\nstart everyone\ndefine mine = number(mover)\naction go\nresolve\n    n := mine\n",
        "this asks for the mover, and here all have moved",
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_wrong_construct(text: str, message: str):
    with pytest.raises(GameError) as error:
        gdl.loads(f"players Ann, Bob\n{text}terminal\n    forever -> draw\n")
    assert [problem.message for problem in error.value.problems] == [message]


def test_two_results_of_one_name_are_shown_where_they_come_from():
    text = 'players P\nstate\n    n: 0..2\naction go(k: 1..2) as "go"\n    n := k\nterminal\n    n = 2 -> draw\n'
    game = gdl.loads(text).game
    with pytest.raises(GameError) as error:
        game.node(game.initial())
    (problem,) = error.value.problems
    assert problem.message == "two actions with different results are both called 'go'"
    assert problem.span is not None and problem.span.line == 4


def test_an_attempt_that_is_refused_is_another_result_only_where_others_hear_of_the_action():
    text = (
        "players Ann, Bob\nstate\n    n: 0..2\n"
        + "".join(
            f"action {head}\n    n := 1\n    attempt\n        require k > 1\n    refused\n        n := 1\n"
            for head in ("quietly(k: 1..3) merge", "aloud(k: 1..3) merge public")
        )
        + "terminal\n    n > 0 -> draw\n"
    )
    game = gdl.loads(text).game
    assert game.node(game.initial()).actions == ("quietly(1)", "aloud(1)", "aloud(2)")


ANSWER_THEN_CHANCE = """# Behind an answer the mover is who acted: to the chance step that comes next, after that step, and to the end.
game "An answer, then chance" (asks = true)
players Ann, Bob

state
    n: 0..5
    last: Player?

define go_on
    next roll

action go
    n := n + 1
    if asks
        ask after(mover): no
    if n = 2
        draw once
        next roll
    else
        go_on

action no

chance roll(d: 1..2)
    last := mover

chance once

action told as "{last} {mover}"
    n := 5

terminal after actions
    n = 5 -> win mover
    n = 3 -> win mover
    forever -> draw

expect actions = {go, "Ann Ann"} after "go no roll(1)"
expect actions = {go, "Ann Ann"} after "go no roll(1) go no once roll(2)"
expect value = 1
expect actions = {go, "Ann Ann"} after "go roll(1) go once roll(2)" with asks = false
expect value = 1 with asks = false

variant teams
    players Ann & Cyd, Bob & Dan

expect actions = {go, "Ann Ann"} after "go no roll(1)" at teams
expect actions = {go, "Ann Ann"} after "go no roll(1) go no once roll(2)" at teams
expect value = 1 at teams
"""


def test_behind_an_answer_the_mover_is_who_acted():
    """For the chance step that comes next, after it, and for the end; with teams too."""
    loaded = gdl.loads(ANSWER_THEN_CHANCE)
    assert [(o.text, o.found) for o in expectations.run(loaded.description, gdl.play, solve) if not o.holds] == []

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


@pytest.mark.thorough_of("deck_in_order", "draws_in_loops", "shuffles")
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

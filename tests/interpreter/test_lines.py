"""A line that is read at once holds what its squares hold one by one, and counts as the same work."""

import random

import pytest

import gdl
from gdl.interpreter import evaluator
from gdl.interpreter.line_tests import held_throughout
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves

FILE = """players Ann, Bob
board Square = grid({columns}, {rows})
state
    mark[Square]: Player?
    count: 0..3
define connects(p: Player?) = exists line in lines(Square, 2): forall s in line: mark[s] = {held}
action take(s: Square) when mark[s] = none
    mark[s] := mover
    if count < 3
        count := count + 1
terminal
    connects(Ann) -> win Ann
    connects(Bob) -> win Bob
    connects(none) and count = 3 -> draw
    no actions -> draw
"""
HELD = ("p", "mover", "none", "Bob")


@pytest.fixture
def made(monkeypatch):
    """The answers made for questions of lines: None where one is asked square by square."""
    found = []
    monkeypatch.setattr(evaluator, "held_throughout", lambda *of: found.append(held_throughout(*of)) or found[-1])
    return found


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("columns, rows", [(2, 1), (2, 2), (4, 2), (1, 5)])
def test_lines_mean_and_cost_the_same(made, monkeypatch, held, columns, rows):
    model = gdl.loads(FILE.format(held=held, columns=columns, rows=rows)).model
    made.clear()
    at_once = RulesGame(model)
    assert any(made)  # not in vain
    monkeypatch.setattr(evaluator, "held_throughout", lambda *_: None)
    one_by_one = RulesGame(model)
    for seed in range(10):
        rng, state = random.Random(seed), at_once.initial()
        while options := moves(at_once.node(state)):
            assert at_once.node(state) == one_by_one.node(state)
            move = rng.choice(options)
            assert at_once.successor(state, move) == one_by_one.successor(state, move)
            state = at_once.successor(state, move)
        assert at_once.node(state) == one_by_one.node(state)
        assert at_once.work == one_by_one.work


@pytest.mark.parametrize(
    "question",
    [
        "exists line in lines(Square, 2): forall s in line: mark[s] != p",
        "exists line in lines(Square, 2): forall s in line: s = a1",
        "forall line in lines(Square, 2): forall s in line: mark[s] = p",
        "exists line in lines(Square, 1): forall s in line: mark[s] = p",
    ],
)
def test_other_questions_are_asked_square_by_square(made, question):
    text = FILE.format(held="p", columns=2, rows=2)
    asked = text.replace("exists line in lines(Square, 2): forall s in line: mark[s] = p", question)
    gdl.loads(asked)
    assert made and not any(made)

"""Saved answers to questions, verified; and altered ones, refused."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner
from places import ROOT

import gdl
from gdl.checker.asked import question_game
from gdl.commands import cli
from gdl.errors import DamagedData
from gdl.formats.check_answers import AskAnswer
from gdl.inspection.questions import answer_question
from gdl.solvers import solve
from gdl.syntax import parser
from gdl.wings.verify.question_claims import read_claim
from gdl.wings.verify.verifier import verify

HEAP = """game "Heap" (stones = 11)
players Ann, Bob{third}
state
    left: 0..stones = stones
    lucky: 0..2 = 0
action take(n: 1..3) when n <= left
    left := left - n
    if left = 5
        next dice
chance dice(d: 1..2) weight d as "{{d}}"
    lucky := d
    next Bob
terminal
    left = 0 -> each p: if p = mover then 1 else -lucky
"""


def ask(text, question):
    loaded, written = gdl.loads(text), parser.question(question)
    asked = question_game(loaded.description, written, {}, None)
    return answer_question(written, asked, gdl.play, lambda game, name: solve(game, name))


SAVED = [
    ("Ann can force left = 4", HEAP.format(third="")),
    ("Ann can avoid win Bob", HEAP.format(third="")),
    ("probability lucky = 2 and left <= 2 by Bob", HEAP.format(third=", Cid")),
    ("Ann, Cid can force win Bob", HEAP.format(third=", Cid")),
    ("lucky = 2 reachable", HEAP.format(third="")),
    ("always left <= 11 within 2", HEAP.format(third="")),
    ("win Ann reachable", (ROOT / "games/rock_paper_scissors.game").read_text()),
    ("probability win P1 by P1", (ROOT / "games/kuhn.game").read_text()),
    ("Black, White can avoid the end", (ROOT / "games/pong_hau_ki.game").read_text()),
]


@pytest.mark.thorough_of(
    "probability win P1 by P1-text7", "win Ann reachable-text6", "always left <= 11 within 2-text5"
)
@pytest.mark.parametrize(("question", "text"), SAVED)
def test_saved_answers_are_verified_and_altered_ones_are_refused(question, text):
    loaded, written = gdl.loads(text), parser.question(question)
    asked = question_game(loaded.description, written, {}, None)
    saved = json.loads(json.dumps(AskAnswer.fill_from(ask(text, question), question=question).to_object()))

    def verdict(**changes):
        claim = read_claim(written, asked, gdl.play, {**saved, **changes})
        return not claim.contradiction and verify(claim.game, claim.answer).ok

    assert verdict()
    other = Fraction(1, 3) if Fraction(saved["value"]) != Fraction(1, 3) else Fraction(1, 2)
    assert not verdict(value=str(other), interval=[str(other)] * 2, answer="no" if saved["answer"] else None)
    assert not verdict(answer="no" if saved["answer"] == "yes" else "yes")
    assert not verdict(interval=[0, "1/2"] if Fraction(saved["value"]) > Fraction(1, 2) else ["3/4", 1])
    assert not verdict(play=[*saved["play"], "take(9)"])
    with pytest.raises(DamagedData, match="of the schema 99"):
        verdict(schema=99)


@pytest.mark.parametrize("number", ["1e999999999", "1/0", "0x10", [1], {"a": 1}, True, float("nan")])
def test_a_saved_answer_with_what_is_no_number_is_refused_at_once(number):
    question, text = SAVED[0]
    loaded, written = gdl.loads(text), parser.question(question)
    asked = question_game(loaded.description, written, {}, None)
    for wrong in ({"value": number}, {"interval": [0, number]}):
        with pytest.raises(DamagedData, match="its interval or its value is no number"):
            read_claim(written, asked, gdl.play, {"value": 0, "interval": [0, 1], **wrong})


@pytest.mark.thorough
@pytest.mark.parametrize("question", ["draw reachable", "always mark[a1] = none", "X, O can avoid win O"])
def test_what_the_commands_ask_and_verify_is_one_game(question, tmp_path):
    """The compiled engine played the game of two players where all of them, as one, were asked for."""
    saved = tmp_path / "answer.json"
    saved.write_text(CliRunner().invoke(cli.commands, ["ask", "tic_tac_toe", question, "--json"]).output)
    told = CliRunner().invoke(cli.commands, ["verify", "tic_tac_toe", str(saved)])
    assert told.exit_code == 0, told.output

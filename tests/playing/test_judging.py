"""The value that a move gives away, and its mark: by what is proved, by chances, and on the page as by gdl analyse."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import asdict
from itertools import product

import pytest
from shipped import shipped

import gdl
from gdl.compiler import wasm
from gdl.compiler.searches.playouts_driver import evaluations
from gdl.playing import judging
from gdl.playing.judging import MARKS, JudgingScale, PositionWorth, scale
from gdl.states.random_numbers import Generator
from gdl.web import play_page

PLAIN = JudgingScale(((-1.0, 1.0), (-1.0, 1.0)), 0.04, False)
DICE = JudgingScale(((-1.0, 1.0), (-1.0, 1.0)), 0.04, True)
WIDE = JudgingScale(((-64.0, 64.0), (-64.0, 64.0)), 12.0, False)


def zero_sum(value: float, exact: bool = True, evaluated: bool = False) -> PositionWorth:
    return PositionWorth((value, -value), exact, (), evaluated)


@pytest.mark.parametrize(
    ("where", "best", "made", "mark"),
    [
        (PLAIN, 1, 0, "??"),
        (PLAIN, 0, -1, "??"),
        (PLAIN, 1, 1, ""),
        (WIDE, 20, 18, "?!"),  # still won, but proved to be less
        (WIDE, 20, -2, "??"),  # a win is given away, though it is a sixth of the scale
        (WIDE, 40, 10, "??"),
        (DICE, 0.1, -0.01, "?!"),  # means of chance: what is given away counts alone
        (DICE, 0.05, -0.01, ""),
    ],
)
def test_what_is_proved_is_marked_by_what_it_changes(where: JudgingScale, best: float, made: float, mark: str):
    assert where.mark(zero_sum(best), zero_sum(made), 0) == mark
    assert where.mark(zero_sum(-best), zero_sum(-made), 1) == mark


def test_estimates_are_marked_by_the_chances_that_they_stand_for():
    """The curve is steep in the middle: a pawn weighs less where one is a queen ahead."""

    def mark(best: float, made: float) -> str:
        return PLAIN.mark(zero_sum(best, False, True), zero_sum(made, False, True), 0)

    assert [mark(0, -pawns * 0.005) for pawns in (0.4, 1, 2, 3)] == ["", "?!", "?", "??"]
    assert mark(0.1, 0.095) == "" and mark(1, 0) == "??"


def test_the_scale_is_met_in_random_play():
    known = scale(gdl.load("pig"))
    assert known.usual > 0 and known.chance and known.bounds == ((-1, 1), (-1, 1))
    plain = scale(gdl.load("tic_tac_toe"))
    assert plain.usual == 0 and not plain.chance


@pytest.mark.skipif(not wasm.available(), reason="needs wasmtime")
@pytest.mark.parametrize("name", ["breakthrough", "pig", "checkers"])
def test_the_engine_meets_the_evaluations_that_the_rules_meet(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judging, "PLAYS", 2)
    game = shipped(name)
    met = [*evaluations(game, game.initial(), judging.PLAYS, judging.PLIES, Generator(1))]
    assert met == [*judging._by_interpreter(game, Generator(1))] != []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_marks_as_gdl_analyse_does():
    values = [-1, -0.1, 0, 0.004, 0.01, 0.03, 0.5, 7]
    worths = [zero_sum(value, *how) for value in values for how in ((True, False), (False, True), (False, False))]
    several = [PositionWorth((a, b, 0.1), True) for a, b in product((-1, 0, 0.1, 1), repeat=2)]
    cases = [(s, b, m, p) for s in (PLAIN, DICE, WIDE) for b, m in product(worths, repeat=2) for p in (0, 1)]
    three = JudgingScale(((-1.0, 1.0),) * 3, 0.5, False)
    cases += [(three, b, m, p) for b, m in product(several, repeat=2) for p in (0, 1, 2)]
    program = (
        play_page.join_scripts(("judge.js",)) + "const cases = JSON.parse(require('fs').readFileSync(0));"
        "console.log(JSON.stringify(cases.map(([scale, marks, ...rest]) => new Judge({ scale, marks }).mark(...rest))));"
    )

    def told(worth: PositionWorth) -> dict[str, object]:
        return {"value": worth.value, "exact": worth.exact, "estimate": worth.evaluated}

    asked = json.dumps([[asdict(s), MARKS, told(b), told(m), p] for s, b, m, p in cases])
    done = subprocess.run(["node", "-e", program], input=asked, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [s.mark(b, m, p) for s, b, m, p in cases]
    assert {"", "?!", "?", "??"} == set(json.loads(done.stdout))

"""The page marks moves as gdl analyse does."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import asdict
from itertools import product

import pytest

from gdl.wings.arena.judging import MARKS, JudgingScale, PositionWorth
from gdl.wings.page import play_page

PLAIN = JudgingScale(((-1.0, 1.0), (-1.0, 1.0)), 0.04, False)
DICE = JudgingScale(((-1.0, 1.0), (-1.0, 1.0)), 0.04, True)
WIDE = JudgingScale(((-64.0, 64.0), (-64.0, 64.0)), 12.0, False)


def zero_sum(value: float, exact: bool = True, evaluated: bool = False) -> PositionWorth:
    return PositionWorth((value, -value), exact, (), evaluated)


@pytest.mark.thorough
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

"""A sample of the small programs: each type of one, two or three values with some constructs in some places of a game.

`tests/bench/small_programs.py` tries all of them.
"""

import random
import sys

import pytest
from meanings import small_types
from places import TESTS

sys.path.insert(0, str(TESTS / "bench"))

import small_programs

EACH = 6  # programs of a type


@pytest.mark.one_in(50)
@pytest.mark.parametrize("named", small_types())
def test_a_small_program_means_what_the_manual_says(named: str):
    pytest.importorskip("wasmtime")
    cases = [case for case in small_programs.cases(1, 1) if case[0] == named]
    for case in random.Random(named).sample(cases, EACH):
        _, outcome, details, text = small_programs.tried(case)
        assert outcome in ("same", "refused", "declined"), f"{text}\n{details}"


def test_a_row_whose_languages_differ_is_noticed():
    row = small_programs.Row("", "size(T)", "len(T) + 1")
    program = small_programs.Program(small_types()["1..2"], "a name", row, "")
    assert small_programs.outcome(program)[0] == "different"

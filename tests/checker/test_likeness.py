"""Lines of `terminal` that ask for no less than one above, as they are written."""

from itertools import product

import pytest

import gdl

GAME = """
players Ann, Bob
state
    heap: 0..9 = 9
    left[Player]: 0..9 = 9
action take(n: 1..2) when n <= heap
    heap := heap - n
    left[mover] := left[mover] - n
terminal
    {above} -> draw
    {below} -> win mover
    no actions -> lose mover
"""

ABOVE = {
    ("heap = 0", "heap = 0 and left[Ann] = 3"): True,
    ("heap = 0", "left[Ann] = 3 and heap = 0"): True,
    ("heap = 0", "left[Ann] = 3 or heap = 0"): False,
    ("heap = 0 and left[Ann] = 3", "heap = 0"): False,
    ("heap = 0 or left[Ann] = 3", "left[Ann] = 3"): True,
    ("heap = 0 or left[Ann] = 3", "left[Ann] = 3 and left[Bob] = 4 or heap = 0"): True,
    ("heap = 0 and left[Ann] = 3", "left[Ann] = 3 and mover = Bob and heap = 0"): True,
    ("heap < 3", "heap <= 2"): True,
    ("heap < 3", "heap = 4"): False,
    ("left[Ann] < 3", "left[Bob] < 2"): False,
    ("exists p in Player: left[p] = 3", "heap = 1 and (exists p in Player: left[p] = 3)"): True,
    (
        "exists p in Player: left[p] = 3",
        "exists p in Player: left[p] = 3 and heap = 1",
    ): False,  # as far as it is looked
}


@pytest.mark.parametrize("tests, told", ABOVE.items())
def test_lines_that_ask_no_less_than_one_above(tests, told):
    above, below = tests
    found = gdl.loads(GAME.format(above=above, below=below)).warnings
    assert [(p.kind, p.span.line) for p in found] == [("test-above", 11)] * told


RULES = """players Ann, Bob
state
{numbers}
action go
    n0 := 3 - n0
terminal
{above}
{below}
"""
HOLDS = {"=": int.__eq__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}


@pytest.mark.parametrize("said, asked", list(product(HOLDS, HOLDS)))
def test_comparisons_that_lie_within_others_do(said, asked):
    """Never said falsely of whole numbers, and of tests in one direction always found where it is so of fractions."""
    pairs = list(product(range(4), range(4)))
    text = RULES.format(
        numbers="\n".join(f"    n{k}: 0..3" for k in range(len(pairs))),
        above="\n".join(f"    n{k} {asked} {limit} -> draw" for k, (_, limit) in enumerate(pairs)),
        below="\n".join(f"    n{k} {said} {value} -> win Ann" for k, (value, _) in enumerate(pairs)),
    )
    lines = text.splitlines()
    within = {lines[p.span.line - 1] for p in gdl.loads(text).warnings if p.kind == "test-above"}
    for k, (value, limit) in enumerate(pairs):
        so = all(HOLDS[asked](x, 2 * limit) for x in range(-4, 12) if HOLDS[said](x, 2 * value))
        assert (f"    n{k} {said} {value} -> win Ann" in within) == (so and (asked != "=" or said == "=")), (
            value,
            limit,
        )

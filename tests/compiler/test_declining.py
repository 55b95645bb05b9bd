"""A recogniser that fails declines: the game is lowered without it, and plays the same. Recognisers are tried on boards,
members and ranges that they were not made for."""

import random
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from both_engines import told_alike
from sampling import one_in
from switching import SWITCHES, all_names

import gdl
from gdl.compiler import lower
from gdl.compiler.lower import lowering
from gdl.compiler.lower.lowering import RecogniserFault
from gdl.compiler.passes import CODE_PASSES, RULE_PASSES

SHAPES = ("ring(3)", "ring(1)", "torus(3, 2)", "torus(1, 3)", "hextorus(2, 2)", "track(4)", "hex(2, 3)", "grid(3, 2)")
CONDITIONS = (
    "forall j in 1..k: row[j]",
    "(count j in 1..k: row[j]) >= 1",
    "exists j in k..4: row[j]",
    "row[first j in k..4: row[j]] = true",
    "small[first j in 1..k: row[j]] = 1",
    "exists t in {S}: man[first u in ray(t, D): man[u] = none] = Ann",
    "man[first u in ray({S}(1), D): n < 0] = Ann",
    "forall t in {S}: level[first u in ray(t, D): man[u] != none] != 1",
    "exists t in ray({S}(1), D): level[first u in ray(t, D): n < 0] = 1",
    "(count t in {S}: exists u in ray(t, D): man[u] = Bob) = 1",
    "exists t in {S}: forall u in neighbours(t): man[u] = none",
    "(count t in ray({S}(1), D): level[t] = -1) <= k",
    "forall t in (those u in {S}: man[u] = none): (count v in neighbours(t): man[v] = Ann) < 2",
)  # fmt: skip


def rules(shape: str, condition: str, way: str) -> Any:
    """A game whose conditions are of forms that recognisers take, over a board and ranges."""
    asked = condition.replace("{S}", "Square").replace("D", way)
    text = f"""players Ann, Bob
board Square = {shape}
state
    row[1..5]: Boolean
    small[2..5]: 0..1
    man[Square]: Player?
    level[Square]: (-1..1)? = 0
    n: 0..9
action put(x: 2..4, s: Square) when not row[x]
    row[x] := true
    small[x] := 1
    man[s] := mover
    level[s] := if x = 2 then 1 else if x = 3 then -1 else none
    n := count k in 1..4: {asked}
terminal
    no actions -> 1
"""
    return gdl.loads(text, "tried").game


@pytest.mark.parametrize("case", one_in(3, list(product(SHAPES, CONDITIONS))))
def test_recognisers_take_or_decline_what_they_were_not_made_for(case: tuple[str, str]) -> None:
    shape, condition = case
    way = (
        "forward"
        if shape.startswith(("ring", "track"))
        else random.Random(shape + condition).choice(["north", "south"])
    )
    told_alike(rules(shape, condition, way), range(2), 4)


NAMES = [name for name in all_names() if name not in (*RULE_PASSES, *CODE_PASSES, *SWITCHES)]


@pytest.mark.parametrize("name", one_in(8, NAMES))
def test_a_recogniser_that_fails_is_left_out(name: str) -> None:
    def fail(*given: Any) -> Any:
        raise KeyError(name)

    whole, game = lowering.recognisers, rules("grid(3, 2)", CONDITIONS[9], "north")

    def broken(*parts: Any) -> Any:
        return [(key, called, fail if called == name else form) for key, called, form in whole(*parts)]

    with patch.object(lowering, "recognisers", broken), patch.object(lower, "forgiving", True):
        told_alike(game, range(1), 4)


def test_tests_hear_of_a_recogniser_that_fails() -> None:
    whole = lowering.recognisers

    def fail(*given: Any) -> Any:
        raise KeyError("broken")

    with (
        patch.object(lowering, "recognisers", lambda *parts: [(key, name, fail) for key, name, _ in whole(*parts)]),
        pytest.raises(RecogniserFault),
    ):
        game = rules("grid(3, 2)", CONDITIONS[9], "north")
        lower.lower(game.model, game)

"""Operations of the rules that are proved never to be a fault."""

from typing import Any

import pytest

import gdl
from gdl.analysis.dependence import Dependence
from gdl.analysis.faultless import Faultless, values_of_type

RULES = """
players Ann, Bob
board Square = grid(3, 3)
state
    man[Square]: Player?
    held[Player, 1..3]: 0..4
    last: Square?
    left: 0..9
    old: 0..9?
    seen: set of Square
define free(s: Square) = man[s] = none
define far(n: 0..4) = held[mover, n] = 1
define down(n: 0..4) = n = 0 or down(n - 1)
action wait
"""
PROVED = {
    "man[s] = none": True,
    "man[last] = mover": True,  # of no square nothing is held
    "man[last] = mover and not free(s) or s in seen": True,
    "held[mover, n] > left - 1": True,
    "step(s, north) != last": True,
    "if free(s) then left > n else true": True,
    "far(n)": True,
    "held[mover, n + 1] > 1": False,  # there may be no such element
    "held[man[s], n] = 1": True,
    "held[man[s], n] > 1": False,  # which may be none
    "row(s) > 1": False,  # a table may have none
    "old > 1": False,
    "9 div left > 1": False,
    "number(last) > 1": False,
    "far(left)": False,
    "down(n)": False,
}


@pytest.mark.parametrize(("condition", "proved"), PROVED.items(), ids=list(PROVED))
def test_what_may_be_a_fault_is_not_proved(condition: str, proved: bool) -> None:
    model: Any = gdl.loads(
        f"{RULES}action go(s: Square, n: 1..3) when {condition}\nterminal\n    left = 0 -> draw"
    ).model
    rule = model.actions[1]
    known = {p.slot: values_of_type(p.type) for p in rule.parameters}
    guards = [*rule.guards, *(guard for p in rule.parameters for guard in p.guards)]
    assert all(Faultless(model, Dependence(model)).proves(guard, known) for guard in guards) == proved

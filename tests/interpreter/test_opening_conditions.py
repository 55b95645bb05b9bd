"""Conditions at the beginning of a body decide whether an action is legal; what follows them is run by who acts."""

from __future__ import annotations

import pytest
from both_engines import told_alike

import gdl
from gdl.errors import GameError

GAME = """players Ann
state
    n: 0..9
action leap
    let far = n + 8
    require n > 0
    n := far
action step
    n := n + 1
action able when Ann has leap
    n := 9
terminal
    n = 9 -> draw
"""


def test_a_fault_behind_them_is_met_by_who_acts():
    game = gdl.loads(GAME, "leap").game
    start = game.initial()
    assert game.node(start).actions == ("step",)
    later = game.successor(game.successor(start, "step"), "step")
    assert game.node(later).actions == ("leap", "step", "able")
    with pytest.raises(GameError, match="n holds a number from 0 to 9, and this play assigns 10"):
        game.successor(later, "leap")
    told_alike(game, range(6), 9)

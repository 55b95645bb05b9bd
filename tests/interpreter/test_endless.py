"""Play that comes back to a position while the players remember ever more: what has no end of states."""

from __future__ import annotations

from contextlib import suppress

import pytest
from random_rules import written
from sampling import one_in

import gdl
from gdl.errors import GameError, Refusal
from gdl.interpreter.rules_game import RulesGame, detect_repetition
from gdl.solvers import solve
from gdl.states.explore import Walk

HIDE = """
players Ann, Bob
state
    spot: 1..2 visible to none
    waits: 0..3
    over: Player?
action hide(s: 1..2) unseen when mover = Ann
    spot := s
action wait when mover = Bob and waits < 3
    WAIT
    next Ann
action seek(s: 1..2) when mover = Bob
    over := if s = spot then Bob else Ann
terminal
    over != none -> win over
"""
BIG_MATCH = """
players Ann, Bob
state
    choice[Player]: 1..2
start everyone
action choose_one(c: 1..2) as "{c}"
    choice[mover] := c
terminal
    choice[Ann] = 2 -> if choice[Bob] = 2 then 1 else 0
"""


def game(text: str) -> RulesGame:
    found = gdl.loads(text).game
    assert isinstance(found, RulesGame)
    return found


def test_who_waits_for_ever_is_remembered_for_ever():
    endless = game(HIDE.replace("WAIT", "waits := 0"))
    assert endless.traits.cyclic is True
    assert endless.promises.endless() == ((), ("hide(1)", "wait"))
    with pytest.raises(Refusal, match="sequence-form needs a game whose positions never come again"):
        solve(endless)


def test_a_counter_bounds_it():
    bounded = game(HIDE.replace("WAIT", "waits := waits + 1"))
    assert bounded.promises.endless() is None
    assert bounded.traits.cyclic is False


def test_what_is_forgotten_on_the_way_does_not_grow():
    forgetful = game(HIDE.replace("WAIT", "waits := 0\n    forget"))
    assert forgetful.traits.cyclic is True
    assert forgetful.promises.endless() is None
    assert len(list(Walk(forgetful, 100))) < 20


@pytest.mark.thorough
def test_moves_at_once_are_remembered_too():
    assert game(BIG_MATCH).promises.endless() == ((), (("1", "1"),))


def test_that_many_positions_never_come_again_is_proved_by_those_alone():
    """The states are too many to be walked, since each player remembers the order of the tries."""
    text = HIDE.replace("1..2", "1..12").replace("WAIT", "waits := waits + 1")
    assert game(text).traits.cyclic is False


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", one_in(2, range(60)))
def test_a_round_can_be_gone_again_and_again(seed: int):
    with suppress(GameError):
        found = game(written(seed))
        if found.initial().memories is None:
            return
        looked = detect_repetition(found)
        if looked.round is None:
            return
        state, met = found.initial(), set()
        for move in (*looked.round.before, *4 * looked.round.round):
            state = found.successor(state, move)
            assert state not in met
            met.add(state)

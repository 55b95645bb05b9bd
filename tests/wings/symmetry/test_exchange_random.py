"""Whatever games of two are written at random: of one that is said to be even both players know and get the same, and
its value is what the linear program finds."""

import pytest
from random_exchanges import profile, written

import gdl
from gdl.errors import GameError
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers import solve
from gdl.wings.symmetry.exchange import even_value

LEFT_OUT = """
players Ann, Bob

state
    c[Player]: 1..2 visible to none
    d[Player]: 1..2 visible to none
    out: Player? visible to p when out = p
    guess[Player]: 0..2 visible to owner
    round: 0..2

start deal

chance deal(a: 1..2, b: 1..2, x: 1..2, y: 1..2, o: Player?)
    c[Ann], c[Bob], d[Ann], d[Bob] := a, b, x, y
    out := o
    next everyone

action go(n: 1..2) when out != mover or round = 1 unseen
    guess[mover] := n
    let foe = other(mover)
    say c[mover] to foe
    say d[mover] to mover

resolve
    if round = 0
        for p in Player where out = p
            let foe = other(p)
            say c[p] to foe
    round := round + 1

terminal
    round = 2 -> (if guess[Ann] = c[Bob] then 1 else 0) - (if guess[Bob] = c[Ann] then 1 else 0)
"""


def check(seed: int, slips: int, most: int) -> str:
    """The verdict on a game: proven, not proven, or no game to judge."""
    try:
        game = RulesGame(gdl.loads(written(seed, slips), "g").model)
        there = profile(game, most)
    except GameError:
        return "no game"
    if there is None or game.traits.constant_sum is None:
        return "no game"
    half = even_value(game)
    if half is None:
        return "not proven"
    assert there[0] == there[1], f"not the same for both: written({seed}, {slips})"
    try:
        found = solve(game, solver="sequence-form")
    except GameError as fault:  # an action whose name holds what its player does not see
        assert "has different actions there" in str(fault)
        return "no game"
    assert found.exact and found.value == (half, half), f"not the value: written({seed}, {slips})"
    return "proven"


def check_all(seeds: range, slips: int, most: int) -> None:
    found = [check(seed, slips, most) for seed in seeds]
    judged = len(found) - found.count("no game")
    assert judged > 10 and found.count("proven") >= (0.1 if slips else 0.85) * judged
    assert slips == 0 or "not proven" in found


@pytest.mark.thorough
@pytest.mark.parametrize("slips", [0, 1])
def test_some(slips):
    check_all(range(100, 122), slips, 200)


@pytest.mark.slow
@pytest.mark.parametrize("slips", [0, 1, 2])
def test_many(slips):
    check_all(range(1000, 1200), slips, 1500)


@pytest.mark.thorough
def test_who_hears_less_since_one_is_left_out():
    """Ann's words come before Bob's, so who hears both, and sometimes but one of them, confuses other things than the
    other player does."""
    for heard, same in (("", False), ("    say c[mover] to foe\n", True), ("    say d[mover] to mover\n", True)):
        text = LEFT_OUT.replace(heard, "")  # who hears of one player alone confuses nothing
        ann, bob = profile(RulesGame(gdl.loads(text.replace("round = 2", "round = 1"), "g").model), 5_000)
        assert (ann == bob) == same
        assert even_value(RulesGame(gdl.loads(text, "g").model)) == (0 if same else None)

"""Moves made at once on the compiled engine: equal results are counted once, and what all have written is put together
as the interpreter does it."""

import pytest

import gdl
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.searches.perft import perft
from gdl.errors import GameError
from gdl.states import count

SUMS = """
players Ann, Bob
state
    total: 0..4
    said[Player]: 0..12 = 0
    rounds: 0..9 = 0
start
    next everyone
action say(n: 1..12)
    if rounds mod 3 = 2
        total := (total + n) mod 5
        rounds := rounds + 1
        next everyone
    else
        said[mover] := n
resolve
    total := (total + said[Ann] * said[Bob]) mod 5
    rounds := rounds + 1
    for p in Player
        said[p] := 0
    if rounds mod 3 = 2
        next Bob
    else
        next everyone
terminal
    rounds = 9 -> each p: total
"""
MARKS = """
players Ann, Bob
state
    marks[1..3]: set of 1..70
    seen: 0..2 = 0
    round: 0..2 = 0
start
    next everyone
action mark(n: 1..3, m: {1, 70})
    marks[n] := marks[n] + {m}
    seen := 2
resolve
    round := round + 1
    for n in 1..3
        marks[n] := {}
    next everyone
terminal
    round = 2 -> each p: seen
"""


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_what_is_below_equal_results_of_joint_moves_is_counted_once(engine: str) -> None:
    """Some 10^9 sequences of nine plies; each of 144 joint moves leaves one of five states."""
    game, start = by_rules(gdl.loads(SUMS).game)
    for plies in (1, 2, 3, 4, 5, 6, 9):
        assert perft(game, start, plies, engine) == 12**plies
    assert count.perft(game, 4) == 12**4


@pytest.mark.parametrize("engine", ["python", "wasm"])
def test_two_players_may_write_the_same_value_and_no_other(engine: str) -> None:
    game, start = by_rules(gdl.loads(MARKS.replace("{1, 70}", "{70}")).game)
    assert perft(game, start, 4, engine) == 81
    game, start = by_rules(gdl.loads(MARKS).game)
    with pytest.raises(GameError, match="two players write the same variable at once"):
        perft(game, start, 4, engine)

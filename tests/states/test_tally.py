"""Counts of random plays: the same in kernel code as in the twin, and known facts."""

from math import isclose

import pytest
from both_engines import ENGINES
from compiled_counts import playouts

import gdl
from gdl.compiler import wasm
from gdl.render.playout_report import playouts_text
from gdl.render.position_text import turn_text
from gdl.states.playouts import Playouts
from gdl.states.playouts import playouts as twin
from gdl.states.sequential import Sequential
from gdl.states.tally import BRIEF, interval

LONG = """
players Ann, Bob
state
    n: 0..{last}
action up
    n := n + 1
terminal
    n = {last} -> win Bob
"""

TRIO = """game "Trio"
players Ann, Bob, Cid
state
    said[Player]: 0..2
    turns: 0..3
action say(v: 1..2)
    said[mover] := v
    turns := turns + 1
terminal
    turns = 3 -> each p: said[p]
"""


def played(rules: str, count: int) -> Playouts:
    """The plays of a game, the same on every engine."""
    found = gdl.loads(rules).game
    wanted = twin(found, count, 1, counts=True)
    for engine in ENGINES if wasm.available() else ("python",):
        assert playouts(found, found.initial(), count, 1, engine, counts=True) == wanted
    return wanted


@pytest.mark.parametrize("plies", [BRIEF - 1, BRIEF, BRIEF + 1])
def test_long_plays_have_no_quartiles(plies: int):
    counted = played(LONG.format(last=plies), 2).statistics
    assert (counted.shortest, counted.longest) == (plies, plies)
    assert counted.quartiles == ((plies,) * 3 if plies < BRIEF else None)
    assert counted.wins == {"Ann": 0, "Bob": 1}
    assert counted.branching == 1


def test_the_best_of_three_are_alone_or_share():
    """Each of three says 1 or 2: one is the best alone in 3 of 8 plays, two share in 3, all three in 2."""
    counted = played(TRIO, 2000).statistics
    assert isclose(sum(counted.wins.values()), 3 / 8, abs_tol=0.05)
    assert isclose(sum(counted.draws.values()), (2 * 3 + 3 * 2) / 8, abs_tol=0.15)
    assert counted.branching == 2


def test_what_a_file_states_as_costs_is_told_as_costs():
    costly = (
        "players Ann, Bob\nutility is cost\nstate\n    n: 0..3\naction go\n    n := 3\nterminal\n    n = 3 -> (2, 1)\n"
    )
    game = gdl.loads(costly).game
    rows = playouts_text(game, played(costly, 2)).splitlines()[2:5]
    assert [row.split()[:3] for row in rows] == [["player", "mean", "cost"], ["Ann", "2", "±"], ["Bob", "1", "±"]]
    after = Sequential(game).successor(Sequential(game).initial(), "go")
    assert turn_text(Sequential(game), after) == "The game is over, at the cost of Ann 2 and Bob 1."


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_are_the_published_ones(count: int, of: int, low: float, high: float):
    """Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3."""
    found = interval(count, of)
    assert (round(found[0], 4), round(found[1], 4)) == (low, high)

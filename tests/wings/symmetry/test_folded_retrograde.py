"""Retrograde analysis up to symmetry: held against all positions, and known values of whole games."""

import pytest
from shipped import shipped

import gdl
from gdl.commands.engines import offer
from gdl.compiler.searches.retrograde import Retrograde
from gdl.game import Decision
from gdl.interpreter.rules_game import RulesGame, State
from gdl.solvers import solve
from gdl.solvers.cyclic.strategy_iteration import Exact
from gdl.states.explore import explore

pytest.importorskip("wasmtime")

RACE = """game "Race"
players Ann, Bob

state
    at[Player]: 0..4 = 0

action stay when at[mover] > 0

action step
    next luck

chance luck(d: 0..2) as "{d}" weight 1 + d mod 2
    at[mover] := max(at[mover] + d - 1, 0)
    next player after mover

terminal
    at[Ann] = 4 -> win Ann
    at[Bob] = 4 -> win Bob
"""


def game(name: str) -> RulesGame:
    found = gdl.loads(RACE).game if name == "race" else shipped("pig", {"goal": "6"})
    assert isinstance(found, RulesGame)
    return found


def analysed(found: RulesGame, engine: str, start: State) -> Retrograde:
    search = Retrograde(found, start, engine, symmetry=True)
    for step in (search.explore, lambda: search.prepare(0), lambda: search.analyse(0)):
        for _ in step():
            pass
    return search


@pytest.mark.thorough_of("pig-wasm")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("name", ["pig", "race"])
def test_players_may_change_parts(name: str, engine: str):
    """Positions of which each is the other with the players exchanged are one, and worth the opposite."""
    found = game(name)
    space = explore(found)
    values = Exact(space, 0, 0, lambda: None)
    others = next(n for n, node in enumerate(space.nodes) if isinstance(node, Decision) and node.player == 1)
    for first in (0, others):
        search = analysed(found, engine, space.states[first])
        light = Exact(search.exploration(), 0, 0, lambda: None)
        met, work = {first}, [first]
        while work:
            number = work.pop()
            position = search.number(space.states[number])
            low, high = search.bounds(position)
            assert low <= values.value(number) <= high <= low + 1e-8
            assert light.value(position) == values.value(number)
            fresh = set(space.children[number]) - met
            met |= fresh
            work += fresh
        assert len(met) / 2 <= search.states < len(met)


@pytest.mark.thorough
def test_games_of_chance_that_are_not_large_are_worked_out_in_fractions():
    found = shipped("pig", {"goal": "10"})
    answer = solve(offer(found, "auto"), "retrograde", symmetry=True)
    assert answer.exact
    assert answer.value == solve(found, "retrograde").value


@pytest.mark.slow
def test_nine_mens_morris_with_three_men_each():
    """Placing, flying and taking: whoever begins wins. Of 32 symmetries, 16 exchange the players."""
    found = shipped("nine_mens_morris", {"men": "3"})
    found = offer(found, "auto")
    answer = solve(found, "retrograde", symmetry=True)
    assert (answer.value, answer.states, len(answer.line)) == ((1, -1), 200_262, 24)

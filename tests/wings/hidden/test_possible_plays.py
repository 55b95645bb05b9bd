"""Plays that agree with what a player knows, drawn on the compiled engine: their weights, and that some are found."""

from collections import Counter
from itertools import islice
from math import inf
from random import Random

import pytest
from pytest import approx

import gdl
import gdl.wings.hidden.information_set_mcts as search
from gdl.commands.engines import offer
from gdl.compiler import wasm
from gdl.game import Decision, Terminal
from gdl.states.explore import moves
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential
from gdl.wings.hidden.search_kinds import POSSIBLE_PLAYS

pytestmark = pytest.mark.skipif(not wasm.available(), reason="wasmtime is not there")


def decisions(name, seed, **options):
    """The decisions of a random play: the game, the position and the player."""
    turns, random = Sequential(offer(gdl.load(name, **options), "auto")), Random(seed)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Decision) and len(node.actions) > 1:
            yield turns, state, node.player
        state = turns.successor(state, random.choice(moves(node)))


@pytest.mark.thorough_of("False-kriegspiel-settings1", "True-leduc-settings0")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("leduc", {}),
        pytest.param("kriegspiel", {}, marks=pytest.mark.thorough),
        pytest.param("liars_dice", {"dice": 2, "sides": 3}, marks=pytest.mark.thorough),
        pytest.param("battleships", {"columns": 3, "rows": 3}, marks=pytest.mark.thorough),
        pytest.param("stratego", {}, marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize("keeps", [False, True])
def test_plays_are_drawn_with_their_weights(name, settings, keeps):
    """Deals without replacement, refused tries, and rolls whose outcomes are not alike: also where plays of the turn
    before are gone on with."""
    for turn in decisions(name, 1, settings=settings):
        possible = Possible(*turn)
        belief = possible.all(200_000)
        plays = possible.game.game.engine.search(POSSIBLE_PLAYS)
        exact, drawn, random = Counter(), Counter(), Random(2)
        for turn, weight in belief.weights.items():
            exact[turn.state.without_memory()] += weight
        for _ in range(6):
            sample = plays.draw(possible, random, inf, 10**9, keeps)
            drawn.update(state.without_memory() for state in sample.own.elements())
        assert set(drawn) <= set(exact)
        for state, weight in exact.items():
            assert drawn[state] / drawn.total() == approx(weight / exact.total(), abs=0.07)


def test_what_others_reckon_with_agrees_with_what_they_know():
    """From some positions that are drawn the other player cannot tell one that is possible."""
    for turn in decisions("stratego", 2):
        possible = Possible(*turn)
        plays = possible.game.game.engine.search(POSSIBLE_PLAYS)
        sample = plays.draw(possible, Random(1), inf, 20_000, False)
        known = {state.memories[1 - possible.player] for state in sample.own}
        own = {state.memories[possible.player] for state in sample.own}
        assert own == {possible.known}
        assert any(state.memories[1 - possible.player] in known for state in sample.shared)


@pytest.mark.thorough
def test_worlds_are_found_from_the_start_of_play():
    """Where work is counted nothing is kept: hits contradict nearly every fleet, which is mended ship by ship."""
    fleets = {"columns": 4, "rows": 4, "ships": [3, 2]}
    hunts = (each for each in decisions("battleships", 1, settings=fleets) if each[2] == 1)
    for turn in islice(hunts, 4, 8):
        starts = []
        for _ in range(2):
            found = search.InformationSetMcts(Possible(*turn), 1)
            found.find_starts(inf, search.COUNTED, search.COUNTED_CELL)
            starts.append((found.starts, found.weights))
        assert found.own
        assert starts[0] == starts[1]


def worlds_found(possible, looks, keeps):
    """How many positions are found by so many looks, each of which agrees with what the player knows."""
    plays = possible.game.game.engine.search(POSSIBLE_PLAYS)
    found = plays.draw(possible, Random(1), inf, looks, keeps).own
    assert all(state.memories[possible.player] == possible.known for state in found)
    return len(found)


@pytest.mark.thorough
def test_plays_are_kept_from_turn_to_turn():
    """Each of ten decisions has worlds within 4,000 looks, as plays of the turn before go on."""
    fleets = {"columns": 4, "rows": 4, "ships": [3, 2]}
    hunts = (Possible(*each) for each in decisions("battleships", 1, settings=fleets) if each[2] == 1)
    assert all(worlds_found(possible, 4_000, True) for possible in islice(hunts, 10))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("battleships", {"variant": "play"}),
        ("scrabble", {"settings": {"side": 7, "rack": 4, "bag": [8, 6, 8]}}),
        ("kriegspiel", {"settings": {"n": 5, "plies": 40}}),
        (
            "stratego",
            {"settings": {"army": "[flag,bomb,spy,scout,miner,marshal]", "rows": 6, "turns": 40}},
        ),
    ],
)
def test_a_whole_play_of_a_large_game_has_worlds(name, options):
    """From ply 17 on no fleet of ten by ten was found, and then moves were random."""
    for turn in islice(decisions(name, 1, **options), 60):
        assert turn[2] == 0 or worlds_found(Possible(*turn), 20_000, True)

"""Positions that are possible for all that a player knows: drawn one by one."""

from collections import defaultdict
from itertools import islice
from random import Random

import pytest
from shipped import loaded

import gdl
from gdl.game import Decision, Terminal
from gdl.states.explore import moves
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn
from gdl.wings.hidden.drawn_plays import PlayDrawer


def positions(name, seed):
    """The decisions of a random play."""
    turns, random = Sequential(loaded(name).game), Random(seed)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Decision):
            yield turns, state, node.player
            state = turns.successor(state, random.choice(node.actions))
        else:
            state = turns.successor(state, random.choice(node.outcomes)[0])


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", ["kuhn", "cheat", "liars_dice", "leduc", "blind_tic_tac_toe", "beer_quiche"])
def test_what_is_drawn_has_its_weight(name):
    for turns, state, player in positions(name, 2):
        possible = Possible(turns, state, player)
        belief = possible.all()
        assert belief is not None
        drawn: dict[Turn, float] = defaultdict(float)
        random, drawer = Random(1), PlayDrawer(possible)
        for _ in range(4000):
            if found := drawer.draw(random):
                drawn[found[0]] += found[1] / 4000
        assert set(drawn) <= set(belief.weights)
        for turn, weight in belief.weights.items():
            assert drawn[turn] == pytest.approx(weight, abs=0.05, rel=0.25)


TRICKS = """
game "Tricks"
players Ann, Bob

state
    deck: sequence of 1..14 up to 14 = 1..14 visible to none
    hand[Player]: set of 1..14 visible to owner
    led: 1..14?
    tricks[Player]: 0..4

start
    next deal

chance deal
    shuffle(deck)
    for p in Player
        for i in 1..4
            hand[p] := hand[p] + {last(deck)}
            pop(deck)
    next Ann

action play(c: hand[mover])
    hand[mover] := hand[mover] - {c}
    if led = none
        led := c
        next other(mover)
    else
        if c > led
            tricks[mover] := tricks[mover] + 1
            next mover
        else
            tricks[other(mover)] := tricks[other(mover)] + 1
            next other(mover)
        led := none

terminal
    size(deck) < 14 and hand[Ann] = {} and hand[Bob] = {} -> tricks[Ann] - tricks[Bob]
"""


@pytest.mark.thorough
def test_deals_of_many_cards_are_met_by_changes_of_a_play():
    """Of 14! orders of a deck one in a thousand gives a player the cards that they hold, so none is drawn by chance."""
    game = Sequential(gdl.loads(TRICKS, "tricks.game").game)
    dice, state = Random(5), game.initial()
    while not isinstance(game.node(state), Terminal):
        node = game.node(state)
        if isinstance(node, Decision) and len(node.actions) in (2, 4):
            possible = Possible(game, state, node.player)
            assert possible.all() is None
            met = set(islice(PlayDrawer(possible).walk(Random(1), 200_000), 10))
            known = game.information_set(state, node.player)
            assert len(met) > 3 and all(game.information_set(each, node.player) == known for each in met)
            assert all(game.node(each).actions == node.actions for each in met)
        state = game.successor(state, dice.choice(moves(node)))

"""Search from positions that may be the case: what is known of small games, and that nobody knows more than they may."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time

import pytest

import gdl
import solvers.mcts.information_set_mcts as search
from gdl.game import Chance, Decision, Terminal
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn
from solvers.mcts.information_set_mcts import Advice, Search


def at(name: str, *played: str, **settings: str) -> tuple[Sequential, Turn, int]:
    """The game, the position after these plies, and whose turn it is."""
    text, shown = gdl.read(name)
    turns = Sequential(gdl.loads(text, shown, settings=settings).game)
    state = turns.initial()
    for action in played:
        state = turns.successor(state, action)
    node = turns.node(state)
    assert isinstance(node, Decision)
    return turns, state, node.player


def advised(name: str, *played: str, simulations: int = 2000, **settings: str) -> Advice:
    found = Search(Possible(*at(name, *played, **settings)), 1).advise(simulations)
    assert found is not None
    assert found.simulations == sum(found.visits) == simulations
    return found


@pytest.mark.parametrize(
    ("name", "played", "action"),
    [
        ("kuhn", ("deal(1)", "deal(2)", "check", "bet"), "fold"),
        ("kuhn", ("deal(3)", "deal(2)", "check", "bet"), "call"),
        ("liars_dice", ("roll 2", "roll 5", "bid(2, 4)"), "liar"),
        ("two_roads", ("jewels_left",), "A"),  # who averages over clairvoyants takes B
        ("two_roads", ("jewels_right",), "A"),
        ("beer_quiche", ("strong",), "beer"),
        ("monty_hall", ("hide(left)", "middle", "show(right)"), "switch"),
        ("prisoners", (), "betray"),
        ("prisoners", ("silent",), "betray"),
    ],
)
def test_what_is_best_is_played(name: str, played: Sequence[str], action: str) -> None:
    found = advised(name, *played)
    assert found.actions[found.best] == action
    assert list(found.mixture()) == [action]


def test_where_one_must_not_be_foreseen_one_is_not() -> None:
    found = advised("rock_paper_scissors", simulations=6000)
    assert set(found.mixture()) == {"rock", "paper", "scissors"}
    assert min(found.visits) > 1000


@pytest.mark.parametrize("name", ["kuhn", "cheat", "blind_tic_tac_toe", "battleships", "stratego", "goofspiel"])
def test_what_is_hidden_makes_no_difference(name: str) -> None:
    """In all positions that the player cannot tell apart they are advised the same."""
    random = Random(name)
    turns, state = Sequential(gdl.load(name)), Sequential(gdl.load(name)).initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Chance):
            state = turns.successor(state, random.choice(node.outcomes)[0])
            continue
        assert isinstance(node, Decision)
        belief = Possible(turns, state, node.player).all()
        assert belief is not None
        found = Search(Possible(turns, state, node.player), 3).advise(100)
        assert found is not None
        assert found.actions == node.actions
        assert found.complete
        assert found.positions == len(belief.weights)
        for other in list(belief.weights)[-3:]:
            assert Search(Possible(turns, other, node.player), 3).advise(100) == found
        state = turns.successor(state, random.choice(node.actions))


def test_of_very_many_positions_some_are_drawn() -> None:
    found = advised("liars_dice", "roll 1 2 3 4", "roll 1 2 3 4", simulations=200, dice="4")
    assert not found.complete
    assert 20 <= found.positions <= search.SAMPLE


def test_where_no_position_is_found_nothing_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Possible, "all", lambda self: None)
    monkeypatch.setattr(Possible, "draw", lambda self, random: None)
    assert Search(Possible(*at("kuhn", "deal(1)", "deal(2)")), 1).advise(10) is None


def test_the_time_is_kept() -> None:
    search = Search(Possible(*at("liars_dice", "roll 2", "roll 5")), 1)
    started = process_time()
    found = search.advise(time=0.3)
    assert found is not None
    assert found.simulations > 50
    assert process_time() - started < 1


def test_endless_simulations_end() -> None:
    text = """players A, B
state
    secret: Boolean visible to none
chance deal(b: Boolean)
    secret := b
    next A
start deal
action wait
action leave(b: Boolean) when true
    secret := b
    next stop
chance stop
terminal
    forever -> draw
"""
    game = gdl.loads(text.replace("chance stop\n", 'chance stop as "on"\n')).game
    turns = Sequential(game)
    state = turns.successor(turns.initial(), turns.node(turns.initial()).outcomes[0][0])  # type: ignore[union-attr]
    found = Search(Possible(turns, state, 0), 1).advise(3)
    assert found is not None
    assert set(found.means) == {0.0}

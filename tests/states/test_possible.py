"""The positions that a player's knowledge leaves possible, held against the play of whole games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

import pytest
from playable import games_not_for_play
from sampling import one_in
from shipped import loaded

import gdl
from gdl.game import Chance, Decision, Game, Terminal
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn

SMALL = [
    "kuhn", "cheat", "bridge_ending", "blind_tic_tac_toe", "dark_hex", "goofspiel", "stratego", "one_card_poker", "monty_hall",
    "repeated_prisoners", "rock_paper_scissors", "prisoners", "two_roads", "seltens_horse", "beer_quiche", "bandit", "leduc",
    "exam/bl-gilboa-absent-minded", "exam/eq-wichardt2008", "language/hearing", "language/together", "language/visibility",
    "by hand/leduc", "by hand/forgetting",
]  # fmt: skip
LARGE = ["liars_dice", "battleships", "scrabble", "kriegspiel"]


def by_hand(game: Game[Any]) -> dict[tuple[int, Hashable], dict[Turn, float]]:
    """For each player and what they know at a turn of theirs, the weight of every position, by walking all plays."""
    turns = Sequential(game)
    found: dict[tuple[int, Hashable], dict[Turn, float]] = defaultdict(lambda: defaultdict(float))
    stack: list[tuple[Turn, tuple[float, ...], frozenset[Hashable]]] = [
        (turns.initial(), (1.0,) * len(game.players), frozenset())
    ]
    while stack:
        state, weights, met = stack.pop()
        node = turns.node(state)
        if isinstance(node, Chance):
            for action, chance in node.outcomes:
                stack.append((turns.successor(state, action), tuple(w * float(chance) for w in weights), met))
        elif isinstance(node, Decision):
            here = node.player, turns.information_set(state, node.player)
            if here not in met:  # who comes to an information set again is counted where they first came to it
                found[here][state] += weights[node.player]
            even = 1 / len(node.actions)
            after = tuple(w if player == node.player else w * even for player, w in enumerate(weights))
            for action in node.actions:
                stack.append((turns.successor(state, action), after, met | {here}))
    return found


def normal(weights: dict[Turn, float]) -> dict[Turn, float]:
    total = sum(weights.values())
    return {state: pytest.approx(weight / total) for state, weight in weights.items()}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", one_in(2, SMALL))
def test_it_is_what_bayes_rule_says(name: str) -> None:
    for game in games_not_for_play(name):
        turns = Sequential(game)
        for (player, known), weights in by_hand(game).items():
            for state in [*weights][:3]:
                possible = Possible(turns, state, player)
                belief = possible.all(10**6)
                assert belief is not None
                assert possible.known == known
                if known != state.state:
                    assert normal(belief.weights) == normal(weights)
                else:  # what all see is the case; choices that are being made may be others
                    assert {turn.state for turn in belief.weights} == {state.state}


def positions(name: str, seed: int) -> Iterator[tuple[Sequential, Turn, int]]:
    """The decisions of a random play."""
    turns, random = Sequential(loaded(name).game), Random(seed)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Decision):
            yield turns, state, node.player
            state = turns.successor(state, random.choice(node.actions))
        else:
            state = turns.successor(state, random.choice(node.outcomes)[0])  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [*SMALL[:10], *LARGE])
def test_nothing_else_of_the_position_is_used(name: str) -> None:
    """Whoever knows the same takes the same to be possible, and has the same actions there."""
    for turns, state, player in positions(name, 5):
        belief = Possible(turns, state, player).all()
        assert belief is not None
        assert state in belief.weights
        for other in [*belief.weights][:5]:
            assert turns.node(other) == turns.node(state)
            assert Possible(turns, other, player).all() == belief


def test_who_bets_is_known_and_what_is_dealt_is_not() -> None:
    turns = Sequential(gdl.load("kuhn"))
    state = turns.initial()
    for action in ("deal(3)", "deal(1)", "check", "bet"):
        state = turns.successor(state, action)
    belief = Possible(turns, state, 0).all()
    assert belief is not None
    assert belief.played == (
        frozenset({(None, "deal(3)")}), frozenset({(None, "deal(1)"), (None, "deal(2)")}),
        frozenset({(0, "check")}), frozenset({(1, "bet")}),
    )  # fmt: skip


def test_a_card_that_only_one_can_have_laid_is_not_betrayed() -> None:
    """Bob has no choice of the card to lay, but Ann does not know that."""
    turns = Sequential(gdl.load("cheat"))
    state = turns.initial()
    for action in ("{1, 2}", "lay(1)", "lay(2)"):
        state = turns.successor(state, action)
    belief = Possible(turns, state, 0).all()
    assert belief is not None
    assert belief.played is not None
    assert belief.played[-1] == {(1, "lay(1)"), (1, "lay(2)")}


def test_of_unseen_plies_not_even_the_number_is_known() -> None:
    turns = Sequential(gdl.load("blind_tic_tac_toe"))
    state = turns.initial()
    for action in ("take(a1)", "take(b2)"):
        state = turns.successor(state, action)
    belief = Possible(turns, state, 0).all()
    assert belief is not None
    assert belief.played is None


@pytest.mark.thorough
def test_many_possibilities_are_given_up() -> None:
    turns = Sequential(
        gdl.loads(gdl.read("battleships")[0], settings={"columns": "6", "rows": "6", "ships": "[3, 2]"}).game
    )
    state = turns.initial()
    for _ in range(4):
        node = turns.node(state)
        assert isinstance(node, Decision)
        state = turns.successor(state, node.actions[5])
    possible = Possible(turns, state, 0)
    assert possible.all() is None
    assert possible.looked_at < 10_000

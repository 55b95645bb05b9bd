"""The positions that common knowledge leaves possible, held against its definition on all plays of small games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Any

import pytest
from playable import games, games_not_for_play

from gdl.game import Chance, Decision, Game, Simultaneous
from gdl.states.sequential import Sequential, Turn
from gdl.wings.hidden.common_knowledge import CommonKnowledgeCell, find_common_knowledge

SMALL = ["kuhn", "cheat", "bridge_ending", "blind_tic_tac_toe", "goofspiel", "stratego", "monty_hall", "colonel_blotto",
         "language/hearing", "language/together"]  # fmt: skip


def places(game: Game[Any]) -> dict[Any, float]:
    """The positions of the game, and how likely each is if everybody chooses evenly."""
    turns, found, start = Sequential(game), defaultdict[Any, float](float), game.initial()
    layer: dict[Turn, float] = {Turn(start, ()): 1.0}
    while layer:
        after = defaultdict[Turn, float](float)
        for turn, weight in layer.items():
            if not turn.chosen:
                found[turn.state] += weight
            node = turns.node(turn)
            if isinstance(node, Chance):
                chances = {action: float(chance) for action, chance in node.outcomes}
            else:
                chances = dict.fromkeys(node.actions, 1 / len(node.actions)) if isinstance(node, Decision) else {}
            for action, chance in chances.items():
                after[turns.successor(turn, action)] += weight * chance
        layer = after
    return found


def movers(game: Game[Any], state: Any) -> list[int]:
    node = game.node(state)
    if isinstance(node, Simultaneous):
        return [player for player, own in enumerate(node.actions) if own]
    return [node.player] if isinstance(node, Decision) else []


def cell(game: Game[Any], everywhere: list[Any], player: int, known: Hashable) -> set[Any]:
    """The positions with the player to move that are connected, by somebody who cannot tell them apart."""
    there = [state for state in everywhere if player in movers(game, state)]
    found = {state for state in there if game.information_set(state, player) == known}
    while True:
        told = {(p, game.information_set(state, p)) for state in found for p in range(len(game.players))}
        more = {
            state
            for state in there
            if any((p, game.information_set(state, p)) in told for p in range(len(game.players)))
        }
        if more == found:
            return found
        found = more


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", SMALL)
def test_it_is_the_cell_of_the_meet(name: str) -> None:
    for game in games_not_for_play(name):
        likely = places(game)
        everywhere = [*likely]
        for state in everywhere[:: max(1, len(everywhere) // 12)]:
            for player in movers(game, state):
                known = game.information_set(state, player)
                found = find_common_knowledge(game, player, known, 10**6)
                if found is None:
                    assert known == state  # nothing is hidden
                    continue
                here = {state: n for n, state in enumerate(found.states) if found.here[n]}
                assert {*here} == cell(game, everywhere, player, known)
                reached = found.reach_probabilities(lambda player, known, of: [1 / of] * of)
                for other, number in here.items():
                    assert reached[number] == pytest.approx(likely[other])
                assert sum(found.spread(reached)[number] for number in here.values()) == pytest.approx(1)


def kuhn_after_a_bet() -> tuple[Game[Any], CommonKnowledgeCell]:
    (game,) = games("kuhn")
    state = game.initial()
    for action in ("deal(1)", "deal(2)", "bet"):
        state = game.successor(state, action)
    found = find_common_knowledge(game, 1, game.information_set(state, 1))
    assert found is not None
    return game, found


def test_of_kuhn_poker_all_deals_are_possible() -> None:
    _, found = kuhn_after_a_bet()
    assert sum(found.here) == 6
    assert found.plies == (0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3)


def test_what_was_chosen_tells_something() -> None:
    """Who bets with the 3 alone has it."""
    game, found = kuhn_after_a_bet()
    three = {game.information_set(state, 0) for state in found.states if "card[P1]=3" in game.describe(state, 0)}
    reached = found.reach_probabilities(lambda player, known, of: [0, 1] if known in three else [1, 0])
    likely = [state for state, here, reach in zip(found.states, found.here, reached, strict=True) if here and reach]
    assert len(likely) == 2
    assert all("card[P1]=3" in game.describe(state, 0) for state in likely)


def test_of_a_tree_everything_is_possible_where_the_player_moves() -> None:
    """A tree does not say what the players know who are not to move."""
    (game,) = games("beer_quiche")
    strong = game.successor(game.initial(), "strong")
    found = find_common_knowledge(game, 0, game.information_set(strong, 0))
    assert found is not None
    assert sum(found.here) == 2


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig"])
def test_where_nothing_is_hidden_nothing_is_found(name: str) -> None:
    game, *_ = games(name)
    assert find_common_knowledge(game, 0, game.initial()) is None


def test_too_much_is_not_looked_at() -> None:
    (game,) = games("kuhn")
    state = game.successor(game.successor(game.initial(), "deal(1)"), "deal(2)")
    assert find_common_knowledge(game, 0, game.information_set(state, 0), 5) is None

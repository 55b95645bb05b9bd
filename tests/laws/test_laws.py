"""Laws that every game keeps, whoever wrote it: shipped games and their variants, the files of the tests, games by hand.

Games of at most `EXHAUSTIVE` states are walked from end to end; of the others the states of a few random plays are
looked at, until so many moves were offered there. Each law is one function; where it fails the assertion shows the state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest
from playable import LARGE, LONG, NAMES, SMALL, games, games_not_for_play, read

from gdl.errors import GameError, LimitReached
from gdl.game import Chance, Decision, Game, Node, Simultaneous, Terminal, Traits, Unknown
from gdl.graph import state_graph
from gdl.states.count import perft, states
from gdl.states.explore import Walk, WalkExpansion, choosers, moves, reachable_traits
from gdl.states.sequential import Sequential

EXHAUSTIVE = 3_000  # states
PLAYS, PLIES = 5, 60  # random plays
OFFERED = 1_000  # moves, after which no more is played of a game
SLOW = {"backgammon": 60}  # of games whose moves take long to find, fewer
SEQUENCES = 500  # that are counted one by one

LAWS: list[Callable[[str], None]] = []


def law(function: Callable[[str], None]) -> Callable[[str], None]:
    """Register a law: a function that fails if the game of a given name, or a variant of it, breaks the law."""
    LAWS.append(function)
    return function


@dataclass(frozen=True)
class Seen:
    """The part of a game that was walked: all of it (`complete`), or some plays. `plays` are states from the start
    on."""

    game: Game[Any]
    complete: bool
    nodes: Mapping[Any, Node]  # by state
    plays: tuple[tuple[Any, ...], ...]

    def decisions(self) -> Iterator[tuple[int, Any, Node]]:
        """Everyone who chooses, and where."""
        return ((player, state, node) for state, node in self.nodes.items() for player in choosers(node))


@lru_cache(maxsize=4)
def seen(name: str) -> tuple[Seen, ...]:
    """The parts of a game and of its variants that laws are checked on."""
    limit, work = 0 if name in LARGE else EXHAUSTIVE, SLOW.get(name, OFFERED)
    return tuple(look(game, limit, work, faulty(name)) for game in games(name))


def faulty(name: str) -> tuple[type[Exception], ...]:
    """Only the small files that show one construct may run into a fault in the end (a number leaves its range)."""
    return (GameError,) if name.startswith("language/") else ()


def look(game: Game[Any], limit: int, work: int, faults: tuple[type[Exception], ...]) -> Seen:
    """Walk the whole game if it has at most `limit` states, and play it at random."""
    walk = Walk(game, limit)
    expansions: list[WalkExpansion] = []
    with suppress(LimitReached, *faults):
        expansions.extend(walk)
    complete = 0 < len(expansions) == len(walk.states)
    played = list(plays(game, work, faults))
    nodes = {state: node for passed in played for state, node in passed}
    if complete:
        nodes = {walk.states[expansion.number]: expansion.node for expansion in expansions}
    return Seen(game, complete, nodes, tuple(tuple(state for state, _ in passed) for passed in played))


def plays(game: Game[Any], work: int, faults: tuple[type[Exception], ...]) -> Iterator[list[tuple[Any, Node]]]:
    """Some plays at random, up to a number of plies each, and of moves offered in all."""
    for seed in range(PLAYS):
        dice = random.Random(seed)
        passed = [(game.initial(), game.node(game.initial()))]
        with suppress(*faults):
            while len(passed) <= PLIES and work > 0 and (options := moves(passed[-1][1])):
                work -= len(options)
                after = game.successor(passed[-1][0], dice.choice(options))
                passed.append((after, game.node(after)))
        yield passed


def is_exact(number: object) -> bool:
    """True if a number is an int or a Fraction: no float, no bool."""
    return type(number) in (int, Fraction)


# ---- What a node says ---------------------------------------------------------------------------------------------


@law
def a_decision_has_a_mover_and_actions_with_names_of_their_own(name: str) -> None:
    for found in seen(name):
        for state, node in found.nodes.items():
            if isinstance(node, Decision):
                assert 0 <= node.player < len(found.game.players), state
                assert node.actions, state
                assert_distinct_names(node.actions)
            elif isinstance(node, Simultaneous):
                assert len(node.actions) == len(found.game.players), state
                assert choosers(node), state
                for actions in node.actions:
                    assert_distinct_names(actions)


def assert_distinct_names(actions: tuple[str, ...]) -> None:
    assert all(isinstance(action, str) and action for action in actions), actions
    assert len(set(actions)) == len(actions), actions


@law
def probabilities_are_exact_positive_and_sum_to_one(name: str) -> None:
    """Where the file leaves some open, the others leave room for them."""
    for found in seen(name):
        for state, node in found.nodes.items():
            if isinstance(node, Chance):
                assert_distinct_names(moves(node))
                known = [chance for _, chance in node.outcomes if isinstance(chance, int | float | Fraction)]
                assert all(is_exact(chance) and chance > 0 for chance in known), state
                assert sum(known) == 1 if len(known) == len(node.outcomes) else sum(known) < 1, state


@law
def an_end_has_a_utility_for_every_player(name: str) -> None:
    for found in seen(name):
        for state, node in found.nodes.items():
            if isinstance(node, Terminal):
                assert len(node.utilities) == len(found.game.players), state
                assert all(isinstance(u, Unknown) or is_exact(u) for u in node.utilities), state


@law
def an_evaluation_is_a_number_for_every_player(name: str) -> None:
    for found in seen(name):
        for state in found.nodes:
            estimate = found.game.evaluate(state)
            assert estimate is None or len(estimate) == len(found.game.players), state
            assert all(is_exact(number) for number in estimate or ()), state


@law
def every_state_can_be_shown(name: str) -> None:
    for found in seen(name):
        for state in found.nodes:
            assert isinstance(found.game.show(state), str)
            assert isinstance(found.game.label(state), str | None)


# ---- States and moves ---------------------------------------------------------------------------------------------


@law
def who_asks_twice_gets_the_same_answer(name: str) -> None:
    """Equal moves lead to equal states, which hash alike and look alike; a state does not change when play goes on."""
    for found in seen(name):
        game = found.game
        assert game.initial() == game.initial()
        for state in dict.fromkeys(state for play in found.plays[:2] for state in play):
            for move in moves(found.nodes[state])[:3]:
                with suppress(*faulty(name)):
                    first, second = game.successor(state, move), game.successor(state, move)
                    assert first == second and hash(first) == hash(second), (state, move)
            assert game.node(state) == found.nodes[state]


@law
def a_game_read_again_goes_through_equal_states(name: str) -> None:
    """Games hold nothing that play could change."""
    for found, again in zip(seen(name), read(name), strict=True):
        for passed in found.plays[:1]:
            for state, after in pairwise(passed):
                options = moves(again.node(state))
                with suppress(*faulty(name)):
                    assert any(again.successor(state, move) == after for move in options), state


# ---- Who knows what -----------------------------------------------------------------------------------------------


@law
def who_cannot_tell_states_apart_has_the_same_actions_there(name: str) -> None:
    for found in seen(name):
        offered: dict[tuple[int, Hashable], tuple[type[Node], tuple[str, ...]]] = {}
        for player, state, node in found.decisions():
            mine = node.actions if isinstance(node, Decision) else node.actions[player]  # type: ignore[union-attr]
            known = (player, found.game.information_set(state, player))
            assert offered.setdefault(known, (type(node), mine)) == (type(node), mine), state


@law
def information_sets_have_one_name_each(name: str) -> None:
    for found in seen(name):
        names: dict[tuple[int, Hashable], str] = {}
        keys: dict[tuple[int, str], Hashable] = {}
        for player, state, _ in found.decisions():
            key, text = found.game.information_set(state, player), found.game.describe(state, player)
            assert text, state
            assert names.setdefault((player, key), text) == text, state
            assert keys.setdefault((player, text), key) == key, state


# ---- Traits -------------------------------------------------------------------------------------------------------


def traits(name: str) -> Iterator[tuple[Seen, Traits]]:
    """The traits of a game and its variants; of a game with a fault there may be none."""
    for found in seen(name):
        with suppress(*faulty(name)):
            yield found, found.game.traits


@law
def what_the_traits_say_of_a_node_is_so(name: str) -> None:
    for found, claimed in traits(name):
        assert claimed.players == len(found.game.players)
        for state, node in found.nodes.items():
            assert not (claimed.chance is False and isinstance(node, Chance)), state
            assert not (claimed.simultaneous is False and len(choosers(node)) > 1), state
            assert claimed.actions is None or claimed.actions >= widest(node), state


def widest(node: Node) -> int:
    return max(map(len, node.actions)) if isinstance(node, Simultaneous) else len(moves(node))


@law
def utilities_sum_to_what_the_traits_say(name: str) -> None:
    for found, claimed in traits(name):
        assert (claimed.zero_sum is True) <= (claimed.constant_sum in (0, None))
        for state, node in found.nodes.items():
            if isinstance(node, Terminal) and not any(isinstance(u, Unknown) for u in node.utilities):
                assert claimed.zero_sum is not True or sum(node.utilities) == 0, state
                assert claimed.constant_sum in (None, sum(node.utilities)), state


@law
def whoever_moves_in_a_game_of_perfect_information_knows_the_state(name: str) -> None:
    for found, claimed in traits(name):
        known: dict[tuple[int, Hashable], Any] = {}
        for player, state, _ in found.decisions() if claimed.perfect_information else ():
            assert known.setdefault((player, found.game.information_set(state, player)), state) == state


@law
def no_state_comes_again_in_a_game_without_cycles(name: str) -> None:
    for found, claimed in traits(name):
        if claimed.cyclic is False:
            for passed in found.plays:
                assert len(set(passed)) == len(passed)


@law
def traits_are_those_that_a_walk_of_all_states_finds(name: str) -> None:
    """A trait that is not None is proved: it is what the whole game shows. (A game that took too long to be looked
    through, as it may where another test asks first, counts as one that hides something.)"""
    for found, claimed in traits(name):
        if found.complete:
            shown = reachable_traits(found.game, None)
            for trait in ("zero_sum", "chance", "simultaneous", "perfect_recall", "cyclic"):
                assert getattr(claimed, trait) in (None, getattr(shown, trait)), trait
            counted = claimed.perfect_information is False and claimed.states is None
            assert counted or claimed.perfect_information in (None, shown.perfect_information)
            assert claimed.constant_sum in (None, shown.constant_sum)
            assert claimed.states is None or claimed.states >= len(found.nodes)


# ---- Counts -------------------------------------------------------------------------------------------------------


def sequences(game: Game[Any], depth: int) -> int:
    """How many sequences of that many plies there are, one by one; -1 beyond SEQUENCES."""
    turns, count = Sequential(game), 0
    stack = [(turns.initial(), depth)]
    while stack:
        state, left = stack.pop()
        count += left == 0
        if left:
            stack.extend((turns.successor(state, move), left - 1) for move in moves(turns.node(state)))
        if count + len(stack) > SEQUENCES:
            return -1
    return count


@law
def perft_counts_the_sequences_of_actions(name: str) -> None:
    for game in games(name):
        for depth in range(5):
            brute = sequences(game, depth)
            if brute < 0:
                break
            assert perft(game, depth) == brute, depth


@law
def states_and_graphs_count_alike(name: str) -> None:
    for found in seen(name):
        if found.complete and not found.game.traits.rewards:  # which a graph does not hold
            counted, graph = states(found.game), state_graph(found.game)
            assert counted.states == len(found.nodes) == len(graph)
            assert counted.edges == graph.number_of_edges() == sum(len(moves(node)) for node in found.nodes.values())
            assert counted.terminal == sum(isinstance(node, Terminal) for node in found.nodes.values())
            assert sum(counted.depth) == counted.states


# ---- The laws themselves ------------------------------------------------------------------------------------------


@law
def a_small_game_is_looked_at_whole(name: str) -> None:
    small = games_not_for_play(name) if name in (*SMALL, "by hand/goofspiel") else ()
    assert all(found.complete for found in seen(name) if found.game in small)


@pytest.mark.thorough_of(
    "battleships",
    "language/phases",
    "language/counts_along_lines",
    "language/who_did_it",
    "language/trials",
    "cheat",
    "xiangqi",
    "minichess",
    "by hand/dodgem",
)
@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", [*NAMES, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)])
def test_every_law_holds(name: str) -> None:
    """One test for all of them: most take a millisecond, as long as it takes to report a test."""
    for holds in LAWS:
        holds(name)


@pytest.mark.parametrize("name", ["connect_four"])
def test_the_laws_look_at_plays(name: str) -> None:
    assert not any(found.complete for found in seen(name))


@pytest.mark.parametrize("name", ["tic_tac_toe"])
def test_the_laws_look_at_variants(name: str) -> None:
    assert len(seen(name)) == 2

"""Stationary equilibria where play need not end, and `forever` says what that pays."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import networkx as nx
import pytest
from places import LANGUAGE

import gdl
from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.graph import GraphGame
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.wings.theory.stochastic.stages import Stages
from gdl.wings.theory.stochastic.stationary import find_best_choices
from gdl.wings.verify.stationary import Process, StationaryJudgement
from gdl.wings.verify.verifier import verify


def graph_game(edges: dict[str, str], owners: dict[str, str], ends: dict[str, tuple[int, ...]], forever: Any) -> Any:
    """A game on a graph: the successors of each node, one letter each, which are the actions, too."""
    players = ["A", "B", "C"][: len(forever)]
    graph = nx.DiGraph(players=players, root=next(iter(edges)), forever=forever)
    graph.add_edges_from((node, after, {"action": after}) for node, own in edges.items() for after in own)
    for node, name in owners.items():
        graph.nodes[node]["player"] = name
    for node, paid in ends.items():
        if node in graph:
            graph.nodes[node]["utilities"] = paid
    return GraphGame(graph)


def random_game(seed: int, players: int) -> tuple[Any, dict[str, str], dict[str, str]]:
    dice = random.Random(seed)
    nodes, ends = "pqrs", "xyz"
    edges = {node: "".join(sorted(dice.sample(nodes + ends, dice.randint(2, 3)))) for node in nodes}
    owners = {node: dice.choice("ABC"[:players]) for node in nodes}
    paid = {end: tuple(dice.randint(0, 4) for _ in range(players)) for end in ends}
    forever = tuple(dice.randint(0, 4) for _ in range(players))
    return graph_game(edges, owners, paid, forever), edges, owners


def stationary_equilibria(game: Any, edges: dict[str, str], owners: dict[str, str]) -> list[Any]:
    """All profiles of one action at each node that nobody gains by leaving anywhere, by trying all."""
    process, found = Process(game, 100), []
    names = {state: game.describe(state, 0) for state in process.states}
    for choice in product(*edges.values()):
        profile: dict[str, Any] = {player: {} for player in game.players}
        for node, after in zip(edges, choice, strict=True):
            if node in names:
                profile[owners[node]][names[node]] = {one: int(one == after) for one in edges[node]}
        judged = StationaryJudgement(process, profile, everywhere=True)
        if not judged.greatest_gain() and profile not in found:
            found.append(profile)
    return found


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_equilibria_are_those_among_all_profiles(seed: int, players: int) -> None:
    game, edges, owners = random_game(seed, players)
    if game.traits.cyclic:
        expected, found = stationary_equilibria(game, edges, owners), solve(game, "markov-perfect").equilibria
        assert len(found) == len(expected) and all(one in expected for one in found)


def test_there_need_be_no_equilibrium_in_pure_strategies() -> None:
    """Each quits rather than be left, and waits for the other who would (Solan and Vieille 2003)."""
    edges, owners, ends = {"p": "qx", "q": "py"}, {"p": "A", "q": "B"}, {"x": (-1, 2), "y": (-2, 1)}
    game = graph_game(edges, owners, ends, (0, 0))
    assert not stationary_equilibria(game, edges, owners)
    with pytest.raises(LimitReached, match="no equilibrium of one action at each position exists"):
        solve(game, "markov-perfect")


def test_what_threatens_to_go_on_for_ever() -> None:
    """By hand: B at x takes e (1 > 0), at y goes back (A then goes to x); so A gets 3 and B gets 1."""
    edges, owners = {"s": "xy", "x": "ef", "y": "fs"}, {"s": "A", "x": "B", "y": "B"}
    game = graph_game(edges, owners, {"e": (3, 1), "f": (1, 0)}, (0, 0))
    answer: dict[str, Any] = dict(to_object(gdl.solve(game)))
    assert answer["exact"] and answer["value"] == {"A": 3, "B": 1} and len(answer["equilibria"]) == 1
    assert verify(game, answer).ok
    assert not verify(game, {**answer, "payoffs": [{"A": 3, "B": 0}]}).ok


def test_a_player_who_gains_by_staying_ends_nothing() -> None:
    """Each single deviation leads to an end, as the player plans there; only to go on for ever pays more."""
    edges, owners, ends = {"p": "qx", "q": "px"}, {"p": "A", "q": "A"}, {"x": (1, 1)}
    for price, stays in ((2, True), (0, False)):
        game = graph_game(edges, owners, ends, (price, 0))
        for profile in solve(game, "markov-perfect").equilibria:
            actions = {name: next(k for k, share in own.items() if share) for name, own in profile["A"].items()}
            assert ("x" in actions.values()) is not stays


def test_a_game_of_many_positions_is_refused_soon() -> None:
    """Moves are listed only of positions that are looked at, not of all that follow them."""
    game = gdl.load("nine_mens_morris")
    _ = game.traits
    before = game.work
    with pytest.raises(Refusal, match="takes up to 5,000 positions"):
        solve(game, "markov-perfect")
    assert game.work - before < 150_000


def test_nobody_is_said_to_gain_nothing_where_no_equilibrium_was_found() -> None:
    answer = gdl.solve("pong_hau_ki", solver="markov-perfect", nodes=3)
    assert not answer.equilibria and not any("nobody gains" in note or "these are all" in note for note in answer.notes)


@pytest.mark.thorough_of("texts_beside")
@pytest.mark.parametrize("name", ["texts_beside", "joined_sequences"])
def test_a_lone_player_has_an_equilibrium_by_policy_iteration(name: str) -> None:
    """Too many profiles to be tried, so that none was found where each best choice is soon known."""
    game = gdl.load(LANGUAGE / f"{name}.game")
    answer = gdl.solve(game, solver="markov-perfect", nodes=1)
    assert answer.payoffs == ((1,),) and not answer.complete
    assert verify(game, dict(to_object(answer))).status("equilibria")


@pytest.mark.parametrize("seed", range(6))
def test_best_choices_of_a_lone_player_are_an_equilibrium(seed: int) -> None:
    """On random graphs, where to stay for ever may pay more than every end."""
    game, edges, owners = random_game(seed, 1)
    stages = Stages(game, "markov-perfect", Budget())
    best, listed = find_best_choices(stages, Budget()), stationary_equilibria(game, edges, owners)
    assert listed
    if best is not None:
        ways = {stages.name(n, 0): stages.actions(n, 0)[k] for n, k in best.items()}
        assert any(all(own[name][action] for name, action in ways.items()) for own in (one["A"] for one in listed))

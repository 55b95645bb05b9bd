"""Different ways to one answer: every solver on every small game, on its graph and on its tree, and on the same game
paid otherwise, with its seats swapped, with its actions listed backwards; and the judge over all their strategies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from games_around import Backwards, Paid, Swapped, set_name, unrolled
from playable import LARGE, NAMES, games
from sampling import one_in

from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Game, Number, bounds_at, surely_at
from gdl.graph import GraphGame, state_graph
from gdl.solution import Profile, Solution
from gdl.solvers import CONCEPTS, SOLVERS, solve
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import best_response, regret
from gdl.states.explore import Walk

SMALL = 200  # states
HISTORIES = 400  # nodes of a tree
OPTIONS: dict[str, dict[str, Any]] = {  # what keeps a solver from working long
    "alpha-beta": {"nodes": 5_000},
    "star1": {"nodes": 5_000},
    "star2": {"nodes": 5_000},
    "shallow": {"nodes": 5_000},
    "paranoid": {"nodes": 5_000},
    "depth-limited": {"depth": 5},
    "mcts": {"simulations": 20},
    "nash": {"cells": 400},
    "global-newton": {"cells": 400},
    "logit": {"nodes": 400},
    "dominance": {"cells": 400},
    "subgame-perfect": {"nodes": 50},
    "proof-number": {"nodes": 1_000},
    "cfr": {"iterations": 40},
    "mccfr": {"iterations": 40},
}
APPROACHING = ("mcts", "cfr", "mccfr")  # how near they come depends on chance, rounding or who is first to learn
# Solvers of concepts that no equilibrium need be, or that plans are more than; and of games that have no tree, or whose
# strategies no best response can be found to. They are held to laws of their own.
ELSEWHERE = {"shapley", "stationary", "forgetful"} | {
    solver
    for concept in CONCEPTS.values()
    if concept.name not in ("nash", "subgame-perfect")
    for solver in concept.solvers
    if solver not in (*CONCEPTS["nash"].solvers, *CONCEPTS["subgame-perfect"].solvers)
}
INDUCTION = ("minimax", "expectiminimax", "maxn", "alpha-beta", "depth-limited", "star1", "star2", "shallow")

PLAIN = ("exam/ab", "exam/em", "exam/mm", "exam/mn")  # trees like those that test_random_trees.py makes by the thousand
GAMES = [name for name in NAMES if name not in LARGE and not name.startswith(PLAIN)]

LONG = (  # all solvers together take half a second and more
    "by hand/cards", "by hand/estimated countdown", "by hand/kuhn", "chomp", "colonel_blotto", "kuhn", "language/arrays",
    "language/deal_kuhn", "language/draws", "language/evaluation", "language/evaluation_for_three",
    "language/first_and_last", "language/goes_on", "language/graph_from_parameter", "language/joined_sequences",
    "language/learning", "language/learning_names_too",
    "language/learning_together", "language/lists_of_lists", "language/merge_after_a_loop", "language/narrowed_values",
    "language/recursion", "language/regions", "language/responses_hidden", "language/rewards_kept",
    "language/said_by_a_condition", "language/seen_of_sequences", "language/shuffled_decks", "language/shuffles",
    "language/start_texts", "language/together", "language/turns", "language/variants", "language/visibility",
    "language/visibility_of_elements", "language/wide_lookups", "three_players", "ultimatum",
)  # fmt: skip
pytestmark = pytest.mark.thorough_of(*LONG)

every_small_game = pytest.mark.parametrize("name", one_in(3, GAMES))  # and of these each other law looks at some


@cache
def small(name: str) -> tuple[Game[Any], ...]:
    """The game of that name and its variants, as far as they have few states and no fault."""
    return tuple(game for game in games(name) if _is_small(game))


def _is_small(game: Game[Any]) -> bool:
    with suppress(LimitReached, GameError):
        return bool(list(Walk(game, SMALL)))
    return False


def answer(game: Game[Any], solver: str) -> Solution | None:
    """The solver's answer, if it accepts the game and comes to an end."""
    with suppress(Refusal, LimitReached, GameError):
        return solve(game, solver, **OPTIONS.get(solver, {}))
    return None


@cache
def answers(name: str) -> tuple[tuple[Game[Any], Solution], ...]:
    """All answers of all solvers to the game of that name and its variants."""
    held = [game for game in small(name) if not game.traits.rewards]  # graphs and other seats hold none on the way
    asked = [solver for solver in SOLVERS if solver not in ELSEWHERE]
    found = ((game, answer(game, solver)) for game in held for solver in asked if not _is_long(game, solver))
    return tuple((game, solution) for game, solution in found if solution is not None)


def _is_long(game: Game[Any], solver: str) -> bool:
    return solver == "mcts" and game.traits.cyclic is not False


def essence(solution: Solution) -> Solution:
    """The answer without the circumstances in which it was found."""
    return replace(solution, traits=None, reason="")


# ---- The game, its graph, its tree --------------------------------------------------------------------------------


@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(9, GAMES, 0))
def test_every_solver_answers_of_the_graph_as_of_the_game(name: str) -> None:
    for game, solution in answers(name):
        graph = GraphGame(state_graph(game))
        other = solve(graph, solution.solver, **OPTIONS.get(solution.solver, {}))
        if same_knowledge(solution, game, graph):
            assert essence(other) == essence(solution), solution.solver
        elif solution.solver not in APPROACHING:
            assert (other.value, other.best) == (solution.value, solution.best)


def same_knowledge(solution: Solution, game: Game[Any], other: Game[Any]) -> bool:
    """True if the solver may rely on the same facts in both games: some solvers skip by bounds of the utilities and by
    their sum, `mcts` by the greatest, if these are known beforehand; by the sum `paranoid` knows that the amounts which
    two players secure are the value."""
    if solution.solver == "mcts":
        most, others = ([high for _, high in bounds_at(one, one.initial())] for one in (game, other))
        return most == others
    if solution.solver not in ("star1", "star2", "shallow", "paranoid"):
        return True
    known, same = surely_at(game, game.initial()), surely_at(other, other.initial())
    return known == same and game.traits.constant_sum == other.traits.constant_sum


def trees(name: str) -> Iterator[tuple[Game[Any], Solution, Game[Any]]]:
    """The answers to games whose explicit trees are small, with these trees."""
    for game, solution in answers(name):
        if game.traits.cyclic is False:
            with suppress(LimitReached):
                yield game, solution, unrolled(game, HISTORIES)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", one_in(9, GAMES, 2))
def test_every_solver_answers_of_the_tree_as_of_the_game(name: str) -> None:
    for _, solution, tree in trees(name):
        if solution.solver not in APPROACHING:  # mcts draws other dice where there are more nodes
            other = answer(tree, solution.solver)
            if other is not None or solution.solver not in OPTIONS:
                assert other is not None
                assert (other.value, other.best, other.exact) == (solution.value, solution.best, solution.exact)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", one_in(6, GAMES))
def test_an_equilibrium_of_the_game_is_one_of_the_tree(name: str) -> None:
    for game, solution, tree in trees(name):
        if not game.traits.perfect_information and game.traits.perfect_recall and solution.exact:
            for profile in filter(partial(is_complete, game), profiles(solution)):
                renamed = {p: {set_name(p, h): mix for h, mix in sets.items()} for p, sets in profile.items()}
                assert regret(tree, renamed) == regret(game, profile)


# ---- The judge ----------------------------------------------------------------------------------------------------


def profiles(solution: Solution) -> tuple[Profile, ...]:
    return (*solution.equilibria, *((solution.strategy,) if solution.strategy else ()))


def is_complete(game: Game[Any], profile: Profile) -> bool:
    """True if the profile covers everyone who ever has a choice. (Averaging over beliefs answers for the player who
    begins.)"""
    positions = explore(game)
    return all(positions.players[found.player] in profile and profile[positions.players[found.player]]
               for found in positions.information_sets)  # fmt: skip


@pytest.mark.thorough_of("repeated_prisoners")
@pytest.mark.one_in(3)
@every_small_game
def test_no_strategy_of_any_solver_can_be_improved_upon(name: str) -> None:
    for game, solution in answers(name):
        if game.traits.cyclic is False and solution.exact and not solution.secured:
            for profile in profiles(solution):
                if is_complete(game, profile):
                    judged = regret(game, profile)
                    assert not any(judged.regret), solution.solver
                    assert solution.value in (None, judged.value), solution.solver
                else:
                    assert solution.solver == "belief"


@every_small_game
def test_a_lone_strategy_keeps_what_it_promises(name: str) -> None:
    """Averaging over beliefs is called exact only where the other's best reply leaves the value."""
    for game, solution in answers(name):
        if solution.solver == "belief" and solution.exact and len(game.players) == 2:
            assert solution.strategy is not None and solution.value is not None
            positions = explore(game)
            (player,) = [p for p, found in enumerate(game.players) if solution.strategy.get(found)][:1]
            reply = best_response(positions, read_profile(positions, solution.strategy), 1 - player)
            assert reply.value == solution.value[1 - player]


@every_small_game
def test_a_regret_that_a_solver_states_is_that_of_the_judge(name: str) -> None:
    for game, solution in answers(name):
        if solution.regret is not None and game.traits.cyclic is False:
            found = zip(*(regret(game, profile).regret for profile in profiles(solution)), strict=True)
            assert tuple(map(max, found)) == solution.regret, solution.solver


@every_small_game
def test_exact_answers_agree_with_each_other(name: str) -> None:
    """Where the value is one, all who find it find the same."""
    for game in small(name):
        if game.traits.constant_sum is not None and len(game.players) == 2:
            exact = {s.solver: s.value for g, s in answers(name) if g is game and s.exact and s.value is not None}
            assert len(set(exact.values())) <= 1, exact


# ---- The same game otherwise --------------------------------------------------------------------------------------


def affine(player: int, utility: Number) -> Number:
    """A positive multiple and a shift that keep the sum of two players constant."""
    return 3 * utility + (5, -5, 2)[player % 3]


def settled(game: Game[Any]) -> bool:
    """True if endless play, if there can be any, has a price."""
    return game.traits.cyclic is False or getattr(game, "forever", None) is not None


def as_set(solution: Solution) -> set[str]:
    return {repr(sorted((p, sorted(sets.items())) for p, sets in e.items())) for e in map(_sorted, solution.equilibria)}


def _sorted(profile: Profile) -> Profile:
    return {p: {h: dict(sorted(mix.items())) for h, mix in sets.items()} for p, sets in profile.items()}


def same_best(solution: Solution, other: Solution) -> bool:
    """True if both answers call the same actions best, and the same one the first; solvers for endless play hurry one
    player and let the other delay, and a linear program may find another of several solutions."""
    if solution.solver in ("sequence-form", "belief"):
        return True
    if solution.solver == "retrograde":
        return set(solution.best) == set(other.best)
    return solution.best == other.best


def work(solution: Solution) -> tuple[Any, ...]:
    """The nodes that the search looked at. (`proof-number` halves the range of the utilities, so its work depends on
    them.)"""
    if solution.solver == "proof-number":
        return ()
    return solution.nodes, solution.leaves, solution.pruned


@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(9, GAMES, 4))
def test_a_positive_affine_change_of_utilities_keeps_the_answer(name: str) -> None:
    for game, solution in answers(name):
        if settled(game) and solution.solver not in APPROACHING:
            other = solve(Paid(game, affine), solution.solver, **OPTIONS.get(solution.solver, {}))
            paid = None if solution.value is None else tuple(affine(p, u) for p, u in enumerate(solution.value))
            assert (other.value, other.exact) == (paid, solution.exact), solution.solver
            assert same_best(solution, other), solution.solver
            assert work(other) == work(solution), solution.solver
            assert as_set(other) == as_set(solution) or solution.complete is None, solution.solver


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", one_in(9, GAMES, 0))
def test_swapped_seats_swap_the_answer(name: str) -> None:
    """(Of a simultaneous move the first in the list is taken for the one who begins.)"""
    for game, solution in answers(name):
        if solution.solver not in APPROACHING:
            swapped = Swapped(game)
            other = solve(swapped, solution.solver, **OPTIONS.get(solution.solver, {}))
            value = None if solution.value is None else solution.value[::-1]
            if not game.traits.simultaneous:
                assert same_best(solution, other), solution.solver
                assert work(other) == work(solution) or not same_knowledge(solution, game, swapped), solution.solver
            if not (game.traits.simultaneous and solution.solver == "belief"):
                assert (other.value, other.exact) == (value, solution.exact), solution.solver
            assert as_set(other) == as_set(solution) or solution.complete is None, solution.solver


@pytest.mark.parametrize("name", one_in(9, GAMES, 2))
def test_the_order_of_actions_matters_to_ties_only(name: str) -> None:
    for game, solution in answers(name):
        if solution.solver in INDUCTION and game.traits.constant_sum is not None:
            other = answer(Backwards(game), solution.solver)
            assert other is None or (other.value, set(other.best)) == (solution.value, set(solution.best))
        elif solution.solver == "nash" and solution.complete:
            assert as_set(solve(Backwards(game), "nash", **OPTIONS["nash"])) == as_set(solution)


ANSWERING = {
    "kuhn": {"sequence-form"},
    "pong_hau_ki": {"retrograde"},
    "coin_flip": {"expectiminimax", "mcts"},
    "three_players": {"maxn"},
    "prisoners": {"nash", "dominance"},
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ANSWERING)
def test_the_games_are_small_and_solvers_answer_them(name: str) -> None:
    assert len(small(name)) == 1
    assert {solution.solver for _, solution in answers(name)} >= ANSWERING[name]

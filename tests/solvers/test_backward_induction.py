"""minimax, expectiminimax and maxn: textbook answers, laws, and what they refuse."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from small_games import Countdown
from together import together
from trees import MAX, MIN, Inner, Leaf, chance, node, random_tree, tree, unknown

from gdl.errors import GameError, Interrupted, LimitReached, Refusal
from gdl.game import Decision
from gdl.interpreter.explicit_game import TreeGame
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.certificate import UNLISTED
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.minimax.backward_induction import (
    MAXN,
    MINIMAX,
    _profile,
    backward_induction,
    expectiminimax,
    maxn,
    minimax,
)

A, B, C = node("A"), node("B"), node("C")

FIGURE_5_2 = MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))
THREE_PLAYERS = A(
    B(C((1, 2, 6), (4, 2, 3)), C((6, 1, 2), (7, 4, -1))),
    B(C((5, -1, -1), (-1, 5, 2)), C((7, 7, -1), (5, 4, 5))),
)


def mapped(item: Any, function: Any) -> Any:
    """The tree with the function applied to every leaf."""
    if isinstance(item, Inner):
        return replace(item, children=[mapped(child, function) for child in item.children])
    return function(item)


def swapped(item: Any) -> Any:
    """The tree with MAX and MIN in each other's seats."""
    if isinstance(item, Inner):
        seats = {"MAX": "MIN", "MIN": "MAX"}
        return replace(item, player=seats.get(item.player, item.player), children=list(map(swapped, item.children)))
    return item


def recursive_value(game: TreeGame, state: int = 0) -> tuple[Any, ...]:
    """Backward induction as one would write it on a blackboard."""
    item = game.model.nodes[state]
    if item.kind == "terminal":
        return item.utilities
    vectors = [recursive_value(game, child) for child in item.children]
    if item.kind == "chance":
        pairs = list(zip(item.probabilities, vectors, strict=True))
        return tuple(sum(weight * vector[p] for weight, vector in pairs) for p in range(len(game.players)))
    return max(vectors, key=lambda vector: vector[item.player])


def test_figure_5_2() -> None:
    answer = minimax(tree(FIGURE_5_2), values=True)
    assert answer.value == (3, -3)
    assert (answer.best, answer.line) == (("1",), ("1", "1"))
    assert (answer.nodes, answer.leaves) == (13, 9)
    assert answer.exact
    assert [answer.values[path][0] for path in [(), (0,), (1,), (2,), (2, 1)]] == [3, 3, 2, 2, 5]


def test_every_optimal_action_is_named_in_file_order() -> None:
    answer = minimax(tree(MAX(MIN(1), MIN(4, 7), MIN(2), MIN(9, 4))))
    assert answer.best == ("2", "4")
    assert answer.line == ("2", "1")


def test_min_may_begin() -> None:
    answer = minimax(tree(MIN(MAX(3, 12), MAX(2, 4), MAX(4, 1))))
    assert answer.value == (4, -4)
    assert answer.best == ("2", "3")


def test_max_may_be_named_second() -> None:
    game = tree(MAX(MIN(3, 12, 8), MIN(2, 4, 6)), players=("MIN", "MAX"))
    assert minimax(game).value == (-3, 3)


def test_a_lone_player_maximises() -> None:
    assert minimax(tree(A(A(1, 7), 5, A(7)), players=("A",))).value == (7,)
    assert minimax(tree(A(A(1, 7), 5, A(7)), players=("A",))).best == ("1", "3")


def test_a_game_that_is_over() -> None:
    answer = minimax(tree(5))
    assert (answer.value, answer.best, answer.line, answer.nodes, answer.leaves) == ((5, -5), (), (), 1, 1)


def test_constant_sum_will_do() -> None:
    answer = minimax(tree(A(B((1, 0), (0, 1)), B((1, 0), (1, 0))), players=("A", "B")))
    assert answer.value == (1, 0)
    assert answer.best == ("2",)


def test_the_three_player_tree() -> None:
    answer = maxn(tree(THREE_PLAYERS, players=("A", "B", "C")), values=True)
    assert answer.value == (1, 2, 6)
    assert answer.line == ("1", "1", "1")
    assert answer.values[(1,)] == (-1, 5, 2)
    assert not answer.notes
    (equilibrium,) = answer.equilibria
    assert [len(equilibrium[player]) for player in "ABC"] == [1, 2, 4]
    assert regret(tree(THREE_PLAYERS, players=("A", "B", "C")), equilibrium).regret == (0, 0, 0)


@pytest.mark.parametrize("solver", [MINIMAX, MAXN], ids=lambda row: row.name)
def test_a_value_found_in_the_last_moment_is_kept(solver: Any) -> None:
    """The strategies are left out where there is no time to walk through all that they need; the value stays exact."""
    game = tree(FIGURE_5_2)
    found = backward_induction(game)
    assert _profile(solver, game, found, Budget(time=60))[1] == ""
    assert _profile(solver, game, found, Budget(time=0)) == (None, UNLISTED)


def test_maxn_says_when_the_first_of_equals_decides() -> None:
    game = tree(A(B((1, 5), (3, 5)), (2, 2)), players=("A", "B"))
    answer = maxn(game)
    assert answer.value == (2, 2)
    assert "indifferent" in answer.notes[0]


def test_chance_is_averaged_exactly() -> None:
    game = tree(MAX(chance((Fraction(1, 3), 1), (Fraction(2, 3), 2)), 1))
    assert expectiminimax(game).value == (Fraction(5, 3), Fraction(-5, 3))
    whole = expectiminimax(tree(chance((Fraction(1, 2), 3), (Fraction(1, 2), 5)))).value
    assert [type(number) for number in whole or ()] == [int, int]
    assert whole == (4, -4)


def test_the_line_stops_where_chance_moves() -> None:
    half = Fraction(1, 2)
    answer = expectiminimax(tree(MAX(MIN(chance((half, MAX(1, 2)), (half, 3))))))
    assert answer.line == ("1", "1")


def dice(*leaves: int) -> TreeGame:
    """The pair of chance trees of Russell and Norvig's figure 5.12: only the order of the leaves stays the same."""
    tenth = Fraction(1, 10)
    low, middle, high, top = leaves
    return tree(
        MAX(
            a1=chance((9 * tenth, MIN(middle, middle)), (tenth, MIN(high, high))),
            a2=chance((9 * tenth, MIN(low, low)), (tenth, MIN(top, top))),
        )
    )


def test_only_the_order_of_leaves_is_not_enough_with_chance() -> None:
    first, second = expectiminimax(dice(1, 2, 3, 4)), expectiminimax(dice(1, 20, 30, 400))
    assert (first.best, first.value) == (("a1",), (Fraction(21, 10), Fraction(-21, 10)))
    assert (second.best, second.value) == (("a2",), (Fraction(409, 10), Fraction(-409, 10)))


@together(range(300))
def test_random_trees_against_the_blackboard(seed: int) -> None:
    rng = random.Random(seed)
    game = tree(random_tree(rng, 5, chances=0.2))
    assert expectiminimax(game).value == recursive_value(game)


@together(range(100))
def test_random_trees_of_three_players(seed: int) -> None:
    rng = random.Random(seed)
    leaves = [tuple(rng.randint(-9, 9) for _ in range(3)) for _ in range(20)]
    game = tree(random_tree(rng, 4, players="ABC", leaves=leaves, chances=0.1), players="ABC")
    answer = maxn(game)
    assert answer.value == recursive_value(game)
    assert regret(game, answer.equilibria[0]).regret == (0, 0, 0)


@together(range(60))
def test_the_strategies_prove_the_value_from_both_sides(seed: int) -> None:
    game = tree(random_tree(random.Random(seed), 5, chances=0.2))
    answer = expectiminimax(game)
    assert answer.strategy is not None
    judged = regret(game, answer.strategy)
    assert (judged.value, judged.regret) == (answer.value, (0, 0))


@together(range(60))
def test_laws(seed: int) -> None:
    """A positive affine map of the utilities keeps the best actions; with no chance, so does any increasing map;
    swapped seats and negated leaves change names only."""
    item = random_tree(random.Random(seed), 4, chances=0.25)
    answer = expectiminimax(tree(item))
    assert answer.value is not None
    affine = expectiminimax(tree(mapped(item, lambda u: 7 * u + 3)))
    assert affine.best == answer.best
    assert affine.value == (7 * answer.value[0] + 3, -7 * answer.value[0] - 3)
    other_seats = expectiminimax(tree(mapped(swapped(item), lambda u: -u)))
    assert (other_seats.best, other_seats.value) == (answer.best, answer.value[::-1])
    plain = random_tree(random.Random(seed), 4)
    assert minimax(tree(mapped(plain, lambda u: u**3 + u))).best == minimax(tree(plain)).best


@pytest.mark.thorough
def test_equal_states_are_visited_once() -> None:
    answer = minimax(Countdown(10_001))
    assert answer.value == (1, -1)
    assert answer.best == ("1",)
    assert answer.nodes == 2 * 10_001  # (left, mover) with left < 10001 and both movers, and the start; not (10000, 0)
    assert minimax(Countdown(8)).value == (-1, 1)
    assert minimax(Countdown(8)).best == ("1", "2", "3")


def test_a_position_that_comes_again_is_refused() -> None:
    with pytest.raises(Refusal, match="minimax needs a game whose positions never come again; countdown can return"):
        minimax(Countdown(3, least=0))


def test_an_undecided_sum_is_checked_at_the_ends() -> None:
    with pytest.raises(Refusal, match="minimax needs a zero-sum game; countdown is general-sum"):
        minimax(Countdown(5, prize=-2))
    assert maxn(Countdown(5, prize=-2)).value == (1, -1)


def test_chance_is_refused_by_minimax() -> None:
    game = tree(chance((1, 3)))
    game.traits = replace(game.traits, chance=None)
    with pytest.raises(Refusal, match="minimax needs a game without chance; tree has chance moves"):
        minimax(game)


def test_hidden_information_that_analysis_missed_is_refused() -> None:
    game = tree(MIN(MAX(1, 2, infoset="x"), MAX(2, 1, infoset="x")))
    game.traits = replace(game.traits, perfect_information=None)
    with pytest.raises(Refusal, match="needs perfect information"):
        minimax(game)


def test_every_utility_is_needed() -> None:
    with pytest.raises(GameError, match=r"unknown utility \?x[\s\S]*after: 2 3"):
        minimax(tree(MAX(3, MIN(1, 2, unknown("x")))))


def test_limits_leave_with_what_was_counted() -> None:
    with pytest.raises(LimitReached, match="100 nodes") as stopped:
        minimax(Countdown(1000), SearchLimits(nodes=100))
    assert stopped.value.partial.nodes == 100  # type: ignore[attr-defined]
    assert not stopped.value.partial.exact  # type: ignore[attr-defined]
    with pytest.raises(LimitReached, match="seconds"):
        minimax(Countdown(100_000), SearchLimits(time=0.02))


def test_progress_is_told_and_may_interrupt() -> None:
    told: list[int] = []
    minimax(Countdown(2000), SearchLimits(progress=told.append))
    assert told == list(range(25, 4001, 25))

    def press_ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        minimax(Countdown(2000), SearchLimits(progress=press_ctrl_c))
    assert stopped.value.partial.nodes == 25  # type: ignore[attr-defined]


def test_values_may_be_asked_from_any_state() -> None:
    game = Countdown(20)
    found = backward_induction(game, start=(4, 1))
    assert found.of[(4, 1)] == (1, -1)
    assert (20, 0) not in found.of
    backward_induction(game, values=found)
    assert found.of[(20, 0)] == (-1, 1)


def test_leaves_may_bear_names() -> None:
    assert minimax(tree(MAX(left=Leaf(4, "L1"), right=3))).best == ("left",)


def test_the_first_best_action_is_remembered() -> None:
    """Whoever asks for it makes no successors, as a game without any shows."""
    game, other = tree(MAX(MIN(3, 1), MIN(2, 1), MIN(1, 1))), tree(MAX(0))
    choose = backward_induction(game).choice(other)
    start = game.node(0)
    assert isinstance(start, Decision)
    for state, place in zip([0, *(game.successor(0, action) for action in start.actions)], (0, 1, 1, 0), strict=True):
        decision = game.node(state)
        assert isinstance(decision, Decision)
        assert choose(state, decision) == decision.actions[place]

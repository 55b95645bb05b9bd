"""alpha-beta: the textbook's run to the letter, checked against the blackboard and against Knuth and Moore's rule."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from handmade import TicTacToe
from sampling import one_in
from small_games import Countdown
from trees import MAX, MIN, Leaf, chance, node, random_tree, tree, unknown

from gdl.errors import GameError, Interrupted, LimitReached, Refusal
from gdl.interpreter.explicit_game import TreeGame
from gdl.solution import Path, Solution, Visit
from gdl.solvers.budget import SearchLimits
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import minimax

FIGURE_5_2 = MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))


def pruned(answer: Solution) -> list[Path]:
    return [skipped.path for skipped in answer.pruned]


def visit(answer: Solution, *path: int) -> Visit:
    return next(v for v in answer.visits if v.path == path)


@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_figure_5_2(cut: str) -> None:
    answer = alpha_beta(tree(FIGURE_5_2), cut=cut)
    assert answer.value == (3, -3)
    assert (answer.best, answer.line) == (("1",), ("1", "1"))
    assert (answer.nodes, answer.leaves) == (11, 7)
    assert pruned(answer) == [(1, 1), (1, 2)]
    assert [skipped.action for skipped in answer.pruned] == ["2", "3"]
    assert answer.exact


def test_windows_and_bounds_of_figure_5_2() -> None:
    answer = alpha_beta(tree(FIGURE_5_2))
    root, first, second, third = (visit(answer, *path) for path in [(), (0,), (1,), (2,)])
    assert (root.alpha, root.beta, root.alpha_after, root.beta_after) == (None, None, 3, None)
    assert (first.alpha, first.beta, first.alpha_after, first.beta_after) == (None, None, None, 3)
    assert (second.alpha, second.beta, second.alpha_after, second.beta_after) == (3, None, 3, 2)
    assert [(v.value, v.bound) for v in (root, first, second, third)] == [
        (3, "exact"), (3, "exact"), (2, "upper"), (2, "exact"),
    ]  # fmt: skip
    assert [(v.player, v.kind) for v in (root, first, visit(answer, 0, 0))] == [
        ("MAX", "decision"), ("MIN", "decision"), (None, "terminal"),
    ]  # fmt: skip
    assert [v.path for v in answer.visits] == [
        (), (0,), (0, 0), (0, 1), (0, 2), (1,), (1, 0), (2,), (2, 0), (2, 1), (2, 2),
    ]  # fmt: skip


def test_every_cut_has_its_reason() -> None:
    first, second = alpha_beta(tree(FIGURE_5_2)).cuts
    assert (first.node, first.alpha, first.beta, first.value, first.child) == ((1,), 3, None, 2, "1")
    assert (second.node, second.alpha, second.beta, second.value, second.child) == ((2,), 3, 5, 2, "3")
    assert second.skipped == ()  # the last child crossed the window


def test_the_two_rules_differ_on_equal_values() -> None:
    """MIN's second node reaches 10 at once: worth no more than the first, as far as the strict rule knows."""
    game = tree(MAX(MIN(10), MIN(10, 0)))
    weak, strict = alpha_beta(game), alpha_beta(game, cut="gt")
    assert (weak.nodes, weak.leaves, pruned(weak)) == (5, 2, [(1, 1)])
    assert (strict.nodes, strict.leaves, pruned(strict)) == (6, 3, [])
    assert weak.best == strict.best == ("1",)  # the tie at 10 is disproved, though not by the run itself


def test_the_cut_in_min_value_looks_at_alpha() -> None:
    """A lecture prints v >= alpha. By that rule MIN's first node would be left after its first leaf."""
    answer = alpha_beta(tree(MAX(MIN(5, 1), MIN(4, 9))))
    assert answer.value == (4, -4)
    assert pruned(answer) == []


def test_ties_at_the_root_are_proved() -> None:
    game = tree(MAX(MIN(4, 7), MIN(2, 9), MIN(4, 5, 4), MIN(4, 1), MIN(8, 4)))
    answer = alpha_beta(game)
    assert answer.best == ("1", "3", "5")
    assert pruned(answer) == [(1, 1), (2, 1), (2, 2), (3, 1)]
    assert (answer.nodes, answer.leaves) == (13, 7)


def test_min_may_begin_and_move_again() -> None:
    answer = alpha_beta(tree(MIN(MIN(MAX(3, 12), 7), MAX(4, MIN(9, 1)), MIN(3))))
    assert answer.value == (3, -3)
    assert answer.best == ("3",)


def test_max_may_be_named_second() -> None:
    answer = alpha_beta(tree(FIGURE_5_2, players=("MIN", "MAX")))
    assert answer.value == (-3, 3)
    assert visit(answer, 1).value == 2
    assert pruned(answer) == [(1, 1), (1, 2)]


def test_order_shows_the_best_and_the_worst_case() -> None:
    game = tree(MAX(MIN(14, 5, 2), MIN(6, 4, 2), MIN(12, 8, 3)))
    best, given, worst = (alpha_beta(game, order=order) for order in ("best", "given", "worst"))
    assert [a.leaves for a in (best, given, worst)] == [5, 9, 9]
    assert {a.value for a in (best, given, worst)} == {(3, -3)}
    assert [v.path for v in best.visits[:3]] == [(), (2,), (2, 2)]
    assert pruned(best) == [(0, 0), (0, 1), (1, 0), (1, 1)]  # in file order
    assert best.best == ("3",)


def test_knuth_and_moores_best_case() -> None:
    """With the best child first a uniform tree of width 3 and depth 4 has 3^2 + 3^2 - 1 leaves to look at."""
    rng = random.Random(1)
    leaves = iter(rng.sample(range(1000), 81))

    def uniform(depth: int) -> Any:
        return (MAX, MIN)[depth % 2](*(uniform(depth - 1) for _ in range(3))) if depth else next(leaves)

    assert alpha_beta(tree(uniform(4)), order="best").leaves == 17


def test_unknown_leaves_are_run_past_if_pruned() -> None:
    answer = alpha_beta(tree(MAX(MIN(3, 12, 8), MIN(2, unknown("x"), unknown("y")), MIN(14, 5, 2))))
    assert answer.value == (3, -3)
    assert answer.strategy is not None
    with pytest.raises(GameError, match=r"unknown utility \?y[\s\S]*after: 2 2"):
        alpha_beta(tree(MAX(MIN(3, 12, 8), MIN(7, unknown("y")), MIN(14, 5, 2))))


def test_a_tie_that_hangs_on_an_unknown_is_left_open() -> None:
    answer = alpha_beta(tree(MAX(MIN(3, 12), MIN(3, unknown("x")), MIN(3, 4))))
    assert answer.best == ("1", "3")
    assert answer.notes == ("2 may be as good: that depends on what the file leaves open, or was too long to prove",)


@pytest.mark.thorough
def test_of_a_large_tree_that_somebody_wrote_every_skipped_node_is_listed() -> None:
    """MAX has 150 answers of MIN, each better than the former in all its 150 leaves, and a last one that is refuted."""
    better = [MIN(*range(200 * i, 200 * i + 150)) for i in range(150)]
    answer = alpha_beta(tree(MAX(*better, MIN(0, 1, 2))))
    assert answer.nodes > 20_000
    assert pruned(answer) == [(150, 1), (150, 2)]


def test_names_of_skipped_nodes() -> None:
    game = tree(MAX(a=MIN(3, 12, label="B"), b=MIN(p=2, q=Leaf(4, "L2"), r=MIN(1, label="D"), label="C"), label="A"))
    answer = alpha_beta(game)
    assert [(s.action, s.label) for s in answer.pruned] == [("q", "L2"), ("r", "D")]
    assert [v.label for v in answer.visits if v.label] == ["A", "B", "C"]


# depth ----------------------------------------------------------------------------------------------------------------


def test_depth_takes_the_evaluation_of_inner_nodes() -> None:
    game = tree(MAX(MIN(3, MAX(5, 9, eval=8)), MIN(MAX(0, 1, eval=7), 6)))
    answer = alpha_beta(game, depth=2)
    assert answer.value == (6, -6)
    assert answer.best == ("2",)
    assert not answer.exact
    assert answer.limit == "cut off at depth 2: 2 nodes were only estimated, by the evaluation"
    assert (answer.nodes, answer.leaves) == (7, 4)
    assert pruned(answer) == []  # what lies below the limit is not pruned
    assert [v.kind for v in answer.visits] == [
        "decision", "decision", "terminal", "cutoff", "decision", "cutoff", "terminal",
    ]  # fmt: skip
    deeper = alpha_beta(game, depth=3)
    assert (deeper.value, deeper.exact, deeper.limit) == ((3, -3), True, None)
    assert deeper.strategy is not None


def test_a_node_without_evaluation_is_named() -> None:
    with pytest.raises(GameError, match="the node C is 1 ply deep"):
        alpha_beta(tree(MAX(MIN(3, eval=3, label="B"), MIN(4, 5, label="C"))), depth=1)
    with pytest.raises(GameError, match="the node after 2, 1 is 2 plies deep"):
        alpha_beta(tree(MAX(MIN(3), MIN(MAX(4, 5)))), depth=2)


def test_a_pruned_node_needs_no_evaluation() -> None:
    answer = alpha_beta(tree(MAX(MIN(3, 4), MIN(3, MAX(1, 9)))), depth=2)
    assert answer.value == (3, -3)
    assert answer.best == ("1",)
    assert "2 may be as good" in answer.notes[0]


def test_depth_makes_an_endless_game_finite() -> None:
    with pytest.raises(
        Refusal, match="positions never come again; countdown can return to a position; give it a depth"
    ):
        alpha_beta(Countdown(3, least=0))
    with pytest.raises(GameError, match="3 plies deep"):
        alpha_beta(Countdown(3, least=0), depth=3)


# what it does not do --------------------------------------------------------------------------------------------------


def test_refusals() -> None:
    game = tree(MAX(chance((Fraction(1, 2), 1), (Fraction(1, 2), 3))))
    game.traits = replace(game.traits, chance=None)
    with pytest.raises(Refusal, match="alpha-beta needs a game without chance"):
        alpha_beta(game)
    with pytest.raises(Refusal, match="cut is ge or gt"):
        alpha_beta(tree(FIGURE_5_2), cut="lt")
    with pytest.raises(Refusal, match="order is given, reverse, best or worst"):
        alpha_beta(tree(FIGURE_5_2), order="random")
    with pytest.raises(Refusal, match="least depth is 1"):
        alpha_beta(tree(FIGURE_5_2), depth=0)


def test_a_limit_leaves_with_the_best_so_far() -> None:
    with pytest.raises(LimitReached) as stopped:
        alpha_beta(tree(FIGURE_5_2), SearchLimits(nodes=6))
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert (partial.value, partial.best, partial.nodes, partial.exact) == ((3, -3), ("1",), 6, False)
    assert partial.limit == "stopped after 6 nodes, the limit set for this search"
    assert partial.notes == ("1 of 3 actions at the start were searched; the value is the best so far",)


def test_ctrl_c_leaves_with_the_best_so_far() -> None:
    def press_ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        alpha_beta(TicTacToe(), SearchLimits(progress=press_ctrl_c))
    assert stopped.value.partial.nodes == 25  # type: ignore[attr-defined]


def test_a_game_that_is_over() -> None:
    answer = alpha_beta(tree(Leaf(2, "end")))
    assert (answer.value, answer.best, answer.nodes, answer.leaves) == ((2, -2), (), 1, 1)


def test_a_lone_player_and_a_constant_sum() -> None:
    A, B = node("A"), node("B")
    alone = alpha_beta(tree(A(A(1, 7), 5, A(7)), players=("A",)))
    assert (alone.value, alone.best, pruned(alone)) == ((7,), ("1", "3"), [])
    shares = alpha_beta(tree(A(B((3, 7), (4, 6)), B((2, 8), (9, 1))), players=("A", "B")))
    assert (shares.value, pruned(shares)) == ((3, 7), [(1, 1)])
    assert regret(tree(A(B((3, 7), (4, 6)), B((2, 8), (9, 1))), players=("A", "B")), shares.strategy).regret == (0, 0)


@pytest.mark.thorough
def test_rules_are_searched_like_trees() -> None:
    """Tic-tac-toe in reading order, without a table: the count of a textbook program of a few lines."""
    game = TicTacToe()
    answer = alpha_beta(game)
    assert answer.value == (0, 0)
    assert answer.best == tuple("012345678")
    assert answer.nodes == len(list(textbook(game, game.initial(), -inf, inf, "ge", [])))
    assert regret(game, answer.strategy).regret == (0, 0)


# thousands of random trees --------------------------------------------------------------------------------------------


def textbook(
    game: Any, state: Any, alpha: float, beta: float, cut: str, out: list[Any], path: Path = ()
) -> Iterator[Path]:
    """Figure 5.7 as it is printed; yields the visited nodes, appends the value."""
    yield path
    item = game.node(state)
    if hasattr(item, "utilities"):
        out.append(item.utilities[0])
        return
    maximises = item.player == 0
    v = -inf if maximises else inf
    for position, action in enumerate(item.actions):
        yield from textbook(game, game.successor(state, action), alpha, beta, cut, out, (*path, position))
        value = out.pop()
        if maximises:
            v = max(v, value)
            if v >= beta if cut == "ge" else v > beta:
                break
            alpha = max(alpha, v)
        else:
            v = min(v, value)
            if v <= alpha if cut == "ge" else v < alpha:
                break
            beta = min(beta, v)
    out.append(v)


def by_rule(game: TreeGame, cut: str) -> list[Path]:
    """The visited nodes as Knuth and Moore characterise them, without running any search: a node is visited just if
    the best that MAX has left of the path to it is below (for the strict rule: at most) the best that MIN has there."""
    values = minimax(game, values=True).values
    visited = []

    def descend(state: int, path: Path, alpha: float, beta: float) -> None:
        if alpha >= beta if cut == "ge" else alpha > beta:
            return
        visited.append(path)
        item = game.model.nodes[state]
        for position, child in enumerate(item.children):
            descend(child, (*path, position), alpha, beta)
            value = values[(*path, position)][0]
            alpha, beta = (max(alpha, value), beta) if item.player == 0 else (alpha, min(beta, value))

    descend(0, (), -inf, inf)
    return visited


def below(paths: list[Path], roots: list[Path]) -> set[Path]:
    return {path for path in paths if any(path[: len(root)] == root for root in roots)}


@pytest.mark.thorough
@pytest.mark.one_in(6)
@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("block", one_in(4, range(10)))
def test_random_trees(block: int, cut: str) -> None:
    for seed in range(150 * block, 150 * (block + 1)):
        rng = random.Random(seed)
        game = tree(random_tree(rng, 5, leaves=range(-3, 4) if seed % 2 else range(-40, 41)))
        full = minimax(game, values=True)
        answer = alpha_beta(game, cut=cut)
        visited = [v.path for v in answer.visits]
        assert answer.value == full.value, seed
        assert set(answer.best) == set(full.best), seed
        assert answer.best[:1] == full.best[:1], seed
        assert visited == list(textbook(game, 0, -inf, inf, cut, [])) == by_rule(game, cut), seed
        assert (answer.nodes, answer.leaves) == (len(visited), sum(v.kind == "terminal" for v in answer.visits)), seed
        assert set(full.values) - set(visited) == below(list(full.values), pruned(answer)), seed
        for v in answer.visits:
            truth = full.values[v.path][0]
            assert {"exact": truth == v.value, "lower": truth >= v.value, "upper": truth <= v.value}[v.bound], seed


@pytest.mark.one_in(2)
@pytest.mark.parametrize("order", ["best", "worst"])
def test_random_trees_in_another_order(order: str) -> None:
    for seed in range(150):
        game = tree(random_tree(random.Random(seed), 4))
        full, given, answer = minimax(game), alpha_beta(game), alpha_beta(game, order=order)
        assert (answer.value, set(answer.best)) == (full.value, set(full.best)), seed
        assert set(given.best) == set(full.best)


def test_the_strategies_prove_the_value_from_both_sides() -> None:
    for seed in range(100):
        game = tree(random_tree(random.Random(seed), 5))
        answer = alpha_beta(game)
        assert answer.strategy is not None
        judged = regret(game, answer.strategy)
        assert (judged.value, judged.regret) == (answer.value, (0, 0)), seed

"""star1 and star2: the value of expectiminimax, and no more looked at than Ballard's procedure looks at."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from places import PROBLEMS
from trees import MAX, MIN, chance, random_tree, tree, unknown

from gdl import load
from gdl.errors import GameError
from gdl.game import exact
from gdl.interpreter.explicit_game import TreeGame
from gdl.solution import Path, Solution
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.minimax.backward_induction import backward_induction, expectiminimax
from gdl.solvers.minimax.star import star1, star2

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def pruned(answer: Solution) -> list[Path]:
    return [skipped.path for skipped in answer.pruned]


def events(answer: Solution, kind: str) -> list[tuple[Any, ...]]:
    return [(e.node, e.alpha, e.beta, e.value, e.bound) for e in answer.events if e.event == kind]


# ---- One problem, by hand -------------------------------------------------------------------------------------------


def bounded() -> Any:
    """CS188, discussion 4: only the leaves below the third chance node are known to be 10 at most."""
    return load(PROBLEMS / "em-cs188-fa23-disc4-bounded.game")


@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_a_bound_on_one_subtree_saves_its_last_leaf(cut: str) -> None:
    answer = star1(bounded(), cut=cut)
    assert answer.value == (8,)
    assert answer.best == ("2",)
    assert pruned(answer) == [(2, 2)]
    assert answer.leaves == 8
    assert events(answer, "cut") == [((2,), 8, None, 7, "upper")]
    assert events(answer, "update")[-3:-1] == [
        ((), 8, None, 8, "lower"), ((2,), 8, None, Fraction(26, 3), "upper"),
    ]  # fmt: skip
    assert answer.cuts[0].reason == "7 <= alpha 8"


def test_windows_at_and_below_a_chance_node() -> None:
    """With leaves in 0..10 and 5 sure already, outcomes of a half must average more: the first at least 0, to be of
    use with a second of 10; having got 2 by the first, the second must be more than 8."""
    game = tree(MAX(5, chance((HALF, MIN(2, 9)), (HALF, MIN(7, 10)))), utility=(0, 10))
    answer = star1(game)
    assert answer.value == (5, -5)
    entered = {e.node: (e.alpha, e.beta) for e in answer.events if e.event == "enter"}
    assert entered[(1,)] == (5, None)
    assert entered[(1, 0)] == (0, 10)  # (5 - 10/2) / (1/2), and never beyond the bounds
    assert entered[(1, 1)] == (8, 10)  # (5 - 2/2) / (1/2)
    assert pruned(answer) == [(1, 1, 1)]
    leave = next(e for e in answer.events if e.event == "leave" and e.node == (1,))
    assert (leave.low, leave.high, leave.value, leave.bound) == (1, Fraction(9, 2), Fraction(9, 2), "upper")


def test_star2_leaves_after_probes_alone() -> None:
    """The first reply to each roll shows that MIN holds MAX to 2 and 1, so the others are never looked at."""
    game = tree(MAX(5, chance((HALF, MIN(2, 9, 8)), (HALF, MIN(1, 9)))), utility=(0, 10))
    first, second = star1(game), star2(game)
    assert first.value == second.value == (5, -5)
    assert pruned(second) == [(1, 0, 1), (1, 0, 2), (1, 1, 1)]
    assert pruned(first) == [(1, 1, 1)]
    assert (first.leaves, second.leaves) == (5, 3)
    assert [e.node for e in second.events if e.probe and e.event == "enter"] == [(1, 0), (1, 1)]


def test_what_is_probed_and_then_searched_counts_twice() -> None:
    game = tree(chance((HALF, MAX(3, 4)), (HALF, MAX(1, 2))), utility=(0, 10))
    answer = star2(game)
    assert answer.value == (3, -3)
    assert (answer.leaves, answer.nodes) == (6, 11)
    assert pruned(answer) == []
    assert expectiminimax(game).leaves == 4


def test_chance_after_chance_and_outcomes_that_never_come() -> None:
    game = tree(
        MAX(6, chance((HALF, chance((HALF, 1), (HALF, MIN(3, 9)))), (HALF, 9), (0, MIN(4, 2)))), utility=(0, 10)
    )
    for solver in (star1, star2):
        assert solver(game).value == (6, -6)


# ---- No bounds, wrong bounds ----------------------------------------------------------------------------------------


def test_without_bounds_nothing_is_skipped_at_chance_and_that_is_said() -> None:
    game = tree(MAX(8, chance((HALF, 1), (HALF, 2)), MIN(3, 9)))
    answer = star1(game)
    assert pruned(answer) == [(2, 1)]
    assert "no bounds of the utilities are known" in answer.notes[0]
    assert star1(tree(MAX(8, MIN(3, 9)))).notes == ()


def test_one_sided_bounds_cut_on_one_side() -> None:
    game = tree(MAX(8, chance((HALF, 1), (HALF, 2))), utility=(None, 10))
    assert pruned(star1(game)) == [(1, 1)]
    game = tree(MAX(8, chance((HALF, 1), (HALF, 2))), utility=(0, None))
    assert pruned(star1(game)) == []


def test_a_leaf_that_breaks_the_promise_is_the_files_fault() -> None:
    with pytest.raises(GameError, match="the utility 12 lies outside the bounds"):
        star1(tree(MAX(8, 12), utility=(0, 10)))


def test_an_unknown_that_is_skipped_does_no_harm() -> None:
    game = tree(MAX(8, chance((HALF, 1), (HALF, unknown("x")))), utility=(0, 10))
    answer = star1(game)
    assert answer.value == (8, -8)
    assert answer.strategy is None
    assert "what the file leaves open" in answer.notes[0]


def test_ties_and_strategies_are_proved() -> None:
    game = tree(MAX(4, chance((HALF, 3), (HALF, 5)), chance((1, 4)), 1), utility=(0, 10))
    answer = star1(game)
    assert answer.best == ("1", "2", "3")
    assert regret(game, answer.strategy).regret == (0, 0)


def test_depth_and_order() -> None:
    game = tree(MAX(2, chance((HALF, MIN(1, 9, eval=3)), (HALF, 6))), utility=(0, 10))
    answer = star1(game, depth=2)
    assert (answer.value, answer.exact) == ((Fraction(9, 2), Fraction(-9, 2)), False)
    assert answer.limit == "cut off at depth 2: 1 node was only estimated, by the evaluation"
    best = star1(tree(MAX(MIN(2, 1), MIN(6, 5)), utility=(0, 10)), order="best")
    assert [e.node for e in best.events if e.event == "enter"] == [(), (1,), (0,)]


# ---- Against expectiminimax, and against Ballard's procedure written down once more ----------------------------------


def textbook(game: TreeGame, state: int, alpha: Any, beta: Any, cut: str, low: Any, high: Any, seen: list[int]) -> Any:
    """Star1, recursively, as a bound on the value below `state`: (lowest, highest) that it is known to be."""
    node = game.model.nodes[state]
    if node.kind == "terminal":
        seen.append(state)
        return node.utilities[0], node.utilities[0]
    if node.kind == "decision":
        sign = 1 if node.player == 0 else -1
        best = None
        for child in node.children:
            found = textbook(game, child, alpha, beta, cut, low, high, seen)
            best = (
                found
                if best is None
                else tuple((max if sign > 0 else min)(a, b) for a, b in zip(best, found, strict=True))
            )
            value = best[0] if sign > 0 else best[1]
            edge = beta if sign > 0 else alpha
            if sign * value > sign * edge or (cut == "ge" and value == edge):
                return (best[0], high) if sign > 0 else (low, best[1])
            alpha, beta = (max(alpha, value), beta) if sign > 0 else (alpha, min(beta, value))
        return best
    known = [(low, high) for _ in node.children]
    for position, (child, weight) in enumerate(zip(node.children, node.probabilities, strict=True)):
        others = [
            sum(w * k[side] for j, (w, k) in enumerate(zip(node.probabilities, known, strict=True)) if j != position)
            for side in (0, 1)
        ]
        window = max(low, (alpha - others[1]) / weight), min(high, (beta - others[0]) / weight)
        found = textbook(game, child, *window, cut, low, high, seen)
        known[position] = max(low, found[0]), min(high, found[1])
        total = [sum(w * k[side] for w, k in zip(node.probabilities, known, strict=True)) for side in (0, 1)]
        if total[1] < alpha or total[0] > beta or (cut == "ge" and (total[1] == alpha or total[0] == beta)):
            return tuple(total)
    return tuple(total)


def games(count: int, seed: int) -> Any:
    rng = random.Random(seed)
    for _ in range(count):
        yield tree(random_tree(rng, 4, leaves=range(7), chances=0.45), utility=(0, 6))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_star1_looks_at_the_same_leaves_as_the_textbook(cut: str) -> None:
    skipped = 0
    for game in games(200, seed=1):
        answer = star1(game, cut=cut)
        seen: list[int] = []
        found = textbook(game, 0, -inf, inf, cut, 0, 6, seen)
        assert found[0] == found[1] == answer.value[0]
        assert [at(game, e.node) for e in answer.events if e.event == "leaf"] == seen
        skipped += len(answer.pruned)
    assert skipped > 100


def at(game: TreeGame, path: Path) -> int:
    state = 0
    for position in path:
        state = game.model.nodes[state].children[position]
    return state


@pytest.mark.one_in(4)
@pytest.mark.parametrize("solver", [star1, star2])
@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_every_value_and_bound_of_the_record_is_true(solver: Any, cut: str) -> None:
    for game in games(150, seed=2):
        answer = solver(game, cut=cut)
        values = {state: vector[0] for state, vector in backward_induction(game).of.items()}
        for event in answer.events:
            value = values[at(game, event.node)]
            if event.bound is not None:
                true = {"exact": value == event.value, "lower": value >= event.value, "upper": value <= event.value}
                assert true[event.bound]
            if event.low is not None:
                assert event.low <= value <= event.high
        visited = {event.node for event in answer.events}
        skipped = pruned(answer)
        assert len(set(skipped)) == len(skipped)
        assert not visited & set(skipped)
        assert {above for path in skipped for above in [path[:-1]]} <= visited
        assert leaves_below(game, ()) == sorted(
            [path for path in visited if not game.model.nodes[at(game, path)].children]
            + [leaf for path in skipped for leaf in leaves_below(game, path)]
        )


def leaves_below(game: TreeGame, path: Path) -> list[Path]:
    children = game.model.nodes[at(game, path)].children
    return [leaf for k in range(len(children)) for leaf in leaves_below(game, (*path, k))] if children else [path]


def test_without_chance_star1_is_alpha_beta() -> None:
    rng = random.Random(3)
    for _ in range(50):
        game = tree(random_tree(rng, 4))
        ours, theirs = star1(game), solve(game, "alpha-beta")
        assert (ours.value, ours.cuts, ours.visits, ours.events) == (
            theirs.value,
            theirs.cuts,
            theirs.visits,
            theirs.events,
        )


def test_probabilities_stay_exact() -> None:
    game = tree(MAX(chance((THIRD, 1), (1 - THIRD, 2)), 1), utility=(0, 3))
    assert star1(game).value == (exact(Fraction(5, 3)), exact(Fraction(-5, 3)))


@pytest.mark.parametrize("solver", [star1, star2])
def test_evaluations_that_are_not_opposed(solver: Any) -> None:
    """The players' own evaluations of the nodes at the depth limit need not sum to zero; MAX's alone counts."""
    inner = MAX(MIN(3, 4, eval=(2, 2)), MIN(3, 5, eval=(1, 9)), eval=(1, 5))
    answer = solver(tree(inner), depth=1)
    assert (answer.value, answer.best, answer.exact) == ((2, -2), ("1",), False)
    assert any("not told" in note for note in answer.notes)

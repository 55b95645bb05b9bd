"""shallow: the value of max^n, fewer leaves where a known sum allows it, and nothing skipped where it does not."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from trees import chance, node, random_tree, tree

from gdl.solution import Path, Solution
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.minimax.backward_induction import backward_induction, maxn
from gdl.solvers.minimax.shallow import UNSOUND, shallow

A, B, C = node("A"), node("B"), node("C")
THREE = ("A", "B", "C")


def pruned(answer: Solution) -> list[Path]:
    return [skipped.path for skipped in answer.pruned]


def shares(root: Any, utility: Any = (0, None)) -> Any:
    return tree(root, players=THREE, utility=utility)


def test_shallow_pruning() -> None:
    """Of ten, A is sure of 4 by the left; on the right B has 6 by the first reply, which leaves A 4 at most."""
    game = shares(A(B((4, 5, 1), (3, 2, 5)), B((2, 6, 2), (9, 0, 1), (5, 5, 0))))
    answer = shallow(game)
    assert answer.value == (4, 5, 1)
    assert answer.best == ("1",)
    assert pruned(answer) == [(1, 1), (1, 2)]
    (cut,) = answer.cuts
    assert (cut.node, cut.alpha, cut.beta, cut.value, cut.reason) == ((1,), None, 6, 6, "6 >= beta 6")
    assert regret(game, answer.equilibria[0]).regret == (0, 0, 0)
    assert pruned(shallow(game, cut="gt")) == []  # 6 leaves A exactly 4: as good as the left, not less


def test_immediate_pruning() -> None:
    """Nobody can have more than all ten."""
    answer = shallow(shares(A((10, 0, 0), B((1, 2, 7), (3, 3, 4)))))
    assert pruned(answer) == [(1,)]
    assert pruned(shallow(shares(A((8, 1, 1), B((1, 2, 7), (3, 3, 4))), utility=(0, 8)))) == [(1,)]


def test_lower_bounds_of_the_others_count() -> None:
    """C gets at least 2, so 5 for B leave A no more than 3."""
    right = B((1, 5, 4), (2, 2, 6))
    assert pruned(shallow(shares(A((3, 4, 3), right), utility=(1, 8)))) == []
    assert pruned(shallow(shares(A((4, 3, 3), right), utility=(1, 8)))) == [(1, 1)]


def test_the_bound_goes_down_one_step_only() -> None:
    """A is sure of 5. Two steps below, C's 6 of 10 leaves A 4 at most; but B may go elsewhere, where A gets 9."""
    game = shares(A((5, 5, 0), B(C((0, 4, 6), (4, 5, 1)), (6, 4, 0))))
    answer = shallow(game)
    assert pruned(answer) == []
    assert answer.value == maxn(game).value


@pytest.mark.parametrize("utility", [None, (None, 10)])
def test_without_a_sum_or_least_values_nothing_is_skipped_and_that_is_said(utility: Any) -> None:
    game = shares(A(B((4, 5, 1), (3, 2, 5)), B((2, 6, 2), (9, 0, 1))), utility)
    assert (pruned(shallow(game)), UNSOUND in shallow(game).notes) == ([], utility is None)
    general = shares(A(B((4, 5, 1), (3, 2, 0)), B((2, 6, 2), (9, 0, 1))))
    assert (pruned(shallow(general)), shallow(general).notes) == ([], (UNSOUND,))


def test_the_same_player_twice_and_chance_between_hand_nothing_down() -> None:
    half = Fraction(1, 2)
    twice = shares(A((4, 3, 3), A((1, 6, 3), (5, 5, 0))))
    between = shares(A((4, 3, 3), chance((half, B((1, 6, 3), (2, 8, 0))), (half, (9, 1, 0)))))
    for game in (twice, between):
        assert pruned(shallow(game)) == []
        assert shallow(game).value == maxn(game).value


@pytest.mark.one_in(3)
@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("order", ["given", "best", "worst"])
def test_it_agrees_with_maxn(cut: str, order: str) -> None:
    rng = random.Random(f"{cut}/{order}")
    leaves = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]
    skipped = 0
    for _ in range(60):
        game = shares(random_tree(rng, 4, players=THREE, leaves=leaves, chances=0.1))
        answer, full = shallow(game, cut=cut, order=order), maxn(game)
        assert answer.value == full.value
        assert set(answer.best) == set(full.best)
        skipped += len(answer.pruned)
        values = backward_induction(game).of
        for visit in answer.visits:
            value = values[at(game, visit.path)]
            if visit.bound == "exact":
                assert visit.value == value
            else:
                mover = game.players.index(visit.player)
                assert visit.value[mover] <= value[mover]
    assert skipped > 20 or order == "worst"


def at(game: Any, path: Path) -> int:
    state = 0
    for position in path:
        state = game.model.nodes[state].children[position]
    return state

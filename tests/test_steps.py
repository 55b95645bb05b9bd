"""A search told step by step: the steps agree with what the search recorded, whatever the tree."""

import random

import pytest
from handmade import figure_5_2
from trees import MAX, MIN, node, random_tree, tree

from gdl import loads
from gdl.render.picture import picture
from gdl.render.steps import steps
from solvers import solve
from solvers.alpha_beta import alpha_beta
from solvers.backward_induction import expectiminimax, maxn, minimax


def said(game, solution, event: str = "") -> list[str]:
    return [step.said for step in steps(picture(game), solution) if event in ("", step.event)]


def test_alpha_beta_on_figure_5_2():
    told = said(figure_5_2(), alpha_beta(figure_5_2()))
    assert told[:4] == [
        "Enter A (MAX) with alpha -inf and beta inf.",
        "Enter B (MIN) with alpha -inf and beta inf.",
        "b1 is worth 3.",
        "B (MIN) has 3 so far, and beta is now 3.",
    ]
    assert "B (MIN) keeps 3: 12 is no better." in told
    assert "Cut at C (MIN): 2 <= alpha 3 after c1, so c2 and c3 are never looked at." in told
    assert "Leave C (MIN) with <= 2, only an upper bound: something was skipped." in told
    assert told[-1] == "Done: the value of the root is 3, and the best action is a1."


def test_minimax_on_figure_5_2_looks_at_every_leaf():
    told = said(figure_5_2(), minimax(figure_5_2(), values=True))
    assert "C (MIN) gets 2, the least of 2, 4 and 6." in told
    assert told[-2] == "A (MAX) gets 3, the greatest of 3, 2 and 2."
    assert sum("is worth" in line for line in told) == 9


def test_a_chance_node_takes_the_average():
    from fractions import Fraction

    from trees import chance

    game = tree(MAX(chance((Fraction(1, 4), 8), (Fraction(3, 4), 0), label="C")))
    told = said(game, expectiminimax(game, values=True))
    assert "C (chance) gets 2, the average of 1/4 times 8 and 3/4 times 0." in told


def test_players_of_other_games_take_what_is_best_for_them():
    A, B = node("A"), node("B")
    game = tree(A(B((1, 5, 0), (9, 1, 0), label="b"), (2, 2, 2)), players=("A", "B", "C"))
    told = said(game, maxn(game, values=True))
    assert "b (B) gets (1, 5, 0), what is best for B among (1, 5, 0) and (9, 1, 0)." in told


def test_an_answer_without_a_record_has_no_steps():
    assert steps(picture(figure_5_2()), minimax(figure_5_2())) == []


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("order", ["given", "best", "worst"])
def test_steps_agree_with_the_record_on_random_trees(cut, order):
    for seed in range(20):
        game = tree(random_tree(random.Random(seed), 4))
        answer = alpha_beta(game, cut=cut, order=order)
        drawn = picture(game)
        told = steps(drawn, answer)
        visited = [drawn.nodes[step.node].path for step in told if step.event in ("enter", "leaf")]
        assert visited == [visit.path for visit in answer.visits]
        skipped = [drawn.nodes[n].path for step in told if step.event == "cut" for n in step.skipped]
        assert skipped == [root.path for root in answer.pruned]
        windows = {drawn.nodes[step.node].path: (step.alpha, step.beta) for step in told if step.event == "leave"}
        for visit in answer.visits:
            if visit.path in windows:
                ends = [
                    str(end) if end is not None else other
                    for end, other in ((visit.alpha_after, "-inf"), (visit.beta_after, "inf"))
                ]
                assert list(windows[visit.path]) == ends


@pytest.mark.parametrize("seed", range(30))
def test_every_node_is_left_with_its_value(seed):
    game = tree(random_tree(random.Random(seed), 4, chances=0.2))
    answer = expectiminimax(game, values=True)
    drawn = picture(game)
    told = steps(drawn, answer)
    for step in told:
        if step.event == "leave":
            assert step.value == str(answer.values[drawn.nodes[step.node].path][0])
    assert sum(step.event in ("enter", "leaf") for step in told) == len(game.model.nodes)


BOUNDED = """players MAX, MIN
utility in 0..10
tree MAX(chance(1/2: MIN(4, 9), 1/2: MIN(6, 7)), chance(1/2: MIN(0, 1), 1/2: MIN(9, 9)))
"""


def test_star1_tells_what_a_chance_node_lies_between():
    game = loads(BOUNDED).game
    told = said(game, solve(game, "star1"))
    assert told[1] == "Enter 1 (chance) with alpha -inf and beta inf; its value is between 0 and 10."
    assert "1 (chance) goes on; its value is between 2 and 7." in told
    assert "Cut at 2 (chance): 5 <= alpha 5 after 1, so 2 > 2 is never looked at." in told


@pytest.mark.parametrize("solver", ["star1", "star2"])
def test_steps_of_searches_with_chance_skip_what_was_skipped(solver):
    for seed in range(25):
        game = tree(random_tree(random.Random(seed), 4, chances=0.3), utility=(-5, 5))
        answer = solve(game, solver)
        drawn = picture(game)
        told = steps(drawn, answer)
        skipped = {drawn.nodes[n].path for step in told if step.event == "cut" for n in step.skipped}
        assert skipped == {root.path for root in answer.pruned}
        assert told[-1].value == str(answer.value[0])


def test_what_is_folded_away_is_not_told():
    game = tree(MAX(MIN(MAX(1, 2), MAX(3, 4)), MIN(5, 6)))
    answer = alpha_beta(game)
    told = steps(picture(game, depth=2), answer)
    assert all(step.node < 7 for step in told)
    assert "1 > 1 comes back with 2." in [step.said for step in told]

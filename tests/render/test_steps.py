"""A search told step by step: the steps agree with what the search recorded, whatever the tree."""

import random

import pytest
from handmade import figure_5_2
from trees import MAX, MIN, node, random_tree, tree

from gdl import loads
from gdl.render.picture import picture
from gdl.render.steps import PictureStep, steps
from gdl.solvers import solve
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import expectiminimax, maxn, minimax


def steps_of(game, solution, **options) -> list[PictureStep]:
    return steps(picture(game, **options), game, solution)


def test_alpha_beta_on_figure_5_2():
    told = steps_of(figure_5_2(), alpha_beta(figure_5_2()))
    assert [step.event for step in told[:4]] == ["enter", "enter", "leaf", "update"]
    assert [(step.value, step.bound, step.alpha, step.beta) for step in told[:4]] == [
        ("", "...", "-inf", "inf"),
        ("", "...", "-inf", "inf"),
        ("3", "=", "-inf", "inf"),
        ("3", "...", "-inf", "3"),
    ]
    cut = next(step for step in told if step.event == "cut")
    assert cut.said == "Cut at C (MIN): 2 <= alpha 3 from B, so c2 and c3 are never looked at."
    assert cut.skipped == (8, 9) and "whatever c2 and c3 are worth" in cut.why
    left = next(step for step in told if step.event == "leave" and step.node == 2)
    assert (left.value, left.bound) == ("2", "<=")
    assert told[-1].said == "Done: the value of the root is 3, and the best action is a1."


def test_a_cut_that_skips_nothing_is_an_update():
    told = steps_of(figure_5_2(), alpha_beta(figure_5_2()))
    enough = [step for step in told if step.said.startswith("Enough at D (MIN): 2 <= alpha 3")]
    assert [step.event for step in enough] == ["update"]


def test_minimax_on_figure_5_2_looks_at_every_leaf_and_has_no_window():
    told = steps_of(figure_5_2(), minimax(figure_5_2(), values=True))
    assert sum(step.event == "leaf" for step in told) == 9
    assert {(step.alpha, step.beta) for step in told} == {("", "")}
    assert told[-1].said == "Done: the value of the root is 3, and the best action is a1."


def test_players_of_other_games_have_vectors():
    A, B = node("A"), node("B")
    game = tree(A(B((1, 5, 0), (9, 1, 0), label="b"), (2, 2, 2)), players=("A", "B", "C"))
    told = steps_of(game, maxn(game, values=True))
    left = next(step for step in told if step.event == "leave")
    assert (left.value, left.bound) == ("(1, 5, 0)", "=")


def test_an_answer_without_a_record_has_no_steps():
    assert steps_of(figure_5_2(), minimax(figure_5_2())) == []


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("order", ["given", "best", "worst"])
def test_steps_agree_with_the_record_on_random_trees(cut, order):
    for seed in range(20):
        game = tree(random_tree(random.Random(seed), 4))
        answer = alpha_beta(game, cut=cut, order=order)
        drawn = picture(game)
        told = steps(drawn, game, answer)
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
    told = steps(drawn, game, answer)
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
    told = [step for step in steps_of(game, solve(game, "star1")) if step.node == 1]
    assert [step.value for step in told] == ["0 to 10", "2 to 7", "5", "5"][: len(told)]
    assert (told[-1].event, told[-1].value, told[-1].bound) == ("leave", "5", "=")


@pytest.mark.parametrize("solver", ["star1", "star2"])
def test_steps_of_searches_with_chance_skip_what_was_skipped(solver):
    for seed in range(25):
        game = tree(random_tree(random.Random(seed), 4, chances=0.3), utility=(-5, 5))
        answer = solve(game, solver)
        drawn = picture(game)
        told = steps(drawn, game, answer)
        skipped = {drawn.nodes[n].path for step in told if step.event == "cut" for n in step.skipped}
        assert skipped == {root.path for root in answer.pruned}
        assert told[-1].value == str(answer.value[0])


def test_what_is_folded_away_only_comes_back():
    game = tree(MAX(MIN(MAX(1, 2), MAX(3, 4)), MIN(5, 6)))
    told = steps_of(game, alpha_beta(game), depth=2)
    assert all(step.node < 7 for step in told)
    back = [(step.event, step.value, step.bound) for step in told if step.node == 3]
    assert back == [("leaf", "2", "=")]

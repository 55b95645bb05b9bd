"""A Monte-Carlo tree search step by step: the four phases, and numbers that are the search's own."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import gdl
from gdl.game import Decision
from gdl.render.page import simulation_steps
from gdl.render.picture.build import picture
from gdl.render.steps import PictureStep
from gdl.solution import Solution
from gdl.solvers.mcts.mcts import mcts as search
from gdl.solvers.mcts.uct_nodes import ucb1

FIGURE = "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))\n"
CHANCE = "players MAX, MIN\ntree MAX(chance(1/3: MIN(3, 1), 2/3: -2), MIN(2, 4))\n"


def made(text: str, simulations: int, depth: int | None = None) -> tuple[Solution, list[PictureStep]]:
    game = gdl.loads(text).game
    solution = search(game, simulations=simulations, seed=1)
    return solution, simulation_steps(picture(game, depth=depth), game, solution)


def test_every_simulation_selects_expands_simulates_and_backs_up():
    solution, steps = made(FIGURE, 8)
    assert [step.event for step in steps[:9]] == ["expand", "simulate", "backup"] * 3
    assert [step.event for step in steps[9:13]] == ["select", "expand", "simulate", "backup"]
    assert steps[-1].event == "done" and sum(step.event == "backup" for step in steps) == 8
    assert solution.best[0] in steps[-1].said and "Visits: " in steps[-1].why
    assert steps[9].said.startswith("Simulation 4, select: at the root action ")


@pytest.mark.parametrize("text", [FIGURE, CHANCE])
def test_what_stands_beside_the_nodes_is_what_the_search_counted(text: str):
    solution, steps = made(text, 20)
    game = gdl.loads(text).game
    root = game.node(game.initial())
    assert isinstance(root, Decision)
    last: dict[int, str] = {}
    for step in steps:
        last |= {node: score for node, score, _ in step.marks}
    drawn = picture(game)
    visits = {
        name: int(note.split(": ")[1].split()[0]) for name, note in zip(root.actions, solution.notes, strict=True)
    }
    for number, name in enumerate(root.actions):
        (node,) = [at for at, one in enumerate(drawn.nodes) if one.path == (number,)]
        total, count = last[node].rsplit("/", 1)
        assert int(count) == visits[name]
        said = next(note for note in solution.notes if note.startswith(f"{name}: "))
        mean = float(said.split(", ")[1].split()[0])
        assert Fraction(total) / int(count) == pytest.approx(mean, abs=0.01)


def test_the_bounds_are_those_of_ucb1():
    solution, _ = made(FIGURE, 4)
    *first, fourth = solution.simulations
    met = [simulation.utilities[0] for simulation in first]
    assert [simulation.path for simulation in first] == [(0,), (1,), (2,)] and len(set(met)) == 3
    means = [(number - min(met)) / (max(met) - min(met)) for number in met]
    assert fourth.bounds[0] == pytest.approx([ucb1(float(mean), 1, math.log(3), 0.6) for mean in means])
    assert fourth.path[0] == means.index(1)


def test_below_the_picture_the_last_node_above_tells():
    _, steps = made("players MAX, MIN\ntree MAX(MIN(MAX(1, 2), 3), MIN(4, MAX(5, 6)))\n", 30, depth=1)
    assert any("below what is drawn" in step.said for step in steps)
    assert {step.node for step in steps} <= {0, 1, 2}


def test_few_simulations_are_kept_and_they_explain_the_answer():
    solution, steps = made(FIGURE, 600)
    assert 0 < len(solution.simulations) <= 500 and steps[-1].event == "done"


def test_what_is_passed_by_is_told():
    text = "players A, B\nstate\n    left: 0..3 = 3\naction take(n: 1..2) when n <= left\n    left := left - n\nterminal\n    left = 0 -> win other(mover)\n"
    solution, steps = made(text, 3)
    (first, *_) = solution.simulations
    assert first.passed == (((0,), (-1, 1)),) or any(s.passed for s in solution.simulations)
    assert any("is passed by, for the next move there wins at once" in step.said for step in steps)

"""Dominance: which plans go, in which round and why."""

import random
from fractions import Fraction as F

import pytest
from games_by_hand import Branch as B
from games_by_hand import bimatrix, minority, prisoners, tree
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.solution import Domination
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.dominance import dominance, dominant, eliminate
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.equilibria.strategic_form import strategic_form


def form(game):
    return strategic_form(explore(game))


SOLVABLE = bimatrix(
    [[3, -3, -3], [0, 3, -1], [-3, -3, 2]], [[-1, 1, 2], [1, 2, -1], [-2, 3, -3]], ("1", "2", "3"), ("a", "b", "c")
)


def test_prisoners_have_a_dominant_action():
    solution = dominance(prisoners())
    assert [dominant(form(prisoners()), player, "strict") for player in (0, 1)] == [1, 1]
    assert solution.notes[0] == "betray is strictly dominant for Row and for Column."
    assert solution.value == (-2, -2)
    assert solution.complete is True
    assert regret(prisoners(), solution.equilibria[0]).regret == solution.regret == (0, 0)


def test_rounds_come_in_their_order():
    elimination = eliminate(form(SOLVABLE))
    assert elimination.rounds == (
        (Domination(1, 0, {1: 1}),),
        (Domination(0, 0, {1: 1}),),
        (Domination(1, 2, {1: 1}),),
        (Domination(0, 2, {1: 1}),),
    )
    assert elimination.solution == (1, 1)
    assert dominance(SOLVABLE).notes[1] == "Round 2: 1 of Row is strictly dominated by 2."


def test_mixtures_dominate():
    """Neither the top nor the bottom row alone beats the middle one."""
    game = bimatrix([[4, 0], [1, 1], [0, 4]], [[0, 0]] * 3, ("top", "middle", "bottom"))
    (domination,) = eliminate(form(game)).rounds[0]
    assert (domination.player, domination.plan) == (0, 1)
    mix = {0: [4, 0], 2: [0, 4]}
    assert sum(domination.by.values()) == 1
    assert all(sum(weight * mix[row][c] for row, weight in domination.by.items()) > 1 for c in (0, 1))


def test_weak_dominance_needs_its_own_kind():
    game = bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    assert eliminate(form(game)).rounds == ()
    assert eliminate(form(game), "weak").rounds == ((Domination(0, 1, {0: 1}), Domination(1, 1, {0: 1})),)
    solution = dominance(game, kind="weak")
    assert solution.value == (1, 1)
    assert solution.complete is None  # indeed (r2, c2) is an equilibrium too
    assert regret(game, solution.equilibria[0]).regret == (0, 0)


def test_weakly_dominated_by_a_mixture():
    game = bimatrix([[4, 0, 1], [0, 4, 1], [2, 2, 0]], [[0, 0, 0]] * 3)
    assert eliminate(form(game), "strict").rounds == ()
    (domination,) = eliminate(form(game), "weak").rounds[0]
    assert (domination.plan, domination.by) == (2, {0: F(1, 2), 1: F(1, 2)})


def test_equal_plans_dominate_neither():
    game = bimatrix([[1, 2], [1, 2]], [[0, 0], [0, 0]])
    assert eliminate(form(game), "weak").rounds == ()
    assert dominance(game).notes == (
        "Nothing is strictly dominated.",
        "What is left: Row: r1 and r2; Column: c1 and c2.",
    )
    assert dominance(game).equilibria == ()


def test_weakly_dominant_is_told_from_strictly():
    game = bimatrix([[1, 1], [1, 0]], [[1, 0], [1, 0]])
    assert dominance(game).notes[:2] == ("r1 is weakly dominant for Row.", "c1 is strictly dominant for Column.")
    assert "So the equilibrium is in dominant strategies." not in dominance(game).notes


def test_plans_of_trees_have_names():
    last = B("1", {"E": (0, 0), "F": (1, 2)}, "1b")
    game = tree("stages", "12", B("1", {"A": (2, 0), "B": B("2", {"C": (3, 1), "D": last}, "2")}, "1a"))
    assert (
        dominance(game, kind="weak").notes[0].startswith("Round 1: (1a: B, 1b: E) of 1 is weakly dominated by (1a: B")
    )


def test_three_players():
    assert dominance(minority()).notes[0] == "Nothing is strictly dominated."


@pytest.mark.parametrize("kind", ["strict", "weak"])
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_what_dominates_pays_more(kind, seed):
    """Of random games: each domination holds, and strict elimination keeps every equilibrium."""
    dice = random.Random(seed)
    height, width = dice.randint(1, 4), dice.randint(1, 4)
    payoffs = [[[dice.randint(0, 4) for _ in range(width)] for _ in range(height)] for _ in range(2)]
    table = form(bimatrix(*payoffs))
    elimination = eliminate(table, kind)
    alive = [set(range(height)), set(range(width))]
    for found in elimination.rounds:
        for d in found:
            against = sorted(alive[1 - d.player])
            pays = {
                plan: [payoffs[0][plan][c] if d.player == 0 else payoffs[1][c][plan] for c in against]
                for plan in alive[d.player]
            }
            mixed = [sum(weight * pays[plan][c] for plan, weight in d.by.items()) for c in range(len(against))]
            gains = [more - less for more, less in zip(mixed, pays[d.plan], strict=True)]
            assert min(gains) > 0 if kind == "strict" else min(gains) >= 0 and max(gains) > 0
        for d in found:
            alive[d.player].discard(d.plan)
    assert [tuple(sorted(plans)) for plans in alive] == list(elimination.alive)
    if kind == "strict":
        for x, y in extreme_equilibria(*payoffs).equilibria:
            assert {i for i, weight in enumerate(x) if weight} <= alive[0]
            assert {j for j, weight in enumerate(y) if weight} <= alive[1]

"""Perfect and proper equilibria by the verifier: beside the programs that find them, which it does not know."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from games_by_hand import MYERSON, VAN_DAMMES, bimatrix
from tables import random_table

import gdl
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.budget import NO_LIMITS, Budget
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.nash import equilibria
from gdl.solvers.equilibria.strategic_form import StrategicForm, table_of
from gdl.wings.theory.refinements.properness import properness
from gdl.wings.theory.refinements.trembles import judge_trembles
from gdl.wings.verify.plans import VerifierPlans
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.trembling import does_bear_out, find_dominated, is_limit
from gdl.wings.verify.verdict import Unchecked
from gdl.wings.verify.verifier import verify

HALF = Fraction(1, 2)


def drawn(seed: int, sizes: tuple[int, ...], most: int) -> tuple[StrategicForm, VerifierPlans]:
    game, _ = random_table(seed, *sizes, most=most)
    return table_of(game, 100, NO_LIMITS)[0], VerifierPlans(collect(game, 1_000).positions)


def decided(plans: VerifierPlans, mixes: Any, proper: bool) -> bool | None:
    try:
        return find_dominated(plans, mixes) is None and is_limit(plans, mixes, proper)
    except Unchecked:
        return None


@pytest.mark.parametrize("most", [1, 2])
def test_of_two_players_every_extreme_equilibrium_is_decided(most: int) -> None:
    for seed, sizes in product(range(4), [(3, 3), (2, 4), (3, 4)]):
        form, plans = drawn(seed, sizes, most)
        for pair in extreme_equilibria(*form.tables(), Budget()).equilibria:
            right = decided(plans, pair, proper=False) and properness(form.tables(), pair, Budget()).holds
            assert decided(plans, pair, proper=True) == right, (seed, sizes, pair)


@pytest.mark.parametrize("concept", ["perfect", "proper"])
def test_of_three_players_every_pure_equilibrium_is_decided(concept: str) -> None:
    for seed, sizes, most in product(range(3), [(2, 2, 2), (2, 2, 3)], [1, 2]):
        form, plans = drawn(seed, sizes, most)
        found = equilibria(form.positions, 100, Budget(), several=True)
        for behaviour in found.behaviours:
            if behaviour in found.close:
                continue
            mixes = [form.mix(player, behaviour) for player in form.players]
            right, told = (
                judge_trembles(form, concept, mixes, Budget()).holds,
                decided(plans, mixes, concept == "proper"),
            )
            assert told == right or None in (told, right), (seed, sizes, most, mixes)
            assert told is not None or not all(1 in mix for mix in mixes)


def test_myersons_second_equilibrium_is_perfect_and_not_proper() -> None:
    game = bimatrix(MYERSON, MYERSON)
    perfect, proper = (to_object(solve(game, concept=concept)) for concept in ("perfect", "proper"))
    assert verify(game, perfect).limit is verify(game, proper).limit is None
    assert "equilibrium 2: no mistakes lead there, so it is not proper" in str(
        verify(game, {**perfect, "solver": "proper", "concept": "proper"}).lines
    )
    none = {"equilibria": [], "payoffs": [], "value": None, "complete": True}
    assert "1 equilibrium was found, and 1 of them not in the answer" in str(verify(game, {**proper, **none}).lines)


def test_two_mistakes_at_once_do_not_bear_out_van_dammes_equilibrium() -> None:
    answer = to_object(solve(VAN_DAMMES, concept="perfect"))
    assert verify(VAN_DAMMES, answer).limit is None
    other = {"A": {"start": {"2": 1}}, "B": {"start": {"1": 1}}, "C": {"start": {"1": 1}}}
    assert "no mistakes lead there, so it is not perfect" in str(
        verify(VAN_DAMMES, {**answer, "equilibria": [other]}).lines
    )


@pytest.mark.parametrize(("seed", "sizes", "mixes", "proper", "right"), [
    (55, (3, 2, 2), [(1, 0, 0), (1, 0), (0, 1)], True, False),
    (44, (2, 2, 2), [(HALF, HALF), (1, 0), (Fraction(2, 3), Fraction(1, 3))], True, False),
    (56, (2, 2, 2), [(1, 0), (1, 0), (0, 1)], False, True),
    (80, (3, 2, 2), [(HALF, 0, HALF), (0, 1), (HALF, HALF)], True, True),  # was left open
])  # fmt: skip
@pytest.mark.parametrize("scale", [Fraction(1), Fraction(1, 3)])
def test_equilibria_of_three_with_ties(
    seed: int, sizes: tuple[int, ...], mixes: Any, proper: bool, right: bool, scale: Fraction
) -> None:
    """Whatever the unit of payoffs."""
    _, cells = random_table(seed, *sizes, most=2)
    assert borne_out({cell: tuple(scale * x for x in pays) for cell, pays in cells.items()}, mixes, proper) is right


def borne_out(table: Any, mixes: Any, proper: bool) -> bool | None:
    try:
        return does_bear_out(table, mixes, proper)
    except Unchecked:
        return None


def of_three(sizes: tuple[int, int, int], pays: Any) -> Any:
    """A table of three players, by a function of their plans."""
    return {cell: pays(*cell) for cell in product(*map(range, sizes))}


def first_plans(*sizes: int) -> list[list[int]]:
    return [[int(k == 0) for k in range(size)] for size in sizes]


def test_mistakes_that_have_to_be_as_frequent_as_others_stay_open() -> None:
    """By powers alone no plan of A loses, but by equal mistakes of B and C each does."""
    gains = {(1, 1, 1): -2, (1, 2, 2): 1, (2, 1, 1): 1, (2, 2, 2): -2}
    table = of_three((3, 3, 3), lambda a, b, c: (gains.get((a, b, c), 0), 0, 0))
    assert borne_out(table, first_plans(3, 3, 3), proper=False) is None


def test_rankings_in_which_two_mistakes_pay_alike_stay_open() -> None:
    """B wants A's first two mistakes alike, and so C's have to be; A's third is worse than both."""
    to_b = {(1, 1): -2, (2, 1): 1, (1, 2): 1, (2, 2): -2}
    table = of_three((4, 3, 3), lambda a, b, c: ((1, int(c == 1), int(c == 2), -1)[a], to_b.get((a, b), 0), 0))
    assert borne_out(table, first_plans(4, 3, 3), proper=True) is None


def test_a_rarer_mistake_need_not_be_as_rare_as_a_square() -> None:
    """A's second mistake is rarer than the first, but not than the first and C's together, and C's is no rarer."""
    to_b = {(2, 1, 0): -1, (1, 1, 1): 1, (0, 2, 1): -1, (1, 2, 0): 1}
    table = of_three((3, 3, 2), lambda a, b, c: (2 - a, to_b.get((a, b, c), 0), 0))
    assert borne_out(table, first_plans(3, 3, 2), proper=True) is True


def test_where_too_many_plans_tie_a_ranking_is_guessed() -> None:
    """The answer itself does not call it proved."""
    game = gdl.load("coin_flip")
    answer = to_object(solve(game, concept="proper"))
    verdict = verify(game, answer)
    assert answer["exact"] is False and verdict.status("concept") and verdict.limit is None

"""Perfect and proper equilibria by the verifier: beside the programs that find them, which it does not know."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from games_by_hand import bimatrix
from tables import random_table
from test_refinements_of_several import MYERSON, VAN_DAMMES

import gdl
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.budget import NO_LIMITS, Budget
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.nash import equilibria
from gdl.solvers.equilibria.strategic_form import StrategicForm, table_of
from gdl.solvers.strategic.properness import properness
from gdl.solvers.strategic.trembles import judge_trembles
from gdl.solvers.verify import verify
from gdl.solvers.verify.plans import VerifierPlans
from gdl.solvers.verify.position_graph import collect
from gdl.solvers.verify.trembling import find_dominated, is_limit
from gdl.solvers.verify.verdict import Unchecked


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
    assert "1 equilibria were found, and 1 of them not in the answer" in str(verify(game, {**proper, **none}).lines)


def test_two_mistakes_at_once_do_not_bear_out_van_dammes_equilibrium() -> None:
    answer = to_object(solve(VAN_DAMMES, concept="perfect"))
    assert verify(VAN_DAMMES, answer).limit is None
    other = {"A": {"start": {"2": 1}}, "B": {"start": {"1": 1}}, "C": {"start": {"1": 1}}}
    assert "no mistakes lead there, so it is not perfect" in str(
        verify(VAN_DAMMES, {**answer, "equilibria": [other]}).lines
    )


def test_where_too_many_plans_tie_a_ranking_is_guessed() -> None:
    """The answer itself does not call it proved."""
    game = gdl.load("coin_flip")
    answer = to_object(solve(game, concept="proper"))
    verdict = verify(game, answer)
    assert answer["exact"] is False and verdict.status("concept") and verdict.limit is None

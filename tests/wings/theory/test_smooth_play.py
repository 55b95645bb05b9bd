"""Mixed equilibria where one player moves at a time: found by smoothed play, and exact."""

from __future__ import annotations

from typing import Any

import pytest

import gdl
from gdl.formats.answer import to_object
from gdl.solvers.budget import Budget
from gdl.wings.theory.stochastic.smooth_play import smooth_profiles
from gdl.wings.theory.stochastic.stages import Stages
from gdl.wings.verify.verifier import verify

PRICES = """game "Prices in turn" (d = 9/10, top = 6)
players A, B
state
    standing: 0..top = top
define profit(x: 0..top) = x * (top - x)
define mine(x: 0..top) = if x > standing then 0 else if x < standing then profit(x) else profit(x) / 2
define theirs(x: 0..top) = if x < standing then 0 else if x > standing then profit(standing) else profit(x) / 2
action set_price(x: 0..top) as "{x}"
    reward mine(x) to mover, theirs(x) to other(mover)
    standing := x
discount d
"""


def profiles(**settings: str) -> list[Any]:
    game = gdl.loads(PRICES, "prices.game", settings=settings).game
    return list(smooth_profiles(Stages(game, "stationary", Budget()), Budget()))


def test_of_few_prices_the_gain_of_each_profile_is_proved_and_falls() -> None:
    found = [profile.gain for profile in profiles(top="3")]
    assert min(found) < found[0] / 100


@pytest.mark.slow
def test_maskin_and_tirole_1988() -> None:
    """Six prices in turn have no equilibrium of one price at each position; a mixed one is found, exactly."""
    game = gdl.loads(PRICES, "prices.game").game
    answer: dict[str, Any] = dict(to_object(gdl.solve(game)))
    assert answer["exact"] and answer["regret"] == {"A": 0, "B": 0}
    assert verify(game, answer).ok
    wrong = [{**answer["payoffs"][0], "A": 29}]
    assert not verify(game, {**answer, "payoffs": wrong}).ok

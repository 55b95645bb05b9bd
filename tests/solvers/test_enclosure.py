"""Bounds proven of a profile from a part of the positions hold of the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from compiled_soon import slices_of
from games_by_hand import kuhn, prisoners
from random_hidden import written

import gdl
from gdl.commands.engines import offer
from gdl.compiler.search_kinds import UNFOLDING
from gdl.errors import DamagedData, GameError, LimitReached, Refusal
from gdl.game import Game, Node, actions
from gdl.solvers import solve
from gdl.solvers.equilibria import enclosure
from gdl.solvers.equilibria.enclosure import Enclosure, enclosures
from gdl.solvers.equilibria.regret import Judgement, regret, uniform
from gdl.states.game_wrapper import GameWrapper

MOST = 20_000  # positions of a random game


def holds(found: Enclosure, known: Judgement) -> bool:
    """True if the value and the regret of everybody lie within their bounds."""
    bounds = (*found.value, *found.regret, found.nash_conv)
    numbers = (*known.value, *known.regret, known.nash_conv)
    return all(
        (low is None or low <= number) and (high is None or number <= high)
        for (low, high), number in zip(bounds, numbers, strict=True)
    )


def width(found: Enclosure) -> Any:
    return sum(high - low for low, high in (*found.value, *found.regret))  # type: ignore[operator]


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(enclosure, "INTERPRETED_POSITIONS", (1, 16, 128))
    monkeypatch.setattr(enclosure, "MORE", (600, 3_000))
    with slices_of(20):
        yield


def engine_of(name: str) -> Game[Any]:
    return offer(gdl.load(name), "auto")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_ever_closer(small_steps: None, name: str) -> None:
    """From what the rules alone say, down to the judgement of the whole game."""
    game = engine_of(name)
    known = regret(game, uniform(game))
    found = list(enclosures(game, None))
    assert all(holds(one, known) for one in found)
    assert all(width(later) <= width(sooner) for sooner, later in pairwise(found))
    assert any(0 < width(one) < width(found[0]) for one in found)
    if game.engine.fast and game.engine.offers(UNFOLDING):
        assert width(found[-1]) == 0


def test_nobody_gains_by_leaving_an_equilibrium(small_steps: None) -> None:
    """And that is not proven before all is looked at: the least gain stays 0, the greatest goes down to it."""
    game = engine_of("kuhn")
    profile = solve(game, "sequence-form").strategy
    found = list(enclosures(game, profile))
    assert all(low == 0 for one in found for low, _ in one.regret)
    assert found[0].nash_conv[1] > found[-1].nash_conv[1] == 0  # type: ignore[operator]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 60))])
def test_random_games(small_steps: None, seed: int) -> None:
    with suppress(GameError, Refusal, LimitReached):
        game = offer(gdl.loads(written(seed), f"random {seed}").game, "auto")
        known = regret(game, uniform(game, limit=MOST), limit=MOST)
        assert all(holds(one, known) for one in enclosures(game, None))


@pytest.mark.thorough
def test_a_number_of_positions_is_kept(small_steps: None) -> None:
    found = list(enclosures(engine_of("leduc"), None, most=16))
    assert 16 <= found[-1].opened < 60


@pytest.mark.thorough
@pytest.mark.parametrize("asked", [0, 20])
def test_positions_that_nobody_asks_may_be_ends(small_steps: None, monkeypatch: pytest.MonkeyPatch, asked: int) -> None:
    monkeypatch.setattr(enclosure, "ASKED", asked)
    game = engine_of("leduc")
    known = regret(game, uniform(game))
    assert all(holds(one, known) for one in enclosures(game, None, most=128))


class Listing(GameWrapper):
    """A game that counts the actions that it lists, once for each state."""

    def __init__(self, game: Game[Any]):
        super().__init__(game)
        self.promises = game.promises
        self.listed: dict[Any, int] = {}

    def node(self, state: Any) -> Node:
        node = super().node(state)
        self.listed[state] = len(actions(node))
        return node


@pytest.mark.thorough
def test_the_first_bounds_of_a_game_with_thousands_of_actions_list_few() -> None:
    """One position of Amazons has 2,176 actions, and so has each of those behind it."""
    game = Listing(gdl.load("amazons"))
    first = next(enclosures(game, None))
    assert first.opened == 2_177 and first.value == ((-1, 1), (-1, 1))
    assert sum(game.listed.values()) < 30_000


def test_a_silent_profile_is_told() -> None:
    with pytest.raises(DamagedData, match="does not say what P1 does"):
        list(enclosures(engine_of("kuhn"), {"P1": {}, "P2": {}}))


def test_what_a_matrix_lists_bounds_its_profiles() -> None:
    game = prisoners()
    known, found = regret(game, uniform(game)), list(enclosures(game, None))
    assert found and all(holds(one, known) for one in found)
    assert found[-1].value == tuple((paid, paid) for paid in known.value)


def test_without_bounds_nothing_is_said() -> None:
    """A game in Python need not say what it pays, and one inside another does not."""
    assert not list(enclosures(GameWrapper(kuhn()), None))


def test_a_game_that_comes_back_has_none() -> None:
    assert not list(enclosures(gdl.load("pig"), None))

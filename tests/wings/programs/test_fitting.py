"""Which shipped games fit into the programs of others, and why the rest does not."""

from __future__ import annotations

import pytest
from playable import games

import gdl
from gdl.errors import Refusal
from gdl.playing.loading import game_of
from gdl.wings.programs.fitting import fitting

UNFIT = {  # what is said of them
    "amazons": "64,000,000 numbers of actions",
    "backgammon": "10^276 numbers of actions",
    "checkers": "10^462 numbers of actions",
    "draughts": "10^363 numbers of actions",
    "scrabble": "10^124 numbers of actions",
}
FIT = [name for name in gdl.shipped() if name not in UNFIT]


@pytest.mark.parametrize("name", UNFIT)
def test_what_does_not_fit_is_refused_with_its_reason(name: str):
    with pytest.raises(Refusal) as refused:
        fitting(games(name)[0], "interpreter")
    assert UNFIT[name] in str(refused.value) and "steps=True" in str(refused.value)
    assert fitting(games(name)[0], "interpreter", steps=True).actions < 512


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_game_has_few_numbers_step_by_step(name: str):
    """No more than the manual says, which are those of Chinese checkers on its whole star; a mask has room for 65,536."""
    assert all(fitting(game, "interpreter", steps=True).actions <= 579 for game in games(name))


@pytest.mark.parametrize("name", FIT[::6])
def test_some_others_fit(name: str):
    test_all_others_fit(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIT)
def test_all_others_fit(name: str):
    env = fitting(games(name)[0], "interpreter")
    assert env.actions == len(env.mask) and len(env.legend) == env.observation_shape[0]


def test_numbers_that_are_open_must_be_filled_in():
    with pytest.raises(Refusal, match="leaves numbers open"):
        fitting(gdl.loads("players MAX, MIN\ntree MAX(MIN(3, ?x), 2)").game)


def test_a_game_may_be_named():
    assert game_of("nim", settings={"heaps": "1,2"}).name == "Nim" and game_of(games("nim")[0]) is games("nim")[0]

"""Environments refuse and repair positions as every other door does."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from bad_positions import BAD

import gdl
from gdl.errors import GameError
from gdl.game import Decision

pytest.importorskip("pettingzoo")


def by_environment(game: str, text: str, folder: Path) -> tuple[int, str]:
    from gdl.wings.programs.pettingzoo import env

    try:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            made = env(game, position=text)
    except GameError as wrong:
        return 1, str(wrong)
    made.reset(seed=1)
    loaded = gdl.loads(*gdl.read(game), position=text)
    node = loaded.game.node(loaded.game.initial())
    assert isinstance(node, Decision)
    assert int(made.last()[0]["action_mask"].sum()) == len(node.actions)
    assert [str(one.message) for one in found if one.category is UserWarning] == [*map(str, loaded.warnings)]
    return 0, "\n".join(str(one.message) for one in found)


@pytest.mark.thorough_of("chess 4k3/8/8/8/8/8/P7/R2K3R w KQ - 0 1", "crazyhouse 4k3/8/8/8/8/8/8/4K3[P] w Kq - 0 1")
@pytest.mark.parametrize("case", [pytest.param(case, marks=() if n % 5 == 0 else pytest.mark.thorough) for n, case in
                                  enumerate(BAD)], ids=lambda case: f"{case[0]} {case[1]}")  # fmt: skip
def test_an_environment_refuses_and_repairs_alike(case: tuple[str, ...], tmp_path: Path):
    game, text, refusal, repair = case
    status, said = by_environment(game, text, tmp_path)
    assert (refusal or repair) in said and status == (1 if refusal else 0)

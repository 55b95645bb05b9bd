"""The doors for programs: settings where a name is solved, searches with any options, nodes told both ways."""

from typing import Any

import pytest

import gdl
from gdl.errors import Refusal


def test_a_name_is_solved_with_settings_and_after_actions() -> None:
    assert (
        gdl.solve("nim", settings={"heaps": [1, 2]}).value
        == gdl.solve(gdl.load("nim", settings={"heaps": [1, 2]})).value
    )
    begun = gdl.solve("nim", settings={"heaps": [1, 2]}, after=["take(2, 1)"])
    assert begun.value == (1, -1)  # of two equal heaps who moves, here Second, loses: the other copies


def test_a_loaded_game_takes_no_settings_again() -> None:
    with pytest.raises(Refusal, match=r"give them to gdl\.load"):
        gdl.solve(gdl.load("nim"), settings={"heaps": [1]})


def test_a_search_with_any_options_is_called_with_the_game_alone() -> None:
    given: list[dict[str, Any]] = []

    def mine(game: Any, **options: Any) -> int:
        given.append(options)
        return 0

    assert gdl.solve("tic_tac_toe", mine, nodes=100_000).exact
    assert given == [{"nodes": 100_000}]

"""A wrong call of an environment gets a message of one line that says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gdl
from gdl.errors import GameError, Refusal

LOADED: dict[str, Any] = {}


def game(name: str) -> Any:
    return LOADED.setdefault(name, gdl.load(name))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: gdl.solve(game("nim").environment()), "CompiledEnvironment is no game: it has no name, traits"),
        (lambda: gdl.make_vec(None, 2), "NoneType is no game"),
        (lambda: game("nim").environments(10**12), "a play at least, and 16,777,216 at most, not 1000000000000"),
        (lambda: gdl.make_vec("figure_5_2", 10**12), "a play at least, and 16,777,216 at most, not 1000000000000"),
        (lambda: game("nim").environments(2).step(None), "None is no list of actions"),
    ],
)
def test_a_wrong_call_is_told(call: Callable[[], Any], told: str) -> None:
    with pytest.raises((GameError, Refusal)) as wrong:
        call()
    assert told in str(wrong.value)

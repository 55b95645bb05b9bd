"""The environment of a game, on the engine that fits."""

from __future__ import annotations

from typing import Any

from gdl.environments.environment import Environment
from gdl.environments.reference import ReferenceEnvironment
from gdl.errors import Refusal
from gdl.game import Game

ENGINES = ("auto", "interpreter")


def environment(game: Game[Any], *, engine: str = "auto", seed: int = 0) -> Environment:
    """A game, ready to be stepped. The seed decides what chance does.

    Raises Refusal where the actions of the game cannot be numbered.
    """
    if engine not in ENGINES:
        raise Refusal(f"there is no engine {engine!r} for environments: take one of {', '.join(ENGINES)}")
    return ReferenceEnvironment(game, seed=seed)

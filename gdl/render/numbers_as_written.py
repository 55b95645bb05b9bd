"""Numbers in pictures as the game's file writes them: 0.25 in a file with decimals, 1/4 in one with fractions, and
amounts to pay in one that states costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from gdl.game import Game
from gdl.model.games import MatrixModel, TreeModel
from gdl.numbers import costs, decimals
from gdl.states.checked_game import ensure_checked

P = ParamSpec("P")
T = TypeVar("T")


def numbers_as_in_file(function: Callable[Concatenate[Game[Any], P], T]) -> Callable[Concatenate[Game[Any], P], T]:
    """Decorate a function whose first argument is a game, so that it writes numbers as decimals or as costs if the
    game's file does."""

    @wraps(function)
    def writing(game: Game[Any], /, *args: P.args, **kwargs: P.kwargs) -> T:
        game = ensure_checked(game)
        with decimals(_has_decimals(game)), costs(game.promises.cost):
            return function(game, *args, **kwargs)

    return writing


def _has_decimals(game: Any) -> bool:
    """True if the file of a tree or a matrix has decimal numbers. The game may be wrapped (begun at a later position);
    False for a game by rules, which computes its numbers."""
    while game is not None:
        model = getattr(game, "model", None)
        if isinstance(model, TreeModel | MatrixModel):
            return model.decimals
        game = getattr(game, "game", None)
    return False

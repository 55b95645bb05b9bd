"""The options of the solvers: their names, their types, and what each means in whatever solver takes it.

The command line offers the same. A test holds the types to the parameters of the solvers' functions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pkgutil import get_data
from typing import Any, Literal, TypedDict

from gdl.errors import Refusal, clean, listing, nearest
from gdl.game import Game

MEANING: Mapping[str, str] = json.loads(get_data("gdl.solvers", "option_meanings.json") or b"")


class SolverOptions(TypedDict, total=False):
    """The options of all solvers; each solver takes some of them, and None counts as not given. MEANING says what each
    is for."""

    amaf: float | None
    as_: str | None
    assume: tuple[str, ...] | None
    c: float | None
    cells: int | None
    checkpoint: str | None
    counts: str | None
    cut: Literal["ge", "gt"] | None
    depth: int | None
    expand: bool | None
    for_: str | None
    iterations: int | None
    kind: Literal["strict", "weak"] | None
    label: int | None
    lambda_: float | None
    method: Literal["plus", "discounted", "predictive"] | None
    most: int | None
    nodes: int | None
    payoff: str | None
    order: Literal["given", "reverse", "best", "worst"] | None
    rays: int | None
    regret: Fraction | None
    seed: int | None
    selective: bool | None
    simulations: int | None
    stop: Literal["decided", "value"] | None
    supports: int | None
    symmetry: bool | None
    threads: int | None
    time: float | None
    values: bool | None
    window: str | None


class Options(SolverOptions, total=False):
    """The options of `solve` beside a game and the name of a solver."""

    concept: str | None  # what counts as an answer: a key of CONCEPTS
    progress: Callable[[int], None] | None  # is told how many nodes were looked at


def player_called(game: Game[Any], name: str | None) -> int:
    """The number of the player of this name; 0 if the name is None. Raises Refusal if nobody is called so."""
    if name is None:
        return 0
    if name in game.players:
        return game.players.index(name)
    near = nearest(name, game.players)
    meant = f"did you mean {near}?" if near else f"the players are {listing(game.players)}"
    raise Refusal(f"no player of {game.name} is called '{clean(name)}'; {meant}")

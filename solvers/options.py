"""The options of the solvers: their names, their types, and what each means in whatever solver takes it.

The command line offers the same. A test holds the types to the parameters of the solvers' functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Literal, TypedDict

from gdl.errors import Refusal, clean, listing, nearest
from gdl.game import Game

MEANING: Mapping[str, str] = {
    "cut": "Prune when alpha >= beta (ge) or only when alpha > beta (gt)",
    "order": "Look at the actions in this order",
    "window": "Begin at the root with this window, LOW..HIGH",
    "depth": "Search to this depth in plies, and estimate there",
    "time": "Stop after this many seconds",
    "seed": "The seed of the random numbers",
    "nodes": "Stop after this many nodes",
    "symmetry": "Treat symmetric positions as one",
    "simulations": "Play this many games at random",
    "values": "List the values of all positions as well",
    "kind": "Eliminate what is dominated in this sense",
    "method": "The way in which old regrets count",
    "iterations": "Stop after this many iterations",
    "regret": "Stop when no player can gain more than this by deviating, such as 1/1000",
    "checkpoint": "Continue from this file, if it exists, and write it when the work stops",
    "cells": "Look at strategic forms up to this size",
    "most": "List at most this many equilibria",
    "payoff": "Show an equilibrium that pays this, as in '(7, 7)'",
    "supports": "Try this many supports of a stage",
    "c": "How much to explore: the constant of UCT",
    "stop": "Stop before the limit if more work would hardly matter",
    "label": "Drop this strategy as the label, the first player's being counted first",
    "amaf": "Count the results of an action wherever it was played as this many visits for each action (0: none)",
    "as_": "Let this player be the leader",
    "lambda_": "How precise the players are: 0 is random play",
    "counts": "Find the lambda at which the counts of play in this table (CSV) are most likely",
    "for_": "Maximise this player's utility instead of the sum",
    "rays": "Follow the paths of this many rays of bonuses",
    "selective": "Search unpromising actions less deeply or not at all, and the rest more deeply",
    "assume": "Answer only for open numbers that satisfy this, as in 'B >= max(C, D)'; may be repeated",
    "expand": "Multiply out conditions with min and max",
    "threads": "Let this many threads search at the same time",
}


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

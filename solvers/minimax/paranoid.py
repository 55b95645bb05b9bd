"""PARANOID: what each player secures, though all others should join against them.

For every player in turn, whoever moves first before the rest:

1. All others are taken for one opponent, who wants this player's utility to be least. So the game of many becomes one
   of two sides whose interests are opposed.
2. Alpha-beta searches it from left to right, Star1 at chance nodes (star.py): with two sides deep pruning is sound,
   which it is not for max^n.

The number is a guarantee, not a forecast: whatever the others do, alone or together, the player gets no less on
average, and nothing that the player could do, mixed strategies included, secures more. Others who look after
themselves often leave a player more than that; the strategies are no equilibrium.

Sources: Sturtevant and Korf, On pruning techniques for multi-player games, AAAI 2000; von Neumann and Morgenstern,
Theory of Games and Economic Behavior, 1944 (the least that a player can be held to by a coalition).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import Any

from gdl.game import Bounds, Decision, Game, Node, Number, Promises, Terminal, Traits, require_number
from gdl.solution import Profile, Rule, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering, rest_bounds
from gdl.solvers.certificate import MANY_CHOICES
from gdl.solvers.minimax.star import UNBOUNDED, UNTIED, StarRun, run_star_search
from gdl.solvers.needs import ALL_SEEN, Unmet
from gdl.solvers.solver import Solver
from gdl.states.game_wrapper import GameWrapper

# One player against all others: a game of many seen by somebody who expects the worst, as a Game around a Game.


class Coalition(GameWrapper):
    """The game in which everybody but one player is one opponent, who wants that player's utility to be least."""

    def __init__(self, game: Game[Any], player: int):
        super().__init__(game)
        self.player = player
        self.players = (game.players[player], "the others")
        inner = game.promises
        self.promises = Promises(
            bounds=lambda state: self._sides(inner.bounds(state)) or None,
            proved=lambda: self._sides(inner.proved()),
            proved_of_estimates=lambda: self._sides(inner.proved_of_estimates()),
        )

    @cached_property
    def traits(self) -> Traits:
        return replace(self.game.traits, players=2, zero_sum=True, constant_sum=0)

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Terminal):
            own = require_number(node.utilities[self.player])
            return Terminal((own, -own))
        if isinstance(node, Decision):
            return Decision(int(node.player != self.player), node.actions)
        return node

    def information_set(self, state: Any, player: int) -> Hashable:
        return self.game.information_set(state, self._mover(state))

    def describe(self, state: Any, player: int) -> str:
        return self.game.describe(state, self._mover(state))

    def _mover(self, state: Any) -> int:
        node = self.game.node(state)
        return node.player if isinstance(node, Decision) else self.player

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        found = self.game.evaluate(state)
        return None if found is None else (found[self.player], -found[self.player])

    def _sides(self, bounds: Bounds | None) -> Bounds:
        """The bounds of both sides, from those of all players."""
        return (bounds[self.player], rest_bounds(bounds[self.player], 0)) if bounds else ()


def paranoid(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, depth: int | None = None) -> Solution:
    """The value that each player secures against all others together, and the actions with which the first mover does
    so. `depth` cuts the search off after that many plies and takes EVAL there. Nodes and leaves are those of the search
    for the first mover."""
    budget = limits.budget()
    start = game.node(game.initial())
    mover = start.player if isinstance(start, Decision) else 0
    order = [mover, *(player for player in range(len(game.players)) if player != mover)]
    found: dict[int, Solution] = {}
    answer = PARANOID.answer(game, exact=False)
    try:
        with answering(lambda: replace(_mover(answer, found, mover), nodes=budget.spent)):
            for player in order:
                run = StarRun(game, player, recorded=False)
                found[player] = run_star_search(PARANOID, Coalition(game, player), Rule("ge"), depth, budget, run)
    except Unmet as unmet:  # the game, not the two sides that were made of it, is to be spoken of
        raise Unmet(PARANOID.name, unmet.needs, game, unmet.trait, unmet.hint) from None
    return _answer(game, _mover(answer, found, mover), found, mover, budget)


def _mover(answer: Solution, found: dict[int, Solution], mover: int) -> Solution:
    """The answer completed by the result of the search for the first mover, if that search is done."""
    if mover not in found:
        return answer
    own = found[mover]
    return replace(answer, best=own.best, line=own.line, nodes=own.nodes, leaves=own.leaves, limit=own.limit)


def _answer(game: Game[Any], answer: Solution, found: dict[int, Solution], mover: int, budget: Budget) -> Solution:
    values = [found[player].value for player in range(len(found))]
    exact = all(each.exact for each in found.values())
    strategy = _strategy(answer, found) if exact else None
    notes = [note for note in found[mover].notes if note in (UNBOUNDED, UNTIED)]
    if len(found) > 1:
        others = budget.spent - (answer.nodes or 0)
        notes.append(f"{others:,} nodes more were visited to find what the others secure")
    if exact and strategy is None:
        notes.append(MANY_CHOICES)
    return replace(
        answer,
        exact=exact,
        value=tuple(value[0] for value in values if value is not None),
        secured=not game.traits.has_scalar_value,
        strategy=strategy,
        notes=tuple(notes),
    )


def _strategy(answer: Solution, found: dict[int, Solution]) -> Profile | None:
    """For each player the strategy that secures the player's value; None if one of them is not known."""
    strategies = [found[player].strategy for player in range(len(found))]
    known = [strategy for strategy in strategies if strategy is not None]
    if len(known) < len(strategies):
        return None
    return {name: strategy[name] for name, strategy in zip(answer.players, known, strict=True)}


PARANOID = Solver(
    name="paranoid",
    run=paranoid,
    needs=ALL_SEEN,
    summary="what each player secures though all others join against them, by alpha-beta",
    advised={"cyclic": False},
    extent="whole",
)

"""How the computer plays its side of a match."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

from gdl.commands import telling
from gdl.commands.engines import falling_back
from gdl.commands.limiting import NONE
from gdl.errors import LimitReached, Refusal, clean
from gdl.game import Action, Decision, Game, Simultaneous, Utility
from gdl.numbers import to_text
from gdl.sequential import Sequential, Turn
from gdl.solution import Profile, Solution

# How the computer finds a move where nothing is hidden and no solver was asked for: the first way that succeeds.
WAYS: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("maxn", {"nodes": 10_000}),
    ("retrograde", {"nodes": 10_000}),
    ("depth-limited", {"nodes": 10_000}),
    ("mcts", {"simulations": 200}),
)

_INSTANT = 0.001  # seconds


class Computer:
    """Plays by a solver: by the solution of each position where all is seen, else by strategies for the whole game,
    which look at nothing that the player does not know."""

    def __init__(self, game: Game[Any], solver: str, seed: int, time: float | None = None):
        """`time`: the seconds for a move; then it is told how the move is judged."""
        self.game = game
        self.time = time
        self.turns = Sequential(game)
        self.solver = solver
        self.seed = seed

    def move(self, state: Turn, player: int) -> Action:
        """What the player does at the state."""
        node = self.turns.node(state)
        assert isinstance(node, Decision)
        if len(node.actions) == 1:
            return node.actions[0]
        joint = isinstance(self.game.node(state.state), Simultaneous)
        if self.game.traits.perfect_information and not joint:
            find = self._solved if self.time is None else self._in_time
            return find(state.state) or self._at_random(state, player, node.actions)
        return self._by_strategy(state, player, node.actions)

    def _solved(self, state: Any) -> Action | None:
        """The action to play at a position, if a way to find it succeeds."""
        from gdl.position import Continuation

        position = Continuation(self.game, state)
        ways = WAYS if self.solver == "auto" else ((self.solver, {}),)
        for solver, options in ways:
            if solver == "depth-limited" and position.evaluate(state) is None:
                continue
            solution = self._solution(position, solver, options)
            if solution is not None and solution.best:
                return solution.best[0]
        return None

    def _in_time(self, state: Any) -> Action | None:
        """The best action that is found in the time for a move.

        Where the file gives an evaluation, the search goes deeper and deeper. Else part of the time is for playing the
        game to its end everywhere, and, where that was too short, the other part for simulations.
        """
        from gdl.position import Continuation

        assert self.time is not None
        position = Continuation(self.game, state)
        for solver, share in self._ways_in_time(state):
            solution = self._solution(position, solver, {"time": share * self.time})
            if solution is not None and solution.best and (solution.exact or solver != "alpha-beta"):
                telling.line(judgement(solution))
                return solution.best[0]
        return None

    def _ways_in_time(self, state: Any) -> list[tuple[str, float]]:
        """Solvers, each with its share of the time."""
        if self.solver != "auto":
            return [(self.solver, 1.0)]
        if self.game.evaluate(state) is not None:
            return [("depth-limited", 1.0), ("mcts", 1.0)]
        return [("alpha-beta", 0.3), ("mcts", 0.7)]

    def get_ready(self) -> None:
        """Make what the searches need before the first move, whose time it would take."""
        state = self.game.initial()
        searches = self.time is not None and self.game.traits.perfect_information
        if searches and isinstance(self.game.node(state), Decision):
            for solver, _ in self._ways_in_time(state):
                self._solution(self.game, solver, {"time": _INSTANT})

    def _solution(self, game: Game[Any], solver: str, options: Mapping[str, float]) -> Solution | None:
        """The solution, as far as it goes; None where the solver does not suit the game. (One that was asked for by
        name must.)"""
        from solvers import solve

        try:
            with NONE.watched() as progress:
                return falling_back(
                    lambda: solve(game, solver, seed=self.seed, progress=progress, **options), game, self.game
                )
        except LimitReached as stop:
            return stop.partial if isinstance(stop.partial, Solution) else None
        except Refusal:
            if self.solver != "auto":
                raise
            return None

    def _by_strategy(self, state: Turn, player: int, actions: Sequence[Action]) -> Action:
        """A draw from the player's strategy at what the player knows."""
        from gdl.match import weighted

        known = self.turns.describe(state, player)
        mixture = self._profile.get(self.game.players[player], {}).get(known)
        if not mixture:
            return self._at_random(state, player, actions)
        return weighted(dict(mixture), Random(f"{self.seed}/{player}/{known}"))

    @cached_property
    def _profile(self) -> Profile:
        """Strategies for the whole game; {} where none were found."""
        solution = self._solution(self.game, self.solver, {})
        if solution is None:
            telling.remark("no strategy was found, so the computer plays at random")
            return {}
        return solution.strategy or next(iter(solution.equilibria), {})

    def _at_random(self, state: Turn, player: int, actions: Sequence[Action]) -> Action:
        from gdl.match import weighted

        known = self.turns.describe(state, player)
        even = dict.fromkeys(actions, Fraction(1, len(actions)))
        return weighted(dict(even), Random(f"{self.seed}/{player}/{known}"))


def judgement(solution: Solution) -> str:
    """What a search expects of its best action: the value, the line, and how deep it looked."""
    from gdl.match import WIDTH

    value = ""
    if solution.value is not None:
        worth = zip(solution.players, solution.value, strict=True)
        value = ", ".join(f"{player} {_rounded(number)}" for player, number in worth)
        value = f": {value}{'' if solution.exact else ' (an estimate)'}"
    line = f", by {' '.join(solution.line)}" if solution.line else ""
    return textwrap.fill(clean(f"{solution.best[0]}{value}{line}{_effort(solution)}."), WIDTH)


def _rounded(number: Utility | float) -> str:
    return f"{number:.3g}" if isinstance(number, float) else to_text(number)


def _effort(solution: Solution) -> str:
    """How far the search went: its first note; of simulations how many there were."""
    if solution.solver == "mcts":
        return f"; {solution.nodes:,} positions were met in simulated plays"
    return f"; {solution.notes[0]}" if solution.notes else ""

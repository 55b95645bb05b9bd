"""Marks for moves by the chances that they give away: one rule for `gdl analyse` and for the page to play on.

1. The value of a position to a player becomes chances, from -1 to 1. A proved value, or the mean of simulated plays,
   counts by its place between the least and the greatest utility. An estimate by the file's evaluation counts by how
   far the player is ahead of the best of the others, x: 2 / (1 + exp(-x / u)) - 1, where u is how far one is usually
   ahead in random play.
2. A move that costs 0.3 of that beside the best one is marked `??`, 0.2 `?`, 0.1 `?!`.
3. Where both values are proved, and there is no chance, it is `??` to give a win or a draw away, and at least `?!` to
   give anything away.
4. Every move of a play is judged by the worth of the positions before and after it.

Source of 1 and 2: lila, the server of lichess.org, modules/tree/src/main/Advice.scala, and scalachess, eval.scala.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from typing import Any, NamedTuple

from gdl.compiler.compiled_engine import by_rules, falling_back, is_by_rules
from gdl.errors import EngineFault, GameError, LimitReached, Refusal
from gdl.game import Action, Chance, Decision, Game, Number, Terminal, Unknown, surely_at
from gdl.interpreter.position import Continuation
from gdl.solution import Solution
from gdl.states.explore import Progress
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.sequential import Sequential
from gdl.wings.arena.answers import Mark, MoveJudgement

MARKS: Sequence[tuple[float, Mark]] = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))
PLAYS, PLIES = 8, 60  # of random play, to find out how far one is usually ahead
Values = Sequence[Any]


class PositionWorth(NamedTuple):
    """The value of a position to everybody (None: nothing is known), with the best actions, and whether the value is
    proved, or an estimate by the file's evaluation."""

    value: tuple[Number | float, ...] | None
    exact: bool
    best: tuple[Action, ...] = ()
    evaluated: bool = False


@dataclass(frozen=True)
class JudgingScale:
    """How the values of a game become chances: each player's least and greatest utility (`bounds`), how far one is
    usually ahead by the file's evaluation (`usual`; 0: there is none), and if chance moves in the game."""

    bounds: tuple[tuple[float, float], ...]
    usual: float
    chance: bool

    def chances(self, worth: PositionWorth, player: int) -> float:
        """The player's chances at a position, from -1 to 1."""
        value = worth.value or ()
        if worth.evaluated and self.usual and len(value) > 1:
            return 2 / (1 + exp(-max(-50.0, min(50.0, lead(value, player) / self.usual)))) - 1
        low, high = self.bounds[player]
        at = max(low, min(high, float(value[player])))
        return 2 * (at - low) / (high - low) - 1 if high > low else 0.0

    def mark(self, best: PositionWorth, made: PositionWorth, player: int) -> Mark:
        """The mark of the player's move to a position of worth `made` where one of worth `best` could be had; "": no
        mark."""
        assert best.value is not None and made.value is not None
        lost = self.chances(best, player) - self.chances(made, player)
        if best.exact and made.exact and not self.chance and made.value[player] < best.value[player]:
            return "??" if standing(made.value, player) < standing(best.value, player) else _mark(lost) or "?!"
        return _mark(lost)


def _mark(lost: float) -> Mark:
    return next((mark for least, mark in MARKS if lost >= least), "")


def lead(value: Values, player: int) -> float:
    """How far the player is ahead of the best of the others; behind, if negative."""
    return float(value[player]) - max(float(other) for p, other in enumerate(value) if p != player)


def standing(value: Values, player: int) -> int:
    """1 where the player wins, 0 where nobody is ahead of them and somebody level, -1 where somebody is."""
    if len(value) < 2:
        return 0
    margin = lead(value, player)
    return (margin > 0) - (margin < 0)


def scale(game: Game[Any]) -> JudgingScale:
    """The scale of a game. The usual lead is measured in random plays, always the same ones."""
    known = surely_at(game, game.initial())
    bounds = tuple((-1.0 if low is None else float(low), 1.0 if high is None else float(high)) for low, high in known)
    met = [abs(lead(value, 0)) for value in _evaluations(game)] if len(game.players) > 1 else []
    return JudgingScale(bounds, sum(met) / len(met) if met else 0.0, game.traits.chance is not False)


def _evaluations(game: Game[Any]) -> list[Values]:
    """The evaluations of the positions of some random plays, where players take turns; computed on the compiled engine
    if it takes the game."""
    from gdl.compiler import wasm
    from gdl.wings.arena.random_evaluations import evaluations

    if game.evaluate(game.initial()) is None:
        return []
    if wasm.available() and is_by_rules(game):
        with suppress(Refusal, EngineFault):
            return [*evaluations(*by_rules(game), PLAYS, PLIES, Generator(1))]
    return [*evaluations_by_rules(game, Generator(1))]


def evaluations_by_rules(game: Game[Any], generator: Generator) -> Iterator[Values]:
    """The evaluations of positions met in random plays by the interpreter."""
    for _ in range(PLAYS):
        state, node = game.initial(), game.node(game.initial())
        for _ in range(PLIES):
            if not isinstance(node, Chance | Decision):
                break
            state = game.successor(state, random_move(node, generator))
            node = game.node(state)
            if not isinstance(node, Terminal) and (value := game.evaluate(state)):
                yield value


class PlayAnalysis:
    """Judges moves by the worth of the positions before and after them."""

    def __init__(self, game: Game[Any], seconds: float, first: float, fault: Callable[[EngineFault], None]):
        """`seconds` is the time for a position, `first` that for the first one, which is less if some is spent already.
        `fault` is called if the compiled engine fails."""
        self.game = Sequential(game)
        self.inner = game
        self.seconds, self._next, self.fault = seconds, first, fault
        self.scale = scale(game)

    def judge_moves(self, actions: Sequence[Action], progress: Progress) -> Iterator[MoveJudgement]:
        """The judgements of all moves of players; outcomes of chance are no moves. `progress` is told the number of
        plies."""
        state = self.game.initial()
        for ply, action in enumerate(actions, start=1):
            node = self.game.node(state)
            if isinstance(node, Decision):
                yield self._judge_move(ply, state, node, action)
            state = self.game.successor(state, action)
            progress(ply)

    def _judge_move(self, ply: int, state: Any, node: Decision, action: Action) -> MoveJudgement:
        player, name = node.player, self.game.players[node.player]
        before = self.worth(state) if len(node.actions) > 1 else PositionWorth(None, True, (action,))
        if action in before.best:
            value = None if before.value is None else before.value[player]
            return MoveJudgement(ply, name, action, "", before.exact, 0, action, value)
        if not before.best:
            return MoveJudgement(ply, name, action, "", False, None, None, None)
        best = before.best[0]
        after = self.worth(self.game.successor(state, action))
        if not (before.exact and after.exact):  # two estimates, as deep as each other
            before = self.worth(self.game.successor(state, best))._replace(exact=False)
        if before.value is None or after.value is None:
            return MoveJudgement(ply, name, action, "", False, None, best, None)
        exact = before.exact and after.exact
        cost = max(0, before.value[player] - after.value[player])
        mark = self.scale.mark(before, after, player)
        return MoveJudgement(ply, name, action, mark, exact, cost, best, before.value[player])

    def worth(self, state: Any) -> PositionWorth:
        """The worth of a position: by the rules at an end, by the average at a move of chance, else by a search."""
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return PositionWorth(_known_utilities(node.utilities), True)
        if isinstance(node, Chance):
            return self._average(state, node)
        return self._search_worth(Continuation(self.inner, state.state))

    def _average(self, state: Any, node: Chance) -> PositionWorth:
        found = [(share, self.worth(self.game.successor(state, outcome))) for outcome, share in node.outcomes]
        if any(worth.value is None for _, worth in found):
            return PositionWorth(None, False)
        players = range(len(self.game.players))
        value = tuple(sum(share * worth.value[p] for share, worth in found if worth.value) for p in players)
        return PositionWorth(
            value, all(worth.exact for _, worth in found), (), any(worth.evaluated for _, worth in found)
        )

    def _search_worth(self, position: Game[Any]) -> PositionWorth:
        from gdl.solvers import solve

        found: Any = None
        time, self._next = self._next, self.seconds
        try:
            found = falling_back(lambda: solve(position, time=time), position, self.fault)
        except LimitReached as stop:
            found = stop.partial
        except (Refusal, GameError):
            found = None
        if not isinstance(found, Solution) or found.value is None:
            return PositionWorth(None, False, found.best if isinstance(found, Solution) else ())
        return PositionWorth(found.value, found.exact, found.best, not found.exact and found.solver != "mcts")


def _known_utilities(utilities: Sequence[Any]) -> tuple[Number, ...] | None:
    """The utilities of an end; None where the file leaves one open."""
    return None if any(isinstance(utility, Unknown) for utility in utilities) else tuple(utilities)

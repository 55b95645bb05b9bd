"""What a move gives away, and the mark that it gets for that: one rule for `gdl analyse` and for the page to play on.

1. What a position is worth to a player becomes chances, from -1 to 1. What is proved, or the mean of simulated plays,
   counts by its place between the least and the greatest utility. An estimate by the file's evaluation counts by how
   far the player is ahead of the best of the others, x: 2 / (1 + exp(-x / u)) - 1, where u is how far one is usually
   ahead in random play.
2. A move that costs 0.3 of that beside the best one is marked `??`, 0.2 `?`, 0.1 `?!`.
3. Where both are proved, and there is no chance, it is `??` to give a win or a draw away, and at least `?!` to give
   anything away.

Source of 1 and 2: lila, the server of lichess.org, modules/tree/src/main/Advice.scala, and scalachess, eval.scala.
There u is 2.7 pawns; in chess it comes to 4.0 here. What plays one move ahead fit is near it in checkers and pig, and
far from it in breakthrough and chess, of which there were few such plays: the marks of estimates are a convention.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import exp
from typing import Any, NamedTuple

from gdl.errors import EngineFault, Refusal
from gdl.formats.answer_records import Mark
from gdl.game import Action, Chance, Decision, Game, Number, Terminal, surely_at
from gdl.states.chance_sampler import ExactChanceSampler
from gdl.states.random_numbers import Generator

MARKS: Sequence[tuple[float, Mark]] = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))
PLAYS, PLIES = 8, 60  # of random play, in which evaluations are compared
Values = Sequence[Any]


class PositionWorth(NamedTuple):
    """What a position is worth to everybody (None: nothing is known), whether that is proved, the best actions, and
    whether it is an estimate by the file's evaluation."""

    value: tuple[Number | float, ...] | None
    exact: bool
    best: tuple[Action, ...] = ()
    evaluated: bool = False


@dataclass(frozen=True)
class JudgingScale:
    """Of a game: between which utilities each player's lie, how far one is usually ahead by the file's evaluation (0:
    it has none), and whether chance has a say."""

    bounds: tuple[tuple[float, float], ...]
    usual: float
    chance: bool

    def chances(self, worth: PositionWorth, player: int) -> float:
        """What a position is worth to the player, from -1 to 1."""
        value = worth.value or ()
        if worth.evaluated and self.usual and len(value) > 1:
            return 2 / (1 + exp(-max(-50.0, min(50.0, ahead(value, player) / self.usual)))) - 1
        low, high = self.bounds[player]
        at = max(low, min(high, float(value[player])))
        return 2 * (at - low) / (high - low) - 1 if high > low else 0.0

    def mark(self, best: PositionWorth, made: PositionWorth, player: int) -> Mark:
        """The mark of a move that leads to `made` where `best` could be had."""
        assert best.value is not None and made.value is not None
        lost = self.chances(best, player) - self.chances(made, player)
        if best.exact and made.exact and not self.chance and made.value[player] < best.value[player]:
            return "??" if standing(made.value, player) < standing(best.value, player) else _mark(lost) or "?!"
        return _mark(lost)


def _mark(lost: float) -> Mark:
    return next((mark for least, mark in MARKS if lost >= least), "")


def ahead(value: Values, player: int) -> float:
    """How far the player is ahead of the best of the others; behind, if negative."""
    return float(value[player]) - max(float(other) for p, other in enumerate(value) if p != player)


def standing(value: Values, player: int) -> int:
    """1 where the player wins, 0 where nobody is ahead of them and somebody level, -1 where somebody is."""
    if len(value) < 2:
        return 0
    lead = ahead(value, player)
    return (lead > 0) - (lead < 0)


def scale(game: Game[Any]) -> JudgingScale:
    """The scale of a game, its evaluations met in random play, always the same."""
    known = surely_at(game, game.initial())
    bounds = tuple((-1.0 if low is None else float(low), 1.0 if high is None else float(high)) for low, high in known)
    met = [abs(ahead(value, 0)) for value in _evaluations(game)] if len(game.players) > 1 else []
    return JudgingScale(bounds, sum(met) / len(met) if met else 0.0, game.traits.chance is not False)


def _evaluations(game: Game[Any]) -> list[Values]:
    """The evaluations of the positions of some random plays, as far as these are turns taken one after the other: on
    the compiled engine, where it takes the game."""
    from gdl.compiler import wasm
    from gdl.compiler.compiled_engine import by_rules, is_by_rules
    from gdl.compiler.searches.playouts_driver import evaluations

    if game.evaluate(game.initial()) is None:
        return []
    if wasm.available() and is_by_rules(game):
        with suppress(Refusal, EngineFault):
            return [*evaluations(*by_rules(game), PLAYS, PLIES, Generator(1))]
    return [*_by_interpreter(game, Generator(1))]


def _by_interpreter(game: Game[Any], generator: Generator) -> Iterator[Values]:
    """The same by the rules as they stand."""
    wheels = ExactChanceSampler()
    for _ in range(PLAYS):
        state = game.initial()
        for _ in range(PLIES):
            node = game.node(state)
            if isinstance(node, Chance):
                state = game.successor(state, node.outcomes[wheels.draw(node, generator)][0])
            elif isinstance(node, Decision):
                state = game.successor(state, node.actions[generator.below(len(node.actions))])
            else:
                break
            if isinstance(game.node(state), Terminal):
                break
            if value := game.evaluate(state):
                yield value

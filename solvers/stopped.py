"""Proven bounds of everyone's value where a limit stops a solver.

1. Strategies for two players of constant sum, with their regrets, enclose the value from both sides.
2. What a search has proved of one of them, and what the file promises or its rules prove of all utilities, hold as
   well.

So a solver that has found nothing still leaves the bounds that are known without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from gdl.errors import GameError, Interrupted, LimitReached
from gdl.game import Bounds, Decision, Game, Number, exact, greatest_at, least_at, tightest
from gdl.solution import UNLOOKED, Solution


@contextmanager
def proving(game: Game[Any], solver: str) -> Iterator[None]:
    """If a limit or Ctrl-C stops the solver in the block, attach to the exception the partial answer with what is
    proven of the value."""
    try:
        yield
    except LimitReached as stop:
        stop.partial = so_far(game, solver, stop.partial, str(stop))
        raise
    except KeyboardInterrupt as stop:
        partial = so_far(game, solver, getattr(stop, "partial", None), str(Interrupted()))
        told = partial.nodes is not None or partial.interval or says_something(partial)
        raise Interrupted(partial if told else None) from None


def so_far(game: Game[Any], solver: str, partial: object, limit: str) -> Solution:
    """The partial answer of a solver, with proven bounds of the value; `partial` that is no Solution counts as none."""
    found = partial if isinstance(partial, Solution) else None
    answer = found or Solution(game.name, solver, game.players, game.traits, exact=False, limit=limit)
    if not says_something(answer):
        answer = replace(answer, exact=False)
    if answer.exact or answer.secured or answer.unknowns or game.traits.unknowns:
        return answer
    return replace(answer, interval=enclosing_bounds(game, answer))


def says_something(answer: Solution) -> bool:
    """True if the answer says what anybody gets, or how to play."""
    told = (answer.best, answer.strategy, answer.equilibria, answer.distribution, answer.unknowns)
    return answer.value is not None or any(map(bool, told)) or bool(answer.coalitions or answer.combinatorial)


def with_a_move(game: Game[Any], answer: Solution) -> Solution:
    """The answer, or if it was stopped before it found anything, with the first legal action and a note that nothing
    speaks for that."""
    start = game.node(game.initial())
    if answer.best or answer.strategy or answer.equilibria or not isinstance(start, Decision) or game.traits.unknowns:
        return answer
    return replace(answer, best=start.actions[:1], notes=(*answer.notes, UNLOOKED))


def enclosing_bounds(game: Game[Any], answer: Solution) -> Bounds | None:
    """Bounds on the values, as far as the answer, the file and its rules prove them; None if nothing is known of any
    player's."""
    bounds = promised_bounds(game)
    for proven in (answer.interval, _by_regret(answer)):
        bounds = bounds if proven is None else tightest(bounds, proven)
    bounds = _of_both(game, bounds)
    return bounds if any(end is not None for pair in bounds for end in pair) else None


def promised_bounds(game: Game[Any]) -> Bounds:
    """The bounds of every player's value that the file promises or its rules prove."""
    try:
        start = game.initial()
        return _of_both(game, tuple(zip(least_at(game, start), greatest_at(game, start), strict=True)))
    except GameError:  # a promise that cannot be computed
        return ((None, None),) * len(game.players)


def _of_both(game: Game[Any], bounds: Bounds) -> Bounds:
    """The bounds of two opponents of constant sum, each tightened by the other's; other bounds as they are."""
    if len(bounds) == 2 and game.traits.constant_sum is not None:
        return tightest(bounds, _bounds_from_opponent(bounds, game.traits.constant_sum))
    return bounds


def _by_regret(answer: Solution) -> Bounds | None:
    """The bounds on the values of two opponents by the value of the answer's strategies and their regrets; None if
    these are not known exactly."""
    traits, value, regret = answer.traits, answer.value, answer.regret
    opposed = len(answer.players) == 2 and traits is not None and traits.constant_sum is not None
    if not opposed or value is None or regret is None or any(isinstance(number, float) for number in value):
        return None
    return tuple((exact(value[p] - regret[1 - p]), exact(value[p] + regret[p])) for p in (0, 1))  # type: ignore[arg-type]


def _bounds_from_opponent(bounds: Bounds, total: Number) -> Bounds:
    """The bounds of each of two opponents that follow from those of the other."""
    first, second = bounds
    return (rest_bounds(second, total), rest_bounds(first, total))


def rest_bounds(pair: tuple[Number | None, Number | None], total: Number) -> tuple[Number | None, Number | None]:
    """The bounds of the rest of the total, by the bounds of a part of it (None: no bound)."""
    low, high = pair
    return (None if high is None else exact(total - high), None if low is None else exact(total - low))


def secured_bounds(answer: Solution, mover: int, value: tuple[Number, ...]) -> Bounds:
    """The proven bounds when the first mover has an action that was searched to its end and has this value: the mover
    gets at least that much."""
    return tuple((value[p] if p == mover else None, None) for p in range(len(answer.players)))

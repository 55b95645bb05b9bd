"""Judges of positions, by which a report sees who leads: exact values, the file's own evaluation, or a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gdl.compiler.compiled_engine import falling_back, offer
from gdl.errors import Refusal, clean
from gdl.game import Game
from gdl.interpreter.position import Continuation
from gdl.states.sequential import Sequential, Turn
from gdl.wings.arena.computer import NOBODY, Company
from gdl.wings.arena.contestants import RANDOM
from gdl.wings.report.trace import Estimate, Judge

JUDGED_BY = 100  # simulations from a position


def position_judge(
    game: Game[Any], how: str, agents: Sequence[str], engine: str, seed: int, positions: Callable[[], int | None],
    company: Company = NOBODY,
) -> tuple[str | None, Judge | None]:  # fmt: skip
    """The way in which positions are judged (`exact`, `evaluate`, `search`; None: not at all), and the function that
    does it. `how` may also be `auto`; `positions` gives their number, None if there are many."""
    if how == "auto":
        how = _suiting_way(game, agents, positions)
    if how == "exact":
        return how, _exact_judge(game)
    if how == "evaluate":
        if game.evaluate(game.initial()) is None:
            raise Refusal(f"{clean(game.name)} has no evaluate section; --lead search judges by simulations")
        return how, lambda state: _floats(game.evaluate(state))
    return (how, _search_judge(game, engine, seed, company)) if how == "search" else (None, None)


def _suiting_way(game: Game[Any], agents: Sequence[str], positions: Callable[[], int | None]) -> str:
    """The way to judge that suits a game: exact values where these are soon known, else the file's own evaluation, else
    a search where an agent searches; `none` for other games."""
    traits = game.traits
    if len(game.players) < 2 or traits.perfect_information is not True or traits.simultaneous is not False:
        return "none"
    if traits.cyclic is False and not traits.unknowns and positions() is not None:
        return "exact"
    if game.evaluate(game.initial()) is not None:
        return "evaluate"
    return "none" if set(agents) <= {RANDOM} else "search"


def _exact_judge(game: Game[Any]) -> Judge:
    """A judge by exact values. Backward induction is kept, so a position costs nothing the second time."""
    from gdl.solvers.minimax.backward_induction import backward_induction
    from gdl.solvers.minimax.vectors import InductionValues

    if game.traits.perfect_information is not True:
        raise Refusal(f"positions of {clean(game.name)} have no value of their own, as something is hidden")
    known, turns = InductionValues(), Sequential(game)  # all may be asked at once where one alone has a choice

    def estimate_state(state: Any) -> Estimate:
        turn = Turn(state, ())
        if turn not in known.of:
            backward_induction(turns, start=turn, values=known)
        return tuple(map(float, known.of[turn]))

    return estimate_state


def _search_judge(game: Game[Any], engine: str, seed: int, company: Company) -> Judge:
    """A judge by search: the means of simulations from a state."""
    from gdl.wings.arena.contest import estimate_start

    offered = offer(game, engine, tell=company.remark)

    def estimate_state(state: Any) -> Estimate | None:
        position = Continuation(offered, state)
        return _floats(falling_back(lambda: estimate_start(position, JUDGED_BY, seed), position, company.fault))

    return estimate_state


def _floats(numbers: Any) -> Estimate | None:
    return None if numbers is None else tuple(map(float, numbers))

"""Estimates by samples of a game with hidden information whose positions could not all be met.

Where several players with perfect recall play, it is that of mccfr: what their average strategies pay, and what could
be gained against them at least. For others simulations begin at the start and go down the information sets of all
players (see information_set_mcts.py); the value is what they paid on average, the best action of the first mover, if
somebody begins, the most visited one. Such play need not come near an equilibrium, however long it goes on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl.compiler.search_kinds import INFORMATION_SETS, MCCFR, WHOLE_PLAYS
from gdl.errors import LimitReached, Refusal, count_text
from gdl.game import Asked, Game, Made, SearchKind
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.engine_stages import memory_limit
from gdl.solvers.equilibria.local_response import PLAYS, TOLD, Shares, estimate_solution, learn_until_limit, most_often
from gdl.solvers.equilibria.positions import MOST_POSITIONS, PositionGraph, explore

EXPLORING = 0.6  # share of the time for meeting all positions
LEARNING = 0.6  # share of the rest for strategies
SIMULATIONS = 200_000  # if time is not limited
PLIES = 5_000_000  # that are learnt from, if time is not limited
SEED = 1


def explore_or_sample(game: Game[Any], budget: Budget, begun: Solution) -> PositionGraph:
    """All positions of the game. If they are too many for the limits, raises LimitReached with an estimate by
    samples."""
    part = budget.part(budget.nodes, EXPLORING) if budget.seconds_left is not None else budget
    try:
        found = explore(game, part)
    except LimitReached as stop:
        answer = _by_strategies(game, budget, begun) or _by_simulations(game, budget, begun)
        if answer is None:
            raise
        limit = str(stop)
        if (
            part is not budget and part.nodes == MOST_POSITIONS and limit == str(part.out_of_nodes())
        ):  # which nobody asked for
            limit = f"more than {MOST_POSITIONS:,} positions are not listed, but sampled; {budget.out_of_time()}"
        raise LimitReached(limit, replace(answer, limit=limit)) from None
    budget.spent = max(budget.spent, found.count)
    return found


def _by_strategies(game: Game[Any], budget: Budget, begun: Solution) -> Solution | None:
    """The estimate of mccfr; None where mccfr does not suit the game, the compiled engine does not take it, or no
    iteration was finished."""
    search = None
    if len(game.players) > 1 and game.traits.perfect_recall:
        search = _search(game, MCCFR, seed=SEED, memory=memory_limit(game))
    if search is None:
        return None
    budget.begins_now()
    begun, gains, plays = replace(begun, solver="mccfr"), PLIES // 4, PLAYS
    if budget.seconds_left is not None or budget.nodes in (None, MOST_POSITIONS):
        learn_until_limit(search, budget.part(None, LEARNING), None, None if budget.seconds_left is not None else PLIES)
    else:
        work = Shares.of(budget.nodes)
        gains, plays = min(gains, work.gains), work.plays
        learn_until_limit(search, budget, None, min(PLIES, work.learning))
        if not search.iterations:
            return None
    learnt = search.iterations
    answer = estimate_solution(game, search, begun, budget, gains, plays)
    search.go_on(learnt)
    game.engine.keep(WHOLE_PLAYS, search)  # for whoever plays the game
    return answer


def _search(
    game: Game[Any], kind: SearchKind[Asked, Made], *more: Asked.args, **arguments: Asked.kwargs
) -> Made | None:
    """A search on the compiled engine; None where the engine does not offer it, is not fast, or refuses the game."""
    engine = game.engine
    if not engine.offers(kind.name) or not engine.fast:
        return None
    try:
        return engine.search(kind, *more, **arguments)
    except Refusal:
        return None


def _by_simulations(game: Game[Any], budget: Budget, begun: Solution) -> Solution | None:
    """The estimate by simulations over information sets; None where the compiled engine does not take the game, or
    there were too few simulations."""
    search = _search(game, INFORMATION_SETS)
    if search is None:
        return None
    start = game.initial()
    wanted = SIMULATIONS if budget.nodes in (None, MOST_POSITIONS) else min(SIMULATIONS, 1 + budget.nodes // 10)
    search.begin([start], [1.0], SEED, None if budget.seconds_left is not None else wanted)
    for _ in search:
        if budget.seconds_left is not None and budget.seconds_left < 0:
            break
    if not search.nodes:
        return None
    best = most_often(game, lambda player: search.visits_and_totals(player, game.information_set(start, player))[0])
    paid = search.sampled_payoffs()
    if paid.plays < TOLD:
        note = f"The move is the most tried in {count_text(paid.plays, 'simulation')} over information sets."
        return replace(begun, best=best, nodes=paid.plays, notes=(*begun.notes, note)) if best else None
    note = (
        f"The value and the move are estimates, by {count_text(paid.plays, 'simulation')} over information sets, with "
        f"a standard error of {brief(max(paid.errors), '')} or more."
    )
    return replace(begun, value=paid.means, best=best, nodes=paid.plays, notes=(*begun.notes, note))

"""Estimates by samples of a game with hidden information whose positions could not all be met.

Where several players with perfect recall play, it is that of mccfr: what their average strategies pay, and what could
be gained against them at least. For others simulations begin at the start and go down the information sets of all
players (see information_set_mcts.py); the value is what they paid on average, the best action of the first mover, if
somebody begins, the most visited one. Such play need not come near an equilibrium, however long it goes on.

Average strategies that samples have found are judged by exact best replies (see best_replies.py), as far as time
allows. If a player's reply is not known, they give an estimate:

1. Plays by the average strategies alone: what they pay on average is the estimate of the value.
2. What each action of an information set gains, if the averages go on behind it, is sampled.
3. Plays in which one player does what gains most: the local best response. The best response of all gains no less, so
   what this one gains is a lower bound of the player's regret, as sure as the plays are many.

Source: Lisý and Bowling, Equilibrium approximation quality of current no-limit poker bots, AAAI workshops 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.errors import LimitReached, Refusal, count_text
from gdl.errors.shares import LEARNING_SHARE
from gdl.game import Asked, Decision, Game, Made, SearchKind, actions
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import Budget, Progress, within_bounds
from gdl.solvers.engine_stages import memory_limit
from gdl.solvers.equilibria.positions import MOST_POSITIONS
from gdl.states.tally import PayoffMeans
from gdl.wings.hidden.external_sampling import ExternalSampling
from gdl.wings.hidden.search_kinds import INFORMATION_SETS, MCCFR, WHOLE_PLAYS

if TYPE_CHECKING:
    from gdl.wings.hidden.sampling import Sampling

    RegretSamplingSearch = Sampling | ExternalSampling  # on the compiled engine, or the reference implementation

PLAYS = 10_000  # of each kind, if time is not limited
SURE = 2  # standard errors between an estimate and the bound that is given
FEWEST = 100  # plays, with fewer of which no gain is given
TOLD = 20  # plays, with fewer of which no value is given
SIMULATIONS = 200_000  # if time is not limited
PLIES = 5_000_000  # that are learnt from, if time is not limited
SEED = 1
REPLIES = 4  # without a limit of time, the plies for them, as a multiple of those for gains


def estimate_by_samples(game: Game[Any], budget: Budget, begun: Solution) -> Solution | None:
    """An estimate by the strategies that samples find, or by simulations; None where neither can be made."""
    return _by_strategies(game, budget, begun) or _by_simulations(game, budget, begun)


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
        learn_until_limit(
            search, budget.part(None, LEARNING_SHARE), None, None if budget.seconds_left is not None else PLIES
        )
    else:
        work = Shares.divide(budget.nodes)
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
    if game.engine.offers(kind) and game.engine.fast:
        with suppress(Refusal):
            return game.engine.search(kind, *more, **arguments)
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


class Shares(NamedTuple):
    """The division of a node limit: plies to learn from, plies to look for gains, and plays of each kind."""

    learning: int
    gains: int
    plays: int

    @staticmethod
    def divide(nodes: int) -> Shares:
        return Shares(nodes // 2, nodes // 8, nodes // 40)


class _Bound(NamedTuple):
    """A player's gain in plays by deviating, and its lower confidence bound (SURE standard errors below it)."""

    player: str
    gain: float
    least: float


def learn_until_limit(
    search: RegretSamplingSearch,
    budget: Budget,
    iterations: int | None,
    plies: int | None,
    progress: Progress | None = None,
) -> None:
    """Let the search learn until the iterations or plies are done, or the time is over."""
    search.learn(iterations, plies)
    _run(search, budget, progress)


def estimate_solution(
    game: Game[Any], search: RegretSamplingSearch, begun: Solution, budget: Budget, plies: int, plays: int = PLAYS
) -> Solution:
    """Estimate the payoffs of the learnt average strategies, and a lower bound on what each player gains by deviating.
    The work is limited by the time that is left; without a limit of time, by `plies` for the gains and by `plays`
    (PLAYS at most) for each kind of play. With few plays, values or bounds are left out."""
    learnt, known, best = search.iterations, search.sets, most_often(game, search.first_average)
    if not learnt:
        said = (
            f"Not one iteration of regret minimisation was finished; {count_text(known, 'information set')} were met."
        )
        return replace(begun, nodes=search.nodes, notes=(*begun.notes, said))
    timed = budget.seconds_left is not None
    begun = replace(begun, best=best, notes=(*begun.notes, _known_note(learnt, known)))
    if not isinstance(search, ExternalSampling):
        from gdl.wings.hidden.best_replies import judge_by_replies

        begun = judge_by_replies(game, search, begun, budget, None if timed else REPLIES * plies)
    if begun.regret is not None:
        return replace(begun, nodes=search.nodes)
    parts = len(game.players) + 2
    search.look_for_gains(None if timed else plies)
    _run(search, budget.part(None, 1 / parts))
    search.play(None if timed else min(plays, PLAYS))
    _run(search, budget.part(None, 1 / (parts - 1)))
    average = search.sampled_payoffs()
    bounds = []
    for player, name in enumerate(game.players):
        search.play(None if timed else min(plays, PLAYS), player)
        _run(search, budget.part(None, 1 / (len(game.players) - player)))
        found = search.sampled_payoffs()
        if min(found.plays, average.plays) >= FEWEST:
            gain = found.means[player] - average.means[player]
            error = SURE * hypot(found.errors[player], average.errors[player])
            bounds.append(_Bound(name, gain, max(0.0, gain - error)))
    unlisted = "No strategies are listed, since not all replies to them could be walked."
    notes = (*begun.notes, unlisted, *_estimate_notes(average, bounds))
    value = average.means if average.plays >= TOLD else None
    return within_bounds(replace(begun, value=value, nodes=search.nodes, notes=notes))


def _known_note(learnt: int, known: int) -> str:
    return (
        f"After {count_text(learnt, 'iteration')} of regret minimisation by samples "
        f"{count_text(known, 'information set')} are known."
    )


def _run(search: RegretSamplingSearch, budget: Budget, progress: Progress | None = None) -> None:
    """Let the search work until the work asked for is done, or the time is over."""
    for _ in search:
        if progress:
            progress(search.nodes)
        try:
            budget.check_time()
        except LimitReached:
            return


def most_often(game: Game[Any], shares: Callable[[int], Sequence[float] | None]) -> tuple[str, ...]:
    """The first mover's most frequent action, in a tuple; () if no player moves first, or nothing is known there.
    `shares` gives a player's shares of actions at the start."""
    node = game.node(game.initial())
    found = shares(node.player) if isinstance(node, Decision) else None
    return () if found is None else (actions(node)[found.index(max(found))],)


def _estimate_notes(average: PayoffMeans, bounds: Sequence[_Bound]) -> Iterator[str]:
    if average.plays >= TOLD:
        yield (
            f"The value is an estimate: what {count_text(average.plays, 'play')} by the average strategies paid, with "
            f"a standard error of {brief(max(average.errors), '')}."
        )
    for bound in bounds:
        if bound.least > 0:
            least, gain = brief(bound.least, ""), brief(bound.gain, "")
            yield (
                f"{bound.player} could gain at least {least} by deviating, and probably {gain}: so much the local best "
                "response gains in plays."
            )
        else:
            yield f"The local best response of {bound.player} gains nothing that plays would show."

"""Estimates from plays by average strategies that samples have found, where not all positions of the game can be met.

1. Plays by the average strategies alone: what they pay on average is the estimate of the value.
2. What each action of an information set gains, if the averages go on behind it, is sampled.
3. Plays in which one player does what gains most: the local best response. The best response of all gains no less, so
   what this one gains is a lower bound of the player's regret, as sure as the plays are many.

Source: Lisý and Bowling, Equilibrium approximation quality of current no-limit poker bots, AAAI workshops 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.errors import LimitReached, count_text
from gdl.game import Decision, Game, actions
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import Budget, Progress
from gdl.states.tally import PayoffMeans

if TYPE_CHECKING:
    from gdl.compiler.searches.sampling import Sampling
    from gdl.solvers.equilibria.external_sampling import ExternalSampling

    RegretSamplingSearch = Sampling | ExternalSampling  # on the compiled engine, or the reference implementation

PLAYS = 10_000  # of each kind, if time is not limited
SURE = 2  # standard errors between an estimate and the bound that is given
FEWEST = 100  # plays, with fewer of which no gain is given
TOLD = 20  # plays, with fewer of which no value is given


class Shares(NamedTuple):
    """The division of a node limit: plies to learn from, plies to look for gains, and plays of each kind."""

    learning: int
    gains: int
    plays: int

    @staticmethod
    def of(nodes: int) -> Shares:
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
    timed = budget.seconds_left is not None
    parts = len(game.players) + 2
    search.look_for_gains(None if timed else plies)
    _work(search, budget, 1 / parts)
    search.play(None if timed else min(plays, PLAYS))
    _work(search, budget, 1 / (parts - 1))
    average = search.sampled_payoffs()
    bounds = []
    for player, name in enumerate(game.players):
        search.play(None if timed else min(plays, PLAYS), player)
        _work(search, budget, 1 / (len(game.players) - player))
        found = search.sampled_payoffs()
        if min(found.plays, average.plays) >= FEWEST:
            gain = found.means[player] - average.means[player]
            error = SURE * hypot(found.errors[player], average.errors[player])
            bounds.append(_Bound(name, gain, max(0.0, gain - error)))
    notes = (*begun.notes, *_estimate_notes(learnt, known, average, bounds))
    value = average.means if average.plays >= TOLD else None
    return replace(begun, value=value, best=best, nodes=search.nodes, notes=notes)


def _work(search: RegretSamplingSearch, budget: Budget, share: float) -> None:
    """Let the search work for a share of the time that is left, and for a slice at least."""
    _run(search, budget.part(None, share))


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


def _estimate_notes(learnt: int, known: int, average: PayoffMeans, bounds: Sequence[_Bound]) -> Iterator[str]:
    yield (
        f"After {count_text(learnt, 'iteration')} of regret minimisation by samples "
        f"{count_text(known, 'information set')} are known; no strategies are listed, since not all positions can be "
        "looked at."
    )
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

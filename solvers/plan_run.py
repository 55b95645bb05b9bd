"""The loop that runs a plan: attempt by attempt, until one answers.

An attempt ends with an answer, or in one of the ways of `gdl.solvers.plan.Ending`; the next attempt is made if it
stands behind such an ending. What is told at last, if none answers, is the first refusal, or a limit whose partial
answer says something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gdl.errors import Interrupted, LimitReached, Refusal, listing, shares
from gdl.game import Game, Traits
from gdl.solution import Solution
from gdl.solvers.budget import SearchLimits, TableTooLarge, proving, says_something
from gdl.solvers.plan import NOTHING, Attempt, Ending, Plan, make_plan, plan_again
from gdl.solvers.run_solver import Unsuited, run_solver
from gdl.solvers.table import SOLVERS
from gdl.states.explore import WalkedGame


class Outcome(NamedTuple):
    """How an attempt ended: `ending` is "found" or one of Ending. `stop` says why there is no answer."""

    ending: Ending | str
    found: Solution | None = None
    stop: LimitReached | Refusal | None = None


def solve_by_plan(game: Game[Any], given: dict[str, Any]) -> Solution:
    """The answer of the first attempt of the game's plan that answers. Raises LimitReached, with the best answer so
    far, or Refusal. Answers, partial or not, say why their solver was picked."""
    plan = make_plan(game, given)
    picked = plan.picked
    try:
        with proving(game, picked.solver, given["limits"].time):
            for attempt in plan.proofs:
                found = _prove_value(attempt, game, given)
                if found is not None:
                    return found
            return _try_solvers(plan, game, {**given, "limits": given["limits"].leaving(shares.READY_SHARE)})
    except (LimitReached, Interrupted) as stop:
        if isinstance(stop.partial, Solution):
            stop.partial = replace(stop.partial, reason=stop.partial.reason or picked.why)
            if _sets_own_limit(stop.partial.solver, given) and isinstance(stop, LimitReached):
                return stop.partial
        raise


# ---- Proofs of the value ---------------------------------------------------------------------------------------------


def _prove_value(attempt: Attempt, game: Game[Any], given: dict[str, Any]) -> Solution | None:
    """The exact answer of an attempt to prove the value; None if it does not come to its end."""
    if attempt.means == "table":
        return _prove_with_table(attempt, game, given)
    return _prove_by_all_positions(attempt, game, given) if attempt.means == "all positions" else None


def _prove_with_table(attempt: Attempt, game: Game[Any], given: dict[str, Any]) -> Solution | None:
    from gdl.solvers.minimax.long_run import prove_with_table

    limits: SearchLimits = given["limits"]
    tried = trial_positions(game) if limits.time is None else None
    found = prove_with_table(game, limits.budget().part(tried, attempt.share), given.get("threads", 1))
    reason = "perfect information, and a search with a table came to the end"
    return None if found is None else replace(found, reason=reason)


def trial_positions(game: Game[Any]) -> int:
    """The number of positions that a search with a table may look at, for a game that nobody set a limit for. It does
    not depend on the clock, so the answer is the same everywhere."""
    from gdl.states import estimate

    held = estimate.state_space_size(game)
    is_far = held is None or held > shares.STATES_WITHIN_REACH
    return shares.TRIED_POSITIONS if is_far else shares.MORE_TRIED_POSITIONS


def _prove_by_all_positions(attempt: Attempt, game: Game[Any], given: dict[str, Any]) -> Solution | None:
    limits: SearchLimits = given["limits"]
    free = replace(limits, nodes=shares.ENUMERATED_POSITIONS)
    part = free if limits.time is None else limits.part(attempt.share)
    try:
        found = run_solver(SOLVERS[attempt.solver], game, {**given, "limits": part})
    except (LimitReached, Refusal):
        return None
    return replace(found, reason="perfect information, and all positions could be looked at") if found.exact else None


# ---- Solvers, one behind the other -----------------------------------------------------------------------------------


def _try_solvers(plan: Plan, game: Game[Any], given: dict[str, Any]) -> Solution:
    """The answer of the solver that was picked, or of the next one in the plan. Where the search has shown traits that
    were not known, the rest is planned again."""
    attempt, traits, reason, tried = plan.picked, plan.traits, plan.picked.why, list[str]()
    waiting: list[Attempt] | None = None  # not looked for before they are needed
    kept: LimitReached | Refusal | None = None  # why there is no answer: what tells something, else what was first
    while True:
        outcome = _attempt(attempt, game, given, plan.walked, traits)
        if waiting is None and outcome.ending != "found":
            waiting = plan.behind()
        if outcome.ending == "nothing" and waiting is not None:
            outcome, reason = _approximate_outcome(waiting, outcome, game, given, reason)
        tried.append(attempt.solver)
        found, stop = outcome.found, outcome.stop
        if stop is None:
            assert found is not None
            if found.exact or type(kept) is not Refusal or SOLVERS[plan.picked.solver].doubt == "fails":
                return replace(found, reason=reason)
            raise kept  # rather than an estimate, the refusal says what the file lacks
        if isinstance(stop, Unsuited):
            traits, kept = stop.traits, stop if kept is None or isinstance(kept, Unsuited) else kept
            waiting = plan_again(game, traits, given, tried)
            reason = f"{listing(tried)} met what {'it does' if len(tried) == 1 else 'they do'} not accept"
        elif isinstance(stop, Refusal):
            kept, reason = kept or stop, f"{plan.picked.why}; {listing(tried)} refused"
        else:
            partial = stop.partial = replace(found, reason=reason) if found else None
            if kept is None or isinstance(kept, Unsuited) or (partial and says_something(partial)):
                kept = stop
            waiting = [] if partial and partial.equilibria else waiting
            reason = f"{plan.picked.why}; {listing(tried)} came to no answer"
        while waiting and outcome.ending not in waiting[0].behind:
            waiting.pop(0)
        if not waiting:
            raise kept from None
        attempt = waiting.pop(0)


def _attempt(
    attempt: Attempt, game: Game[Any], given: dict[str, Any], walked: WalkedGame | None, traits: Traits
) -> Outcome:
    """Run the solver of an attempt within its limits."""
    try:
        found = run_solver(SOLVERS[attempt.solver], game, _limit_options(attempt, game, traits, given), walked, traits)
    except Unsuited as refusal:
        return Outcome("unsuited", stop=refusal)
    except Refusal as refusal:
        return Outcome("refused", stop=refusal)
    except TableTooLarge as stop:
        return Outcome("nothing" if attempt.solver == "nash" else "silent", _partial_solution(stop), stop)
    except LimitReached as stop:
        partial = _partial_solution(stop)
        return Outcome("stopped" if partial and says_something(partial) else "silent", partial, stop)
    if attempt.solver == "nash" and found.value is None and not found.equilibria:
        return Outcome("nothing", found)
    return Outcome("found", found)


def _partial_solution(stop: LimitReached) -> Solution | None:
    return stop.partial if isinstance(stop.partial, Solution) else None


def _approximate_outcome(
    waiting: list[Attempt], outcome: Outcome, game: Game[Any], given: dict[str, Any], reason: str
) -> tuple[Outcome, str]:
    """The outcome of the first of the attempts behind that comes to an answer, where an equilibrium could not be
    listed, and the reason for it; if they refuse (a lone player, or somebody who forgets), what was found before."""
    why = "the strategic form is too large for nash" if outcome.stop else "nash finds no equilibrium in pure strategies"
    while waiting and waiting[0].behind == NOTHING:
        other = _attempt(waiting.pop(0), game, given, None, game.traits)
        is_last = not (waiting and waiting[0].behind == NOTHING)
        if not isinstance(other.stop, Refusal) and (other.ending != "silent" or is_last):
            return other, f"{reason}; {why}"
    return (outcome._replace(ending="silent"), reason) if outcome.stop else (outcome, reason)


def _limit_options(attempt: Attempt, game: Game[Any], traits: Traits, given: dict[str, Any]) -> dict[str, Any]:
    """The options with the limits of an attempt: a share of the time, or those that the solver sets itself."""
    limits: SearchLimits = given["limits"]
    if attempt.nodes is not None and limits.nodes is None:
        limits = replace(limits, nodes=attempt.nodes)
    if attempt.share < 1 or limits is not given["limits"]:
        return {**given, "limits": limits.part(attempt.share)}
    own = SOLVERS[attempt.solver].picked_nodes
    if own is None or not _sets_own_limit(attempt.solver, given):
        return given
    return {**given, "limits": replace(limits, nodes=own(game, traits))}


def _sets_own_limit(solver: str, given: Mapping[str, Any]) -> bool:
    """True if nobody set a limit for a solver that would otherwise run very long, so that it gets one of its own."""
    limited = "simulations" in given or given["limits"].is_set
    return solver in SOLVERS and SOLVERS[solver].picked_nodes is not None and not limited

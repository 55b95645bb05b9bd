"""One solver run on one game: what it lacks, the options that it does not have, and the regret of its strategies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl.errors import DamagedData, InternalError, LimitReached, Refusal, listing
from gdl.game import Game, Traits
from gdl.solution import Solution
from gdl.solvers.engine_stages import check_offered
from gdl.solvers.needs import Unmet, reasons, run_in_turns
from gdl.solvers.solver import Solver
from gdl.solvers.table import SOLVERS
from gdl.states.explore import WalkedGame
from gdl.wings import Concept

JUDGED_POSITIONS = 10_000  # at most; strategies of larger games are judged by `gdl verify` only

COMMON = {"limits", "seed"}  # options that say nothing about which solver is meant


class Unsuited(Refusal):
    """A solver refuses a game with the given traits, for a reason; `others` says who would accept it."""

    def __init__(self, reason: str, others: str, traits: Traits):
        super().__init__(f"{reason}; {others}")
        self.reason, self.traits = reason, traits


def run_solver(
    row: Solver,
    game: Game[Any],
    given: dict[str, Any],
    walked: WalkedGame | None = None,
    traits: Traits | None = None,
    concept: Concept | None = None,
) -> Solution:
    """Run the row on a game that suits it, with options that fit it; the seed is left out if the row has none. `traits`
    are the game's, if more is known of them than it says itself; `concept` is the one asked for. Raises Unsuited or
    Refusal."""
    traits = traits or game.traits
    # What is cut off comes to an end.
    lacks = [trait for trait in row.lacks(traits) if trait != "cyclic" or "depth" not in given]
    if lacks:
        refusal = reasons(row.name, game.name, row.wants, lacks, traits)
        raise Unsuited(refusal, _name_others(game, traits, concept), traits)
    check_offered(game, row.name)
    strange = [name for name in given if not row.accepts(name) and name not in COMMON]
    if strange:
        offered = sorted(row.options)
        raise Refusal(
            f"{row.name} has no option {listing(strange, 'or')}; its options are {listing(offered, most=len(offered))}"
        )
    options = {name: value for name, value in given.items() if name == "limits" or row.accepts(name)}
    try:
        if walked is not None and row.steps == "values" and not game.engine.is_user_choice:
            game = walked
        return run_in_turns(lambda asked: _add_regret(asked, row.run(asked, **options)), game)
    except Unmet as unmet:
        raise Unsuited(str(unmet), _name_others(game, unmet.traits, concept), unmet.traits) from None


def _name_others(game: Game[Any], traits: Traits, concept: Concept | None) -> str:
    """The part of a refusal that names the solvers that accept the game; if a concept was asked for, those that find
    it."""
    if concept is not None:
        finders = [name for name in concept.solvers if SOLVERS[name].takes(game, traits)]
        found = f"{listing(finders, 'or')} answers" if finders else "no other solver answers"
        return f"{found} --concept {concept.name} for it"
    fitting = [row.name for row in SOLVERS.values() if row.is_advised(game, traits)]
    return f"solvers that accept it: {', '.join(fitting)}" if fitting else "no solver accepts it"


def _add_regret(game: Game[Any], solution: Solution) -> Solution:
    """The solution with the regret of its strategies, if they are exact and soon judged."""
    profile = solution.strategy or next(iter(solution.equilibria), None)
    if profile is None or solution.regret is not None or not solution.exact or solution.secured:
        return solution
    from gdl.solvers.equilibria.regret import regret

    try:
        judgement = regret(game, profile, limit=JUDGED_POSITIONS)
    except (LimitReached, Refusal, DamagedData):  # too large, without end, or one player's strategy alone
        return solution
    if any(judgement.regret):
        raise InternalError(f"{solution.solver} answers with strategies that can be improved upon")
    return replace(solution, regret=judgement.regret)

"""The answer for a solution concept: by one of its solvers; where a limit stops them, at least the value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gdl.errors import Interrupted, LimitReached, Refusal
from gdl.errors.deadline import Deadline
from gdl.errors.shares import SHORT_SECONDS, VALUE_SHARE
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.auto import is_known_to_all
from gdl.solvers.budget import SearchLimits, TableTooLarge, says_something
from gdl.solvers.concepts import candidates
from gdl.solvers.plan import Attempt, Ending
from gdl.solvers.plan_run import solve_by_plan
from gdl.solvers.run_solver import COMMON, run_solver
from gdl.solvers.table import SOLVERS
from gdl.wings import Concept


def concept_attempts(concept: Concept, game: Game[Any], solver: str, given: Mapping[str, Any]) -> list[Attempt]:
    """The attempts at an answer for a concept: by its solvers that take the game and the options; the best of them,
    which refuses, if none does. Raises Refusal if the solver that is named does not find the concept."""
    rows = list(candidates(concept, solver, SOLVERS))
    fitting = [row for row in rows if not set(given) - set(row.options) - COMMON] or rows
    fitting = [row for row in fitting if row.takes(game, game.traits)] or fitting[:1]
    if game.traits.perfect_information is False and is_known_to_all(game, game.traits):
        fitting.sort(key=lambda row: row.doubt != "fails")
    why = f"it finds what --concept {concept.name} asks for"
    otherwise = "if the one before it refuses the game, finds nothing or would need too large a table"
    endings: frozenset[Ending] = frozenset(["refused", "unsuited", "nothing"])
    first, *others = fitting
    return [Attempt(first.name, 1.0, why), *(Attempt(row.name, 1.0, otherwise, behind=endings) for row in others)]


def solve_for_concept(concept: Concept, game: Game[Any], solver: str, given: dict[str, Any]) -> Solution:
    """The answer of the first attempt at the concept that finds anything. If none does, the last one's answer or
    refusal."""
    *attempts, last = concept_attempts(concept, game, solver, given)
    for attempt in attempts:
        try:
            found = run_solver(SOLVERS[attempt.solver], game, given, concept=concept)
        except (TableTooLarge, Refusal):
            continue
        if found.value is not None or found.equilibria or found.strategy is not None:
            return found
    return run_solver(SOLVERS[last.solver], game, given, concept=concept)


def find_value(concept: Concept, game: Game[Any], given: dict[str, Any], stop: LimitReached) -> object:
    """The partial answer for a concept at a limit. If it says nothing, another answer, found in a part of the time: the
    value, which all answers for the concept pay in a game of one player or of two opponents, or in other games a
    profile with its regret."""
    partial, traits = stop.partial, game.traits
    told = isinstance(partial, Solution) and says_something(partial)
    if told or not concept.pays_value:
        return partial
    limits: SearchLimits = given["limits"]
    clock = Deadline.starting_now(SHORT_SECONDS) if limits.time is None else limits.leaving(VALUE_SHARE).time
    own = {"limits": SearchLimits(time=clock)}
    found: object = None
    try:
        found = solve_by_plan(game, own) if traits.has_scalar_value else run_solver(SOLVERS["cfr"], game, own)
    except LimitReached as again:
        found = again.partial
    except Interrupted as again:
        again.partial = _partial_for_concept(concept, game, again.partial, stop) or partial
        raise
    except Refusal:
        pass
    return _partial_for_concept(concept, game, found, stop) or partial


def _partial_for_concept(concept: Concept, game: Game[Any], found: object, stop: LimitReached) -> Solution | None:
    """A solution for the value, or for any profile, rewritten as a partial answer for a concept; None if it proves
    nothing about that."""
    if not isinstance(found, Solution) or found.value is None:
        return None
    ends: Any = tuple((v, v) for v in found.value) if found.exact else found.interval
    alone = game.traits.players == 1
    if alone or (game.traits.players == 2 and game.traits.constant_sum is not None):
        kind = "zero-sum game" if game.traits.constant_sum == 0 else "game of constant sum"
        kind = "game of one player" if alone else kind
        what, proven = f"but in a {kind} every such answer pays the value", bool(ends)
    else:
        what = "the regret of this profile says how far it is from an equilibrium"
        proven, ends = bool(found.regret), None
    notes = (f"This is no answer to --concept {concept.name}; {what}.", *found.notes)
    left = replace(found, exact=False, interval=ends, reason="", notes=notes, limit=str(stop), complete=None)
    return left if proven else None

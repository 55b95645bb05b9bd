"""The search: one file per idea, one row per solver in the ordered table SOLVERS (table.py), and `solve`, which asks
the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, Unpack

from gdl.concepts import CONCEPTS
from gdl.errors import GameError, Interrupted, LimitReached, Refusal, listing, nearest
from gdl.errors.deadline import Deadline
from gdl.game import Game, Holder
from gdl.solution import Solution, printed_by
from gdl.solvers.budget import SearchLimits, answering, proving
from gdl.solvers.concept_plan import concept_attempts, find_value, solve_for_concept
from gdl.solvers.concepts import concept_named
from gdl.solvers.options import Options
from gdl.solvers.plan import Attempt, make_plan
from gdl.solvers.plan_run import solve_by_plan
from gdl.solvers.run_solver import run_solver
from gdl.solvers.solver import Solver
from gdl.solvers.table import SOLVERS
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import with_shortest_play
from gdl.wings import FORMER_SOLVERS

__all__ = ["CONCEPTS", "SOLVERS", "Attempt", "own_row", "plan", "solve"]


def solve(game: Game[Any] | Holder, solver: str | Callable[..., Any] = "auto", **options: Unpack[Options]) -> Solution:
    """Solve a game. Unlike `gdl.solve`, it takes no names of files, and raises LimitReached also where there is an
    answer.

    Args:
        game: the game, or what `gdl.loads` returns.
        solver: the name of a solver (a key of SOLVERS); `auto` picks one, and says why in the answer's `reason`. Or a
            function of your own, whose answer counts as exact only where it can be proved (`gdl.solvers.own_search`).
        options: the options of the solver, as on the command line; one that is None counts as not given. `concept` (a
            key of CONCEPTS) says what counts as an answer; then the solvers that find it are tried in order.

    Returns:
        The answer.

    Raises:
        Refusal: the solver or an option does not suit the game; the message says what would.
        GameError: the game breaks the protocol of games, or its rules are at fault.
        LimitReached: a limit stopped the search; its `partial` is the answer so far, or None.

    Example:
        >>> import gdl
        >>> gdl.solvers.solve(gdl.load("kuhn"), "sequence-form").value
        (Fraction(-1, 18), Fraction(1, 18))
    """
    game = game.game if isinstance(game, Holder) else game
    held, given = ensure_checked(game, getattr(game, "traits", None)), _with_limits(options)
    row = own_row(solver)
    try:
        if row is not None:
            return _run_own(row, held, given)
        assert isinstance(solver, str)
        with proving(held, solver, options.get("time")):
            return _solve(held, solver, given)
    except GameError as fault:
        raise fault if held is game else with_shortest_play(held, fault) from None


def plan(
    game: Game[Any] | Holder, solver: str | Callable[..., Any] = "auto", **options: Unpack[Options]
) -> tuple[Attempt, ...]:
    """Say what `solve` would try on a game, in order. Nothing is solved, but positions may be looked at.

    Args:
        game: the game, or what `gdl.loads` returns.
        solver: the name of a solver, or a function of your own, as for `solve`.
        options: the options that `solve` would get.

    Returns:
        The attempts, each with the `solver`, the `share` of the time that is left then, and `why`.

    Raises:
        Refusal: no solver has an option that was given and takes the game.

    Example:
        >>> import gdl
        >>> [(attempt.solver, attempt.share) for attempt in gdl.solvers.plan(gdl.load("nim"))]
        [('minimax', 1.0)]
    """
    game = game.game if isinstance(game, Holder) else game
    held, given = ensure_checked(game, getattr(game, "traits", None)), _with_limits(options)
    row = own_row(solver)
    if row is not None:
        return (Attempt(row.name, 1.0, "it was asked for"),)
    assert isinstance(solver, str)
    if "concept" in given:
        return tuple(concept_attempts(concept_named(given.pop("concept")), held, solver, given))
    if solver != "auto":
        return (Attempt(_row(solver).name, 1.0, "it was asked for"),)
    return make_plan(held, given).attempts


def _with_limits(options: Options) -> dict[str, Any]:
    """The options that were given, with the limits as one."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    time = given.pop("time", None)
    clock = None if time is None else Deadline.from_limit(time)
    given["limits"] = SearchLimits(given.pop("nodes", None), clock, given.pop("progress", None))
    return given


def own_row(solver: str | Solver | Callable[..., Any]) -> Solver | None:
    """Find the row of a search that does not come with gdl.

    Args:
        solver: a name, such as `python:mine.py:search` or that of an installed package's solver; a function; or a row.

    Returns:
        The row; None where the name is that of a solver of gdl, or of none.

    Example:
        >>> import gdl
        >>> gdl.solvers.own_row("minimax") is None
        True
    """
    if isinstance(solver, Solver):
        return solver
    if not isinstance(solver, str):
        from gdl.solvers.own_search import own_solver

        return own_solver(solver)
    return SOLVERS[solver] if solver in SOLVERS and SOLVERS[solver].own else None


def _run_own(row: Solver, game: Game[Any], given: dict[str, Any]) -> Solution:
    """The answer of a user's own search, judged. At a limit LimitReached carries its last answer."""
    from gdl.solvers.own_search import judge_answer

    if "concept" in given:
        raise Refusal(f"{row.name} is no solver of ours, so nothing says whether it finds a concept; ask without one")
    with proving(game, row.name, given["limits"].time):
        found = run_solver(row, game, given)
    with answering(lambda: found):
        return judge_answer(game, found, given["limits"], lambda at, lim: solve_by_plan(at, {"limits": lim}))


def _solve(game: Game[Any], solver: str, given: dict[str, Any]) -> Solution:
    if "concept" in given:
        concept = concept_named(given.pop("concept"))
        try:
            with proving(game, concept.solvers[0], given["limits"].time):
                return replace(solve_for_concept(concept, game, solver, given), concept=concept.name)
        except (LimitReached, Interrupted) as stop:
            if isinstance(stop.partial, Solution):
                stop.partial = replace(stop.partial, concept=concept.name)
            if isinstance(stop, LimitReached):
                stop.partial = find_value(concept, game, given, stop)
            raise
    return solve_by_plan(game, given) if solver == "auto" else run_solver(_row(solver), game, given)


def _row(solver: str) -> Solver:
    """The row of the solver with this name. Raises Refusal if there is none."""
    if solver in SOLVERS:
        return SOLVERS[solver]
    if solver in FORMER_SOLVERS:
        raise Refusal(f"no solver is called {solver!r} any more: {FORMER_SOLVERS[solver]}")
    near = nearest(solver, [*SOLVERS, "auto"])
    meant = f", did you mean {near}?" if near else ""
    raise Refusal(f"no solver is called {solver!r}{meant or ';'} there are {listing(SOLVERS, most=len(SOLVERS))}")


def _text(solution: Solution) -> str:
    from gdl.render.text import solution_text

    return solution_text(solution)


printed_by(_text)  # the last step of the line: whoever solves can print what was found

if __name__ == "solvers":  # the old name: in a checkout, Python finds this folder by it
    import_module("gdl.solvers.old_name")

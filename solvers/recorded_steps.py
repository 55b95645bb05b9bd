"""Searches whose steps can be shown: the one to use for a game, and what its record must hold."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from gdl.errors import Refusal, listing
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers import SOLVERS, solve
from gdl.solvers.run_solver import Unsuited


def why_untraceable(solver: str) -> str | None:
    """The reason why a solver's steps cannot be shown, with the names of solvers whose steps can; None if they can, for
    `auto`, and where there is no solver of that name."""
    if solver not in SOLVERS or SOLVERS[solver].steps != "untold":
        return None
    tellers = [row.name for steps in ("recorded", "values") for row in SOLVERS.values() if row.steps == steps]
    stepped = "; gdl draw --solver mcts -o page.html steps through it" if solver == "mcts" else ""
    return f"{solver} keeps no record of steps; {listing(tellers)} do{stepped}"


def solve_with_steps(game: Game[Any], solver: str, **options: Any) -> Solution:
    """The solution by a solver whose steps can be shown, with these steps. Raises Refusal for another solver."""
    if (why := why_untraceable(solver)) is not None:
        raise Refusal(why)
    values = solver in SOLVERS and SOLVERS[solver].steps == "values"
    try:
        return solve(game, solver, **options | ({"values": True} if values else {}))
    except Unsuited as unsuited:
        fitting = [row for row in SOLVERS.values() if row.is_advised(game, unsuited.traits)]
        others = [row.name for row in fitting if row.steps != "untold"]
        told = f"{listing(others, 'or')} shows" if others else "gdl solve gives the answer, but no solver shows"
        raise Refusal(f"{unsuited.reason}; {told} its steps") from None


def solve_by_usual_search(game: Game[Any], asked: Collection[str], run: Callable[[str], Solution]) -> Solution:
    """Solve the game by the usual search whose steps can be shown. `run` solves with the solver of a name; `asked` are
    the names of the options that it is given."""
    fitting = [name for name in ("alpha-beta", "star1", "shallow") if not SOLVERS[name].lacks(game.traits)]
    search = fitting[0] if fitting else "alpha-beta"  # which refuses, and says who would do
    solution = run(search)
    if search == "alpha-beta" or {"cut", "order", "depth"} & set(asked) or could_prune(solution):
        return solution
    return run("expectiminimax" if search == "star1" else "maxn")


def could_prune(solution: Solution) -> bool:
    """True if the run of star1 or shallow knew bounds by which it might have pruned."""
    if solution.solver == "shallow":
        return any(event.beta is not None for event in solution.events)
    return any(event.event == "enter" and {event.low, event.high} != {None} for event in solution.events)

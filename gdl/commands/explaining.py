"""gdl explain, and what it shares with gdl solve --trace: a search whose steps can be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from gdl.commands import foretelling, telling
from gdl.commands.asking import Asked, takes_game
from gdl.commands.limiting import LOOKING, NONE, briefly, keeps_limits
from gdl.commands.solver_options import SearchCommand, fitting, takes_solver
from gdl.commands.telling import WrongCommand
from gdl.errors import Interrupted, LimitReached, clean, listing
from gdl.game import Game
from gdl.solution import Solution


@click.command(cls=SearchCommand)
@takes_solver("The search to explain; gdl solvers lists them.")
@click.option("--key", "only_key", is_flag=True, help="Print only the key: what a student has to find.")
@click.option("--json", "as_json", is_flag=True, help="Print the key as one JSON object.")
@keeps_limits("memory", usual=LOOKING)
@takes_game
def explain(asked: Asked, solver: str, only_key: bool, as_json: bool, **options: Any) -> None:
    """Explain a search step by step.

    Shows in words and numbers the window at every node, what each child is worth, what is cut and why; then the
    answer. Without --solver: alpha-beta; for games of chance or of many players star1 or shallow if bounds of the
    utilities allow pruning, otherwise expectiminimax or maxn.
    """
    from gdl.render.text import solution_text
    from gdl.render.trace import story_text

    foretelling.unless_limited(asked.game, options)
    try:
        solution = traced(asked.game, solver, **options)
    except (LimitReached, Interrupted) as stop:
        if isinstance(stop.partial, Solution):
            with briefly(stop):
                telling.answer(solution_text(stop.partial, asked.game))
        raise
    if only_key or as_json:
        from gdl.exam.key import key

        found = key(asked.game, solution, options.get("depth"))
        return telling.answer_json(found.to_object()) if as_json else telling.answer(clean(found.text()))
    telling.answer(story_text(asked.game, solution))
    telling.answer("\n" + solution_text(solution, asked.game))
    return None


def traced(game: Game[Any], solver: str = "auto", **options: Any) -> Solution:
    """The solution by a search whose steps can be told, and how far its count of leaves is from the least possible."""
    from solvers import SOLVERS

    if solver != "auto" and SOLVERS[solver].steps == "untold":
        tellers = [row.name for steps in ("recorded", "values") for row in SOLVERS.values() if row.steps == steps]
        raise WrongCommand(f"{solver} keeps no record of steps; {listing(tellers)} do")
    solution = _found(game, solver, options)
    return with_minimum(game, solution, options.get("depth"))


def _found(game: Game[Any], solver: str, options: dict[str, Any]) -> Solution:
    from solvers import SOLVERS

    if solver != "auto":
        return _run(game, solver, options)
    fitting_ones = [name for name in ("alpha-beta", "star1", "shallow") if not SOLVERS[name].lacks(game.traits)]
    search = fitting_ones[0] if fitting_ones else "alpha-beta"  # which refuses, and says who would do
    solution = _run(game, search, options)
    asked_for = {"cut", "order", "depth"} & {name for name, value in options.items() if value is not None}
    if search == "alpha-beta" or asked_for or could_prune(solution):
        return solution
    return _run(game, "expectiminimax" if search == "star1" else "maxn", options)


def _run(game: Game[Any], solver: str, options: dict[str, Any]) -> Solution:
    from solvers import SOLVERS
    from solvers import solve as solved

    given = fitting(solver, options)
    if SOLVERS[solver].steps == "values":
        given["values"] = True
    with NONE.watched() as progress:
        return solved(game, solver, progress=progress, **given)


def could_prune(solution: Solution) -> bool:
    """Whether star1 or shallow knew of bounds by which a chance node, or one of many players', may be left early."""
    if solution.solver == "shallow":
        return any(event.beta is not None for event in solution.events)
    return any(event.event == "enter" and {event.low, event.high} != {None} for event in solution.events)


def with_minimum(game: Game[Any], solution: Solution, depth: int | None) -> Solution:
    """The solution with a note on the least number of leaves, where alpha-beta searched a uniform tree."""
    if solution.solver != "alpha-beta" or solution.leaves is None or solution.value is None:
        return solution
    from gdl.exam.minimum import minimum_note, uniform

    shape = uniform(game, depth)
    note = () if shape is None else (minimum_note(shape, solution.leaves),)
    return replace(solution, notes=(*solution.notes, *note))

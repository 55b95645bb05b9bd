"""gdl solve."""

from __future__ import annotations

from typing import Any

import click

from gdl.commands import telling
from gdl.commands.asking import Asked, takes_game
from gdl.commands.solver_options import SolverCommand, fitting, solver_name
from gdl.commands.telling import WrongCommand
from gdl.errors import Interrupted, LimitReached
from gdl.game import Game
from gdl.solution import Solution

TRACED = "alpha-beta"  # the solver that keeps a record of its search


@click.command(cls=SolverCommand)
@click.option("--solver", default="auto", callback=solver_name, help="How to solve it; gdl solvers lists the ways.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON object.")
@click.option("--trace", is_flag=True, help="Tell what alpha-beta knew at every node.")
@takes_game
def solve(asked: Asked, solver: str, as_json: bool, trace: bool, **options: Any) -> None:
    """Find the value of a game and how to play it.

    Without --solver, one that suits the game is picked, and the answer says which and why.
    """
    if trace and solver not in ("auto", TRACED):
        raise WrongCommand(f"--trace is the record of {TRACED}, and {solver} keeps none")
    values = bool(options.get("values"))
    try:
        solution = find(asked.game, TRACED if trace else solver, **options)
    except (LimitReached, Interrupted) as stop:
        if isinstance(stop.partial, Solution):
            _tell(asked.game, stop.partial, as_json, trace, values)
        raise
    _tell(asked.game, solution, as_json, trace, values)


def find(game: Game[Any], solver: str = "auto", **options: Any) -> Solution:
    """The solution by the solver of that name, with those of the options that were given."""
    from solvers import solve as solved

    given = fitting(solver, options)
    with telling.progress("nodes") as progress:
        return solved(game, solver, progress=progress, **given)


def _tell(game: Game[Any], solution: Solution, as_json: bool, trace: bool, values: bool) -> None:
    if as_json:
        from gdl.formats import answer

        telling.answer(answer.write(solution, values=values, cuts=trace, visits=trace))
        return
    from gdl.render import text

    telling.answer(text.solution_text(solution, game))
    if values:
        from gdl.render.values import values_text

        telling.answer("\n" + values_text(solution, game))
    if trace:
        telling.answer("\n" + text.trace_text(solution))

"""gdl explain, and its part of gdl solve --trace: a search that records the steps to be explained."""

from __future__ import annotations

from typing import Any

import click

from gdl.commands import console, size_warnings
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import takes_game, takes_transform
from gdl.commands.limiting import LOOKING, NONE, add_time_limit, keeps_limits, start_clock
from gdl.commands.solver_options import SearchCommand, fitting, takes_solver
from gdl.errors import clean
from gdl.game import Game
from gdl.playing.asked_game import Asked
from gdl.solution import Solution


@click.command(cls=SearchCommand)
@takes_solver("The search to explain; gdl solvers lists them.")
@click.option("--key", "only_key", is_flag=True, help="Print only the key: what a student has to find.")
@console.takes_json("Print the key as one JSON object.")
@keeps_limits("memory", usual=LOOKING)
@takes_transform
@takes_game
def explain(asked: Asked, solver: str, only_key: bool, **options: Any) -> None:
    """Explain a search step by step.

    Shows in words and numbers the window at every node, what each child is worth, what is cut and why; then the
    answer. Without --solver: alpha-beta; for games of chance or of many players star1 or shallow if bounds of the
    utilities allow pruning, otherwise expectiminimax or maxn.
    """
    from gdl.render.text import solution_text
    from gdl.render.trace import story_text

    options = start_clock(options)
    size_warnings.whole_tree(asked.game, options)
    with console.partial_answers(lambda found: console.answer(solution_text(found, asked.game)), Solution):
        solution = solve_with_trace(asked.game, solver, **options)
    if only_key or console.is_json():
        from gdl.exam.key import key
        from gdl.formats.exam_answers import ExplainAnswer

        found = key(asked.game, solution, options.get("depth"))
        return console.answer_as(lambda: found.to_record(ExplainAnswer), lambda: clean(found.text()))
    console.answer(story_text(asked.game, solution))
    return console.answer("\n" + solution_text(solution, asked.game))


def solve_with_trace(game: Game[Any], solver: str = "auto", **options: Any) -> Solution:
    """Solve the game by a search that records its steps, and add how far its count of leaves is from the least
    possible."""
    from gdl.exam.minimum import with_minimum
    from gdl.solvers.recorded_steps import solve_by_usual_search as usual
    from gdl.solvers.recorded_steps import solve_with_steps, why_untraceable

    def run(name: str) -> Solution:
        given = fitting(name, options)
        with add_time_limit(NONE, given).enforce() as progress:
            return solve_with_steps(game, name, progress=progress, **given)

    if (why := why_untraceable(solver)) is not None:
        raise WrongCommand(why)
    asked = [name for name, value in options.items() if value is not None]
    solution = usual(game, asked, run) if solver == "auto" else run(solver)
    return with_minimum(game, solution, options.get("depth"))

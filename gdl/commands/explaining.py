"""gdl explain and gdl step: a search told step by step, whole or as the reader asks for it."""

from __future__ import annotations

from typing import Any

import click

from gdl.commands import console, size_warnings
from gdl.commands.game_argument import takes_game, takes_transform
from gdl.commands.limiting import LOOKING, NONE, add_time_limit, keeps_limits, start_clock
from gdl.commands.solver_options import SearchCommand, SolverCommand, takes_solver
from gdl.commands.solving import solve_with_trace
from gdl.errors import clean
from gdl.playing.loading import Asked
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
        from gdl.explain.key import key
        from gdl.formats.explain_answer import ExplainAnswer

        found = key(asked.game, solution, options.get("depth"))
        return console.answer_as(lambda: found.to_record(ExplainAnswer), lambda: clean(found.text()))
    console.answer(story_text(asked.game, solution))
    return console.answer("\n" + solution_text(solution, asked.game))


@click.command(cls=SolverCommand)
@keeps_limits("memory", usual=LOOKING)
@takes_game
@takes_solver("The search to walk through.")
def step(asked: Asked, solver: str, **options: Any) -> None:
    """Walk through a search in the terminal.

    Enter continues, b goes back, g 12 goes to step 12, w says why, q ends.
    """
    from gdl.explain.step import walk
    from gdl.render.text import solution_text
    from gdl.render.trace import heading, meaning, story_text, tell

    options = start_clock(options)
    size_warnings.whole_tree(asked.game, options)
    partial = console.partial_answers(lambda found: console.answer(solution_text(found, asked.game)), Solution)
    with partial, add_time_limit(NONE, options).enforce():
        solution = solve_with_trace(asked.game, solver, **options)
        told = tell(asked.game, solution)
    if not told:  # more nodes than are kept
        return console.answer(f"{story_text(asked.game, solution)}\n{solution_text(solution, asked.game)}")
    return walk(told, f"{heading(solution)} {meaning(solution)}", console.ask, console.line)

"""gdl graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from gdl.commands import foretelling
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import takes_game
from gdl.commands.limiting import Limits, add_time_limit, start_clock, takes_limits
from gdl.commands.solver_options import SolverCommand, takes_solver
from gdl.commands.solving import find
from gdl.errors import Interrupted, LimitReached
from gdl.playing.asked_game import Asked
from gdl.render.formats import GRAPHS, writer

LIMIT = 200_000  # states


@click.command(cls=SolverCommand)
@click.option("--solved", is_flag=True, help="Write the answer onto the graph: values, windows, cuts, best actions.")
@takes_solver("How to solve it, with --solved.")
@takes_format(GRAPHS)
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, metavar="N", help="Follow at most N states.")
@takes_limits("memory")
@takes_game
def graph(
    asked: Asked,
    solved: bool,
    solver: str,
    output: str | None,
    form: str | None,
    limit: int,
    limits: Limits,
    **options: Any,
) -> None:
    """Write a game's state graph to a file.

    Without -o it goes to the standard output.
    """
    write = writer(format_of(GRAPHS, output, form, "json").graph)
    options = start_clock(options)
    foretelling.unless_limited(asked.game, options)
    from gdl.graph import annotate, state_graph

    drawn = None
    try:
        with replace(add_time_limit(limits, options), late=0.0).enforce("states") as progress:
            drawn = state_graph(asked.game, limit, progress)
            if solved:
                drawn = annotate(drawn, find(asked.game, solver, limits, **options))
    except (LimitReached, Interrupted) as stop:
        if drawn is None and hasattr(stop.partial, "nodes") and hasattr(stop.partial, "edges"):
            drawn = stop.partial  # the part of a graph
        if drawn is not None:
            put(write(drawn), output)
        raise
    put(write(drawn), output)

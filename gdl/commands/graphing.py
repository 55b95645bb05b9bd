"""gdl graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from gdl.commands import size_warnings
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import takes_game
from gdl.commands.limiting import Limits, add_time_limit, start_clock, takes_limits
from gdl.commands.solver_options import SolverCommand, takes_solver
from gdl.commands.solving import find
from gdl.errors import Interrupted, LimitReached
from gdl.game import Game
from gdl.playing.asked_game import Asked
from gdl.render.formats import GRAPHS, writer
from gdl.states.explore import Progress

if TYPE_CHECKING:
    from gdl.solvers.budget import Clock

LIMIT = 200_000  # states
WRITING = 0.5  # share of the time that is kept for building the graph from the states
FILING = 0.1  # share of the time that is kept for writing the file


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
    size_warnings.unless_limited(asked.game, options)
    from gdl.graph import annotate

    drawn = None
    try:
        with replace(add_time_limit(limits, options), late=0.0).enforce("states") as progress:
            drawn = _graph_in_time(asked.game, limit, progress, options.get("time"))
            if solved:
                drawn = annotate(drawn, find(asked.game, solver, limits, **options))
    except (LimitReached, Interrupted) as stop:
        drawn = _part_so_far(asked.game, stop) if drawn is None else drawn
        if drawn is not None:
            put(write(drawn), output)
        raise
    put(write(drawn), output)


def _part_so_far(game: Game[Any], stop: LimitReached | Interrupted) -> Any:
    """The part of the state graph that there is at a stop: at a limit that left time for nothing, the first position;
    None if a person stopped before there was any part."""
    from gdl.graph import state_graph

    if hasattr(stop.partial, "nodes") and hasattr(stop.partial, "edges"):
        return stop.partial
    if isinstance(stop, Interrupted):
        return None
    try:
        return state_graph(game, 1)
    except LimitReached as reached:
        return reached.partial


def _graph_in_time(game: Game[Any], limit: int, progress: Progress, time: Clock | None) -> Any:
    """The state graph. With a limit of time, walking through the states gets only a part of it, and the rest is kept
    for writing the graph down."""
    from gdl.graph import state_graph

    if time is None:
        return state_graph(game, limit, progress)
    from gdl.solvers.budget import Budget

    walking = Budget(None, time).sparing(WRITING * time)

    def watch(done: int) -> None:
        progress(done)
        walking.check_time()

    return state_graph(game, limit, watch, time.end - FILING * time)

"""gdl graph."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from gdl.commands import telling
from gdl.commands.asking import Asked, takes_game
from gdl.commands.limiting import Limits, takes_limits
from gdl.commands.solver_options import SolverCommand, solver_name
from gdl.commands.solving import find, timed
from gdl.errors import Interrupted, LimitReached, clean, listing
from gdl.formats import files
from gdl.game import Game

FORMATS = {"json": "graph_json", "graphml": "graphml", "dot": "dot"}  # -> the file in gdl/formats/
LIMIT = 200_000  # states


@click.command(cls=SolverCommand)
@click.option("--solved", is_flag=True, help="Write the answer onto the graph: values, windows, cuts, best actions.")
@click.option("--solver", default="auto", callback=solver_name, help="How to solve it, with --solved.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file: .json, .graphml or .dot.")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), help="The format, where no file name says it.")
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, metavar="N", help="Follow so many states at most.")
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

    JSON is networkx' node-link form, GraphML is for Gephi and yEd, DOT for Graphviz. Without -o it goes to stdout.
    """
    write = import_module(f"gdl.formats.{FORMATS[_format(output, form)]}").write
    try:
        drawn = _state_graph(asked.game, limit, timed(limits, options))
        if solved:
            from gdl.states.graph import annotate

            drawn = annotate(drawn, find(asked.game, solver, limits, **options))
    except (LimitReached, Interrupted) as stop:
        if hasattr(stop.partial, "nodes") and hasattr(stop.partial, "edges"):  # the part of a graph
            _put(write(stop.partial), output)
        raise
    _put(write(drawn), output)


def _state_graph(game: Game[Any], limit: int, limits: Limits) -> Any:
    from gdl.states.graph import state_graph

    with limits.watched("states") as progress:
        return state_graph(game, limit, progress)


def _format(output: str | None, form: str | None) -> str:
    """The format that was asked for, by name or by the ending of the file."""
    ending = Path(output).suffix.removeprefix(".") if output else "json"
    if form is None and ending not in FORMATS:
        raise telling.WrongCommand(
            f"'{clean(output or '')}' does not say which format is meant",
            help=f"let its name end in {listing((f'.{name}' for name in FORMATS), 'or')}, or give --format",
        )
    return form or ending


def _put(text: str, output: str | None) -> None:
    if output is None:
        telling.answer(text)
    else:
        files.write(output, text)

"""gdl compare: solvers side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gdl.commands import completing, console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import load, settings_and_variant, spread
from gdl.commands.help_pages import Command
from gdl.commands.limiting import ABOVE_ZERO, Limits, takes_limits
from gdl.errors import clean, listing
from gdl.wings.arena import comparison
from gdl.wings.arena.comparison_formats import WRITERS
from gdl.wings.arena.match_command import read_options, solver_and_words


def _read_solvers(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> list[Any]:
    """The callback of --solvers: each with its options. A comma before NAME= belongs to the options."""
    texts = [text for each in given for text in re.split(r",(?!\s*\w+=)", each) if text.strip()]
    named = [solver_and_words(text.strip()) for text in texts]
    return [(solver, read_options(solver, words)) for solver, words in named]


@click.command(cls=Command)
@click.option("--solvers", required=True, multiple=True, callback=_read_solvers, metavar="A,B,…",
              help="The solvers, as in minimax,mcts:simulations=200,python:mine.py:search.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help=f"Write to this file, too: {listing(WRITERS, 'or')}.")
@click.option("--time", type=ABOVE_ZERO, default=comparison.SECONDS, metavar="SECONDS",
              help=f"The time for each run; {comparison.SECONDS:g} seconds by default.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(min=1), metavar="N", help="The nodes for each run.")
@click.option("--repeats", type=click.IntRange(1, 1000), default=comparison.REPEATS, metavar="N",
              help=f"Run each solver N times on each game; {comparison.REPEATS} by default.")  # fmt: skip
@console.takes_json("Print the runs as one JSON object.")
@settings_and_variant
@takes_limits("memory")
@click.argument("files", metavar="GAME…", nargs=-1, required=True, shell_complete=completing.games)
def compare(
    files: tuple[str, ...], solvers: list[Any], output: str | None, time: float, nodes: int | None, repeats: int,
    settings: Mapping[str, str], variant: str | None, limits: Limits,
) -> None:  # fmt: skip
    """Run solvers side by side.

    Each solver solves each game, each time in a process of its own. A table shows the value, whether it is exact, the
    nodes, the seconds of the search and their spread, those of the game's preparation, and the memory. A search of your
    own, python:FILE.py:NAME, is judged by what gdl proves (gdl guide own-searches).
    """
    if output is not None and Path(output).suffix not in WRITERS:
        told = f"'{clean(output)}' has no ending of a known format"
        raise WrongCommand(told, help=f"let its name end in {listing(WRITERS, 'or')}")
    games = [load(file, settings, variant).game for file in spread(files)]
    found = comparison.Comparison(())
    try:
        with limits.enforce("runs", total=len(games) * len(solvers) * repeats) as progress:
            made = comparison.runs(games, solvers, {"time": time, "nodes": nodes}, repeats)
            for number, done in enumerate(made, 1):
                found = comparison.Comparison(done)
                progress(number)
    finally:  # also what was done before a limit or Ctrl-C
        if output is not None:
            found.save(output)
        console.answer_as(lambda: found.answer, lambda: str(found))

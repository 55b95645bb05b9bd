"""gdl export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gdl.commands.asking import Asked, takes_game
from gdl.commands.format_option import put
from gdl.commands.limiting import Limits, takes_limits
from gdl.commands.telling import WrongCommand
from gdl.errors import LimitReached, Refusal, clean
from gdl.formats import gambit_writer
from gdl.game import Game

ENDINGS = (".efg", ".nfg")


@click.command()
@click.option("-o", "output", required=True, metavar="FILE", help="Write to this file: .efg is a tree, .nfg a table.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=gambit_writer.MOST, metavar="N",
    help="Write a tree of at most N nodes, or a table of at most N cells.",
)  # fmt: skip
@takes_limits("time", "memory")
@takes_game
def export(asked: Asked, output: str, limit: int, limits: Limits) -> None:
    """Write a game as a file of Gambit's.

    A game of simultaneous moves is written as a tree in which players take turns that the others do not see. A table
    has the reduced plans of each player as its strategies.
    """
    ending = Path(output).suffix
    if ending not in ENDINGS:
        raise WrongCommand(
            f"'{clean(output)}' ends with neither .efg nor .nfg", help="end it with .efg for a tree, .nfg for a table"
        )
    with limits.watched("nodes"):
        text = gambit_writer.extensive(asked.game, limit) if ending == ".efg" else _table(asked.game, limit)
    put(text, output)


def _table(game: Game[Any], limit: int) -> str:
    from solvers.budget import TableTooLarge
    from solvers.equilibria.positions import explore
    from solvers.equilibria.strategic_form import refuse_large, strategic_form

    if len(game.players) < 2:
        raise Refusal("a table has two players at least; write the tree: end the name with .efg")
    try:
        refuse_large(game, limit)
        form = strategic_form(explore(game), limit=limit)
    except TableTooLarge as large:
        raise LimitReached(f"{str(large).partition(';')[0]}; --limit allows more, and a tree may be smaller") from None
    names = [[form.name(player, plan) for plan in range(len(plans))] for player, plans in enumerate(form.plans)]
    return gambit_writer.strategic(game.name, game.players, names, form.payoffs)

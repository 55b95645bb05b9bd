"""gdl export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gdl.commands.console import WrongCommand
from gdl.commands.format_option import put
from gdl.commands.game_argument import takes_game
from gdl.commands.limiting import Limits, takes_limits
from gdl.errors import LimitReached, Refusal, clean
from gdl.formats import gambit_writer
from gdl.game import Game
from gdl.playing.asked_game import Asked
from gdl.states.explore import Progress

ENDINGS = (".efg", ".nfg")
POSITIONS = 1_000_000  # positions that are looked through for a table
HOPELESS_FACTOR = 1000  # no attempt is made if an estimate exceeds the limit by this factor


@click.command()
@click.option("-o", "output", required=True, metavar="FILE", help="Write to this file: .efg is a tree, .nfg a table.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=gambit_writer.MOST_NODES, metavar="N",
    help="Write a tree of at most N nodes, or a table of at most N cells.",
)  # fmt: skip
@takes_limits("time", "memory")
@takes_game
def export(asked: Asked, output: str, limit: int, limits: Limits) -> None:
    """Write a game as a Gambit file.

    Simultaneous moves are written as turns that the other players do not see. In a table, the strategies are the
    reduced plans of each player.
    """
    ending = Path(output).suffix
    if ending not in ENDINGS:
        help = "end it with .efg for a tree, .nfg for a table"
        if ending == ".game":
            help = f"gdl show --source {clean(asked.by.file)} prints it as a game file"
        raise WrongCommand(f"'{clean(output)}' ends with neither .efg nor .nfg", help=help)
    with limits.enforce("nodes") as progress:
        made = gambit_writer.extensive if ending == ".efg" else _table
        if not asked.game.traits.cyclic:
            _refuse_far_larger(asked.game, limit if ending == ".efg" else max(limit, POSITIONS))
        text = made(asked.game, limit, progress)
    put(text, output)


def _refuse_far_larger(game: Game[Any], limit: int) -> None:
    """Raise LimitReached if an estimate shows the tree to be so far larger than `limit` that counting it is hopeless.
    (The estimate is 1,000 times too large in at most one of 1,000 cases.)"""
    from gdl.states import estimate

    tree = estimate.guess_tree_size(game)
    if tree.nodes > HOPELESS_FACTOR * limit:
        size = f"{'about' if tree.ended else 'more than'} {estimate.magnitude_text(tree.nodes)} nodes"
        raise LimitReached(f"the tree of {clean(game.name)} has {size}, by an estimate, and the limit is {limit:,}")


def _table(game: Game[Any], limit: int, progress: Progress) -> str:
    from gdl.solvers.budget import Budget, TableTooLarge
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.strategic_form import refuse_large, strategic_form

    if len(game.players) < 2:
        raise Refusal("a table has two players at least; write the tree: end the name with .efg")
    try:
        refuse_large(game, limit)
        form = strategic_form(explore(game, Budget(POSITIONS, None, progress)), limit=limit)
    except TableTooLarge as large:
        raise LimitReached(f"{str(large).partition(';')[0]}; --limit allows more, and a tree may be smaller") from None
    names = [[form.name(player, plan) for plan in range(len(plans))] for player, plans in enumerate(form.plans)]
    return gambit_writer.strategic(game.name, game.players, names, form.payoffs)

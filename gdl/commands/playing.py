"""gdl play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import randrange
from typing import Any

import click

from gdl.commands import telling
from gdl.commands.asking import Asked, takes_game, takes_weights
from gdl.commands.computer import Computer
from gdl.commands.engines import offer, takes_engine
from gdl.commands.limiting import keeps_limits
from gdl.commands.solver_options import solver_name
from gdl.commands.table_option import takes_table
from gdl.errors import clean, nearest
from gdl.game import Action, Game
from gdl.sequential import Turn


@click.command()
@click.option("--as", "seats", multiple=True, metavar="PLAYER",
              help="Sit here; given twice, two persons play. If not given, the first player.")  # fmt: skip
@click.option("--solver", default="auto", callback=solver_name, help="How the computer finds its moves.")
@click.option("--seed", type=int, help="The same seed draws the same chances.")
@click.option("--time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="The computer thinks so long about a move, and tells how it judges it.")  # fmt: skip
@keeps_limits("memory")
@takes_engine
@takes_game
@takes_weights
@takes_table("The computer plays by the table of a solved game that is here; search looks at it as well.")
def play(
    asked: Asked,
    seats: tuple[str, ...],
    solver: str,
    seed: int | None,
    time: float | None,
    engine: str,
    table: Path | None,
) -> None:
    """Play a game in the terminal.

    A person plays against the computer, or a second person. Actions are written by name, by number, or by how they
    begin; other words are moves, hint, undo, help and quit.
    """
    from gdl.match import Match

    game = asked.game
    offer(game, engine)
    people = sorted({_seat(game, name) for name in seats}) or [0]
    if seed is None:
        seed = randrange(1_000_000)
        if game.traits.chance or not game.traits.perfect_information:
            telling.remark(f"--seed {seed} will draw the same chances again")
    computer = Computer(game, solver, seed, time)
    if table is None:
        computer.get_ready()
    move = computer.move if table is None else _by_table(game, table, solver, seed, time)
    Match(game, people, move, seed, telling.ask, telling.line).run()


def _by_table(
    game: Game[Any], folder: Path, solver: str, seed: int, time: float | None
) -> Callable[[Turn, int], Action]:
    from gdl.commands import tabling

    def searching(probed: Game[Any], wanted: bool) -> Callable[[Turn, int], Action]:
        computer = Computer(probed, solver, seed, time)
        if wanted:
            computer.get_ready()
        return computer.move

    return tabling.player(game, folder, searching)


def _seat(game: Game[Any], name: str) -> int:
    if name in game.players:
        return game.players.index(name)
    near = nearest(name, game.players)
    help = f"write '{near}'" if near else f"the players are {', '.join(game.players)}"
    raise telling.WrongCommand(f"nobody called '{clean(name)}' plays {game.name}", help=help)

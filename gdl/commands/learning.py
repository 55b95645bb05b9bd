"""gdl learn."""

from __future__ import annotations

from pathlib import Path

import click

from gdl.commands.clashes import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.format_option import file_beside, in_folder
from gdl.commands.game_argument import ask, takes_game, takes_weights
from gdl.commands.limiting import ABOVE_ZERO, Limits, takes_limits
from gdl.commands.workers import Staff, takes_workers
from gdl.compiler.compiled_engine import by_rules
from gdl.formats.networks import MOST_UNITS
from gdl.model.network import Net
from gdl.playing.asked_game import Asked

MOST_SIMULATIONS = 4096  # simulations for a move of self-play, at most
_UNFINISHED = ".unfinished"  # ends the name of the file that keeps what is learned until then


def _by_eights(ctx: click.Context, parameter: click.Parameter, width: int | None) -> int | None:
    if width is not None and width % 8:
        raise click.BadParameter(f"{width} is no multiple of 8")
    return width


@click.command()
@click.option("--model", type=click.Choice(["linear", "tuples", "net"]),
              help="What to learn: an evaluation by patterns of the board (tuples, the default) or a linear one, or a "
                   "net for puct.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=16), metavar="N",
              help="Learn from N games of self-play; 20,000 by default.")  # fmt: skip
@click.option(
    "--time",
    type=ABOVE_ZERO,
    metavar="S",
    help="Learn, and test the result, for this many seconds.",
)
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the random numbers; 0 by default.")
@click.option("-o", "--output", metavar="FILE",
              help="Write the result to this file (-: to no file); by default beside the game.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--engine", type=click.Choice(["auto", "python", "wasm"]), default="auto",
              help="The engine that plays; auto takes the fastest. The answer is the same.")  # fmt: skip
@click.option("--by", type=click.Choice(["search", "td"]),
              help="How a net learns: from games by search (the default), or values alone, by temporal differences of "
                   "games without search (td), which suits chance and many players.")  # fmt: skip
@click.option("--simulations", type=click.IntRange(2, MOST_SIMULATIONS), metavar="N",
              help="Simulations for a move of self-play: 16 by default for a net, by sequential halving with Gumbel "
                   "noise.")  # fmt: skip
@click.option("--hidden", type=click.IntRange(8, MOST_UNITS), callback=_by_eights, metavar="N",
              help="The width of a net's two layers, a multiple of 8; 64 by default.")  # fmt: skip
@click.option("--curve", metavar="FILE",
              help="Draw the strength of a net after each number of games, as SVG.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Begin again, and do not continue where the same command was stopped.")
@takes_workers(checkpoint=False)
@takes_limits("memory")
@takes_game
@takes_weights
def learn(
    asked: Asked, model: str | None, games: int | None, time: float | None, seed: int, output: str | None,
    as_json: bool, engine: str, by: str | None, simulations: int | None, hidden: int | None, curve: str | None,
    fresh: bool, staff: Staff, limits: Limits,
) -> None:  # fmt: skip
    """Learn an evaluation by self-play.

    It is learned from the rules alone and written to a file, for --weights of solve, play and match. A match tests
    whether it plays stronger than the game's own, or than random play where there is none. After an interruption the
    same command continues, to the same numbers.
    """
    game, start = by_rules(asked.game)
    model = model or ("net" if by else "tuples")
    given = {"model": model, "by": by, "workers": staff.should_split_work, "hidden": hidden}
    refuse_clashes("learn", {**given, "simulations": simulations, "curve": curve, "players": len(game.players)})
    drawn = None if curve is None else in_folder(Path(curve), "--curve")
    from gdl.commands import teaching
    from gdl.compiler.searches.training import TrainingRequest
    from gdl.formats import tensors

    first = game.model.learned if asked.by.weights else None
    if asked.by.weights:
        if model != "net" or not isinstance(first, Net):
            raise WrongCommand("--weights is for a net that goes on by self-play", help="leave it out")
        game, start = by_rules(ask(asked.by._replace(weights=None), quietly=True).game)
    games = teaching.GAMES if games is None and time is None else games
    wanted = TrainingRequest(model, games, time, seed, simulations, hidden, ahead=by == "td")
    file = file_beside(asked.loaded.description, output, teaching.ENDING, "weights", tensors.is_such, "gdl learn")
    kept = file and file.with_name(f"{file.name}{_UNFINISHED}")
    work = teaching.TrainingCommand(game, start, wanted, file, kept, as_json, asked.by, staff, first, drawn)
    work.run(engine, fresh, limits)

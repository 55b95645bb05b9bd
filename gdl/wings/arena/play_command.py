"""gdl play: a play in the terminal."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from random import randrange
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import console
from gdl.commands.command_table import refuse_clashes
from gdl.commands.engines import offer, takes_engine
from gdl.commands.game_argument import takes_game, takes_table, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import keeps_limits
from gdl.commands.solver_options import takes_solver
from gdl.errors import clean
from gdl.formats.files import write
from gdl.game import Game, without_rewards
from gdl.playing.loading import FOR_PLAY, Asked, load_asked
from gdl.states.sequential import Opponent
from gdl.wings.arena.company import company
from gdl.wings.arena.shared_console import SharedConsole

if TYPE_CHECKING:
    from gdl.wings.arena.match import Match


@click.command(cls=Command)
@click.option("--as", "seats", multiple=True, metavar="PLAYER",
              help="Take this seat; given twice, two people play. By default the first player's.")  # fmt: skip
@takes_solver("The solver that the computer uses.")
@click.option("--seed", type=int, help="With the same seed the same dialogue makes the same play.")
@click.option("--time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="The computer's time for a move; it then shows what it expects. A second by default.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1, 64), default=1, metavar="N",
              help="Let the computer search with N threads at the same time.")  # fmt: skip
@click.option("--level", type=click.IntRange(1, 8), default=8, metavar="N",
              help="How well the computer plays: 1 is for beginners, 8 its best, which is the default.")  # fmt: skip
@click.option("--save", metavar="FILE", help="Keep a record of the play in this file; --load continues it.")
@click.option("--load", "record", metavar="FILE", help="Continue the play of this record; the same as --record.")
@keeps_limits("memory")
@takes_engine
@takes_game
@takes_weights
@takes_table("A folder with a table of the solved game. The computer plays from it, and searches use it.")
def play(
    asked: Asked,
    seats: tuple[str, ...],
    solver: str,
    seed: int | None,
    time: float | None,
    threads: int,
    level: int,
    save: str | None,
    engine: str,
    table: Path | None,
) -> None:
    """Play a game in the terminal.

    You play against the computer, or against a second person. Write an action by its name, its number, its beginning
    or its end; the other words are moves, hint, undo, help and quit.
    """
    from gdl.wings.arena.computer import SECONDS, Computer
    from gdl.wings.arena.levels import BEST_LEVEL, lowest_best_level
    from gdl.wings.arena.match import Match

    given = {"table": table, "solver": None if solver == "auto" else solver}
    refuse_clashes("play", {**given, "level": level if level < BEST_LEVEL else None})
    asked = _variant_for_play(asked)
    without_rewards(asked.game, "gdl play")
    if save is not None:
        from gdl.wings.arena.play_records import of_play, text_for

        text_for(save, of_play(asked, (), {}))  # raises WrongRequest where the play cannot be kept under that name
    if level < BEST_LEVEL and (alike := lowest_best_level(asked.loaded.model)) <= level:
        console.remark(f"from level {alike} on this game is played as at level {BEST_LEVEL}")
    game = offer(asked.game, engine)
    people = sorted({_seat(game, name) for name in seats}) or [0]
    seconds = SECONDS if time is None and seed is None and solver == "auto" else time
    if seed is None:
        seed = randrange(1_000_000)
        if game.traits.chance or not game.traits.perfect_information:
            console.remark(f"--seed {seed} will draw the same chances again")

    def computer(searched: Game[Any], wanted: bool = True) -> Computer:
        found = Computer(
            searched, solver, seed, seconds, talkative=time is not None, threads=threads, company=company(),
            level=level,
        )  # fmt: skip
        if wanted and len(people) < len(game.players):
            found.get_ready(later=True)
        return found

    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # what is typed need not be text
    opponent: Opponent = computer(game) if table is None else wings.hook("play --table")(game, table, computer)
    has_colours = console.is_terminal() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    height = get_terminal_size().lines if has_colours else 0
    match = Match(game, people, opponent, seed, SharedConsole(), partial(_rules, asked), height)
    try:
        match.run()
    finally:
        if save is not None:
            _save(asked, match, people, solver, save)


def _rules(asked: Asked, name: str) -> str:
    """The rule or definition of this name in words; with "", all rules."""
    from gdl.wings.arena.rules_in_words import rules_text

    return rules_text(asked.loaded.model, asked.loaded.game, asked.loaded.description.span.source.text, name)


def _save(asked: Asked, match: Match, people: list[int], solver: str, file: str) -> None:
    """Write the play to a file, with the actions given by --after or a record before it; `people` are the seats of
    people."""
    from gdl.wings.arena.play_records import of_play, text_for

    computer = "gdl" if solver == "auto" else f"gdl, {solver}"
    who = {name: "a person" if seat in people else computer for seat, name in enumerate(match.game.players)}
    write(file, text_for(file, of_play(asked, match.played, who)))
    console.remark(f"the play is kept in {clean(file)}")


def _seat(game: Game[Any], name: str) -> int:
    if name in game.players:
        return game.players.index(name)
    known = f"the players are {', '.join(game.players)}"
    raise console.unknown_name(f"nobody called '{clean(name)}' plays {game.name}", name, game.players, known)


def _variant_for_play(asked: Asked) -> Asked:
    """The game as people play it: the file's variant called `play`, if it has one and nothing but the file is asked
    for."""
    from gdl import checker

    by, loaded = asked.by, asked.loaded
    given = (by.settings, by.variant, by.position, by.weights, getattr(asked.game, "played", None))
    plain = not any(given)
    section = checker.variants(loaded.description).get(FOR_PLAY) if plain else None
    if section is None:
        return asked
    title = f", {clean(section.title.name)}" if section.title else ""
    console.remark(f"this is the variant {FOR_PLAY}{title}; --variant or --set asks for another game of the file")
    return load_asked(by._replace(variant=FOR_PLAY))

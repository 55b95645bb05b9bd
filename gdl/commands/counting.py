"""gdl perft, gdl states and gdl playouts."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import click

from gdl import wings
from gdl.commands import console, engines, size_warnings
from gdl.commands.command_table import refuse_clashes
from gdl.commands.game_argument import takes_game
from gdl.commands.help_pages import Command
from gdl.commands.limiting import NONE, Limits, briefly, takes_limits
from gdl.errors import Interrupted, LimitReached, clean, count_text
from gdl.errors.shares import REPORT_SHARE
from gdl.formats import files
from gdl.formats.answer_records import HistoriesAnswer, PerftAnswer, StatesAnswer
from gdl.formats.playout_answers import PlayoutsAnswer
from gdl.game import Game
from gdl.playing.loading import Asked
from gdl.render import playout_report as random_text
from gdl.render import text
from gdl.states import count
from gdl.states import playouts as random_play
from gdl.states.explore import Progress

LIMIT = 5_000_000  # states, some 1 kB each


class _WholeNumber(click.IntRange):
    """A range of integers that click's messages call `whole number`."""

    name = "whole number"


@click.command(cls=Command)
@click.option("--divide", is_flag=True, help="Count after each first action as well.")
@console.takes_json("Print the counts as one JSON object.")
@engines.takes_engine
@takes_limits("time", "memory", "nodes")
@takes_game
@click.argument("plies", type=_WholeNumber(min=0), metavar="N")
def perft(asked: Asked, plies: int, divide: bool, engine: str, limits: Limits) -> None:
    """Count the action sequences of a length.

    Counts the sequences of exactly N actions from the start. A chance outcome counts as an action, and so does each
    player's part of a joint move; a finished game adds nothing. A limit leaves the count of the longest sequences that
    were counted before.
    """

    def tell(depth: int, found: int | dict[str, int]) -> None:
        _tell_sequences(asked.game.name, depth, found, depth == plies)

    count: Any = engines.divide if divide else engines.perft
    if limits == NONE:
        size_warnings.sequences(asked.game, plies)
    shorter: list[Any] = []
    try:
        with limits.enforce("positions") as progress:
            for depth in range(1, plies) if limits != NONE else ():  # they take a small share of the time
                shorter.append(count(asked.game, depth, _engine_of_next_count(engine, limits, shorter), progress))
            found = count(asked.game, plies, _engine_of_next_count(engine, limits, shorter), progress)
    except (LimitReached, Interrupted) as stop:
        if shorter:
            with briefly(stop):
                tell(len(shorter), shorter[-1])
        raise
    tell(plies, found)


def _engine_of_next_count(engine: str, limits: Limits, shorter: list[Any]) -> str:
    """The engine for the count of the next length. With a limit of nodes it is the interpreter as soon as this count
    may reach the limit, so that it does not depend on the clock which engine reaches it."""
    if engine != "auto" or limits.nodes is None or 1 + sum(_number(found) for found in shorter) < limits.nodes:
        return engine
    return "interpreter"


def _number(found: int | dict[str, int]) -> int:
    """The total of a count, which may be a mapping by first action."""
    return sum(found.values()) if isinstance(found, dict) else found


def _tell_sequences(name: str, depth: int, found: int | dict[str, int], complete: bool) -> None:
    """Print a count of action sequences, whether divided by first action or not. Unless `complete`, it is the count of
    a shorter length, and a line says so."""
    divided = found if isinstance(found, dict) else None
    number = _number(found)
    if console.is_json():
        console.answer_json(PerftAnswer(depth, number, divided, None if complete else False))
    else:
        told = text.perft_text(name, depth, number, divided)
        console.answer(told + ("" if complete else "\nLonger sequences were not counted to the end."))


@click.command(cls=Command)
@click.option("--histories", is_flag=True, help="Count the unmerged tree: every history is a node of its own.")
@click.option("--symmetry", is_flag=True, help="Count symmetric states as one.")
@click.option(
    "--limit", "--nodes", type=_WholeNumber(min=1), default=LIMIT, metavar="N",
    help=f"Stop after N states; {LIMIT:,} by default.",
)  # fmt: skip
@console.takes_json("Print the counts as one JSON object.")
@engines.takes_engine
@takes_limits("time", "memory")
@takes_game
def states(asked: Asked, histories: bool, symmetry: bool, limit: int, engine: str, limits: Limits) -> None:
    """Count the reachable states of a game.

    States that play reaches in different ways are counted once. With --symmetry, so are states that a symmetry of the
    rules maps to each other.
    """
    refuse_clashes("states", {"histories": histories, "symmetry": symmetry})
    size_warnings.endless(asked.game)
    if limit == LIMIT and limits == NONE:
        size_warnings.positions(asked.game, f"{LIMIT:,} are counted at most: --limit sets another number")
    tell = partial(_tell, asked.game.name)
    with console.partial_answers(partial(tell, complete=False)), limits.enforce("states") as progress:
        if histories:
            found: Any = engines.histories(asked.game, engine, limit, progress, limits.room())
        else:
            counted = wings.hook("states --symmetry") if symmetry else engines.states
            found = counted(asked.game, engine, limit, progress, limits.room())
    tell(found)


def _tell(name: str, found: Any, complete: bool = True) -> None:
    """Print the counts, with a remark if they are not complete."""
    if console.is_json():
        kind = HistoriesAnswer if isinstance(found, count.HistoryCount) else StatesAnswer
        console.answer_json(kind(**asdict(found), complete=None if complete else False))
        return
    tell = text.histories_text if isinstance(found, count.HistoryCount) else text.states_text
    told = tell(name, found, complete)
    console.answer(told + ("" if complete else "\nThis is only what was counted so far."))


@click.command(cls=Command)
@click.option(
    "--count", "number", type=_WholeNumber(min=1), default=1000, metavar="N", help="Play N times; 1000 by default."
)
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the random numbers; 0 by default.")
@click.option(
    "--save", metavar="FILE", help="Write the plays to this file (.jsonl), for gdl test --plays, and nothing else."
)
@console.takes_json("Print the means as one JSON object.")
@engines.takes_engine
@takes_limits("time", "memory")
@takes_game
def playouts(asked: Asked, number: int, seed: int, save: str | None, engine: str, limits: Limits) -> None:
    """Play a game at random to its end, many times.

    Players take each action with the same probability; chance has its own. Prints the mean utility of each player with
    its 95 % confidence interval, how often each wins, how long plays are, and the number of actions to choose from.
    """
    if save is not None:
        with limits.enforce("plays", total=number) as progress:
            _save_plays(asked, number, seed, save, progress)
        return
    tell = partial(_tell_playouts, asked.game)
    with console.partial_answers(tell), limits.sparing(REPORT_SHARE).enforce("playouts", total=number) as progress:
        found = engines.playouts(asked.game, number, seed, engine, progress, counts=True)
    tell(found)


def _save_plays(asked: Asked, number: int, seed: int, file: str, progress: Progress) -> None:
    """Write random plays to a file, one on each line; if the work is stopped, the finished ones."""
    from gdl.formats.check_answers import PlaysAnswer
    from gdl.inspection.recorded_plays import random_plays

    if asked.by.position is not None or asked.by.after is not None:
        raise console.WrongCommand("recorded plays begin at the start", help="leave out --position and --after")
    of = {"game": asked.game.name, "set": dict(asked.by.settings), "variant": asked.by.variant}
    lines: list[str] = []
    try:
        for line in random_plays(asked.game, number, seed, of):
            lines.append(f"{line}\n")
            progress(len(lines))
    finally:
        files.write(file, "".join(lines))
    told = f"{count_text(len(lines), 'play')} written to {clean(file)}"
    console.answer_as(lambda: PlaysAnswer(len(lines), None), lambda: told)


def _tell_playouts(game: Game[Any], found: Any) -> None:
    assert isinstance(found, random_play.Playouts)
    console.answer_as(
        lambda: random_text.playouts_record(found, PlayoutsAnswer),
        lambda: random_text.playouts_text(game, found),
    )

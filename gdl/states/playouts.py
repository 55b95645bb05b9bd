"""Random playouts: everyone takes each action with the same probability, chance its own.

The mean of many estimates what the game is worth to players who know nothing, as in Monte Carlo evaluation (Abramson
1990, "Expected-outcome: a general model of static evaluation").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any
from warnings import warn

from gdl.errors import GameError, Interrupted, with_play
from gdl.game import (
    Action,
    Chance,
    Game,
    Joint,
    Node,
    Number,
    Simultaneous,
    State,
    Terminal,
    require_number,
    without_rewards,
)
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import Progress, move_text
from gdl.states.explore import plies as plies_of
from gdl.states.random_numbers import STREAM, Generator, draw_outcome, stream
from gdl.states.tally import Statistics, Tally

LONG_PLAY = 20_000  # plies; a longer play may have no end


def warn_of_length(game: str) -> None:
    """Warn that a play has become long, lest the work goes on for ever without a word."""
    warn(
        f"a play of {game} has not ended in {LONG_PLAY:,} plies; Ctrl-C or a limit of time stops it, and a terminal "
        "line that counts turns would end it", stacklevel=2,
    )  # fmt: skip


@dataclass(frozen=True)
class Playouts:
    """The result of random plays: their total plies, each player's mean utility with its standard error, and the
    statistics, if they were asked for."""

    playouts: int
    plies: int
    value: dict[str, float]
    error: dict[str, float]
    statistics: Statistics | None = None


@dataclass(frozen=True)
class Sums:
    """Sums over some plays: their plies, each player's utilities and the squares of these, and other counts."""

    playouts: int
    plies: int
    sums: tuple[Fraction, ...]
    squares: tuple[Fraction, ...]
    tally: Tally | None = None

    def to_playouts(self, players: tuple[str, ...]) -> Playouts:
        """The means and standard errors of the players; of no plays there are none."""
        count = self.playouts
        if not count:
            return Playouts(0, self.plies, {}, {})
        means = [float(total / count) for total in self.sums]
        spreads = [
            squares - total**2 / count for squares, total in zip(self.squares, self.sums, strict=True) if count > 1
        ]
        errors = [sqrt(spread / (count - 1) / count) for spread in spreads] or [0.0] * len(players)
        values, doubts = dict(zip(players, means, strict=True)), dict(zip(players, errors, strict=True))
        return Playouts(count, self.plies, values, doubts, self.tally.statistics(players) if self.tally else None)


def playouts(
    game: Game[Any], count: int, seed: int, progress: Progress | None = None, counts: bool = False
) -> Playouts:
    """Play the game to its end `count` times at random; with `counts`, collect statistics as well. Interrupted keeps
    the complete plays. Plays are numbered in stretches, each with a stream of random numbers of its own, so several
    threads can play them and get the same result."""
    game = ensure_checked(game)
    without_rewards(game, "a playout")
    generator = Generator(seed)
    tally = Tally.empty(len(game.players)) if counts else None
    sums, squares = [Fraction()] * len(game.players), [Fraction()] * len(game.players)
    done = plies = 0

    def result_so_far() -> Playouts:
        return Sums(done, plies, tuple(sums), tuple(squares), tally).to_playouts(game.players)

    try:
        while done < count:
            if done % STREAM == 0:
                generator = Generator(stream(seed, done // STREAM))
            utilities, length = play(game, game.initial(), generator, tally=tally)
            for player, utility in enumerate(utilities):
                sums[player] += Fraction(utility)
                squares[player] += Fraction(utility) ** 2
            if tally:
                tally.end(utilities, length)
            plies += length
            done += 1
            if progress:
                progress(done)
    except KeyboardInterrupt:
        raise Interrupted(result_so_far()) from None
    return result_so_far()


def play(
    game: Game[State], state: State, generator: Generator, most: int | None = None, tally: Tally | None = None
) -> tuple[tuple[Number, ...], int]:
    """Play at random from a state: the utilities and the number of plies; () for the utilities if the play is longer
    than `most`. The tally counts the choices. An error of the rules carries the play that led to it."""
    played: list[Action | Joint] = []
    plies = 0
    try:
        while not isinstance(node := game.node(state), Terminal):
            if len(played) == most:
                return (), plies
            if len(played) == LONG_PLAY:
                warn_of_length(game.name)
            if tally:
                tally.decide(node)
            played.append(random_move(node, generator))
            state = game.successor(state, played[-1])
            plies += plies_of(node)
    except GameError as fault:
        raise with_play(fault, tuple(map(move_text, played))) from None
    return tuple(map(require_number, node.utilities)), plies


def random_positions(game: Game[State], generator: Generator) -> Iterator[tuple[State, Node]]:
    """The positions of random plays with their nodes, one play after the other, without end. An error of the rules
    carries the play that led to it."""
    while True:
        state, played = game.initial(), list[Action | Joint]()
        try:
            while not isinstance(node := game.node(state), Terminal):
                yield state, node
                played.append(random_move(node, generator))
                state = game.successor(state, played[-1])
        except GameError as fault:
            raise with_play(fault, tuple(map(move_text, played))) from None
        yield state, node


def random_move(node: Node, generator: Generator) -> Action | Joint:
    """A random move."""
    if isinstance(node, Simultaneous):
        return tuple(own[generator.draw_below(len(own))] if own else "" for own in node.actions)
    if isinstance(node, Chance):
        return node.outcomes[draw_outcome(node, generator)][0]
    assert not isinstance(node, Terminal)
    return node.actions[generator.draw_below(len(node.actions))]

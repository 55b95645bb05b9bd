"""gdl playouts by several workers: each plays some of the numbered plays, and the exact sums are added up."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gdl.commands import engines
from gdl.commands.workers import Staff, asked_again, known_of
from gdl.errors import DamagedData, Interrupted
from gdl.playing.asked_game import Asked, Asking
from gdl.states.explore import Progress
from gdl.states.random_numbers import STREAM
from gdl.states.tally import BRIEF, Tally

if TYPE_CHECKING:
    from gdl.states.playouts import Playouts, Sums

MOST_PIECES = 256


def run_playouts(asked: Asked, number: int, seed: int, engine: str, staff: Staff, progress: Progress) -> Playouts:
    """The plays of `gdl.states.playouts.playouts`; Interrupted keeps those of the pieces that were complete."""
    from gdl.solvers.cluster.pieces import Job

    players = asked.game.players
    job = Job(prepare, (asked.by, seed, engine))
    done: Sums | None = None
    with staff.results({**known_of(asked), "playouts": number, "seed": seed}) as results:
        try:
            for data in results(job, pieces(number)):
                one = _of_data(data, len(players))
                done = done + one if done else one
                progress(done.playouts)
        except KeyboardInterrupt:
            raise Interrupted(done.to_playouts(players) if done else None) from None
    assert done is not None
    return done.to_playouts(players)


def pieces(number: int) -> list[tuple[int, int]]:
    """The first play of each piece and how many it has: whole streams of random numbers, of all pieces alike."""
    each = -(-number // (STREAM * MOST_PIECES)) * STREAM
    return [(first, min(each, number - first)) for first in range(0, number, each)]


def prepare(about: tuple[Asking, int, str]) -> Callable[[Any, tuple[int, int]], Any]:
    """What plays a piece."""
    by, seed, engine = about
    game = asked_again(by).game

    def do(_: Any, piece: tuple[int, int]) -> Any:
        first, count = piece
        return _to_data(engines.sum_playouts(game, count, seed, engine, None, True, first))

    return do


def _to_data(sums: Sums) -> list[Any]:
    """As JSON has it. (Of the lengths those that were met: there are thousands.)"""
    tally = sums.tally
    assert tally is not None
    lengths = [[length, count] for length, count in enumerate(tally.lengths) if count]
    return [
        sums.playouts, sums.plies, [str(number) for number in (*sums.sums, *sums.squares)], tally.firsts, lengths,
        tally.shortest, tally.longest, tally.decisions, tally.choices,
    ]  # fmt: skip


def _of_data(data: Any, players: int) -> Sums:
    """Raises DamagedData where that cannot be."""
    from gdl.states.playouts import Sums

    try:
        playouts, plies, texts, firsts, met, *rest = data
        numbers = tuple(Fraction(*map(int, text.split("/"))) for text in texts)
        lengths = [0] * (BRIEF + 1)
        for length, count in met:
            lengths[length] = int(count)
        whole = [playouts, plies, *firsts, *lengths, *rest]
        sound = len(numbers) == 2 * players == len(firsts) and all(isinstance(n, int) and n >= 0 for n in whole)
        if not sound or playouts != sum(lengths):
            raise ValueError
        return Sums(playouts, plies, numbers[:players], numbers[players:], Tally(firsts, lengths, *rest))
    except (AttributeError, TypeError, ValueError, IndexError, ZeroDivisionError):
        raise DamagedData("a checkpoint holds sums of plays that cannot be") from None

"""Random plays as text for people and as a record for programs."""

from __future__ import annotations

from typing import Any, TypeVar

from gdl.errors import clean, count_text
from gdl.formats.answer_kinds import round_floats
from gdl.formats.report_answers import FirstMoverShare, PlayLengths, PlayoutFigures
from gdl.game import Game, zero_sum
from gdl.numbers import as_stated, costs, rounded_text
from gdl.render.strategies import align_columns
from gdl.render.text import fact_lines, wrap_and_join, wrap_lines
from gdl.states.playouts import Playouts
from gdl.states.tally import FirstMover, Statistics

Figures = TypeVar("Figures", bound=PlayoutFigures)


def playouts_text(game: Game[Any], found: Playouts, mover: FirstMover | None) -> str:
    """The report on random plays: means, each with the interval that contains the true mean in 95 of 100 cases, and
    statistics."""
    if not found.playouts:
        return wrap_and_join(wrap_lines(f"{game.name}: no random playout came to its end."))
    length = found.plies / found.playouts
    plays = f"{found.playouts:,} random playout{'' if found.playouts == 1 else 's'}"
    lines = [*wrap_lines(f"{game.name}: {plays}, {length:,.1f} plies long on average."), ""]
    lines += align_columns(_rows(game, found), right=True)
    if found.statistics:
        lines += ["", *fact_lines(_facts(found.statistics, mover))]
    return wrap_and_join(lines)


def _rows(game: Game[Any], found: Playouts) -> list[list[str]]:
    rows = [["player", "mean cost" if game.promises.cost else "mean utility", ""]]
    with costs(game.promises.cost):
        errors = {player: f"± {rounded_text(1.96 * error, 2)}" for player, error in found.error.items()}
        rows += [[clean(p), rounded_text(as_stated(mean), 4), errors[p]] for p, mean in found.value.items()]
    if found.statistics and len(rows) > 2:
        best = ["wins", "draws"] if zero_sum(game) and len(game.players) == 2 else ["best alone", "best shared"]
        wins, draws = found.statistics.wins, found.statistics.draws
        shares = [best, *([_percent(wins[player]), _percent(draws[player])] for player in wins)]
        rows = [row + own for row, own in zip(rows, shares, strict=True)]
    return rows


def _facts(counted: Statistics, mover: FirstMover | None) -> list[tuple[str, str]]:
    """The facts after the table, each under its name."""
    facts = [("length", _length(counted))]
    if counted.branching is not None:
        mean = rounded_text(counted.branching, 3, ",")
        facts.append(("choice", f"{mean} actions to choose from at a decision, on average"))
    if mover is not None:
        facts.append(("first", _first_sentence(mover)))
    return facts


def _length(counted: Statistics) -> str:
    if counted.shortest == counted.longest:
        return f"always {count_text(counted.shortest, 'ply')}"
    whole = f"{counted.shortest:,} to {counted.longest:,} plies"
    if counted.quartiles is None:
        return whole
    one, two, three = counted.quartiles
    return f"{whole}; a quarter is over after {one:,}, half after {two:,}, three quarters after {three:,}"


def _first_sentence(mover: FirstMover) -> str:
    low, high = (f"{100 * end:.1f}" for end in mover.interval)
    share = f"{_percent(mover.share)} ({low} to {high}) of the plays with one winner"
    if not mover.differs:
        return f"{mover.player} moves first and wins {share}: no advantage of moving first shows"
    worth = "is worth" if mover.share > mover.even else "costs"
    points = f"{100 * abs(mover.share - mover.even):.1f} points of 100"
    even = f"{100 * mover.even:.3g} % would be even, so moving first {worth} {points}"
    return f"{mover.player}, who moves first, wins {share}; {even}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def playouts_record(found: Playouts, mover: FirstMover | None, kind: type[Figures], **more: Any) -> Figures:
    """Random plays as a JSON record of the given kind; `more` are further fields of that kind of record."""
    counted = found.statistics
    if counted is None:
        return kind.fill_from(found, **more)
    several = len(found.value) > 1
    return kind.fill_from(
        found,
        wins=round_floats(counted.wins) if several else None,
        draws=round_floats(counted.draws) if several else None,
        length=PlayLengths(counted.shortest, counted.quartiles, found.plies / found.playouts, counted.longest),
        branching=round_floats(counted.branching),
        first_mover=None if mover is None else FirstMoverShare.fill_from(mover),
        **more,
    )

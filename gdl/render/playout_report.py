"""Random plays as text for people and as a record for programs."""

from __future__ import annotations

from typing import Any, TypeVar

from gdl.errors import clean, count_text
from gdl.formats.answer_kinds import round_floats
from gdl.formats.playout_answers import PlayLengths, PlayoutFigures
from gdl.game import Game, zero_sum
from gdl.numbers import as_stated, costs, rounded_text
from gdl.render.strategies import align_columns
from gdl.render.text import fact_lines, wrap_and_join, wrap_lines
from gdl.states.playouts import Playouts
from gdl.states.tally import Statistics

Figures = TypeVar("Figures", bound=PlayoutFigures)


def playouts_text(game: Game[Any], found: Playouts) -> str:
    """The report on random plays: means, each with the interval that contains the true mean in 95 of 100 cases, and
    statistics."""
    if not found.playouts:
        return wrap_and_join(wrap_lines(f"{game.name}: no random playout came to its end."))
    length = found.plies / found.playouts
    plays = f"{found.playouts:,} random playout{'' if found.playouts == 1 else 's'}"
    lines = [*wrap_lines(f"{game.name}: {plays}, {length:,.1f} plies long on average."), ""]
    lines += align_columns(_rows(game, found), right=True)
    if found.statistics:
        lines += ["", *fact_lines(_facts(found.statistics))]
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


def _facts(counted: Statistics) -> list[tuple[str, str]]:
    """The facts after the table, each under its name."""
    facts = [("length", _length(counted))]
    if counted.branching is not None:
        mean = rounded_text(counted.branching, 3, ",")
        facts.append(("choice", f"{mean} actions to choose from at a decision, on average"))
    return facts


def _length(counted: Statistics) -> str:
    if counted.shortest == counted.longest:
        return f"always {count_text(counted.shortest, 'ply')}"
    whole = f"{counted.shortest:,} to {counted.longest:,} plies"
    if counted.quartiles is None:
        return whole
    one, two, three = counted.quartiles
    return f"{whole}; a quarter is over after {one:,}, half after {two:,}, three quarters after {three:,}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def playouts_record(found: Playouts, kind: type[Figures], **more: Any) -> Figures:
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
        **more,
    )

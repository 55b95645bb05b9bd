"""gdl solve --sweep: the answer for each value of a parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from gdl.commands import answered, telling
from gdl.commands.game_argument import ask
from gdl.commands.limiting import briefly
from gdl.commands.sweep_option import SweepParameter
from gdl.errors import GameError, Interrupted, LimitReached, Refusal, WrongRequest
from gdl.formats import files
from gdl.formats.answer import to_record
from gdl.formats.solve_answer import SweepAnswer, SweepThreshold
from gdl.game import Number
from gdl.inspection.sweep import Sweep, SweepRun, Threshold, answer_as_json, thresholds
from gdl.numbers import to_text
from gdl.playing.asked_game import Asked, Asking
from gdl.solution import Solution


@dataclass
class Sweeping:
    """A sweep: the function that solves the game at one value, the way to tell it, and the findings."""

    asked: Asked
    parameter: str
    solve_at: Callable[[Asked, float | None], Solution]
    seconds: float | None = None

    def __post_init__(self) -> None:
        self.end = None if self.seconds is None else monotonic() + self.seconds
        self.games: dict[Number, Asked] = {}
        self.runs: list[SweepRun] = []
        self.found: tuple[Threshold, ...] = ()

    def at(self, value: Number) -> Asked:
        """The game with that value."""
        if value not in self.games:
            by: Asking = self.asked.by
            settings = {**by.settings, self.parameter: to_text(value)}
            self.games[value] = ask(by._replace(settings=settings), quietly=True)
        return self.games[value]

    def solve(self, value: Number) -> Solution:
        left = None if self.end is None else self.end - monotonic()
        if left is not None and left <= 0:
            raise LimitReached(f"stopped after {self.seconds:g} seconds, the limit set for this sweep")
        return self.solve_at(self.at(value), left)

    def between(self, value: Number) -> Solution | None:
        """The solution at a value between those asked for; None if the parameter cannot have it."""
        try:
            return self.solve(value)
        except (WrongRequest, GameError, Refusal, LimitReached):
            return None

    def run(self, values: tuple[Number, ...]) -> None:
        """Solve the game at all values, then look for the thresholds between them."""
        for value in values:
            try:
                self.runs.append(SweepRun(value, self.solve(value)))
            except Refusal as refusal:
                raise Refusal(f"with {self.parameter} = {to_text(value)}: {refusal}") from None
        self.found = thresholds(self.runs, self.between)

    def sweep(self) -> Sweep:
        return Sweep(self.parameter, tuple(self.runs), self.found)


def sweep(
    asking: SweepParameter, sweeping: Sweeping, as_json: bool, output: str | None, options: dict[str, Any]
) -> None:
    """The whole command, but for its options."""
    try:
        sweeping.run(asking.values)
    except (LimitReached, Interrupted) as stop:
        with briefly(stop):
            _tell(sweeping, as_json, output, options, str(stop))
        raise
    _tell(sweeping, as_json, output, options)


def _tell(
    sweeping: Sweeping, as_json: bool, output: str | None, options: dict[str, Any], limit: str | None = None
) -> None:
    sweep = sweeping.sweep()
    if output is not None and sweep.runs:
        from gdl.render.svg.plot import plot

        files.write(output, plot(sweep, sweeping.asked.game.name))
    if as_json:
        telling.answer_json(_record(sweeping, sweep, options, limit))
        return
    from gdl.render.sweep import sweep_text

    telling.answer(sweep_text(sweep, sweeping.asked.game.name))


def _record(sweeping: Sweeping, sweep: Sweep, options: dict[str, Any], limit: str | None) -> SweepAnswer:
    """The answers, each as `gdl solve --json` gives it, and the thresholds."""
    return SweepAnswer(
        game=sweeping.asked.game.name,
        parameter=sweep.parameter,
        answers=[
            to_record(run.solution, origin=answered.origin(sweeping.games[run.value], options)) for run in sweep.runs
        ],
        thresholds=[_threshold(one) for one in sweep.thresholds],
        limit=limit,
    )


def _threshold(found: Threshold) -> SweepThreshold:
    before, after = answer_as_json(found.before), answer_as_json(found.after)
    return SweepThreshold(between=(found.low, found.high), at=found.at, before=before, after=after)

"""gdl solve --sweep: the answer for each value of a parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from gdl.commands import console, saved_answer
from gdl.commands.game_argument import ask
from gdl.commands.limiting import briefly
from gdl.commands.sweep_option import SweepParameter
from gdl.errors import GameError, Interrupted, LimitReached, Refusal, WrongRequest
from gdl.formats.answer import to_record
from gdl.formats.solve_answer import SweepAnswer, SweepThreshold
from gdl.game import Number
from gdl.inspection.sweep import Sweep, SweepRun, Threshold, answer_as_json, thresholds
from gdl.numbers import to_text
from gdl.playing.asked_game import Asked, Asking
from gdl.solution import Profile, Solution

TRACED = 200  # points of a curve, about


@dataclass
class Sweeping:
    """A sweep: the game, the parameter, the function that solves the game at one value, and the results so far."""

    asked: Asked
    parameter: str
    solve_at: Callable[[Asked, dict[str, Any]], Solution]
    options: dict[str, Any]
    is_lambda: bool = False  # whether the values are for the players' precision, no parameter of the game

    def __post_init__(self) -> None:
        self.seconds = self.options.get("time")
        self.end = None if self.seconds is None else monotonic() + self.seconds
        self.games: dict[Number, Asked] = {}
        self.runs: list[SweepRun] = []
        self.found: tuple[Threshold, ...] = ()
        self.every: tuple[SweepRun, ...] = ()
        self.traced: tuple[tuple[float, Profile], ...] = ()

    def at(self, value: Number) -> Asked:
        """The game with the parameter set to that value."""
        if self.is_lambda:
            return self.asked
        if value not in self.games:
            by: Asking = self.asked.by
            settings = {**by.settings, self.parameter: to_text(value)}
            self.games[value] = ask(by._replace(settings=settings), quietly=True)
        return self.games[value]

    def solve(self, value: Number) -> Solution:
        left = None if self.end is None else self.end - monotonic()
        if left is not None and left <= 0:
            raise LimitReached(f"stopped after {self.seconds:g} seconds, the limit set for this sweep")
        return self.solve_at(self.at(value), self.options_at(value) | ({} if left is None else {"time": left}))

    def options_at(self, value: Number) -> dict[str, Any]:
        """The options of the solver at that value."""
        return {**self.options, "lambda_": float(value)} if self.is_lambda else self.options

    def between(self, value: Number) -> Solution | None:
        """The solution at a value between those asked for; None if the parameter cannot have it, or no solver takes the
        game then."""
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
        if self.is_lambda:
            from gdl.solvers.budget import SearchLimits
            from gdl.solvers.strategic.quantal import trace

            left = None if self.end is None else max(0.0, self.end - monotonic())
            self.traced = tuple(trace(self.asked.game, float(values[-1]), TRACED, SearchLimits(time=left)))
        else:
            self.found, self.every = thresholds(self.runs, self.between)

    def sweep(self) -> Sweep:
        runs = tuple(self.runs)
        return Sweep(self.parameter, runs, self.found, self.every or runs, self.traced)


def sweep(asking: SweepParameter, sweeping: Sweeping, is_put: Callable[[Sweep, str], bool]) -> None:
    """Run the sweep and print it, as far as it comes. `is_put` writes it in the format that was asked for, and returns
    True if that was printed in place of the text."""
    try:
        sweeping.run(asking.values)
    except (LimitReached, Interrupted) as stop:
        with briefly(stop):
            _tell(sweeping, is_put, str(stop))
        raise
    _tell(sweeping, is_put)


def _tell(sweeping: Sweeping, is_put: Callable[[Sweep, str], bool], limit: str | None = None) -> None:
    sweep = sweeping.sweep()
    if sweep.runs and is_put(sweep, sweeping.asked.game.name):
        return
    if console.is_json():
        console.answer_json(_record(sweeping, sweep, limit))
        return
    from gdl.render.sweep import sweep_text

    console.answer(sweep_text(sweep, sweeping.asked.game.name))


def _record(sweeping: Sweeping, sweep: Sweep, limit: str | None) -> SweepAnswer:
    """The answers, each as `gdl solve --json` gives it, and the thresholds."""
    return SweepAnswer(
        game=sweeping.asked.game.name,
        parameter=sweep.parameter,
        answers=[
            to_record(run.solution, origin=saved_answer.origin(sweeping.at(run.value), sweeping.options_at(run.value)))
            for run in sweep.runs
        ],
        thresholds=[_threshold(one) for one in sweep.thresholds],
        limit=limit,
    )


def _threshold(found: Threshold) -> SweepThreshold:
    before, after = answer_as_json(found.before), answer_as_json(found.after)
    return SweepThreshold(between=(found.low, found.high), at=found.at, before=before, after=after)

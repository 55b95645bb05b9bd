"""gdl solve, gdl explain and gdl ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import completing, console, saved_answer, size_warnings, sweep_option
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.engines import falling_back, offer, playouts, takes_engine
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import takes_game, takes_table, takes_transform, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import (
    NONE,
    Limits,
    add_time_limit,
    briefly,
    start_clock,
    takes_limits,
)
from gdl.commands.solver_options import SolverCommand, concept_name, fitting, takes_solver
from gdl.errors import GameError, Interrupted, LimitReached, Refusal, WrongRequest, listing
from gdl.game import Game, Number
from gdl.inspection.sweep import Sweep, SweepRun, Threshold, answer_as_json, thresholds
from gdl.model.games import Model
from gdl.numbers import to_text
from gdl.playing.loading import Asked, load_asked
from gdl.render.formats import SWEEPS, Format, run_writer
from gdl.solution import Profile, RecordedSearch, Solution
from gdl.solvers import CONCEPTS, SOLVERS
from gdl.solvers import solve as solve_game
from gdl.solvers.budget import SearchLimits, partial_answer, says_something

if TYPE_CHECKING:
    from gdl.formats.solve_answer import SweepAnswer, SweepThreshold
    from gdl.solvers import Attempt

FORETOLD = {"whole": size_warnings.POSITIONS, "pruned": size_warnings.PRUNED}  # by how far a solver goes

TRACED = 200  # points of a curve, about


@click.command(cls=SolverCommand)
@takes_solver("The solver; gdl solvers lists them.")
@click.option(
    "--concept",
    callback=concept_name,
    shell_complete=completing.concepts,
    help="What counts as an answer; gdl solvers lists the concepts.",
)
@console.takes_json("Print the answer as one JSON object.")
@click.option("--plan", is_flag=True, help="Say what would be tried, in order, and why; solve nothing.")
@click.option("--trace", is_flag=True, help="Show the search step by step.")
@click.option(
    "--sweep",
    multiple=True,
    metavar="NAME=LOW..HIGH:STEP",
    callback=sweep_option.read,
    help="Solve the game for each of these values of a parameter, as d=1/10..9/10:1/10.",
)
@takes_format(SWEEPS)
@takes_engine
@takes_limits("memory")
@takes_transform
@takes_game
@takes_weights
@takes_table("Keep the value of every position in this folder, or use what it holds.")
def solve(
    asked: Asked,
    solver: str,
    plan: bool,
    trace: bool,
    sweep: sweep_option.SweepParameter | None,
    output: str | None,
    form: str | None,
    engine: str,
    limits: Limits,
    table: Path | None,
    **options: Any,
) -> None:
    """Find the value of a game and how to play it.

    Without --solver, a suitable one is picked, and the answer says which and why.
    """
    written = format_of(SWEEPS, output, form, "txt") if output or form else None
    drawn = output if written and written.position and not options.get("concept") else None
    asked_for = {"plan": plan, "trace": trace, "table": table, "sweep": sweep, "output": drawn}
    refuse_clashes("solve", {**options, **asked_for, "solver": solver})
    if plan:
        _tell_plan(asked, solver, engine, limits, options)
        return
    options = start_clock(options)
    if asked.game.promises.without_memory is None or not (solver == "auto" or SOLVERS[solver].position):
        size_warnings.endless(asked.game)
    if sweep is not None:
        _sweep(asked, sweep, solver, engine, limits, options, written, output)
        return
    if not any(options.get(limit) for limit in ("depth", "nodes", "time")):
        foretell(asked.game, solver)
    limits = add_time_limit(limits, options)
    offered = offer(asked.game, engine, limits.room)

    def find_solution(game: Game[Any]) -> Solution:
        return (solve_with_trace if trace else find)(game, solver, limits, **options)

    def find_answer() -> Solution:
        if table is None:
            return find_solution(offered)
        solve_with_table: Callable[..., Solution] = wings.hook("solve --table")
        return solve_with_table(offered, table, engine, limits, options, find_solution)

    try:
        solution = falling_back(find_answer, offered)
    except (LimitReached, Interrupted) as stop:
        _tell_what_is_known(asked, stop, solver, trace, options)
        raise
    from gdl.render.text import with_names_for_people

    named = with_names_for_people(solution, asked.game) if written else solution
    if not _is_put(written, Sweep("", (SweepRun(0, named),)), asked.game.name, output):
        _tell(asked, solution, trace, options)
    if not (solution.exact or solution.complete or solution.interval or says_something(solution)):
        raise LimitReached("no answer was found")


def _tell_plan(asked: Asked, solver: str, engine: str, limits: Limits, options: dict[str, Any]) -> None:
    """Print what would be tried on the game, in order."""
    from gdl.formats.solve_answer import PlanAnswer, PlannedAttempt
    from gdl.solvers import plan

    given = fitting(solver, start_clock(options))
    with add_time_limit(limits, given).enforce() as progress:
        attempts = plan(offer(asked.game, engine, limits.room), solver, progress=progress, **given)

    def text() -> str:
        lines = [f"{number}. {_attempt_text(one)}" for number, one in enumerate(attempts, 1)]
        return "\n".join([f"{asked.game.name}, until one answers:", *lines])

    console.answer_as(lambda: PlanAnswer(asked.game.name, [PlannedAttempt.fill_from(one) for one in attempts]), text)


def _attempt_text(attempt: Attempt) -> str:
    """One attempt of a plan, in a line: `nash: everyone moves at once, and once only`."""
    part = "" if attempt.share in (0, 1) else f", in {round(100 * attempt.share)} % of the time that is left"
    return f"{attempt.solver}{part}: {attempt.why}"


def _tell_what_is_known(
    asked: Asked, stop: LimitReached | Interrupted, solver: str, trace: bool, options: dict[str, Any]
) -> None:
    """Print the partial answer of a search that was stopped. If it has none and a limit stopped it, print the facts
    that are known without a search."""
    with briefly(stop):
        if stop.partial is None and isinstance(stop, LimitReached):
            known = partial_answer(asked.game, solver, None, str(stop))
            stop.partial = replace(known, concept=options.get("concept"))
        if isinstance(stop.partial, Solution):
            _tell(asked, stop.partial, trace, options)


def _sweep(
    asked: Asked, wanted: sweep_option.SweepParameter, solver: str, engine: str, limits: Limits,
    options: dict[str, Any], form: Format | None, output: str | None,
) -> None:  # fmt: skip
    """Solve the game for each value of a parameter, and print the answers as far as it comes; a limit of time holds for
    all together."""

    def solve_at(at: Asked, given: dict[str, Any]) -> Solution:
        offered = offer(at.game, engine, limits.room)
        return falling_back(lambda: find(offered, solver, limits, **given), offered)

    def tell(limit: str | None = None) -> None:
        found = sweeping.sweep()
        if found.runs and _is_put(form, found, asked.game.name, output):
            return
        from gdl.render.sweep import sweep_text

        console.answer_as(lambda: sweeping.record(found, limit), lambda: sweep_text(found, asked.game.name))

    rows = (CONCEPTS.get(name) for name in (solver, options.get("concept")) if name is not None)
    is_lambda = wanted.name == "lambda" and any(row is not None and row.option == "lambda" for row in rows)
    sweeping = _Sweeping(asked, wanted.name, solve_at, options, is_lambda)
    try:
        sweeping.run(wanted.values)
    except (LimitReached, Interrupted) as stop:
        with briefly(stop):
            tell(str(stop))
        raise
    tell()


@dataclass
class _Sweeping:
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

    def game_at(self, value: Number) -> Asked:
        """The game with the parameter set to that value."""
        if self.is_lambda:
            return self.asked
        if value not in self.games:
            settings = {**self.asked.by.settings, self.parameter: to_text(value)}
            self.games[value] = load_asked(self.asked.by._replace(settings=settings), console.remark)
        return self.games[value]

    def solve(self, value: Number) -> Solution:
        left = None if self.end is None else self.end - monotonic()
        if left is not None and left <= 0:
            raise LimitReached(f"stopped after {self.seconds:g} seconds, the limit set for this sweep")
        return self.solve_at(self.game_at(value), self.options_at(value) | ({} if left is None else {"time": left}))

    def options_at(self, value: Number) -> dict[str, Any]:
        """The options of the solver at that value."""
        return {**self.options, "lambda_": float(value)} if self.is_lambda else self.options

    def solution_at(self, value: Number) -> Solution | None:
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
                found = self.solve(value)
                if open_ := [f"?{name}" for name in found.unknowns] or ["another number"] * bool(found.conditions):
                    raise Refusal(f"{listing(open_)} is left open too; give it a value by --set")
                self.runs.append(SweepRun(value, found))
            except Refusal as refusal:
                raise Refusal(f"with {self.parameter} = {to_text(value)}: {refusal}") from None
        if self.is_lambda:
            trace = wings.hook("the curve of lambda")
            left = None if self.end is None else max(0.0, self.end - monotonic())
            self.traced = tuple(trace(self.asked.game, float(values[-1]), TRACED, SearchLimits(time=left)))
        else:
            self.found, self.every = thresholds(self.runs, self.solution_at)

    def sweep(self) -> Sweep:
        runs = tuple(self.runs)
        return Sweep(self.parameter, runs, self.found, self.every or runs, self.traced)

    def record(self, found: Sweep, limit: str | None) -> SweepAnswer:
        """The answers, each as `gdl solve --json` gives it, and the thresholds."""
        from gdl.formats.answer import to_record
        from gdl.formats.solve_answer import SweepAnswer

        return SweepAnswer(
            game=self.asked.game.name,
            parameter=found.parameter,
            answers=[
                to_record(run.solution, origin=saved_answer.origin(self.game_at(run.value), self.options_at(run.value)))
                for run in found.runs
            ],
            thresholds=[_threshold_record(one) for one in found.thresholds],
            limit=limit,
        )


def _threshold_record(found: Threshold) -> SweepThreshold:
    from gdl.formats.solve_answer import SweepThreshold

    before, after = answer_as_json(found.before), answer_as_json(found.after)
    return SweepThreshold(between=(found.low, found.high), at=found.at, before=before, after=after)


def _is_put(form: Format | None, sweep: Sweep, game: str, output: str | None) -> bool:
    """Write a sweep in a format, to `output` or the terminal; True if it went to the terminal, so that the text is not
    printed. False without a format."""
    if form is None:
        return False
    put(run_writer(form, form.sweep, sweep, game), output)
    return output is None


def foretell(game: Game[Any], solver: str) -> None:
    """Print a note if the solver may look at very many positions."""
    extent = SOLVERS[solver].extent if solver in SOLVERS else "own"
    if extent in FORETOLD:
        what = f"{solver} may look at all of them: Ctrl-C, --time or --nodes stop it"
        size_warnings.positions(game, what, FORETOLD[extent])


def find(game: Game[Any], solver: str = "auto", limits: Limits = NONE, **options: Any) -> Solution:
    """Solve a game by the solver of that name, with the options that were given. A function `run` may stand among
    these, to solve it in its own way."""
    run: Callable[..., Solution] = options.pop("run", solve_game)
    given = fitting(solver, start_clock(options))
    with add_time_limit(limits, given).enforce() as progress:
        solution = run(game, solver, progress=progress, **given)
    if run is solve_game and given.get("order", "given") == "given":
        return solution
    from gdl.explain.minimum import with_minimum

    return with_minimum(game, solution, given.get("depth"))


def solve_with_trace(game: Game[Any], solver: str = "auto", limits: Limits = NONE, **options: Any) -> Solution:
    """Solve the game by a search that records its steps, and add how far its count of leaves is from the least
    possible."""
    from gdl.solvers.recorded_steps import solve_by_usual_search, solve_with_steps, why_untraceable

    def run(name: str) -> Solution:
        return find(game, name, limits, run=solve_with_steps, **options)

    if (why := why_untraceable(solver)) is not None:
        raise WrongCommand(why)
    asked = [name for name, value in options.items() if value is not None]
    return solve_by_usual_search(game, asked, run) if solver == "auto" else run(solver)


def _tell(asked: Asked, solution: Solution, trace: bool, options: dict[str, Any]) -> None:
    game, values = asked.game, bool(options.get("values"))
    if asked.by.transform:
        solution = wings.call_hook("a note on roots", asked.by.transform, solution) or solution
    if trace and not solution.events:
        from gdl.render.trace import events_of

        events = events_of(game, solution)
        solution = solution.with_part(RecordedSearch, events=events) if events else solution
    if console.is_json():
        from gdl.formats import answer

        told = saved_answer.origin(asked, options)
        console.answer_json(answer.to_record(solution, origin=told, values=values, trace=trace))
        return
    from gdl.render import text

    console.answer(text.solution_text(solution, game))
    if values:
        from gdl.render.position_text import values_text

        console.answer("\n" + values_text(solution, game))
    if trace and solution.visits:
        console.answer("\n" + text.trace_text(solution))
    if trace:
        from gdl.render.trace import story_text

        console.answer("\n" + story_text(game, solution))


# ---- gdl ask -------------------------------------------------------------------------------------------------------


@click.command(cls=Command)
@console.takes_json("Print the answer as one JSON object.")
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of random plays.")
@takes_engine
@takes_limits("time", "nodes", "memory")
@takes_game
@click.argument("question")
def ask(asked: Asked, question: str, seed: int, engine: str, limits: Limits) -> None:
    """Ask what players can force, or what can happen.

    QUESTION is one of: NAMES can force COND, NAMES can avoid COND, COND reachable, always COND, probability COND by
    NAMES, probability COND at random. COND is a condition in the words of the file, or an end: win NAME, lose NAME,
    draw, the end. `within 12` after it limits the plies. The exit status is 0 for yes and no, and 4 if a limit leaves
    the answer open.
    """
    from gdl.formats.check_answers import AskAnswer
    from gdl.inspection import questions
    from gdl.render.question import question_text

    time = start_clock({"time": limits.seconds}).get("time") if limits.seconds else None

    def begin(model: Model) -> Game[Any]:
        return offer(asked.begin_as(model), engine, limits.room)

    def solve(game: Game[Any], solver: str) -> Any:
        return falling_back(lambda: find(game, solver, limits, nodes=limits.nodes, time=time), game)

    def sample(game: Game[Any], count: int) -> Any:
        return playouts(game, count, seed, engine, None)

    try:
        written, game = asked.read_question(question)
    except GameError as wrong:
        raise WrongRequest(*wrong.problems) from None
    try:
        with limits.enforce("positions") as progress:
            found = questions.answer_question(
                written, game, begin, solve, progress, sample, limits.seconds, limits.nodes
            )
    except LimitReached as stop:
        found = questions.QuestionAnswer(asked.game.name, interval=(0, 1), limit=str(stop))
    told = AskAnswer.fill_from(found, question=question, **saved_answer.origin(asked))
    console.answer_as(lambda: told, lambda: question_text(question, found))
    if found.limit is not None:
        raise LimitReached(found.limit)

"""gdl solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from gdl.commands import completing, console, size_warnings, sweep_option
from gdl.commands.clashes import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.engines import falling_back, offer, takes_engine
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import open_book, takes_book, takes_game, takes_table, takes_transform, takes_weights
from gdl.commands.limiting import NONE, Limits, add_time_limit, briefly, start_clock, takes_limits
from gdl.commands.solver_options import SolverCommand, concept_name, fitting, takes_solver
from gdl.commands.workers import Staff, takes_workers
from gdl.errors import Interrupted, LimitReached
from gdl.game import Game
from gdl.inspection.sweep import Sweep, SweepRun
from gdl.playing.asked_game import Asked
from gdl.render.formats import SWEEPS, Format, writer
from gdl.solution import Solution

FORETOLD = {"whole": size_warnings.POSITIONS, "pruned": size_warnings.PRUNED}  # by how far a solver goes

BY_POSITION = ("auto", "shapley", "stationary")  # solvers that ignore memories, if positions are known
SAMPLING = "mccfr"  # the solver whose work several workers share


@click.command(cls=SolverCommand)
@takes_solver("The solver; gdl solvers lists them.")
@click.option(
    "--concept",
    callback=concept_name,
    shell_complete=completing.concepts,
    help="What counts as an answer; gdl solvers lists the concepts.",
)
@console.takes_json("Print the answer as one JSON object.")
@click.option("--trace", is_flag=True, help="Show the search step by step.")
@click.option(
    "--sweep",
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
@click.option(
    "--where",
    metavar="CONDITION",
    help="With --table: solve the positions in which this condition holds, and all that follow them.",
)
@takes_book("Answer from this opening book if it has the position; gdl book makes one.")
@takes_workers(checkpoint=False)
def solve(
    asked: Asked,
    solver: str,
    trace: bool,
    sweep: sweep_option.SweepParameter | None,
    output: str | None,
    form: str | None,
    engine: str,
    limits: Limits,
    table: Path | None,
    where: str | None,
    book: str | None,
    staff: Staff,
    **options: Any,
) -> None:
    """Find the value of a game and how to play it.

    Without --solver, a suitable one is picked, and the answer says which and why.
    """
    written = format_of(SWEEPS, output, form, "txt") if output or form else None
    asked_for = {"trace": trace, "table": table, "sweep": sweep, "where": where, "book": book}
    asked_for["workers"] = staff.should_split_work and (solver != SAMPLING or sweep is not None)
    refuse_clashes("solve", {**options, **asked_for, "output": output if written and written.position else None})
    if where is not None and not where.strip():
        raise WrongCommand("--where has no condition", help="write one in the words of the file")
    timed_options = start_clock(options)
    if asked.game.promises.without_memory is None or solver not in BY_POSITION:
        size_warnings.endless(asked.game)
    if sweep is not None:
        _sweep(asked, sweep, solver, engine, limits, options, written, output)
        return
    options = timed_options
    if book is not None and (known := _by_book(asked, book)) is not None:
        _tell(asked, known, trace, options)
        return
    if not any(options.get(limit) for limit in ("depth", "nodes", "time")):
        foretell(asked.game, solver)
    limits = add_time_limit(limits, options)
    offered = offer(asked.game, engine, limits.room)

    def find_solution(game: Game[Any]) -> Solution:
        return (_solve_with_trace if trace else find)(game, solver, limits, **options)

    def find_answer() -> Solution:
        if table is None and staff.should_split_work:
            from gdl.commands import shared_sampling

            return shared_sampling.solve_with_workers(offered, asked.by, staff, options, find_solution)
        if table is None:
            return find_solution(offered)
        from gdl.commands import tabling

        beginnings = None if where is None else partial(_beginnings, asked, where, options.get("time"))
        symmetry = bool(options.get("symmetry"))
        wanted = tabling.TableRequest(offered, table, engine, limits, symmetry, staff, asked.by)
        return wanted.solve(find_solution, beginnings)

    try:
        solution = falling_back(find_answer, offered)
    except (LimitReached, Interrupted) as stop:
        _tell_what_is_known(asked, stop, solver, trace, options)
        raise
    if not _is_put(written, Sweep("", (SweepRun(0, solution),)), asked.game.name, output):
        _tell(asked, solution, trace, options)


def _tell_what_is_known(
    asked: Asked, stop: LimitReached | Interrupted, solver: str, trace: bool, options: dict[str, Any]
) -> None:
    """Print the partial answer of a search that was stopped. If it has none and a limit stopped it, print the facts
    that are known without a search."""
    with briefly(stop):
        if stop.partial is None and isinstance(stop, LimitReached):
            from gdl.solvers.budget import so_far

            known = so_far(asked.game, solver, None, str(stop))
            stop.partial = replace(known, concept=options.get("concept"))
        if isinstance(stop.partial, Solution):
            _tell(asked, stop.partial, trace, options)


def _sweep(
    asked: Asked, wanted: sweep_option.SweepParameter, solver: str, engine: str, limits: Limits,
    options: dict[str, Any], form: Format | None, output: str | None,
) -> None:  # fmt: skip
    """Solve the game for each value of a parameter; a limit of time holds for all together."""
    from gdl.commands import sweeping

    def solve_at(at: Asked, given: dict[str, Any]) -> Solution:
        offered = offer(at.game, engine, limits.room)
        return falling_back(lambda: find(offered, solver, limits, **given), offered)

    is_lambda = wanted.name == "lambda" and "quantal" in (solver, options.get("concept"))
    work = sweeping.Sweeping(asked, wanted.name, solve_at, options, is_lambda)
    sweeping.sweep(wanted, work, lambda sweep, game: _is_put(form, sweep, game, output))


def _is_put(form: Format | None, sweep: Sweep, game: str, output: str | None) -> bool:
    """Write a sweep in a format, to `output` or the terminal; True if it went to the terminal, so that the text is not
    printed. False without a format."""
    if form is None:
        return False
    drawn = writer(form.sweep)(sweep, game)
    put(writer(form.printed)(drawn) if form.printed else drawn, output)
    return output is None


def _by_book(asked: Asked, file: str) -> Solution | None:
    """The answer of an opening book; None if it does not have the position."""
    found = open_book(asked.game, file)
    known = found.solution(asked.game.initial())
    if known is None:
        console.remark(f"the book {found.name} does not have this position: it is searched")
    return known


def foretell(game: Game[Any], solver: str) -> None:
    """Print a note if the solver may look at very many positions."""
    from gdl.solvers import SOLVERS

    extent = SOLVERS[solver].extent if solver in SOLVERS else "own"
    if extent in FORETOLD:
        what = f"{solver} may look at all of them: Ctrl-C, --time or --nodes stop it"
        size_warnings.positions(game, what, FORETOLD[extent])


def _beginnings(asked: Asked, where: str, time: float | None) -> Sequence[Any]:
    from gdl.playing.solved_tables import beginnings

    return beginnings(asked, where, time)


def _solve_with_trace(game: Game[Any], solver: str, limits: Limits, **options: Any) -> Solution:
    from gdl.commands.explaining import solve_with_trace

    with add_time_limit(limits, options).enforce():
        return solve_with_trace(game, solver, **options)


def find(game: Game[Any], solver: str = "auto", limits: Limits = NONE, **options: Any) -> Solution:
    """Solve a game by the solver of that name, with the options that were given."""
    from gdl.solvers import solve as solved

    given = fitting(solver, start_clock(options))
    with add_time_limit(limits, given).enforce() as progress:
        solution = solved(game, solver, progress=progress, **given)
    if given.get("order", "given") == "given":
        return solution
    from gdl.exam.minimum import with_minimum

    return with_minimum(game, solution, given.get("depth"))


def _tell(asked: Asked, solution: Solution, trace: bool, options: dict[str, Any]) -> None:
    game, values = asked.game, bool(options.get("values"))
    if trace and not solution.events:
        from gdl.render.trace import events_of

        solution = replace(solution, events=events_of(game, solution))
    if console.is_json():
        from gdl.commands import saved_answer
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

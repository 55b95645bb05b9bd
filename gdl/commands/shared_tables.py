"""gdl solve --table by several workers: each does pieces of retrograde analysis, and the same table comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

from gdl.commands.limiting import Limits
from gdl.commands.workers import Staff, asked_again
from gdl.compiler.compiled_engine import by_rules
from gdl.game import Game
from gdl.interpreter.rules_game import State
from gdl.playing.asked_game import Asking
from gdl.solution import Solution
from gdl.symmetry import Symmetry

JOURNAL = "journal"  # the file that has what was done


def solve_with_workers(
    game: Game[Any], by: Asking, folder: Path, maximiser: int, limits: Limits, symmetry: bool, staff: Staff,
    starts: Sequence[State],
) -> Solution:  # fmt: skip
    """The answer for a game with its compiled searches, of which the table is written to the folder, with all that
    follows further `starts`. What pieces have left lies in a folder beside it until the work is done: the same command
    goes on from there."""
    from gdl.compiler.searches.shared_table import SharedTable
    from gdl.solvers import solve
    from gdl.solvers.cluster.journal import journal
    from gdl.solvers.cluster.pieces import Job

    whole, start = by_rules(game)
    back_end = game.engine.engine  # type: ignore[attr-defined]
    search = SharedTable(whole, start, back_end, folder, maximiser, limits.room(), symmetry, starts)
    search.work.mkdir(parents=True, exist_ok=True)
    written = tuple(one.to_json() for one in search.symmetries)
    job = Job(prepare, (by, back_end, maximiser, limits.memory, written, search.work.resolve()))
    with (
        journal(search.work / JOURNAL, search.work_identity, "which makes a table there") as kept,
        staff.hire_workers() as workers,
        limits.enforce("states") as progress,
        kept.detect_contradictions(search.work),
    ):
        search.by_workers = lambda pieces: kept.results(workers, job, pieces)
        game.engine.keep("retrograde", search)
        solution = solve(game, "retrograde", progress=progress)
    rmtree(search.work, ignore_errors=True)
    return solution


def tidy(folder: Path) -> None:
    """The table in the folder is whole: what pieces have left is not asked for any more."""
    if (folder / "work" / JOURNAL).exists():
        rmtree(folder / "work", ignore_errors=True)


def prepare(about: tuple[Asking, str, int, int | None, tuple[Any, ...], Path]) -> Callable[[Any, Any], Any]:
    """What does the pieces, in the process of a worker."""
    from gdl.compiler.searches.owner import Owner

    by, engine, maximiser, memory, written, work = about
    symmetries = tuple(Symmetry.read(one) for one in written)
    return Owner(*by_rules(asked_again(by).game), engine, maximiser, memory, symmetries, work).do
